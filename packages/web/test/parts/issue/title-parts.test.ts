import assert from 'node:assert/strict'
import { test } from 'node:test'
import { titleParts } from '../../../src/parts/issue/issue-badges.tsx'

test('an error is its type and its value', () => {
  assert.deepEqual(titleParts({ title: 'TypeError: x is not a function', metadata: { type: 'TypeError' } }), {
    name: 'TypeError',
    rest: 'x is not a function',
  })
})

test('a title that does not begin with its type, or has none, stays whole', () => {
  assert.equal(titleParts({ title: 'Disk: full', metadata: { title: 'Disk: full' } }).name, 'Disk: full')
  assert.equal(titleParts({ title: 'full', metadata: { type: 'Disk' } }).name, 'full')
  assert.equal(titleParts({ title: ': x', metadata: { type: '' } }).name, ': x')
})
