/** Traces of one route to open: its slowest transactions. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import type { PerformanceFilter } from './performance-filter.ts'
import type { TransactionRef } from './transaction-windows.ts'
import { transactionConditions } from './transaction-conditions.ts'
import { HAS_FAILED } from './transaction-measures.ts'

export type TransactionSample = {
  readonly traceId: string
  readonly spanId: string
  /** Unix milliseconds. */
  readonly startMs: number
  readonly durationMs: number
  /** Empty when nobody said. */
  readonly status: string
  readonly hasFailed: boolean
  readonly release: string
  readonly browser: string
  readonly userKey: string
}

const MAX_SAMPLES = 50
/** Of one trace that calls the route again and again; the engine would sort all rows to leave such out. */
const PER_TRACE = 4

/** The slowest first, one of each trace. Reads the durations of the route's range, and of few rows the rest. */
export async function slowestTransactions(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { limit = 10, ...filter }: PerformanceFilter & TransactionRef & { readonly limit?: number },
): Promise<readonly TransactionSample[]> {
  const where = await transactionConditions(deps, grant, filter)
  if (where === undefined) return []
  const rows = await deps.telemetry.query<
    Omit<TransactionSample, 'hasFailed'> & { readonly hasFailed: 0 | 1 }
  >(
    `SELECT toString(trace_id) AS traceId, toString(span_id) AS spanId, toUnixTimestamp64Milli(timestamp) AS startMs,
       duration_ms AS durationMs, status, ${HAS_FAILED} AS hasFailed, release, browser, user_key AS userKey
     FROM spans WHERE ${where.sql}
     ORDER BY duration_ms DESC, timestamp DESC LIMIT {rows:UInt32}`,
    { ...where.params, rows: PER_TRACE * Math.min(limit, MAX_SAMPLES) },
  )
  const slowest = new Map<string, TransactionSample>()
  for (const row of rows) {
    if (!slowest.has(row.traceId)) slowest.set(row.traceId, { ...row, hasFailed: row.hasFailed === 1 })
  }
  return [...slowest.values()].slice(0, limit)
}
