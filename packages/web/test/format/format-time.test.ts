import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  daysAgo,
  formatAge,
  formatAgo,
  formatClock,
  formatExactTime,
  formatOffset,
} from '../../src/format/format-time.ts'

const NOW_MS = Date.UTC(2026, 2, 1, 14, 5, 9, 123)
const DAY_MS = 86_400_000

test('ages are one number and one unit, rounded down', () => {
  const table: [number, string][] = [
    [0, 'now'],
    [4_999, 'now'],
    [59_999, '59s'],
    [60_000, '1min'],
    [3_599_999, '59min'],
    [3_600_000, '1h'],
    [DAY_MS - 1, '23h'],
    [13 * DAY_MS, '13d'],
    [14 * DAY_MS, '2w'],
    [70 * DAY_MS, '2mo'],
    [800 * DAY_MS, '2y'],
  ]
  for (const [ageMs, text] of table) assert.equal(formatAge(NOW_MS - ageMs, NOW_MS), text)
})

test('an age is never zero of something', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 400_000 * DAY_MS }), (ageMs) => {
      assert.match(formatAge(NOW_MS - ageMs, NOW_MS), /^(now|[1-9]\d*(s|min|h|d|w|mo|y))$/)
    }),
  )
})

test('a client whose clock is ahead is told so', () => {
  assert.equal(formatAge(NOW_MS + 3 * 60_000, NOW_MS), 'in 3min')
  assert.equal(formatAgo(NOW_MS + 3 * 60_000, NOW_MS), 'in 3min')
  assert.equal(formatAgo(NOW_MS - 3 * 60_000, NOW_MS), '3min ago')
  assert.equal(formatAgo(NOW_MS, NOW_MS), 'now')
})

test('exact times name their zone', () => {
  assert.equal(formatExactTime(NOW_MS, 'utc'), '2026-03-01 14:05:09 UTC')
  assert.equal(formatClock(NOW_MS, 'utc'), '14:05:09.123')
  const script = `import { formatExactTime, formatClock } from ${JSON.stringify(
    new URL('../../src/format/format-time.ts', import.meta.url).href,
  )}; console.log(formatExactTime(${NOW_MS}, 'local'), formatClock(${NOW_MS}, 'local'))`
  const inZone = (TZ: string): string =>
    spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, TZ },
      encoding: 'utf8',
    }).stdout.trim()
  assert.equal(inZone('Asia/Kathmandu'), '2026-03-01 19:50:09 +05:45 19:50:09.123')
  assert.equal(inZone('America/New_York'), '2026-03-01 09:05:09 −05:00 09:05:09.123')
})

test('times that no calendar has are said to be unknown, not thrown', () => {
  assert.equal(formatExactTime(Number.NaN, 'utc'), 'unknown time')
  assert.equal(formatClock(1e20, 'local'), '–')
})

test('offsets within an event have a sign', () => {
  assert.deepEqual(
    [-300, 0, 1_234, 90_000, -7_200_000].map((deltaMs) => formatOffset(NOW_MS + deltaMs, NOW_MS)),
    ['−300ms', '+0ms', '+1.2s', '+1min', '−2h'],
  )
})

test('use is told by the day that it is noted by', () => {
  const nowMs = Date.UTC(2026, 0, 31, 0, 30)
  assert.equal(daysAgo(undefined, nowMs), 'never')
  assert.equal(daysAgo(Date.UTC(2026, 0, 31), nowMs), 'today')
  assert.equal(daysAgo(Date.UTC(2026, 0, 30), nowMs), 'yesterday')
  assert.equal(daysAgo(Date.UTC(2026, 0, 1), nowMs), '30 days ago')
})
