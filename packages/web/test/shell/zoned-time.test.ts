import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zonedTime } from '../../src/format/person-zone.ts'
import { readZonedTime } from '../../src/parts/forms/zoned-time.server.ts'
import { addressText, addressTime, fieldText, fieldTime, rangeProblem } from '../../src/shell/time-range.ts'

// Before any date is made: Node reads it once a process.
process.env['TZ'] = 'Europe/Berlin'

test('a field is read and shown in its zone, in summer and in winter', () => {
  const rows = [
    ['2026-01-31T10:00', '2026-01-31T09:00:00Z'],
    ['2026-07-31T10:00', '2026-07-31T08:00:00Z'],
  ] as const
  for (const [text, utc] of rows) {
    const ms = fieldTime(text, 'local') ?? 0
    assert.equal(addressText(ms), utc)
    assert.equal(fieldText(ms, 'local'), text)
    assert.equal(fieldText(ms, 'utc'), utc.slice(0, 16))
    assert.equal(fieldTime(fieldText(ms, 'utc'), 'utc'), ms)
    assert.equal(addressTime(utc), ms)
  }
})

test('what is no time is none, and a time of the address without a zone is UTC', () => {
  for (const text of ['', '2026', 'soon', '2026-13-01T10:00', '1960-01-01T10:00']) {
    assert.equal(fieldTime(text, 'utc'), undefined, text)
  }
  assert.equal(fieldText(undefined, 'local'), '')
  assert.equal(addressTime(null), undefined)
  assert.equal(addressTime('2026-01-01T10:00'), Date.UTC(2026, 0, 1, 10))
  assert.equal(addressTime('2026-01-01T10:00+02:00'), Date.UTC(2026, 0, 1, 8))
})

test('a range says what is wrong with it', () => {
  assert.equal(rangeProblem(1, 2), undefined)
  assert.match(rangeProblem(2, 2) ?? '', /after/)
  assert.match(rangeProblem(undefined, 2) ?? '', /start and an end/)
})

test('a time is read by the clock of its zone, whatever this machine’s is, and across a change of the clocks', () => {
  const rows = [
    ['2026-01-31T10:00', 'Asia/Tokyo', '2026-01-31T01:00:00Z'],
    ['2026-07-31T10:00', 'America/New_York', '2026-07-31T14:00:00Z'],
    ['2026-01-31T10:00', 'America/New_York', '2026-01-31T15:00:00Z'],
    // The day on which summer time begins, before and after.
    ['2026-03-29T01:30', 'Europe/Berlin', '2026-03-29T00:30:00Z'],
    ['2026-03-29T03:30', 'Europe/Berlin', '2026-03-29T01:30:00Z'],
    ['2026-01-31T10:00', 'Asia/Kathmandu', '2026-01-31T04:15:00Z'],
  ] as const
  for (const [text, zone, utc] of rows) assert.equal(addressText(zonedTime(text, zone) ?? 0), utc, zone)
  assert.deepEqual(
    [zonedTime('soon', 'UTC'), zonedTime('2026-01-31T10:00', 'Mars/Olympus')],
    [undefined, undefined],
  )
})

test('a field is read by the zone that it showed; without scripts by that of the profile, or as UTC', () => {
  const at = '2026-01-31T10:00'
  const read = (zone: string, timeZone?: string): string =>
    addressText(readZonedTime({ at, zone }, timeZone === undefined ? undefined : { timeZone }) ?? 0)
  assert.equal(read('Asia/Tokyo', 'America/New_York'), '2026-01-31T01:00:00Z')
  assert.equal(read('', 'America/New_York'), '2026-01-31T15:00:00Z')
  assert.equal(read(''), '2026-01-31T10:00:00Z')
})
