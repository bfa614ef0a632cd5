/** For whom a route is slow or fails: the same measures by release, device, browser, system, country and connection. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { type PerformanceFilter, WEIGHT } from './performance-filter.ts'
import { transactionConditions } from './transaction-conditions.ts'
import { HAS_FAILED, STANDS_FOR } from './transaction-measures.ts'
import type { TransactionRef } from './transaction-windows.ts'

const SPLIT_COLUMNS = ['release', 'device', 'browser', 'os', 'country', 'connection'] as const
export type SplitColumn = (typeof SPLIT_COLUMNS)[number]

export type TransactionSplit = {
  readonly column: SplitColumn
  /** Empty: nobody said. */
  readonly value: string
  /** Counted up; `samples` were read. */
  readonly count: number
  readonly samples: number
  /** Milliseconds. */
  readonly p75: number
  /** Share of one. */
  readonly failureRate: number
}

const ROWS_EACH = 8
/** Of a route with more, rows are drawn by hash: shares and percentiles of so many are exact enough to point at. */
const MAX_READ = 100_000

/** By column the values with the most transactions, at most eight. One pass after a count. */
export async function transactionBreakdown(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  filter: PerformanceFilter & TransactionRef,
): Promise<readonly TransactionSplit[]> {
  const where = await transactionConditions(deps, grant, filter)
  if (where === undefined) return []
  const [whole] = await deps.telemetry.query<{ readonly rows: number }>(
    `SELECT count() AS rows FROM spans WHERE ${where.sql}`,
    where.params,
  )
  const oneIn = Math.max(1, Math.ceil((whole?.rows ?? 0) / MAX_READ))
  return deps.telemetry.query<TransactionSplit>(
    `SELECT ${byColumn((name) => `'${name}'`)} AS column, ${byColumn((name) => `toString(${name})`)} AS value,
       round(sum${STANDS_FOR} * {oneIn:UInt32}) AS count, count() AS samples,
       quantileBFloat16Weighted(0.75)(duration_ms, ${WEIGHT}) AS p75,
       sumIf(1 / sample_rate, ${HAS_FAILED}) / sum${STANDS_FOR} AS failureRate
     FROM spans
     WHERE ${where.sql} ${oneIn === 1 ? '' : 'AND cityHash64(timestamp, duration_ms) % {oneIn:UInt32} = 0'}
     GROUP BY GROUPING SETS (${SPLIT_COLUMNS.map((name) => `(${name})`).join(', ')})
     ORDER BY count DESC, value LIMIT ${ROWS_EACH} BY column`,
    { ...where.params, oneIn },
  )
}

/** Of the column that a row was grouped by: `grouping` is 0 for it. */
const byColumn = (valueOf: (column: SplitColumn) => string): string =>
  `multiIf(${SPLIT_COLUMNS.map((name) => `grouping(${name}) = 0, ${valueOf(name)}`).join(', ')}, '')`
