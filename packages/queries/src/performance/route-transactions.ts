/** Routes and transactions by throughput, percentiles, failures and how many people they made wait. */
import type { Grant } from '@sonde/access'
import { TRANSACTION_SORTS, type TransactionSort } from '../contract.ts'
import type { QueryDeps } from '../query-deps.ts'
import type { PerformanceFilter } from './performance-filter.ts'
import { MISERABLE_USERS, transactionSums, USERS } from './transaction-windows.ts'

/** What kinds of transactions there are: page loads, navigations, requests that a server answered. */
export type TransactionOp = { readonly op: string; readonly count: number }

/** More are a mistake of who names them. */
const MAX_OPS = 30

/** The most frequent first. */
export async function transactionOps(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  filter: PerformanceFilter,
): Promise<readonly TransactionOp[]> {
  const sums = await transactionSums(deps, grant, filter, { by: { op: () => 'op' }, sums: ['counted'] })
  if (sums === undefined) return []
  return deps.telemetry.query<TransactionOp>(
    `SELECT op, round(sum(counted)) AS count FROM (${sums.sql})
     GROUP BY op ORDER BY count DESC, op LIMIT ${MAX_OPS}`,
    sums.params,
  )
}

export type RouteTransaction = {
  readonly op: string
  readonly name: string
  /** Counted up from what was sampled. */
  readonly count: number
  /** Rows that were stored: below some, percentiles and rates say little. */
  readonly samples: number
  readonly perMinute: number
  /** Milliseconds. */
  readonly p50: number
  readonly p75: number
  readonly p95: number
  /** Share that ended in failure; what was broken off or has no status counts as no failure. */
  readonly failureRate: number
  readonly users: number
  /** People who waited more than 1.2 s at least once: four times what satisfies. */
  readonly miserableUsers: number
}

export type RouteTransactionsInput = PerformanceFilter & {
  readonly op?: string | undefined
  /** Only this one. */
  readonly name?: string | undefined
  /** Text within the op or the name, in any case. */
  readonly query?: string | undefined
  readonly sort?: TransactionSort | undefined
  /** Descending unless told; names ascending. */
  readonly order?: 'asc' | 'desc' | undefined
  /** 100 unless told, at most `MAX_ROUTES`. */
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}
export type RouteTransactionPage = {
  readonly rows: readonly RouteTransaction[]
  /** Routes that match, on all pages. */
  readonly total: number
}

/** Names that hold ids make a route of every request: nobody reads on behind so many. */
const MAX_ROUTES = 1000
const MAX_OFFSET = 100_000

/** One page of them. Reads sums of whole weeks, and of the rest the roots: one range of the ordering key per project and op. */
export async function transactionPage(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: RouteTransactionsInput,
): Promise<RouteTransactionPage> {
  const sums = await transactionSums(deps, grant, input, {
    by: { op: () => 'op', name: (root) => root },
    sums: ['sampled', 'counted', 'levels', 'failed', 'people', 'miserable'],
  })
  if (sums === undefined) return { rows: [], total: 0 }
  const { query = '' } = input
  const sort = TRANSACTION_SORTS.find((each) => each === input.sort) ?? 'count'
  const order = (input.order ?? (sort === 'name' ? 'asc' : 'desc')) === 'asc' ? 'ASC' : 'DESC'
  const rows = await deps.telemetry.query<Row>(
    `SELECT op, name, sum(counted) AS count, sum(sampled) AS samples,
       quantilesBFloat16WeightedMerge(0.5, 0.75, 0.95)(levels) AS times,
         times[1] AS p50, times[2] AS p75, times[3] AS p95,
       sum(failed) / count AS failureRate,
       ${USERS} AS users, least(users, ${MISERABLE_USERS}) AS miserableUsers,
       count() OVER () AS total
     FROM (${sums.sql})
     ${query === '' ? '' : "WHERE positionCaseInsensitiveUTF8(concat(op, ' ', name), {query:String}) > 0"}
     GROUP BY op, name
     ORDER BY ${sort} ${order}, name, op LIMIT {rows:UInt32} OFFSET {offset:UInt32}`,
    {
      ...sums.params,
      query,
      rows: Math.min(input.limit ?? 100, MAX_ROUTES),
      offset: Math.min(Math.max(0, input.offset ?? 0), MAX_OFFSET),
    },
  )
  const minutes = (input.toMs - input.fromMs) / 60_000
  return { rows: rows.map((row) => transactionOf(row, minutes)), total: rows[0]?.total ?? 0 }
}

type Row = Omit<RouteTransaction, 'perMinute'> & { readonly total: number }

function transactionOf({ total: _total, ...row }: Row, minutes: number): RouteTransaction {
  return { ...row, count: Math.round(row.count), perMinute: row.count / minutes }
}
