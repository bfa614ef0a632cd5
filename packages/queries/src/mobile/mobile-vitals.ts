/**
 * App starts, frames and time to display of mobile apps, by release or by screen: measurements of transactions, as sentry-cocoa
 * and sentry-android send them, under the names of today and of before.
 * https://develop.sentry.dev/sdk/telemetry/traces/ and Sentry's conventions (app.vitals.*)
 */
import type { Grant } from '@sonde/access'
import { boundedQuery } from '../explore/bounded-query.ts'
import { performanceConditions, type PerformanceFilter, WEIGHT } from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'

export type MobileGroup = 'release' | 'screen'

/** Milliseconds; undefined p50 and p95 where `count` is 0. */
export type Timing = { readonly count: number; readonly p50Ms?: number; readonly p95Ms?: number }
export type MobileRow = {
  /** The release, or the transaction, which is the screen. */
  readonly name: string
  readonly coldStart: Timing
  readonly warmStart: Timing
  readonly initialDisplay: Timing
  readonly fullDisplay: Timing
  readonly frames: number
  /** Shares of all frames; undefined where none was counted. */
  readonly slowRate?: number
  readonly frozenRate?: number
}

const NAMES = {
  cold: ['app_start_cold', 'app.vitals.start.cold.value'],
  warm: ['app_start_warm', 'app.vitals.start.warm.value'],
  initial: ['time_to_initial_display', 'app.vitals.ttid.value'],
  full: ['time_to_full_display', 'app.vitals.ttfd.value'],
  total: ['frames_total', 'frames.total', 'app.vitals.frames.total.count'],
  slow: ['frames_slow', 'frames.slow', 'app.vitals.frames.slow.count'],
  frozen: ['frames_frozen', 'frames.frozen', 'app.vitals.frames.frozen.count'],
} as const
type Name = keyof typeof NAMES

const has = (name: Name): string =>
  `(${NAMES[name].map((key) => `mapContains(numbers, '${key}')`).join(' OR ')})`
const value = (name: Name): string =>
  `multiIf(${NAMES[name].map((key) => `mapContains(numbers, '${key}'), numbers['${key}']`).join(', ')}, 0)`
const IS_MOBILE = `(${(Object.keys(NAMES) as Name[])
  .filter((name) => name !== 'slow' && name !== 'frozen')
  .map(has)
  .join(' OR ')})`

const TIMINGS = ['cold', 'warm', 'initial', 'full'] as const
type TimingName = (typeof TIMINGS)[number]
type Row = {
  readonly name: string
  readonly frames: number
  readonly slow: number
  readonly frozen: number
} & { readonly [T in TimingName as `${T}Count` | `${T}P50` | `${T}P95`]: number }

const timing = (name: TimingName): string => `
  sumIf(1 / sample_rate, ${has(name)}) AS ${name}Count,
  quantileBFloat16WeightedIf(0.5)(${value(name)}, ${WEIGHT}, ${has(name)}) AS ${name}P50,
  quantileBFloat16WeightedIf(0.95)(${value(name)}, ${WEIGHT}, ${has(name)}) AS ${name}P95`

const MAX_ROWS = 100

/** Those with most transactions first. One range of the key (`project_id, is_segment = 1`). Throws `ExploreError`. */
export async function mobileVitals(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'project'>,
  filter: PerformanceFilter,
  by: MobileGroup,
): Promise<readonly MobileRow[]> {
  const where = await performanceConditions(deps, grant, filter)
  if (where === undefined) return []
  const rows = await boundedQuery<Row>(
    deps,
    `SELECT ${by === 'release' ? 'release' : 'segment_name'} AS name, ${TIMINGS.map(timing).join(', ')},
       sum(${value('total')} / sample_rate) AS frames, sum(${value('slow')} / sample_rate) AS slow,
       sum(${value('frozen')} / sample_rate) AS frozen
     FROM spans WHERE ${where.sql} AND is_segment = 1 AND ${IS_MOBILE}
     GROUP BY name ORDER BY count() DESC, name LIMIT ${MAX_ROWS}`,
    where.params,
  )
  return rows.map((row) => ({
    name: row.name,
    coldStart: timingOf(row, 'cold'),
    warmStart: timingOf(row, 'warm'),
    initialDisplay: timingOf(row, 'initial'),
    fullDisplay: timingOf(row, 'full'),
    frames: Math.round(row.frames),
    ...(row.frames > 0 && { slowRate: row.slow / row.frames, frozenRate: row.frozen / row.frames }),
  }))
}

function timingOf(row: Row, name: TimingName): Timing {
  const count = Math.round(row[`${name}Count`])
  return count === 0 ? { count } : { count, p50Ms: row[`${name}P50`], p95Ms: row[`${name}P95`] }
}
