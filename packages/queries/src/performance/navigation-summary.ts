/** Navigations as a whole: how many were shown, hung, were left or fell back, where the time went, and the trend of it. */
import type { Grant } from '@sonde/access'
import { NAVIGATION_PHASES, type NavigationOutcome } from '@sonde/protocol/navigation'
import type { QueryDeps } from '../query-deps.ts'
import { type BucketWindow, bucketWindow } from '../series/intervals.ts'
import {
  MEAN_PHASES_SQL,
  type MeanPhaseColumns,
  type MeanPhases,
  meanPhasesOf,
} from './navigation-breakdown.ts'
import {
  HUNG_SQL,
  LEFT_SQL,
  navigationConditions,
  type NavigationFilter,
  SEEN_AFTER_SQL,
  SHARE_SQL,
  WAITED_FOR_SQL,
} from './navigation-filter.ts'
import { WEIGHT } from './performance-filter.ts'

export type NavigationTotals = {
  /** Counted up from what was sampled; `samples` rows were stored. */
  readonly count: number
  readonly samples: number
  /** Those of which somebody waited for the page: no redirects, none that was replaced by another press, none of unknown end. */
  readonly waitedFor: number
  readonly committed: number
  readonly errored: number
  /** Longer than `STUCK_AFTER_MS`, whatever came of it; may be among the others too. */
  readonly hung: number
  readonly left: number
  readonly fullLoads: number
  readonly redirected: number
  readonly superseded: number
  /** Nobody saw how they ended; among none of the others. */
  readonly unknown: number
  /** People and tabs that cannot be told apart count as none. */
  readonly users: number
  /** People to whom one hung, was left by them, failed or fell back. */
  readonly troubledUsers: number
  /** Milliseconds until the page was seen, of those that committed; undefined when none did. */
  readonly p50: number | undefined
  readonly p75: number | undefined
  readonly p95: number | undefined
  readonly meanPhases: MeanPhases
}
export type NavigationPoint = {
  readonly count: number
  /** Of `count`, those whose end is known. */
  readonly known: number
  /** Hung, left, failed or fell back. */
  readonly troubled: number
  readonly p50: number | undefined
  readonly p75: number | undefined
  readonly p95: number | undefined
}
export type NavigationSummary = {
  readonly total: NavigationTotals
  /** The same length of time before; undefined when nothing was told then. */
  readonly before: NavigationTotals | undefined
  /** One point per element of `startsMs`. */
  readonly trend: BucketWindow & { readonly points: readonly NavigationPoint[] }
}
export type NavigationSummaryInput = NavigationFilter & { readonly buckets?: number }

/** Failed, fell back, hung or was left by the person. */
export const TROUBLED_SQL = `(outcome IN ('errored', 'full_load') OR ${HUNG_SQL} OR ${LEFT_SQL})`

/** One pass over the window for total and trend, one over the window before it. */
export async function navigationSummary(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: NavigationSummaryInput,
): Promise<NavigationSummary> {
  const window = bucketWindow(input)
  const lengthMs = input.toMs - input.fromMs
  const [now, before] = await Promise.all([
    readTotals(deps, grant, input, window),
    input.fromMs > lengthMs
      ? readTotals(deps, grant, { ...input, fromMs: input.fromMs - lengthMs, toMs: input.fromMs })
      : [],
  ])
  const byBucket = new Map(now.filter(({ isTotal }) => !isTotal).map((row) => [row.bucket, row]))
  const [past] = before
  return {
    total: totalsOf(now.find(({ isTotal }) => isTotal)),
    before: past === undefined || past.samples === 0 ? undefined : totalsOf(past),
    trend: { ...window, points: window.startsMs.map((_, bucket) => pointOf(byBucket.get(bucket))) },
  }
}

const COLUMNS_SQL = `sum(${SHARE_SQL}) AS count, count() AS samples, sumIf(${SHARE_SQL}, ${WAITED_FOR_SQL}) AS waitedFor,
  ${(
    [
      'committed',
      'errored',
      'redirected',
      'superseded',
      'unknown',
    ] as const satisfies readonly NavigationOutcome[]
  )
    .map((outcome) => `sumIf(${SHARE_SQL}, outcome = '${outcome}') AS ${outcome}`)
    .join(', ')},
  sumIf(${SHARE_SQL}, ${HUNG_SQL}) AS hung, sumIf(${SHARE_SQL}, ${LEFT_SQL}) AS left,
  sumIf(${SHARE_SQL}, outcome = 'full_load') AS fullLoads, sumIf(${SHARE_SQL}, ${TROUBLED_SQL}) AS troubled,
  uniqIf(user_key, user_key != '') AS users, uniqIf(user_key, user_key != '' AND ${TROUBLED_SQL}) AS troubledUsers,
  countIf(outcome = 'committed') AS shown,
  quantilesBFloat16WeightedIf(0.5, 0.75, 0.95)(${SEEN_AFTER_SQL}, ${WEIGHT}, outcome = 'committed') AS times,
  ${MEAN_PHASES_SQL}`

async function readTotals(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  filter: NavigationFilter,
  window?: BucketWindow,
): Promise<Row[]> {
  const where = await navigationConditions(deps, grant, filter)
  if (where === undefined) return []
  // `grouping` is 1 where the set does not have the column.
  const [bucket, sets] = window
    ? [
        'intDiv(toUnixTimestamp64Milli(timestamp) - {start:Int64}, {step:Int64}) AS bucket, toBool(grouping(bucket))',
        'GROUP BY GROUPING SETS ((bucket), ())',
      ]
    : ['0 AS bucket, true', '']
  return deps.telemetry.query<Row>(
    `SELECT ${bucket} AS isTotal, ${COLUMNS_SQL} FROM navigations FINAL WHERE ${where.sql} ${sets}`,
    { ...where.params, start: window?.fromMs ?? 0, step: window?.stepMs ?? 1 },
  )
}

const COUNTED = [
  'count',
  'waitedFor',
  'committed',
  'errored',
  'hung',
  'left',
  'fullLoads',
  'redirected',
  'superseded',
  'unknown',
] as const
type Counted = (typeof COUNTED)[number]

type Row = { readonly [Name in Counted]: number } & MeanPhaseColumns & {
    readonly bucket: number
    readonly isTotal: boolean
    readonly samples: number
    readonly troubled: number
    readonly users: number
    readonly troubledUsers: number
    readonly shown: number
    readonly times: readonly number[]
  }

const NOTHING = {
  samples: 0,
  troubled: 0,
  users: 0,
  troubledUsers: 0,
  shown: 0,
  times: [],
  ...Object.fromEntries(COUNTED.map((name) => [name, 0])),
  ...Object.fromEntries(NAVIGATION_PHASES.map((phase) => [`${phase}Mean`, null])),
} as unknown as Row

function totalsOf(row: Row = NOTHING): NavigationTotals {
  const counts = Object.fromEntries(COUNTED.map((name) => [name, Math.round(row[name])]))
  const { samples, users, troubledUsers } = row
  const whole = counts as { readonly [Name in Counted]: number }
  return {
    ...whole,
    samples,
    users,
    troubledUsers,
    ...timesOf(row),
    meanPhases: meanPhasesOf(row, row.shown),
  }
}

function pointOf(row: Row | undefined): NavigationPoint {
  const { count, unknown, troubled, ...times } = row ?? NOTHING
  const known = Math.round(count - unknown)
  return { count: Math.round(count), known, troubled: Math.round(troubled), ...timesOf(times) }
}

function timesOf({ shown, times }: Pick<Row, 'shown' | 'times'>) {
  const [p50, p75, p95] = shown === 0 ? [] : times
  return { p50, p75, p95 }
}
