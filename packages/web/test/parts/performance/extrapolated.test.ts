import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atLeast, extrapolated, keptShare } from '../../../src/parts/performance/extrapolated.ts'

test('a number that stands on sampled rows says so, and from how many it was counted up', () => {
  assert.deepEqual(extrapolated(12_345, 1_234, 'visit'), {
    text: '≈12.3k',
    title: '12,345 visits, extrapolated from 1 in 10 (1,234 stored)',
  })
})

test('a number whose every row was stored is exact and says nothing else', () => {
  assert.deepEqual(extrapolated(950, 950, 'visit'), { text: '950', title: '950 visits' })
  assert.deepEqual(extrapolated(1, 1, 'visit'), { text: '1', title: '1 visit' })
})

test('what single-precision rates leave behind the point does not make a number an estimate', () => {
  assert.equal(extrapolated(300.000_04, 300, 'visit').text, '300')
})

test('nothing is no estimate', () => assert.equal(extrapolated(0, 0, 'visit').text, '0'))

test('shares are told as one in so many, and by the hundred when most are kept', () => {
  const told = [0, 0.001, 0.000_25, 0.1, 0.4, 0.5, 2 / 3, 0.98, 1].map(keptShare)
  assert.deepEqual(told, [
    'none',
    '1 in 1,000',
    '1 in 4,000',
    '1 in 10',
    '1 in 2.5',
    '1 in 2',
    '66.7 in 100',
    '98 in 100',
    'all',
  ])
})

test('people are not counted up: of sampled visits they are at least so many', () => {
  const sampled = { count: 1_000, samples: 100 }
  assert.deepEqual(atLeast(80, sampled, 'user'), {
    text: '≥80',
    title: 'at least 80 users: 1 in 10 is stored',
  })
  assert.deepEqual(atLeast(0, sampled, 'user'), { text: '0', title: '0 users' })
  assert.deepEqual(atLeast(1, { count: 100, samples: 100 }, 'user'), { text: '1', title: '1 user' })
})
