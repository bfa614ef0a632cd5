/** One vital over time, with the releases that began meanwhile. */
import type { Grant } from '@sonde/access'
import { projectIdsOf, type QueryDeps } from '../query-deps.ts'
import { type BucketWindow, bucketWindow } from '../series/intervals.ts'
import { deployMarkers, firstSeenReleases, type ReleaseMarker, withDeploys } from '../series/markers.ts'
import {
  goodVisits,
  VISITS,
  VITAL_P75,
  VITAL_ROWS,
  vitalConditions,
  type VitalInput,
} from './vital-conditions.ts'

export type VitalTrendInput = VitalInput & {
  /** At most so many points, 60 unless told. */
  readonly buckets?: number | undefined
}
export type VitalTrendPoint = {
  readonly p75: number
  /** Visits, counted up; `samples` is how many were measured. */
  readonly count: number
  readonly samples: number
  readonly good: number
}
/** `fromMs`/`toMs` are the asked window widened to whole buckets; what was not asked for is not in the points. */
export type VitalTrend = BucketWindow & {
  /** One per element of `startsMs`; undefined where nobody told it. */
  readonly points: readonly (VitalTrendPoint | undefined)[]
  /** Oldest first. */
  readonly markers: readonly ReleaseMarker[]
}

/** Throws `SondeError` (`invalid`) for a window without length. */
export async function vitalTrend(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: VitalTrendInput,
): Promise<VitalTrend> {
  const window = bucketWindow({ fromMs: input.fromMs, toMs: input.toMs, buckets: input.buckets })
  const [rows, markers] = await Promise.all([
    pointsOf(deps, grant, input, window),
    vitalReleases(deps, grant, input, window),
  ])
  const points: (VitalTrendPoint | undefined)[] = window.startsMs.map(() => undefined)
  for (const { bucket, count, good, ...row } of rows)
    points[bucket] = { ...row, count: Math.round(count), good: Math.round(good) }
  return { ...window, points, markers }
}

async function pointsOf(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: VitalInput,
  { fromMs, stepMs }: BucketWindow,
): Promise<readonly (VitalTrendPoint & { readonly bucket: number })[]> {
  const where = await vitalConditions(deps, grant, input)
  if (where === undefined) return []
  return deps.telemetry.query(
    `SELECT intDiv(toUnixTimestamp64Milli(timestamp) - {first:Int64}, {step:Int64}) AS bucket,
       ${VITAL_P75} AS p75, ${VISITS} AS count, count() AS samples, ${goodVisits(input.name)} AS good
     FROM ${VITAL_ROWS} WHERE ${where.sql} GROUP BY bucket`,
    { ...where.params, first: fromMs, step: stepMs },
  )
}

/**
 * Releases that visits told for the first time within the window, among all that is stored. Whatever else is filtered
 * (a browser, a route), a release came out when it came out; only the environment is a place of its own.
 */
async function vitalReleases(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { name, environment }: VitalInput,
  { fromMs, toMs }: BucketWindow,
): Promise<readonly ReleaseMarker[]> {
  const all = { name, fromMs: 0, toMs, ...(environment && { environment }) }
  const where = await vitalConditions(deps, grant, all)
  if (where === undefined) return []
  // Repeated rows do not change when a release was first seen, so no FINAL.
  const [firstSeen, deploys] = await Promise.all([
    firstSeenReleases(deps.telemetry, { table: 'vitals', ...where }, { fromMs, toMs }),
    deployMarkers(deps, await projectIdsOf(deps, grant), { fromMs, toMs, environment }),
  ])
  return withDeploys(firstSeen, deploys)
}
