import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type TimedSpan, timeShares } from '../../src/performance/time-shares.ts'

const root = { spanId: 'r', startMs: 1000, durationMs: 100 }
/** `from` and `to` in milliseconds after the root's start. */
const span = (spanId: string, parentSpanId: string, from: number, to: number, name = spanId): TimedSpan => ({
  segmentId: 'r',
  spanId,
  parentSpanId,
  op: 'op',
  name,
  startMs: 1000 + from,
  durationMs: to - from,
})
const own = (...spans: TimedSpan[]): Record<string, number> =>
  Object.fromEntries(
    timeShares([root], spans).map(({ name, ownMs }) => [name, Math.round(ownMs * 1000) / 1000]),
  )

describe('where the time of a transaction goes', () => {
  it('is to its innermost spans, and the rest is its own', () => {
    assert.deepEqual(own(span('a', 'r', 10, 60), span('b', 'a', 20, 50)), { '': 50, a: 20, b: 30 })
    assert.deepEqual(own(), { '': 100 })
  })

  it('is shared by those that run at the same time', () => {
    assert.deepEqual(own(span('a', 'r', 0, 100), span('b', 'r', 50, 100)), { '': 0, a: 75, b: 25 })
  })

  it('outside the transaction is nobody’s', () => {
    assert.deepEqual(own(span('a', 'r', -50, 20), span('b', 'r', 90, 900), span('c', 'r', 300, 400)), {
      '': 70,
      a: 20,
      b: 10,
      c: 0,
    })
  })

  it('counts a child that outlasts its parent on its own', () => {
    assert.deepEqual(own(span('a', 'r', 0, 40), span('b', 'a', 20, 80)), { '': 20, a: 20, b: 60 })
  })

  it('is told by name over all transactions, with how many there were and how long they took', () => {
    const second = { ...root, spanId: 's' }
    const spans = [
      span('a', 'r', 0, 10, 'query'),
      span('b', 'r', 20, 50, 'query'),
      { ...span('c', 's', 0, 40, 'query'), segmentId: 's' },
      { ...span('d', 'x', 0, 100, 'of another'), segmentId: 'x' },
    ]
    const [none, query, ...others] = timeShares([root, second], spans)
    assert.deepEqual([none?.share, none?.name, none?.spans], [0.6, '', 0])
    assert.deepEqual(query, {
      op: 'op',
      name: 'query',
      ownMs: 80,
      share: 0.4,
      spans: 3,
      transactions: 2,
      medianMs: 30,
    })
    assert.deepEqual(others, [])
  })

  it('is the whole of it, whatever spans say of themselves', () => {
    const anySpan = fc.record({
      spanId: fc.constantFrom('r', 'a', 'b', 'c', 'd', 'a'),
      parentSpanId: fc.constantFrom('r', 'a', 'b', 'c', 'd', '', 'gone'),
      from: fc.integer({ min: -60, max: 160 }),
      length: fc.integer({ min: -20, max: 120 }),
    })
    fc.assert(
      fc.property(fc.array(anySpan, { maxLength: 12 }), (given) => {
        const spans = given.map(({ spanId, parentSpanId, from, length }) =>
          span(spanId, parentSpanId, from, from + length),
        )
        const shares = timeShares([root], spans)
        const sum = shares.reduce((total, { share }) => total + share, 0)
        assert.ok(Math.abs(sum - 1) < 1e-9, `${sum}`)
        assert.ok(shares.every(({ ownMs }) => ownMs >= 0))
      }),
    )
  })
})
