/** The transaction of the shop programs, as the API gives it back. */
import assert from 'node:assert/strict'
import type { Harness } from './harness.ts'

export type Span = {
  readonly op: string
  readonly description: string
  readonly transaction: string
  readonly status: string
  readonly is_transaction: boolean
  readonly project_slug: string
  readonly start_timestamp: number
  readonly end_timestamp: number
  readonly children: readonly Span[]
}
export type Trace = { readonly transactions: readonly Span[] }

export async function assertTrace({ api }: Harness, traceId: string): Promise<void> {
  const trace = await api.until<Trace>(
    `/api/0/organizations/acme/trace/${traceId}/`,
    ({ transactions }) => transactions.length > 0,
  )
  const [root, ...others] = trace.transactions
  assert.deepEqual(others, [])
  assert.deepEqual([root?.op, root?.transaction, root?.is_transaction], ['task', 'checkout', true])
  assert.equal(root?.project_slug, 'shop')
  const [child, ...more] = root.children
  assert.deepEqual([child?.description, child?.children, more], ['charge', [], []])
  assert.ok((child?.start_timestamp ?? 0) >= root.start_timestamp - 0.001, 'the child begins in its parent')
  assert.ok((child?.end_timestamp ?? Infinity) <= root.end_timestamp + 0.001, 'and ends in it')
}
