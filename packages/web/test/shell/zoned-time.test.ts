import assert from 'node:assert/strict'
import { test } from 'node:test'
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
