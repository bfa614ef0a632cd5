import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { formatExactTime } from '../../src/format/format-time.ts'
import { minutesAhead, setPersonZone } from '../../src/format/person-zone.ts'
import { fieldText, fieldTime } from '../../src/shell/time-range.ts'

describe('the zone of a person', () => {
  afterEach(() => setPersonZone(''))

  const WINTER = Date.UTC(2026, 0, 31, 12)
  const SUMMER = Date.UTC(2026, 6, 31, 12)

  test('times are told in the zone that the person chose, with the offset of that moment', () => {
    setPersonZone('Europe/Berlin')
    assert.equal(formatExactTime(WINTER, 'local'), '2026-01-31 13:00:00 +01:00')
    assert.equal(formatExactTime(SUMMER, 'local'), '2026-07-31 14:00:00 +02:00')
    assert.equal(formatExactTime(WINTER, 'utc'), '2026-01-31 12:00:00 UTC')
    setPersonZone('America/St_Johns')
    assert.equal(minutesAhead(WINTER), -210)
    setPersonZone('Asia/Kathmandu')
    assert.equal(formatExactTime(WINTER + 999, 'local'), '2026-01-31 17:45:00 +05:45')
  })

  test('what is typed into a field is read in that zone, across a change of its clock', () => {
    setPersonZone('Europe/Berlin')
    for (let hour = 0; hour < 48; hour += 1) {
      // The hour that comes twice is read as the later one or the earlier one: it shows the same.
      const ms = Date.UTC(2026, 9, 24, 12) + hour * 3_600_000
      const read = fieldTime(fieldText(ms, 'local'), 'local')
      assert.equal(fieldText(read, 'local'), fieldText(ms, 'local'))
    }
    assert.equal(fieldTime('2026-07-01T12:00', 'local'), Date.UTC(2026, 6, 1, 10))
  })

  test('a zone that the browser does not know is as none', () => {
    setPersonZone('')
    const own = minutesAhead(WINTER)
    setPersonZone('Mars/Olympus')
    assert.equal(minutesAhead(WINTER), own)
  })
})
