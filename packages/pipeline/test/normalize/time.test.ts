import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTimestamp } from '../../src/normalize/timestamp.ts'
import { remarkOf, eventOf, RECEIVED_MS, RECEIVED_SEC } from './event-of.ts'

const HOUR = 3600

test('times are read in every form that SDKs send', () => {
  const cases: [unknown, number | undefined][] = [
    ['2026-11-20T11:00:00Z', 1795172400],
    ['2026-11-20T11:00:00', 1795172400],
    ['2026-11-20 11:00:00', 1795172400],
    ['2026-11-20T12:00:00+01:00', 1795172400],
    ['2026-11-20T06:30:00-0430', 1795172400],
    ['2026-11-20T11:00:00.123456Z', 1795172400.123456],
    ['2026-11-20T11:00:00.123456789Z', 1795172400.1234567],
    ['2026-11-20', 1795132800],
    [1795172400, 1795172400],
    [1795172400.25, 1795172400.25],
    ['1795172400.25', 1795172400.25],
    [1795172400250, 1795172400.25],
    ['2026-02-31T00:00:00Z', undefined],
    ['2026-13-01T00:00:00Z', undefined],
    ['yesterday', undefined],
    ['', undefined],
    [-5, undefined],
    [Number.NaN, undefined],
    [true, undefined],
    [{}, undefined],
  ]
  for (const [value, expected] of cases) assert.equal(parseTimestamp(value), expected, String(value))
})

test('an event without a time happened when it arrived', () => {
  assert.equal(eventOf({}).timestamp, RECEIVED_SEC)
  assert.equal(eventOf({ timestamp: null }).errors, undefined)
})

test('an unreadable time is told and replaced by the arrival', () => {
  const event = eventOf({ timestamp: 'soon' })
  assert.equal(event.timestamp, RECEIVED_SEC)
  assert.deepEqual(event.errors, [{ type: 'invalid_data', name: 'timestamp', value: 'soon' }])
})

test('a clock that is 55 minutes or more off is corrected, a smaller drift stays', () => {
  const sent = (aheadSec: number) => ({
    event: eventOf(
      { timestamp: RECEIVED_SEC + aheadSec - 10, breadcrumbs: [{ timestamp: RECEIVED_SEC + aheadSec - 20 }] },
      { sentAtMs: RECEIVED_MS + aheadSec * 1000, maxFutureSec: HOUR },
    ),
  })
  const far = sent(2 * HOUR).event
  assert.equal(far.timestamp, RECEIVED_SEC - 10)
  assert.equal(far.breadcrumbs?.[0]?.timestamp, RECEIVED_SEC - 20)
  assert.deepEqual(remarkOf(far, 'timestamp')?.remarks, [{ rule: '!clock', kind: 'clock_drift' }])
  const slow = sent(-3 * HOUR).event
  assert.equal(slow.timestamp, RECEIVED_SEC - 10)
  const near = sent(54 * 60).event
  assert.equal(near.timestamp, RECEIVED_SEC + 54 * 60 - 10)
  assert.equal(remarkOf(near, 'timestamp'), undefined)
})

test('events of 1970 and 2100 are shown as of their arrival, with a remark', () => {
  for (const [timestamp, kind] of [
    [1, 'past_timestamp'],
    [4102444800, 'future_timestamp'],
    ['1970-01-01T00:00:01Z', 'past_timestamp'],
    ['2100-01-01T00:00:00Z', 'future_timestamp'],
  ] as const) {
    const event = eventOf({ timestamp, breadcrumbs: [{ timestamp }] })
    assert.equal(event.timestamp, RECEIVED_SEC)
    assert.equal(event.breadcrumbs?.[0]?.timestamp, RECEIVED_SEC)
    assert.deepEqual(remarkOf(event, 'timestamp')?.remarks, [{ rule: '!clock', kind }])
  }
})

test('the past is kept as long as the retention says', () => {
  const old = RECEIVED_SEC - 60 * 86_400
  assert.equal(eventOf({ timestamp: old }).timestamp, old)
  assert.equal(eventOf({ timestamp: old }, { retentionDays: 30 }).timestamp, RECEIVED_SEC)
})
