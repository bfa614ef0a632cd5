/** A measure of a metric over time: of everything, or of the groups of an attribute with the largest values and the rest. */
import type { Grant } from '@sonde/access'
import { type Bind, boundedQuery, createBind } from '../explore/bounded-query.ts'
import { fieldColumn } from '../explore/explore-spans.ts'
import { spanConditions } from '../explore/span-conditions.ts'
import { performanceConditions, type PerformanceFilter } from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'
import { type BucketWindow, bucketWindow } from '../series/intervals.ts'
import { measureSql } from './measure-sql.ts'
import { FEWER_POINTS, METRIC_SEARCH, metricFieldOf } from './metric-fields.ts'
import { MEASURES_OF_TYPE, type MeasuredMetric, type PointMeasure } from './metric-measures.ts'
import { LOOKBACK_MS, metricRows } from './metric-rows.ts'

export type MetricChartInput = PerformanceFilter &
  MeasuredMetric & {
    /** As typed: `http.route:/cart environment:production`. */
    readonly query?: string | undefined
    /** A field or an attribute. */
    readonly groupBy?: string | undefined
    /** Groups of their own, at most 20; 10 unless told. */
    readonly groups?: number | undefined
  }

export type MetricLine = {
  /** Undefined: what is in none of the other lines. Empty: what does not have the attribute. */
  readonly key: string | undefined
  /** Null where nothing was measured. */
  readonly values: readonly (number | null)[]
  /** Of the whole time. */
  readonly value: number | null
  /** Measurements; points of counters and gauges. */
  readonly count: number
}

export type MetricChart = Pick<BucketWindow, 'fromMs' | 'toMs' | 'stepMs'> & {
  readonly lines: readonly MetricLine[]
  /** By step, of all lines. */
  readonly counts: readonly number[]
  readonly total: number
  /** How many groups there are, those of the rest among them; 0 without `groupBy`. */
  readonly groups: number
}

type Deps = Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>
type ReadGrant = Grant<'event:read', 'org' | 'project'>

const BUCKETS = 60
const MAX_GROUPS = 20
const SECOND_MS = 1_000

/** Growth of histograms is measured from step to step; of all others one step is the whole time. */
export const wholeSteps = (
  { ref, fromMs, toMs }: Pick<MetricChartInput, 'ref' | 'fromMs' | 'toMs'>,
  window: Pick<BucketWindow, 'fromMs' | 'stepMs'>,
) =>
  ref.type === 'histogram' || ref.type === 'summary'
    ? { originMs: window.fromMs, stepMs: window.stepMs }
    : { originMs: fromMs, stepMs: toMs - fromMs }

type Row = { readonly key: string; readonly value: number | null; readonly n: number }

/** Throws `SearchError` and `ExploreError`. Reads the metric's range of the key: two times, three with groups. */
export async function metricChart(
  deps: Deps,
  grant: ReadGrant,
  input: MetricChartInput,
): Promise<MetricChart> {
  const window = bucketWindow({ fromMs: input.fromMs, toMs: input.toMs, buckets: BUCKETS })
  const { fromMs, toMs, stepMs, startsMs } = window
  const { bind, params } = createBind('m')
  const read = await reader(deps, grant, input, bind)
  if (read === undefined)
    return { fromMs, toMs, stepMs, lines: [], counts: startsMs.map(() => 0), total: 0, groups: 0 }
  const { where, key, paramsOf } = read
  const wholeMs = input.toMs - input.fromMs
  const whole = { ...input, where, key, time: 'timestamp', ...wholeSteps(input, window) } as const
  const limit = Math.min(MAX_GROUPS, Math.max(1, input.groups ?? 10))
  const run = <Found>(sql: string) => boundedQuery<Found>(deps, sql, { ...paramsOf, ...params }, FEWER_POINTS)
  const value = measureSql(input, wholeMs / SECOND_MS)
  const top =
    input.groupBy === undefined
      ? []
      : await run<Row & { readonly groups: number }>(
          `SELECT key, ${value} AS value, sum(n) AS n, count() OVER () AS groups FROM ${metricRows(whole, bind)}
           GROUP BY key ORDER BY value DESC NULLS LAST, n DESC, key LIMIT ${limit}`,
        )
  const keys = top.map((row) => row.key)
  // What has an attribute is never called as the rest is.
  const lineKey =
    input.groupBy === undefined
      ? "'='"
      : `if(has(${bind(keys, 'Array(String)')}, ${key}), concat('=', ${key}), '')`
  // One after the other: of ten thousand series each needs much of the engine's memory.
  const totals = await run<Row>(
    `SELECT key, ${value} AS value, sum(n) AS n FROM ${metricRows({ ...whole, key: lineKey }, bind)} GROUP BY key`,
  )
  const rows = await run<Row & { readonly at: number }>(
    `SELECT key, slot AS at, ${measureSql(input, stepMs / SECOND_MS)} AS value, sum(n) AS n
     FROM ${metricRows({ ...whole, key: lineKey, originMs: fromMs, stepMs }, bind)} GROUP BY key, slot`,
  )
  const counts = startsMs.map(() => 0)
  for (const { at, n } of rows) if (at in counts) counts[at] = (counts[at] ?? 0) + n
  const byKey = Map.groupBy(rows, (row) => row.key)
  const order = input.groupBy === undefined ? ['='] : [...keys.map((each) => `=${each}`), '']
  const lines = order.flatMap((each): MetricLine[] => {
    const total = totals.find((row) => row.key === each)
    if (total === undefined) return []
    const values = startsMs.map((): number | null => null)
    for (const { at, value: found } of byKey.get(each) ?? []) if (at in values) values[at] = found
    return [
      {
        key: each === '' ? undefined : each.slice(1),
        values,
        value: total.value,
        count: Math.round(total.n),
      },
    ]
  })
  return {
    fromMs,
    toMs,
    stepMs,
    lines,
    counts: counts.map(Math.round),
    total: Math.round(counts.reduce((sum, n) => sum + n, 0)),
    groups: top[0]?.groups ?? 0,
  }
}

export type MetricFigures = Readonly<Partial<Record<PointMeasure, number | null>>>

/** Every measure of the metric over the whole time. Throws `SearchError` and `ExploreError`. */
export async function metricFigures(
  deps: Deps,
  grant: ReadGrant,
  input: Omit<MetricChartInput, 'measure' | 'groupBy'>,
): Promise<MetricFigures> {
  const { bind, params } = createBind('m')
  const read = await reader(deps, grant, input, bind)
  if (read === undefined) return {}
  const steps = wholeSteps(input, bucketWindow({ fromMs: input.fromMs, toMs: input.toMs, buckets: BUCKETS }))
  const all: readonly PointMeasure[] = MEASURES_OF_TYPE[input.ref.type]
  const figures: Partial<Record<PointMeasure, number | null>> = {}
  // Those that are of the same rows are one statement: percentiles, levels of series, all others.
  const rowsOf = new Map<string, PointMeasure[]>()
  for (const measure of all) {
    const rows = metricRows({ ...input, measure, ...read, time: 'timestamp', ...steps }, createBind('x').bind)
    rowsOf.set(rows, [...(rowsOf.get(rows) ?? []), measure])
  }
  for (const measures of rowsOf.values()) {
    const [first = 'sum'] = measures
    const rows = metricRows({ ...input, measure: first, ...read, time: 'timestamp', ...steps }, bind)
    const columns = measures.map(
      (measure) =>
        `CAST(${measureSql({ ...input, measure }, (input.toMs - input.fromMs) / SECOND_MS)} AS Nullable(Float64)) AS ${measure}_`,
    )
    const [row] = await boundedQuery<Record<string, number | null>>(
      deps,
      `SELECT ${columns.join(', ')} FROM ${rows}`,
      { ...read.paramsOf, ...params },
      FEWER_POINTS,
    )
    for (const measure of measures) figures[measure] = row?.[`${measure}_`] ?? null
  }
  return figures
}

/** Undefined: there is no project. */
async function reader(
  deps: Deps,
  grant: ReadGrant,
  input: Pick<MetricChartInput, 'query' | 'groupBy'> & PerformanceFilter,
  bind: Bind,
) {
  const read = await pointsWhere(deps, grant, input, bind)
  const column =
    input.groupBy === undefined ? undefined : fieldColumn(input.groupBy, bind, "''", metricFieldOf)
  if (read === undefined) return undefined
  const key = column === undefined ? "''" : column.kind === 'string' ? column.sql : `toString(${column.sql})`
  return { ...read, key }
}

/** Of which points `metricRows` is made: those in the search, and those before by which growth is measured. */
export async function pointsWhere(
  deps: Deps,
  grant: ReadGrant,
  input: Pick<MetricChartInput, 'query'> & PerformanceFilter,
  bind: Bind,
) {
  const where = await performanceConditions(deps, grant, {
    ...input,
    fromMs: Math.max(0, input.fromMs - LOOKBACK_MS),
  })
  const search = await spanConditions(deps, grant, input.query ?? '', bind, METRIC_SEARCH)
  return where && { where: `${where.sql} AND ${search}`, paramsOf: where.params }
}
