/** How a release feels to those who use it, against another one: web vitals, and navigations that went wrong. */
import type { Grant } from '@sonde/access'
import { type Change, rateEstimate, shareChange } from '../performance/change-interval.ts'
import { clusteredSamples, GROUPS, type GroupSums } from '../performance/clustered-samples.ts'
import { navigationConditions, navigationPart, WAITED_FOR_SQL } from '../performance/navigation-filter.ts'
import { TROUBLED_SQL } from '../performance/navigation-summary.ts'
import type { PerformanceFilter } from '../performance/performance-filter.ts'
import { vitalConditions } from '../performance/vital-conditions.ts'
import { type VitalChange, vitalSides } from '../performance/vital-sides.ts'
import type { QueryDeps } from '../query-deps.ts'

/** `release` is looked at, `before` is what it is compared with; both within the same time. */
export type ReleasePair = Pick<PerformanceFilter, 'fromMs' | 'toMs' | 'environment'> & {
  readonly release: string
  readonly before: string
}

/** Of those that visits of both told. The method: docs/internals/performance-changes.md. */
export async function releaseVitalChanges(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { release, before, ...filter }: ReleasePair,
): Promise<readonly VitalChange[]> {
  const where = await vitalConditions(deps, grant, { ...filter, release: [release, before] })
  if (where === undefined) return []
  return vitalSides(deps, { sql: where.sql, params: { ...where.params, isNow: release } }, IS_NOW)
}

const IS_NOW = 'toUInt8(release = {isNow:String})'

export type NavigationFailures = {
  /** Navigations that somebody waited for; counted up, `samples` were stored. */
  readonly count: number
  readonly samples: number
  /** Of them: hung, left, failed or fell back. */
  readonly troubled: number
}
export type ReleaseNavigations = {
  /** Undefined where nobody told a navigation. */
  readonly release: NavigationFailures | undefined
  readonly before: NavigationFailures | undefined
  /** Of the share in trouble, in shares of one. */
  readonly change: Change
}

/** One pass over the navigations of both; of very many a part is read. */
export async function releaseNavigations(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { release, before, ...filter }: ReleasePair,
): Promise<ReleaseNavigations> {
  const requested = { ...filter, release: [release, before] }
  const part = await navigationPart(deps, grant, requested)
  const where = await navigationConditions(deps, grant, { ...requested, part })
  const sides = where
    ? await deps.telemetry.query<Side>(
        `SELECT isNow, count() AS groups, sum(weight) AS whole, sum(weight * weight) AS wholeSquares,
           sum(part) AS below, sum(part * part) AS squares, sum(part * weight) AS products,
           sum(rows) AS samples, pow(sum(weight), 2) / sum(rowSquares) AS effective
         FROM (
           SELECT ${IS_NOW} AS isNow, cityHash64(if(user_key = '', toString(navigation_id), user_key)) % ${GROUPS} AS people,
             count() AS rows, sum(1 / sample_rate) AS weight, sum(pow(1 / sample_rate, 2)) AS rowSquares,
             sumIf(1 / sample_rate, ${TROUBLED_SQL}) AS part
           FROM navigations FINAL WHERE ${where.sql} AND ${WAITED_FOR_SQL} GROUP BY isNow, people
         ) GROUP BY isNow`,
        { ...where.params, isNow: release },
      )
    : []
  const [now, past] = [1, 0].map((isNow) => sides.find((side) => side.isNow === isNow))
  const [a, b] = [now, past].map(
    (side) => side && rateEstimate(side.below / side.whole, clusteredSamples(side, side.effective)),
  )
  return { release: failuresOf(now, part), before: failuresOf(past, part), change: shareChange(a, b) }
}

type Side = GroupSums & {
  readonly isNow: 0 | 1
  readonly samples: number
  /** Samples of equal weight that would tell as much. */
  readonly effective: number
}

function failuresOf(side: Side | undefined, part: number): NavigationFailures | undefined {
  if (!side) return undefined
  const [count, troubled, samples] = [side.whole, side.below, side.samples].map((sum) =>
    Math.round(sum / part),
  )
  return { count: count ?? 0, troubled: troubled ?? 0, samples: samples ?? 0 }
}
