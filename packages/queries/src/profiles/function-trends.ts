/** How the self time of functions runs over a window, and whether they became slower since the window before. */
import type { Grant } from '@sonde/access'
import { boundedQuery } from '../explore/bounded-query.ts'
import { type Change, percentileEstimate, relativeChange } from '../performance/change-interval.ts'
import { gridLevels, quantileAt, type QuantileGrid } from '../performance/quantile-grid.ts'
import { IS_NOW } from '../performance/transaction-windows.ts'
import type { QueryDeps } from '../query-deps.ts'
import { type BucketWindow, bucketWindow } from '../series/intervals.ts'
import { FEWER_PROFILES, profileConditions, type ProfilesInput, type SlowFunction } from './list-profiles.ts'

type Deps = Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>
type ReadGrant = Grant<'event:read', 'org' | 'project'>
type Named = Pick<SlowFunction, 'function' | 'file'>

export type FunctionTrend = {
  /** Profiles of each bucket that the function is in. */
  readonly spark: readonly number[]
  /** Of the 75th percentile of self time a profile, against the window before, which is as long. */
  readonly change: Change
  /** Milliseconds; undefined: no profile before has it. */
  readonly before: number | undefined
  /** Profiles that have the function. */
  readonly samples: readonly [now: number, before: number]
}
export type FunctionTrends = Pick<BucketWindow, 'stepMs'> & {
  /** In the order of `functions`. */
  readonly trends: readonly FunctionTrend[]
}

const BUCKETS = 24
const LEVEL = 0.75
/** Which of the functions a row is of; from 1, 0: of none. */
const AT =
  'indexOf(arrayZip({functions:Array(String)}, {files:Array(String)}), (toString(function), toString(file)))'

/** Reads two windows of `profile_functions`, by its ordering key `project_id, function, file, timestamp`. */
export async function functionTrends(
  deps: Deps,
  grant: ReadGrant,
  { functions, ...input }: ProfilesInput & { readonly functions: readonly Named[] },
): Promise<FunctionTrends> {
  const { fromMs, toMs } = input
  const { fromMs: first, stepMs, startsMs } = bucketWindow({ ...input, buckets: BUCKETS })
  const where = await profileConditions(deps, grant, { ...input, fromMs: Math.max(0, 2 * fromMs - toMs) })
  if (where === undefined || functions.length === 0) return { stepMs, trends: [] }
  const sql = `FROM profile_functions WHERE ${where.sql} AND in_app = 1 AND function IN {functions:Array(String)}`
  const params = {
    ...where.params,
    functions: functions.map((each) => each.function),
    files: functions.map((each) => each.file),
    split: fromMs,
    first,
    step: stepMs,
  }
  const [sides, counts] = await Promise.all([
    boundedQuery<Side>(
      deps,
      `SELECT ${AT} AS at, ${IS_NOW} AS isNow, count() AS samples,
         quantilesBFloat16(${gridLevels(LEVEL).join(', ')})(self_ms) AS values
       ${sql} AND at > 0 GROUP BY at, isNow`,
      params,
      FEWER_PROFILES,
    ),
    boundedQuery<{ readonly at: number; readonly bucket: number; readonly profiles: number }>(
      deps,
      `SELECT ${AT} AS at, intDiv(toUnixTimestamp64Milli(toDateTime64(timestamp, 3, 'UTC')) - {first:Int64}, {step:Int64}) AS bucket,
         uniq(profile_id) AS profiles
       ${sql} AND ${IS_NOW} AND at > 0 GROUP BY at, bucket`,
      params,
      FEWER_PROFILES,
    ),
  ])
  const trends = functions.map((_, index): FunctionTrend => {
    const spark = startsMs.map(() => 0)
    for (const { at, bucket, profiles } of counts)
      if (at === index + 1 && bucket in spark) spark[bucket] = profiles
    const [now, before] = [1, 0].map((isNow) =>
      sides.find((side) => side.at === index + 1 && side.isNow === isNow),
    )
    return { spark, ...changeOf(now, before) }
  })
  return { stepMs, trends }
}

type Side = {
  readonly at: number
  readonly isNow: number
  readonly samples: number
  readonly values: readonly number[]
}

function changeOf(now: Side | undefined, before: Side | undefined): Omit<FunctionTrend, 'spark'> {
  const gridOf = ({ values }: Side): QuantileGrid => ({ level: LEVEL, values })
  const estimateOf = (side: Side | undefined) => side && percentileEstimate(gridOf(side), side.samples)
  return {
    change: relativeChange(estimateOf(now), estimateOf(before)),
    before: before && quantileAt(gridOf(before), LEVEL),
    samples: [now?.samples ?? 0, before?.samples ?? 0],
  }
}
