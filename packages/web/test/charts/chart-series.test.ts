import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spanText, tickTexts } from '../../src/charts/axis-text.ts'
import { barAt, type ChartSeries, markersIn, snapRange, stepName } from '../../src/charts/chart-series.ts'

const HOUR = 3_600_000
const AT = Date.UTC(2026, 2, 14)
const SERIES: ChartSeries = {
  fromMs: AT,
  toMs: AT + 4 * HOUR,
  stepMs: HOUR,
  counts: [0, 3, 0, 1],
  total: 4,
  markers: [{ release: '1.0', atMs: AT + HOUR + 1 }],
}

test('a brush takes whole bars and never leaves the chart', () => {
  assert.deepEqual(snapRange(SERIES, AT + HOUR + 5, AT + 2 * HOUR + 5), {
    fromMs: AT + HOUR,
    toMs: AT + 3 * HOUR,
  })
  assert.deepEqual(snapRange(SERIES, AT + 2 * HOUR, AT + HOUR), { fromMs: AT + HOUR, toMs: AT + 2 * HOUR })
  assert.deepEqual(snapRange(SERIES, AT - HOUR, AT + 99 * HOUR), { fromMs: AT, toMs: AT + 4 * HOUR })
})

test('a time is in the bar that holds it', () => {
  assert.equal(barAt(SERIES, AT), 0)
  assert.equal(barAt(SERIES, AT + 4 * HOUR - 1), 3)
  assert.equal(barAt(SERIES, AT + 4 * HOUR), undefined)
  assert.deepEqual(
    markersIn(SERIES, 1).map((marker) => 'release' in marker && marker.release),
    ['1.0'],
  )
  assert.deepEqual(markersIn(SERIES, 2), [])
})

test('a step has a name that people use', () => {
  assert.deepEqual([1_000, 300_000, HOUR, 6 * HOUR, 24 * HOUR, 168 * HOUR].map(stepName), [
    'one second',
    '5 minutes',
    'one hour',
    '6 hours',
    'one day',
    '7 days',
  ])
})

test('ticks say the clock, midnight its date, another year its number', () => {
  assert.deepEqual(tickTexts([AT - 6 * HOUR, AT, AT + 6 * HOUR], 'utc'), ['18:00', '14 Mar', '06:00'])
  assert.deepEqual(tickTexts([AT, AT + 30_000], 'utc'), ['14 Mar', '00:00:30'])
  assert.deepEqual(tickTexts([Date.UTC(2025, 11, 31), Date.UTC(2026, 0, 1)], 'utc'), ['31 Dec', '1 Jan 2026'])
})

test('a span is as short as it can be', () => {
  assert.equal(spanText(AT + HOUR, AT + 2 * HOUR, 'utc'), '14 Mar, 01:00–02:00')
  assert.equal(spanText(AT, AT + 24 * HOUR, 'utc'), '14 Mar')
  assert.equal(spanText(AT, AT + 48 * HOUR, 'utc'), '14 Mar – 15 Mar')
  assert.equal(spanText(AT + HOUR, AT + 26 * HOUR, 'utc'), '14 Mar, 01:00 – 15 Mar, 02:00')
  assert.equal(spanText(AT, AT + 1_000, 'utc'), '14 Mar, 00:00:00–00:00:01')
})
