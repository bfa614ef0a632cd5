import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freeMemory } from '../src/index.ts'

void test('frees each buffer once, whatever looks at it', () => {
  const buffer = new ArrayBuffer(1_000)
  const views = [new Uint8Array(buffer, 0, 10), new Uint8Array(buffer, 10), new Uint8Array(5)]
  freeMemory(views)
  assert.deepEqual(
    views.map(({ length }) => length),
    [0, 0, 0],
  )
  assert.equal(buffer.detached, true)
  freeMemory(views)
})

void test('leaves memory that is shared with other threads', () => {
  const shared = new Uint8Array(new SharedArrayBuffer(10))
  freeMemory([shared])
  assert.equal(shared.length, 10)
})
