import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Choice, matching } from '../../src/shell/palette/choices.ts'

const choice = (group: string, name: string, hint?: string): Choice => ({
  id: name,
  group,
  name,
  to: '/',
  ...(hint === undefined ? {} : { hint }),
})
const OWN = [
  choice('Go to', 'Issues', 'shop'),
  choice('Projects', 'Web shop', 'shop'),
  choice('Projects', 'Shop API', 'api'),
  choice('Actions', 'Theme: dark'),
]
const names = (found: readonly Choice[]) => found.map(({ name }) => name)

test('every word has to be there, in any order and case', () => {
  assert.deepEqual(names(matching(OWN, [], 'DARK the')), ['Theme: dark'])
  assert.deepEqual(names(matching(OWN, [], 'dark web')), [])
})

test('what begins with the text is first, and groups stay together', () => {
  assert.deepEqual(names(matching(OWN, [], 'shop')), ['Shop API', 'Web shop', 'Issues'])
})

test('what the server has found is not filtered again; an id in full is first', () => {
  const found = [choice('Issues', 'TypeError', 'SHOP-12'), choice('Issues', 'RangeError', 'SHOP-1')]
  assert.deepEqual(names(matching(OWN, found, 'shop-1')), ['RangeError', 'TypeError'])
  assert.deepEqual(names(matching(OWN, found, 'theme')), ['Theme: dark', 'TypeError', 'RangeError'])
})
