import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FACT_IDS, factProblems, type FactRow, readFactRows } from './facts.ts'

const rows = (change: Partial<FactRow> = {}): FactRow[] =>
  FACT_IDS.map((id) => ({ id, file: 'not yet', test: 'not yet', ...(id === 'N4' ? change : {}) }))
const read = (path: string): string | undefined =>
  path === 'a.test.ts' ? "test('N4: five prefetches')" : undefined

test('a table with a row for each fact passes', () => {
  assert.deepEqual(factProblems(rows(), read), [])
})

test('a missing row fails', () => {
  assert.deepEqual(factProblems(rows().slice(1), read), ['docs/facts.md has no row for N1'])
})

test('a named file that does not exist fails', () => {
  assert.match(factProblems(rows({ file: '`gone.ts`' }), read)[0] ?? '', /gone.ts does not exist/)
})

test('a named test that does not name the fact fails', () => {
  assert.deepEqual(factProblems(rows({ test: '`a.test.ts`' }), read), [])
  assert.match(factProblems(rows({ test: '`a.test.ts`' }), () => "test('N5')")[0] ?? '', /names it/)
})

test('an empty cell fails', () => {
  assert.match(factProblems(rows({ file: '' }), read)[0] ?? '', /neither a path nor/)
})

test('rows are read from the table', () => {
  assert.deepEqual(readFactRows('| N4 | At most 5 | `x.ts` | not yet |\n'), [
    { id: 'N4', file: '`x.ts`', test: 'not yet' },
  ])
})
