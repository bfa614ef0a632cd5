import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesText, spanText } from '../../../src/parts/figures/figures-text.ts'

test('spans are said in the largest unit that fits', () => {
  assert.deepEqual([0, 59_999, 60_000, 3_599_999, 3_600_000, 86_399_999, 86_400_000, 9e9].map(spanText), [
    '0 s',
    '59 s',
    '1 min',
    '59 min',
    '1 h',
    '23 h',
    '1 d',
    '104 d',
  ])
})

test('sizes reach into gigabytes', () => {
  assert.deepEqual([0, 999, 1_500, 999_949_999, 999_950_000, 12_345_678_901].map(bytesText), [
    '0 B',
    '999 B',
    '1.5 kB',
    '999.9 MB',
    '1.0 GB',
    '12.3 GB',
  ])
})
