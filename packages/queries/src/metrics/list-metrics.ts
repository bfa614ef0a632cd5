/** Which metrics a project has: name, type and unit, with how much there is of each. */
import type { Grant } from '@sonde/access'
import { boundedQuery, createBind } from '../explore/bounded-query.ts'
import { spanConditions } from '../explore/span-conditions.ts'
import { performanceConditions, type PerformanceFilter } from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'
import { FEWER_POINTS, METRIC_SEARCH } from './metric-fields.ts'
import type { MetricRef } from './metric-measures.ts'

export type ListMetricsInput = PerformanceFilter & {
  /** Words of names, and terms of points: `http environment:production`. */
  readonly query?: string | undefined
  /** The one with this name, whatever its type and unit. */
  readonly name?: string | undefined
}

export type MetricRow = MetricRef & {
  readonly points: number
  /** About how many; 0 of single measurements. */
  readonly series: number
  readonly lastSeenMs: number
}

export type MetricList = { readonly metrics: readonly MetricRow[]; readonly hasMore: boolean }

/** A longer list is narrowed by a word of the names. */
const MAX_METRICS = 500

/** In the order of names. Throws `SearchError` and `ExploreError`. Reads the project's range of the key, five columns. */
export async function listMetrics(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: ListMetricsInput,
): Promise<MetricList> {
  const { bind, params } = createBind('m')
  const where = await performanceConditions(deps, grant, input)
  const search = await spanConditions(deps, grant, input.query ?? '', bind, METRIC_SEARCH)
  if (where === undefined) return { metrics: [], hasMore: false }
  const named = input.name === undefined ? '' : `AND name = ${bind(input.name)}`
  const metrics = await boundedQuery<MetricRow>(
    deps,
    `SELECT name, type, unit, count() AS points, uniqCombinedIf(series, series != '') AS series,
       toUnixTimestamp64Milli(max(timestamp)) AS lastSeenMs
     FROM metrics WHERE ${where.sql} ${named} AND ${search}
     GROUP BY name, type, unit ORDER BY name, points DESC, type, unit LIMIT ${MAX_METRICS + 1}`,
    { ...where.params, ...params },
    FEWER_POINTS,
  )
  return { metrics: metrics.slice(0, MAX_METRICS), hasMore: metrics.length > MAX_METRICS }
}
