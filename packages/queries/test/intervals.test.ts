import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bucketWindow, INTERVALS, type Interval, MAX_BUCKETS } from '@sonde/queries'
import * as fc from 'fast-check'

const utc = (text: string): number => Date.parse(`${text}Z`)
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

describe('bucketWindow', () => {
  const NOON = utc('2026-01-31T12:34:56')
  const CASES: readonly (readonly [string, number, number | undefined, Interval, number, string])[] = [
    ['an hour', HOUR_MS, undefined, '5m', 13, '2026-01-31T11:30:00'],
    ['an hour in many bars', HOUR_MS, 130, '30s', 121, '2026-01-31T11:34:30'],
    ['a day', DAY_MS, undefined, '30m', 49, '2026-01-30T12:30:00'],
    ['a day in few bars', DAY_MS, 25, '1h', 25, '2026-01-30T12:00:00'],
    ['two weeks', 14 * DAY_MS, undefined, '6h', 57, '2026-01-17T12:00:00'],
    ['ninety days', 90 * DAY_MS, undefined, '7d', 14, '2025-10-27T00:00:00'],
    ['a moment', 5_000, undefined, '1s', 5, '2026-01-31T12:34:51'],
  ]
  for (const [name, lengthMs, buckets, interval, count, first] of CASES) {
    it(`${name} is cut into steps of ${interval}`, () => {
      const window = bucketWindow({ fromMs: NOON - lengthMs, toMs: NOON, buckets })
      assert.equal(window.interval, interval)
      assert.equal(window.startsMs.length, count)
      assert.equal(window.startsMs[0], utc(first))
    })
  }

  it('an interval that is asked for is kept, unless it made more bars than pixels', () => {
    const asked = (interval: Interval) =>
      bucketWindow({ fromMs: NOON - DAY_MS, toMs: NOON, interval }).interval
    assert.equal(asked('1h'), '1h')
    assert.equal(asked('1s'), '5m')
  })

  it('a window without length is refused', () => {
    for (const [fromMs, toMs] of [
      [5, 5],
      [6, 5],
      [Number.NaN, 5],
      [-1, 5],
    ] as const) {
      assert.throws(() => bucketWindow({ fromMs, toMs }), /beginning before its end/)
    }
  })

  it('covers what was asked, begins at whole steps and never has too many', () => {
    const input = fc.record({
      fromMs: fc.integer({ min: 0, max: 2_000_000_000_000 }),
      lengthMs: fc.integer({ min: 1, max: 10 * 365 * DAY_MS }),
      buckets: fc.integer({ min: 1, max: 1_000 }),
    })
    fc.assert(
      fc.property(input, ({ fromMs, lengthMs, buckets }) => {
        const toMs = fromMs + lengthMs
        const window = bucketWindow({ fromMs, toMs, buckets })
        const { startsMs, stepMs } = window
        assert.ok(INTERVALS.some(([name, ms]) => name === window.interval && ms === stepMs))
        assert.ok(startsMs.length <= MAX_BUCKETS)
        assert.ok(window.fromMs <= fromMs && window.fromMs + stepMs > fromMs)
        assert.ok(startsMs.every((startMs, index) => startMs === window.fromMs + index * stepMs))
        if (window.interval === '30d') return
        assert.ok(startsMs.length <= Math.min(buckets, MAX_BUCKETS))
        assert.ok(window.toMs >= toMs && window.toMs - stepMs < toMs)
      }),
    )
  })
})
