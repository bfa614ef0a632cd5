/** Routes and transactions by throughput, percentiles, failures and how many people they made wait. */
import type { QueryDeps } from '../query-deps.ts'
import type { AnyScope } from '../scope-projects.ts'
import { performanceConditions, type PerformanceFilter, WEIGHT } from './performance-filter.ts'

export type RouteTransaction = {
  readonly op: string
  readonly name: string
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
  /** People who waited more than four times `MISERY_MS` at least once. */
  readonly miserableUsers: number
}
export type RouteTransactionsInput = PerformanceFilter & {
  readonly op?: string
  readonly limit?: number
  readonly sort?: TransactionSort
}
export const TRANSACTION_SORTS = [
  'count',
  'p50',
  'p75',
  'p95',
  'failureRate',
  'users',
  'miserableUsers',
] as const
export type TransactionSort = (typeof TRANSACTION_SORTS)[number]

/** Satisfied up to this, miserable beyond four times it (Apdex: https://www.apdex.org). */
export const MISERY_MS = 300
const MAX_ROUTES = 1000

/** The engine makes one pass for all three. */
const percentile = (share: number): string => `quantileBFloat16Weighted(${share})(duration_ms, ${WEIGHT})`

/** Reads the roots of the window: one range of the ordering key of `spans` per project and op. */
export async function routeTransactions(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  scope: AnyScope,
  input: RouteTransactionsInput,
): Promise<RouteTransaction[]> {
  const where = await performanceConditions(deps, scope, input)
  if (where === undefined) return []
  const sort = TRANSACTION_SORTS.find((each) => each === input.sort) ?? 'count'
  const rows = await deps.telemetry.query<Row>(
    `SELECT op, segment_name AS name, sum(1 / sample_rate) AS count, count() AS samples,
       ${percentile(0.5)} AS p50, ${percentile(0.75)} AS p75, ${percentile(0.95)} AS p95,
       sumIf(1 / sample_rate, status NOT IN ('', 'ok', 'cancelled', 'unknown')) / count AS failureRate,
       uniqIf(user_key, user_key != '') AS users,
       uniqIf(user_key, user_key != '' AND duration_ms > ${4 * MISERY_MS}) AS miserableUsers
     FROM spans
     WHERE ${where.sql} AND is_segment = 1 ${input.op === undefined ? '' : 'AND op = {op:String}'}
     GROUP BY op, name
     ORDER BY ${sort} DESC, name LIMIT {rows:UInt32}`,
    { ...where.params, op: input.op ?? '', rows: Math.min(input.limit ?? 100, MAX_ROUTES) },
  )
  const minutes = (input.toMs - input.fromMs) / 60_000
  return rows.map((row) => ({ ...row, count: Math.round(row.count), perMinute: row.count / minutes }))
}

type Row = Omit<RouteTransaction, 'perMinute'>
