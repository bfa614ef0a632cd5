import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatRate, formatRateShare } from '../../../src/format/format-count.ts'
import { changeText } from '../../../src/parts/performance/change-text.ts'

const known = (by: number, low: number, high: number) => ({ kind: 'known', by, low, high }) as const

test('a change is told with its ends, and with a word that colour only repeats', () => {
  assert.deepEqual(changeText(known(0.25, 0.118, 0.4), 'p75'), {
    by: '+25%',
    between: '+12% to +40%',
    verdict: 'slower',
    kind: 'worse',
  })
  assert.deepEqual(changeText(known(-0.034, -0.05, -0.012), 'p95'), {
    by: '−3.4%',
    between: '−5% to −1.2%',
    verdict: 'faster',
    kind: 'better',
  })
  assert.equal(changeText(known(0.3, -0.1, 0.9), 'p50')?.verdict, 'no significant change')
})

test('failures change by points', () => {
  assert.deepEqual(changeText(known(0.02, 0.004, 0.041), 'failureRate'), {
    by: '+2 points',
    between: '+0.4 points to +4.1 points',
    verdict: 'more failures',
    kind: 'worse',
  })
  assert.equal(changeText(known(-0.12, -0.2, -0.1), 'failureRate')?.verdict, 'fewer failures')
})

test('exactly no change has no sign, and many times as much is told as that', () => {
  assert.deepEqual([changeText(known(0, 0, 0), 'p75')?.by], ['±0%'])
  assert.equal(changeText(known(11, 10, 12), 'p75')?.by, '×12')
  assert.equal(changeText(known(9, 8, 10), 'p75')?.by, '+900%')
})

test('of too few samples there is no text', () => {
  assert.equal(changeText({ kind: 'few' }, 'p75'), undefined)
})

test('rates keep the digits that tell them apart', () => {
  assert.deepEqual([0, 0.001, 0.05, 4.24, 9.96, 87, 12_345].map(formatRate), [
    '0',
    '<0.01',
    '0.05',
    '4.2',
    '10',
    '87',
    '12.3k',
  ])
  assert.deepEqual([0, 0.004, 0.0123, 0.05, 0.12, 1].map(formatRateShare), [
    '0%',
    '0.4%',
    '1.2%',
    '5%',
    '12%',
    '100%',
  ])
})
