/** What kinds of transactions there are: page loads, navigations, requests that a server answered. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import type { PerformanceFilter } from './performance-filter.ts'
import { transactionConditions } from './transaction-conditions.ts'
import { STANDS_FOR } from './transaction-measures.ts'

export type TransactionOp = { readonly op: string; readonly count: number }

/** More are a mistake of who names them. */
const MAX_OPS = 30

/** The most frequent first. */
export async function transactionOps(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  filter: PerformanceFilter,
): Promise<readonly TransactionOp[]> {
  const where = await transactionConditions(deps, grant, filter)
  if (where === undefined) return []
  return deps.telemetry.query<TransactionOp>(
    `SELECT op, round(sum${STANDS_FOR}) AS count FROM spans WHERE ${where.sql}
     GROUP BY op ORDER BY count DESC, op LIMIT ${MAX_OPS}`,
    where.params,
  )
}
