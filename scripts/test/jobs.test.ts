import assert from 'node:assert/strict'
import { test } from 'node:test'
import { longestFirst } from './jobs.mjs'

test('of each suite the longest comes first, by its last duration or else by its length; suites stay in order', () => {
  const [unit, e2e] = [{ name: 'unit' }, { name: 'e2e', first: ['tests/every'] }]
  const job = (suite: typeof unit | typeof e2e, name: string) => ({ suite, name, files: [name] })
  const jobs = [
    job(unit, 'short'),
    job(unit, 'long'),
    job(e2e, 'known'),
    job(e2e, 'large and new'),
    job(e2e, 'small and new'),
    job(e2e, 'tests/everything'),
  ]
  const lastMs: Record<string, number> = { short: 10, long: 2_000, known: 5_000 }
  const bytes: Record<string, number> = { 'large and new': 60_000, 'small and new': 60 }
  const sorted = longestFirst(
    jobs,
    ({ name }) => lastMs[name],
    ({ name }) => bytes[name] ?? 0,
  )
  assert.deepEqual(
    sorted.map(({ name }) => name),
    ['long', 'short', 'tests/everything', 'large and new', 'known', 'small and new'],
  )
})
