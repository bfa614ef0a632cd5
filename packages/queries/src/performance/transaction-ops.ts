/** What kinds of transactions there are: page loads, navigations, requests that a server answered. */
import type { QueryDeps } from '../query-deps.ts'
import type { AnyScope } from '../scope-projects.ts'
import type { PerformanceFilter } from './performance-filter.ts'
import { transactionConditions } from './transaction-conditions.ts'
import { STANDS_FOR } from './transaction-measures.ts'

export type TransactionOp = { readonly op: string; readonly count: number }

/** More are a mistake of who names them. */
const MAX_OPS = 30

/** The most frequent first. */
export async function transactionOps(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  scope: AnyScope,
  filter: PerformanceFilter,
): Promise<readonly TransactionOp[]> {
  const where = await transactionConditions(deps, scope, filter)
  if (where === undefined) return []
  return deps.telemetry.query<TransactionOp>(
    `SELECT op, round(sum${STANDS_FOR}) AS count FROM spans WHERE ${where.sql}
     GROUP BY op ORDER BY count DESC, op LIMIT ${MAX_OPS}`,
    where.params,
  )
}
