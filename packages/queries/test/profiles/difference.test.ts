/** Two sets of profiles side by side: shares, not times; calls of one side only; too few samples; recursion. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { profileDifference } from '../../src/profiles/profile-difference.ts'

const FRAMES = ['main', 'price', 'render', 'cache'].map((name) => [name, 'shop.ts', 1, 0, '', 1, ''])

/** `self`: how many samples of 10 ms each stack had in itself. */
function bodyOf(nodes: readonly number[], self: readonly number[]): string {
  const at = self.flatMap((count, node) => Array.from({ length: count }, () => node))
  return JSON.stringify({
    frames: FRAMES,
    nodes,
    samples: at.flatMap((node, index) => [index * 10_000, node, 0]),
    weights: at.map(() => 10_000),
    threads: [['1', 'main']],
  })
}

// main → price, main → render; after: main → price, main → cache.
const BEFORE = bodyOf([-1, 0, 0, 1, 0, 2], [10, 30, 60])
const AFTER = bodyOf([-1, 0, 0, 1, 0, 3], [20, 120, 60])

test('compares shares, whichever side has more profiles', () => {
  const { functions, samples, isTooFew } = profileDifference([BEFORE], [AFTER, AFTER])
  assert.deepEqual([samples, isTooFew], [{ before: 100, after: 400 }, false])
  const price = functions.find((each) => each.function === 'price')
  assert.deepEqual(price?.self, { before: 0.3, after: 0.6 })
  assert.deepEqual(price?.samples, { before: 30, after: 240 })
  assert.deepEqual(functions.find((each) => each.function === 'main')?.total, { before: 1, after: 1 })
})

test('keeps calls that are only on one side, as wide as the mean of both shares', () => {
  const { tree, functions } = profileDifference([BEFORE], [AFTER])
  const widths = tree.nodes.map(
    ({ fn, totalMs, share }) => [tree.functions[fn]?.name, totalMs, share] as const,
  )
  assert.deepEqual(
    widths.find(([name]) => name === 'render'),
    ['render', 300, { before: 0.6, after: 0 }],
  )
  assert.equal(Math.round(tree.totalMs), 1000)
  assert.deepEqual(functions[0]?.function, 'render')
})

test('says where there are too few samples, and puts those functions last', () => {
  const { functions, isTooFew } = profileDifference(
    [bodyOf([-1, 0, 0, 1, 0, 2], [40, 1, 39])],
    [bodyOf([-1, 0, 0, 1, 0, 2], [10, 17, 53])],
  )
  assert.equal(isTooFew, true)
  assert.deepEqual([functions.at(-1)?.function, functions.at(-1)?.isTooFew], ['price', true])
})

test('counts a function that calls itself once, however deep', () => {
  const depth = 40_000
  const nodes = Array.from({ length: depth }, (_, at) => [at - 1, 1]).flat()
  const deep = bodyOf(nodes, [...Array.from({ length: depth - 1 }, () => 0), 100])
  const { functions } = profileDifference([deep], [deep])
  assert.deepEqual(functions[0]?.total, { before: 1, after: 1 })
})

test('has no shares of nothing', () => {
  const { tree, functions } = profileDifference([], [BEFORE])
  assert.deepEqual(functions.find((each) => each.function === 'price')?.self, { before: 0, after: 0.3 })
  assert.equal(profileDifference([], []).tree.nodes.length, 0)
  assert.equal(tree.nodes.length, 3)
})
