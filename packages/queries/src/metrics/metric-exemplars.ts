/** Single measurements of a metric with the traces in which they were made. */
import type { Grant } from '@sonde/access'
import { boundedQuery, createBind } from '../explore/bounded-query.ts'
import { spanConditions } from '../explore/span-conditions.ts'
import { performanceConditions, type PerformanceFilter } from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'
import { FEWER_POINTS, METRIC_SEARCH } from './metric-fields.ts'
import type { MetricRef } from './metric-measures.ts'

export type MetricExemplar = {
  readonly value: number
  /** Unix milliseconds. */
  readonly atMs: number
  readonly traceId: string
  /** Empty: nobody said. */
  readonly spanId: string
}

export type MetricExemplarsInput = PerformanceFilter & {
  readonly ref: MetricRef
  readonly query?: string | undefined
  readonly limit?: number | undefined
}

/** So many of the newest points are looked at; each has 16 exemplars at most. */
const POINTS = 500

type Point = {
  readonly atMs: number
  readonly value: number
  readonly traceId: string
  readonly spanId: string
  readonly exemplars: string
}

/** The largest among the newest, 10 unless told. Throws `SearchError` and `ExploreError`. */
export async function metricExemplars(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: MetricExemplarsInput,
): Promise<readonly MetricExemplar[]> {
  const { bind, params } = createBind('m')
  const where = await performanceConditions(deps, grant, input)
  const search = await spanConditions(deps, grant, input.query ?? '', bind, METRIC_SEARCH)
  if (where === undefined) return []
  const { name, type, unit } = input.ref
  const points = await boundedQuery<Point>(
    deps,
    `SELECT toUnixTimestamp64Milli(timestamp) AS atMs, value, trace_id AS traceId, span_id AS spanId, exemplars
     FROM metrics WHERE ${where.sql} AND name = ${bind(name)} AND type = ${bind(type)} AND unit = ${bind(unit)}
       AND trace_id != '' AND ${search} ORDER BY timestamp DESC LIMIT ${POINTS}`,
    { ...where.params, ...params },
    FEWER_POINTS,
  )
  const found = points.flatMap((point) =>
    point.exemplars === '' ? [measurement(point)] : exemplarsOf(point),
  )
  // A cumulative series repeats what it told before.
  const once = new Map(found.map((each) => [`${each.traceId} ${each.spanId} ${each.value}`, each]))
  return [...once.values()]
    .toSorted((a, b) => b.value - a.value || b.atMs - a.atMs)
    .slice(0, input.limit ?? 10)
}

const measurement = ({ atMs, value, traceId, spanId }: Point): MetricExemplar => ({
  atMs,
  value,
  traceId,
  spanId,
})

/** As the pipeline wrote them. */
function exemplarsOf({ exemplars, atMs }: Point): readonly MetricExemplar[] {
  const told = JSON.parse(exemplars) as readonly {
    readonly value: number
    readonly at?: number
    readonly trace: string
    readonly span: string
  }[]
  return told.map(({ value, at, trace, span }) => ({ value, atMs: at ?? atMs, traceId: trace, spanId: span }))
}
