import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retentionCut } from '@sonde/stores'

const DAY = 86_400_000
const TODAY = Date.UTC(2026, 0, 31)
const NONE = { keepDays: null, maxBytes: null }
/** 10 rows and 1 MB a day, of the last `count` days. */
const days = (count: number) =>
  Array.from({ length: count }, (_, ago) => ({ dayMs: TODAY - ago * DAY, rows: 10, bytes: 1_000_000 }))

test('without a rule nothing goes', () => {
  assert.equal(retentionCut(NONE, days(90), TODAY), undefined)
})

test('days that are older than a rule keeps go whole', () => {
  assert.deepEqual(retentionCut({ ...NONE, keepDays: 7 }, days(10), TODAY), {
    beforeMs: TODAY - 7 * DAY,
    rows: 20,
    bytes: 2_000_000,
  })
  assert.equal(retentionCut({ ...NONE, keepDays: 10 }, days(10), TODAY), undefined)
})

test('over the limit the oldest days go until nine tenths of it are left', () => {
  assert.deepEqual(retentionCut({ ...NONE, maxBytes: 5_000_000 }, days(10), TODAY), {
    beforeMs: TODAY - 3 * DAY,
    rows: 60,
    bytes: 6_000_000,
  })
  assert.equal(retentionCut({ ...NONE, maxBytes: 10_000_000 }, days(10), TODAY), undefined)
})

test("today's never goes, however much it is", () => {
  assert.equal(
    retentionCut({ ...NONE, maxBytes: 1_000_000 }, [{ dayMs: TODAY, rows: 1, bytes: 9e9 }], TODAY),
    undefined,
  )
})

test('both rules count together, and days without data are none', () => {
  const gaps = [
    ...days(3),
    { dayMs: TODAY - 30 * DAY, rows: 5, bytes: 500 },
    { dayMs: TODAY - 60 * DAY, rows: 0, bytes: 0 },
  ]
  assert.deepEqual(retentionCut({ keepDays: 14, maxBytes: 2_000_000 }, gaps, TODAY), {
    beforeMs: TODAY,
    rows: 25,
    bytes: 2_000_500,
  })
})
