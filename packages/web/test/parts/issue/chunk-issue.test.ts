import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isChunkIssue } from '../../../src/parts/issue/issue-badges.tsx'

test('an issue of code that could not be loaded is known by what browsers and bundlers say', () => {
  const of = (value: string): boolean => isChunkIssue({ metadata: { type: 'TypeError', value } })
  for (const value of [
    'Failed to fetch dynamically imported module: https://shop.example/assets/cart-1a2b.js',
    'error loading dynamically imported module: https://shop.example/assets/cart-1a2b.js',
    'Importing a module script failed.',
    'Loading chunk 7 failed.',
    'Loading CSS chunk cart failed.',
    'Unable to preload CSS for /assets/cart.css',
  ])
    assert.ok(of(value), value)
  for (const value of ['Failed to fetch', 'the chunk is large', '']) assert.ok(!of(value), value)
  assert.ok(!isChunkIssue({ metadata: {} }))
})
