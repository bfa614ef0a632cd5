import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fewSpeedText, speedLine } from '../../src/routes/[org]/[project]/issues/[issue]/issue-speed-text.ts'

const group = (value: number, samples: number, clusters: number) => ({ value, samples, clusters })
const WINDOW = { fromMs: 0, toMs: 1 }

test('a difference has its interval, its sign and what it stands on', () => {
  const line = speedLine('users', {
    name: 'lcp',
    first: group(2300, 210, 45),
    second: group(1480, 1900, 340),
    difference: 820,
    low: 310,
    high: 1400,
  })
  assert.deepEqual(
    [line.what, line.difference, line.interval, line.verdict],
    ['LCP p75', '+820 ms', '95 % CI +310 ms to +1.4 s', 'worse'],
  )
  assert.equal(
    line.title,
    '2.3 s (210 page views from 45 users) vs. 1.48 s for other users (1.9k page views from 340 users), on the same routes and device types',
  )
})

test('an interval on both sides of nothing is no verdict, and a shift has no unit', () => {
  const groups = { first: group(0.05, 40, 30), second: group(0.07, 40, 30) }
  const cls = { name: 'cls', ...groups, difference: -0.02 } as const
  const line = speedLine('visits', { ...cls, low: -0.06, high: 0.02 })
  assert.deepEqual(
    [line.difference, line.interval, line.verdict],
    ['−0.02', '95 % CI −0.06 to +0.02', 'undecided'],
  )
  assert.equal(speedLine('visits', { ...cls, low: -0.06, high: -0.01 }).verdict, 'better')
})

test('of too few it says what it takes, of none nothing', () => {
  const none = { ...WINDOW, users: [], visits: [], affectedVisits: 0 }
  assert.equal(fewSpeedText(none), undefined)
  assert.match(
    fewSpeedText({ ...none, affectedVisits: 7 }) ?? '',
    /7 page views .* 30 page views from 20 users/,
  )
})
