import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OutcomeFields } from '@sonde/stores'
import { outcomeRows } from '../../src/commit/outcomes.ts'

const base = { atMs: 0, projectId: 1, keyId: 7, category: 'error', quantity: 1 } as const
const discarded = (reason: string, more: Partial<OutcomeFields> = {}): OutcomeFields => ({
  ...base,
  outcome: 'client_discard',
  reason,
  ...more,
})
const told = (outcomes: readonly OutcomeFields[]) =>
  outcomeRows(outcomes).map((row) => {
    const [, , , category = '', , reason = '', quantity] = row.split('\t')
    return { category, reason, quantity: Number(quantity) }
  })

test('a stranger who makes up reasons makes no row of each: what is over the bound is summed up', () => {
  const made = Array.from({ length: 5_000 }, (_, at) => discarded(`made up ${at}`))
  const kinds = Array.from({ length: 5_000 }, (_, at): OutcomeFields => ({
    ...base,
    projectId: 2,
    outcome: 'unsupported',
    reason: `unknown_kind:k${at}:sdk`,
  }))
  const rows = told([...made, ...kinds, discarded('sample_rate', { projectId: 3 })])
  assert.equal(rows.length, 101 + 101 + 1)
  const others = rows.filter(({ reason }) => reason.endsWith('other'))
  assert.deepEqual(
    others.map(({ category, reason, quantity }) => [category, reason, quantity]),
    [
      ['default', 'other', 4_900],
      ['error', 'unknown_kind:other', 4_900],
    ],
  )
  assert.ok(
    rows.some(({ reason }) => reason === 'sample_rate'),
    'another project has its own',
  )
  assert.equal(
    rows.reduce((sum, { quantity }) => sum + quantity, 0),
    10_001,
    'nothing is lost of the sum',
  )
})

test('what an honest SDK reports stays as it is, however many reports there are', () => {
  const reasons = ['sample_rate', 'before_send', 'network_error', 'queue_overflow', 'event_processor']
  const categories = ['error', 'transaction', 'span', 'session', 'attachment']
  const outcomes = Array.from({ length: 2_000 }, (_, at) =>
    discarded(reasons[at % 5] ?? '', { category: categories[Math.floor(at / 5) % 5] ?? '' }),
  )
  const rows = told(outcomes)
  assert.equal(rows.length, 25)
  assert.ok(rows.every(({ quantity }) => quantity === 80))
})
