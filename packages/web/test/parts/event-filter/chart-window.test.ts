import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chartWindow } from '../../../src/parts/event-filter/chart-window.server.ts'
import { NO_FILTER } from '../../../src/parts/event-filter/event-filter.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 2, 14)
const window = (firstSeenMs: number, lastSeenMs: number, filter = NO_FILTER) =>
  chartWindow({ firstSeenMs, lastSeenMs }, filter, NOW)

test('a chart shows the whole life of an issue, at least a day and at most 90', () => {
  assert.deepEqual(window(NOW - 1_000, NOW - 500), { fromMs: NOW - DAY, toMs: NOW })
  assert.deepEqual(window(NOW - 9 * DAY, NOW - DAY), { fromMs: NOW - 9 * DAY, toMs: NOW })
  assert.deepEqual(window(NOW - 400 * DAY, NOW - DAY), { fromMs: NOW - 90 * DAY, toMs: NOW })
})

test('an issue that was last seen long ago shows its last days, one of the future its last event', () => {
  const lastMs = NOW - 100 * DAY
  assert.deepEqual(window(NOW - 120 * DAY, lastMs), { fromMs: NOW - 120 * DAY, toMs: lastMs + DAY })
  assert.equal(window(NOW - DAY, NOW + 5_000).toMs, NOW + 5_001)
})

test('what is asked for wins', () => {
  const range = { fromMs: NOW - 5 * DAY, toMs: NOW - 4 * DAY }
  assert.deepEqual(window(0, NOW, { ...NO_FILTER, range }), range)
  assert.deepEqual(window(0, NOW, { ...NO_FILTER, period: '24h' }), { fromMs: NOW - DAY, toMs: NOW })
})
