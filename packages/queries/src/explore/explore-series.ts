/** One measure over time: of everything that matches, and of the groups that a table shows first. */
import type { Grant } from '@sonde/access'
import {
  type Conditions,
  performanceConditions,
  type PerformanceFilter,
} from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'
import { type BucketWindow, bucketWindow, type Interval } from '../series/intervals.ts'
import { boundedQuery, createBind } from './bounded-query.ts'
import { type ExploreSubject, fieldColumn, projectNames, SPAN_ROWS } from './explore-spans.ts'
import { spanConditions } from './span-conditions.ts'
import { readMeasure, type ValueKind } from './span-measures.ts'
import { exploredSums, isSummedColumn, watchedSubject } from './summed-spans.ts'

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
  const watched = watchedSubject(subject)
  const search = await spanConditions(deps, grant, input.query ?? '', bind, watched.subject)
  const names = await projectNames(deps, grant, input.groupBy, bind)
  const fields = input.groupBy.map((field) => fieldColumn(field, bind, names, subject.fieldOf))
  const wanted = input.groups.filter((group) => group.length === fields.length && fields.length > 0)
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
  // Each column by itself, as it is stored: groups of lists of texts take three times as long.
  const key = fields.map(textOf)
  const conditions = key.map((sql, at) => {
    const values = [...new Set(wanted.map((group) => group[at] ?? ''))]
    return wanted.length === 0 ? '1' : `${sql} IN ${bind(values, 'Array(String)')}`
  })
  const chosen = wanted.length === 0 ? '' : bind(wanted, 'Array(Array(String))')
  const { ofSums } = measure
  const isSummed =
    ofSums !== undefined && watched.isSummed() && fields.every(({ sql }) => isSummedColumn(sql))
  const each = subject.measured?.each ?? '1 / sample_rate'
  const grouped = async (columns: readonly string[], condition: string): Promise<Conditions> => {
    const by = Object.fromEntries(columns.map((sql, at) => [`k${at}`, sql]))
    const keys = [...Object.keys(by), 'bucket'].join(', ')
    const all = { ...where.params, ...params, first: fromMs, step: stepMs }
    if (!isSummed)
      return {
        sql: `SELECT ${Object.entries(by)
          .map(([name, sql]) => `${sql} AS ${name}, `)
          .join('')}
           intDiv(toUnixTimestamp64Milli(timestamp) - {first:Int64}, {step:Int64}) AS bucket,
           ${measure.sql} AS value, sum(${each}) AS n
         FROM ${subject.table} WHERE ${where.sql} AND ${condition} GROUP BY ${keys}`,
        params: all,
      }
    const sums = await exploredSums(deps, {
      filter: input,
      where: { ...where, params: all },
      search: condition,
      by,
      sums: [...ofSums.sums, 'counted'],
      steps: { firstMs: fromMs, stepMs },
    })
    return {
      sql: `SELECT ${keys}, ${ofSums.sql} AS value, sum(counted) AS n FROM (${sums.sql}) GROUP BY ${keys}`,
      params: sums.params,
    }
  }
  const [every, some] = await Promise.all([
    grouped([], search),
    wanted.length === 0 ? undefined : grouped(key, [search, ...conditions].join(' AND ')),
  ])
  const [rows, groupRows] = await Promise.all([
    boundedQuery<Row>(deps, every.sql, every.params, subject.narrowing),
    some === undefined
      ? []
      : boundedQuery<GroupRow>(
          deps,
          `SELECT [${key.map((_, at) => `toString(k${at})`).join(', ')}] AS key, bucket, value, n
           FROM (${some.sql}) WHERE key IN ${chosen}`,
          some.params,
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
