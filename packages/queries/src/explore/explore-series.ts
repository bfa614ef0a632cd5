/** One measure over time: of everything that matches, and of the groups that a table shows first. */
import type { Grant } from '@sonde/access'
import { performanceConditions, type PerformanceFilter } from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'
import { type BucketWindow, bucketWindow, type Interval } from '../series/intervals.ts'
import { boundedQuery, createBind } from './bounded-query.ts'
import { type ExploreSubject, fieldColumn, projectNames, SPAN_ROWS } from './explore-spans.ts'
import { spanConditions } from './span-conditions.ts'
import { readMeasure, type ValueKind } from './span-measures.ts'

export type ExploreSeriesInput = PerformanceFilter & {
  readonly query?: string | undefined
  readonly measure: string
  readonly groupBy: readonly string[]
  /** Values of `groupBy`, one list for each group whose line is wanted. */
  readonly groups: readonly (readonly string[])[]
  /** Sixty steps unless told. */
  readonly interval?: Interval | undefined
}

export type ExploreSeries = Pick<BucketWindow, 'fromMs' | 'toMs' | 'stepMs'> & {
  readonly kind: ValueKind
  readonly unit: string | null
  /** Of everything; null where there was no span. */
  readonly values: readonly (number | null)[]
  /** Spans that each value stands on, sampled ones counted up. */
  readonly counts: readonly number[]
  readonly total: number
  /** In the order in which the groups were asked for. */
  readonly groups: readonly (readonly (number | null)[])[]
}

const BUCKETS = 60

type Row = { readonly bucket: number; readonly value: number | null; readonly n: number }
type GroupRow = Row & { readonly key: readonly string[] }

/** Throws `SearchError` and `ExploreError`. */
export async function exploreSeries(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: ExploreSeriesInput,
  subject: ExploreSubject = SPAN_ROWS,
): Promise<ExploreSeries> {
  const window = seriesWindow(input)
  const { fromMs, toMs, stepMs, startsMs } = window
  const { bind, params } = createBind('e')
  // A rate is of each span of time, not of the whole.
  const measure = readMeasure(subject.measureOf(input.measure), stepMs / 60_000, bind, subject.measured)
  const where = await performanceConditions(deps, grant, input)
  const search = await spanConditions(deps, grant, input.query ?? '', bind, subject)
  const names = await projectNames(deps, grant, input.groupBy, bind)
  const key = input.groupBy.map((field) => textOf(fieldColumn(field, bind, names, subject.fieldOf)))
  const wanted = input.groups.filter((group) => group.length === key.length && key.length > 0)
  const condition =
    wanted.length === 0 ? '' : `AND [${key.join(', ')}] IN ${bind(wanted, 'Array(Array(String))')}`
  const empty = startsMs.map(() => null)
  if (where === undefined)
    return {
      fromMs,
      toMs,
      stepMs,
      ...shapeOf(measure),
      values: empty,
      counts: startsMs.map(() => 0),
      total: 0,
      groups: [],
    }
  const from = `FROM ${subject.table} WHERE ${where.sql} AND ${search}`
  const bucket = `intDiv(toUnixTimestamp64Milli(timestamp) - {first:Int64}, {step:Int64}) AS bucket`
  const all = { ...where.params, ...params, first: fromMs, step: stepMs }
  const [rows, groupRows] = await Promise.all([
    boundedQuery<Row>(
      deps,
      `SELECT ${bucket}, ${measure.sql} AS value, sum(${subject.measured?.each ?? '1 / sample_rate'}) AS n ${from} GROUP BY bucket`,
      all,
      subject.narrowing,
    ),
    wanted.length === 0
      ? []
      : boundedQuery<GroupRow>(
          deps,
          `SELECT [${key.join(', ')}] AS key, ${bucket}, ${measure.sql} AS value, count() AS n
           ${from} ${condition} GROUP BY key, bucket`,
          all,
          subject.narrowing,
        ),
  ])
  const counts = startsMs.map(() => 0)
  for (const row of rows) if (row.bucket in counts) counts[row.bucket] = Math.round(row.n)
  const byKey = Map.groupBy(groupRows, (row) => JSON.stringify(row.key))
  return {
    fromMs,
    toMs,
    stepMs,
    ...shapeOf(measure),
    values: lineOf(rows, startsMs.length),
    counts,
    total: counts.reduce((sum, count) => sum + count, 0),
    groups: input.groups.map((group) => lineOf(byKey.get(JSON.stringify(group)) ?? [], startsMs.length)),
  }
}

export const seriesWindow = ({ fromMs, toMs, interval }: ExploreSeriesInput): BucketWindow =>
  bucketWindow({ fromMs, toMs, buckets: BUCKETS, interval })

const shapeOf = ({ kind, unit }: { readonly kind: ValueKind; readonly unit: string | null }) => ({
  kind,
  unit,
})
export const textOf = ({ kind, sql }: { readonly kind: ValueKind; readonly sql: string }): string =>
  kind === 'string' ? sql : `toString(${sql})`

export function lineOf(rows: readonly Row[], length: number): readonly (number | null)[] {
  const values = Array.from<number | null>({ length }).fill(null)
  for (const { bucket, value } of rows) if (bucket >= 0 && bucket < length) values[bucket] = value
  return values
}
