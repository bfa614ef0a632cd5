/** Where the time of one route goes: the spans of its latest transactions. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { performanceConditions, type PerformanceFilter, WEIGHT } from './performance-filter.ts'
import { type TimedRoot, type TimedSpan, type TimeShare, timeShares } from './time-shares.ts'
import { HAS_FAILED, STANDS_FOR, transactionConditions, type TransactionRef } from './transaction-windows.ts'

/** For whom a route is slow or fails: the same measures by release, device, browser, system, country and connection. */
const SPLIT_COLUMNS = ['release', 'device', 'browser', 'os', 'country', 'connection'] as const
type SplitColumn = (typeof SPLIT_COLUMNS)[number]

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

export type TransactionTime = {
  readonly shares: readonly TimeShare[]
  /** From how many transactions. */
  readonly transactions: number
  /** Milliseconds that they took together. */
  readonly wholeMs: number
}

/** Enough for shares within a few percent; the latest lie together in every part, so little is read. */
const LATEST = 200
/** A loop of queries is one line, however many there are; the sweep costs the square of what runs at once. */
const MAX_SPANS_EACH = 500
const MAX_SPANS = 40_000
/** Parts of a page load that were written down before it, and work that goes on when it has ended. */
const AROUND_MS = 60_000

/** Two reads of a range of the ordering key, both bounded. */
export async function transactionTime(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { op, name, ...filter }: PerformanceFilter & TransactionRef,
): Promise<TransactionTime> {
  const where = await transactionConditions(deps, grant, { ...filter, op, name })
  if (where === undefined) return { shares: [], transactions: 0, wholeMs: 0 }
  const roots = await deps.telemetry.query<TimedRoot>(
    `SELECT toString(span_id) AS spanId, ${START_MS} AS startMs, duration_ms AS durationMs
     FROM spans WHERE ${where.sql} ORDER BY timestamp DESC LIMIT ${LATEST}`,
    where.params,
  )
  const spans = await spansOf(deps, grant, { name, roots })
  const wholeMs = roots.reduce((sum, { durationMs }) => sum + Math.max(0, durationMs), 0)
  return { shares: timeShares(roots, spans), transactions: roots.length, wholeMs }
}

const START_MS = 'toUnixTimestamp64Micro(timestamp) / 1000'

async function spansOf(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { name, roots }: { readonly name: string; readonly roots: readonly TimedRoot[] },
): Promise<readonly TimedSpan[]> {
  const fromMs = Math.min(...roots.map(({ startMs }) => startMs)) - AROUND_MS
  const toMs = Math.max(...roots.map(({ startMs, durationMs }) => startMs + durationMs)) + AROUND_MS
  const where =
    roots.length === 0
      ? undefined
      : await performanceConditions(deps, grant, { fromMs: Math.max(0, fromMs), toMs })
  if (where === undefined) return []
  return deps.telemetry.query<TimedSpan>(
    `SELECT segment_id AS segmentId, toString(span_id) AS spanId, parent_span_id AS parentSpanId, op, name,
       ${START_MS} AS startMs, duration_ms AS durationMs
     FROM spans
     WHERE ${where.sql} AND is_segment = 0 AND segment_name = {name:String} AND segment_id IN {roots:Array(String)}
     LIMIT ${MAX_SPANS_EACH} BY segment_id LIMIT ${MAX_SPANS}`,
    { ...where.params, name, roots: roots.map(({ spanId }) => spanId) },
  )
}
