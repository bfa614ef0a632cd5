/** Changes stay within what a target takes, whatever they are applied to. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../engine/random.ts'
import { charsOf, type Json, MAX_CHARS, MAX_DEPTH } from './json-size.ts'
import { changedJson } from './json.ts'

const SEEDS = 100

const assertBounded = (text: string): void => {
  const input = Buffer.from(text)
  for (let seed = 0; seed < SEEDS; seed++) {
    const changed = changedJson(input, createRandom(seed), input)
    // A character is at most three bytes.
    assert.ok(
      changed === undefined || changed.length <= 3 * MAX_CHARS,
      `seed ${seed}: ${changed?.length} bytes`,
    )
  }
}

test('lists within each other to the end of an input are no text of a gigabyte', () => {
  const depth = 32_000
  assertBounded('['.repeat(depth) + ']'.repeat(depth))
  assertBounded('['.repeat(MAX_DEPTH - 1) + ']'.repeat(MAX_DEPTH - 1))
})

test('copies of copies end where a target takes no more', () =>
  assertBounded('[[[[[["a","b"],["c"]],[["d"]]]],[[[["e"],["f"]]]]],[1]]'))

test('the length is known without writing', () => {
  const values: Json[] = [
    null,
    'é"\n\ud800',
    [],
    {},
    [[]],
    { a: [] },
    [1, { 'b"': [true, 'x'], c: {} }],
    { 'a.b': [{ c: 1 }] },
  ]
  for (const value of values)
    for (const indent of [0, 1, 2])
      assert.equal(charsOf(value, indent, Infinity), JSON.stringify(value, null, indent).length)
})

test('what is shared and doubles at each level is counted no further than asked', () => {
  let value: Json = ['x']
  for (let level = 0; level < 1_000; level++) value = [value, value]
  assert.ok(charsOf(value, 0, 5_000) > 5_000)
})

test('what is too deep has no length', () => {
  let value: Json = []
  for (let level = 0; level < MAX_DEPTH; level++) value = [value]
  assert.equal(charsOf(value, 0, Infinity), Infinity)
})
