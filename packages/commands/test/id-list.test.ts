import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readIds, writeIds } from '../src/issues/undo-text.ts'

test('neighbours are one part, whatever the order they come in', () => {
  assert.equal(writeIds([5, 3, 4, 9, 9]), '3-2.4')
  assert.deepEqual(readIds('3-2.4', 10), [3, 4, 5, 9])
  assert.equal(writeIds(Array.from({ length: 5_000 }, (_, index) => index + 1)), '1-3uv')
})

test('what was written is read again', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 1_000_000 })), (ids) => {
      const sorted = ids.toSorted((a, b) => a - b)
      assert.deepEqual(readIds(writeIds(ids), 1_000), sorted)
    }),
  )
})

test('other text, and more ids than are allowed, are refused', () => {
  for (const text of [
    '0',
    '-1',
    '1.',
    '.1',
    '1-',
    '1 2',
    'A',
    '1-zzzzz',
    '1.0',
    'zzzzzzzzzz.zzzzzzzzzz.zzzzzzzzzz',
  ])
    assert.equal(readIds(text, 1_000), undefined, text)
  assert.equal(readIds('1-9', 9), undefined)
  assert.deepEqual(readIds('1-9', 10)?.length, 10)
})
