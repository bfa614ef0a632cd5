import assert from 'node:assert/strict'
import { test } from 'node:test'
import { steadyPage } from '../../../src/parts/issue-list/issue-list-screen.tsx'

const page = (hits: number, ...rows: (readonly [id: number, events: number])[]) => ({
  hits,
  rows: rows.map(([id, events]) => ({ id, events })),
})

test('rows keep their place while their numbers follow, and what is new waits', () => {
  const shown = page(3, [1, 10], [2, 20], [3, 30])
  const newest = page(5, [9, 1], [3, 31], [8, 1])
  assert.deepEqual(steadyPage(shown, newest), { page: page(5, [1, 10], [2, 20], [3, 31]), waiting: 2 })
})

test('an empty list shows what comes at once', () => {
  const newest = page(1, [9, 1])
  assert.deepEqual(steadyPage(page(0), newest), { page: newest, waiting: 0 })
})
