/**
 * Metrics as Sentry's Explore asks for them: `sum(value,orders,counter,none)`, by any fields, as a table and over time. What a
 * measure is computed of is `metricRows`, as on the screen of metrics; without such a measure it is single points.
 */
import type { Grant } from '@sonde/access'
import { boundedQuery, createBind, ExploreError } from '../explore/bounded-query.ts'
import {
  type ExploreSeries,
  exploreSeries,
  type ExploreSeriesInput,
  lineOf,
  seriesWindow,
  textOf,
} from '../explore/explore-series.ts'
import {
  type ExploreInput,
  exploreSpans,
  type ExploreTable,
  type ExploreValue,
  fieldColumn,
  projectNames,
} from '../explore/explore-spans.ts'
import { isMeasure, type ValueKind } from '../explore/span-measures.ts'
import type { QueryDeps } from '../query-deps.ts'
import { bucketWindow } from '../series/intervals.ts'
import { measureSql } from './measure-sql.ts'
import { pointsWhere, wholeSteps } from './metric-chart.ts'
import { FEWER_POINTS, METRIC_ROWS, metricFieldOf } from './metric-fields.ts'
import { type AskedMeasure, askedMeasure } from './metric-measures.ts'
import { metricRows } from './metric-rows.ts'

type Deps = Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>
type ReadGrant = Grant<'event:read', 'org' | 'project'>

/** Each is a statement of its own. */
const MAX_MEASURES = 6
const MAX_ROWS = 1_000
const SECOND_MS = 1_000

type Row = { readonly key: string; readonly value: number | null }

/** Groups are those that the measure has which they are sorted by (of none: the first). Throws `SearchError` and `ExploreError`. */
export async function exploreMetrics(
  deps: Deps,
  grant: ReadGrant,
  input: ExploreInput,
): Promise<ExploreTable> {
  const fields = [...new Set(input.fields)]
  const asked = new Map(fields.flatMap((field) => entryOf(field, askedMeasure(field))))
  if (asked.size === 0) return exploreSpans(deps, grant, input, METRIC_ROWS)
  const unknown = fields.find((field) => isMeasure(field) && !asked.has(field))
  if (unknown !== undefined)
    throw new ExploreError(
      `"${unknown}" cannot be computed beside measures of a metric`,
      'Name the metric with its type and unit in each, like count(value,orders,counter,none).',
    )
  if (asked.size > MAX_MEASURES) throw new ExploreError(`at most ${MAX_MEASURES} measures can be asked for`)
  const { bind, params } = createBind('m')
  const groups = fields.filter((field) => !asked.has(field))
  const names = await projectNames(deps, grant, groups, bind)
  const columns = groups.map((field) => fieldColumn(field, bind, names, metricFieldOf))
  const shown = fields.map((field) => {
    const { kind, unit } = asked.get(field) ??
      columns[groups.indexOf(field)] ?? { kind: 'string', unit: null }
    return { field, kind, unit }
  })
  const [lead, order] = orderOf(input.sort, groups, asked)
  const read = await pointsWhere(deps, grant, input, bind)
  if (read === undefined) return { columns: shown, rows: [], hasMore: false }
  const limit = Math.min(MAX_ROWS, Math.max(1, input.limit ?? 100))
  const window = bucketWindow(input)
  const seconds = (input.toMs - input.fromMs) / SECOND_MS
  const key = columns.length === 0 ? "''" : `toJSONString([${columns.map(textOf).join(', ')}])`
  const run = (measured: AskedMeasure, rest: string, more: object = {}): Promise<Row[]> =>
    boundedQuery<Row>(
      deps,
      `SELECT key, ${valueOf(measured, seconds)} AS value FROM ${metricRows(
        {
          ...input,
          ...measured,
          where: read.where,
          key,
          time: 'timestamp',
          ...wholeSteps({ ...input, ...measured }, window),
        },
        bind,
      )} ${rest}`,
      { ...read.paramsOf, ...params, ...more },
      FEWER_POINTS,
    )
  const found = await run(
    lead,
    `GROUP BY key HAVING sum(n) > 0 ORDER BY ${order}, key LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
    { limit: limit + 1, offset: input.offset ?? 0 },
  )
  const page = found.slice(0, limit)
  const values = new Map([[lead, new Map(page.map((row) => [row.key, row.value]))]])
  // One after the other: of ten thousand series each needs much of the engine's memory.
  for (const measured of new Set(asked.values()))
    if (measured !== lead) {
      const rows = await run(measured, 'WHERE has({keys:Array(String)}, key) GROUP BY key', {
        keys: page.map((row) => row.key),
      })
      values.set(measured, new Map(rows.map((row) => [row.key, row.value])))
    }
  return {
    columns: shown,
    rows: page.map(({ key: at }) => {
      const texts = at === '' ? [] : (JSON.parse(at) as readonly string[])
      return shown.map(({ field, kind }): ExploreValue => {
        const measured = asked.get(field)
        if (measured === undefined) return fromText(texts[groups.indexOf(field)] ?? '', kind)
        return rounded(values.get(measured)?.get(at) ?? null, kind)
      })
    }),
    hasMore: found.length > limit,
  }
}

/** One measure of one metric. Throws `SearchError` and `ExploreError`. */
export async function exploreMetricSeries(
  deps: Deps,
  grant: ReadGrant,
  input: ExploreSeriesInput,
): Promise<ExploreSeries> {
  const measured = askedMeasure(input.measure)
  if (measured === undefined) return exploreSeries(deps, grant, input, METRIC_ROWS)
  const { fromMs, toMs, stepMs, startsMs } = seriesWindow(input)
  const { bind, params } = createBind('m')
  const names = await projectNames(deps, grant, input.groupBy, bind)
  const columns = input.groupBy.map((field) => textOf(fieldColumn(field, bind, names, metricFieldOf)))
  const read = await pointsWhere(deps, grant, input, bind)
  const run = (key: string, rest: string, more: object = {}) =>
    read === undefined
      ? []
      : boundedQuery<Row & { readonly bucket: number; readonly n: number }>(
          deps,
          `SELECT key, slot AS bucket, ${valueOf(measured, stepMs / SECOND_MS)} AS value, sum(n) AS n FROM ${metricRows(
            { ...input, ...measured, where: read.where, key, time: 'timestamp', originMs: fromMs, stepMs },
            bind,
          )} ${rest} GROUP BY key, slot`,
          { ...read.paramsOf, ...params, ...more },
          FEWER_POINTS,
        )
  const all = await run("''", '')
  const keys = input.groups.map((group) => JSON.stringify(group))
  const lines =
    keys.length === 0 || columns.length === 0
      ? []
      : await run(`toJSONString([${columns.join(', ')}])`, 'WHERE has({keys:Array(String)}, key)', { keys })
  const counts = startsMs.map(() => 0)
  for (const { bucket, n } of all) if (bucket in counts) counts[bucket] = Math.round(n)
  const byKey = Map.groupBy(lines, (row) => row.key)
  return {
    fromMs,
    toMs,
    stepMs,
    kind: measured.kind,
    unit: measured.unit,
    values: lineOf(all, startsMs.length),
    counts,
    total: counts.reduce((sum, count) => sum + count, 0),
    groups: keys.map((key) => lineOf(byKey.get(key) ?? [], startsMs.length)),
  }
}

const entryOf = <Value>(field: string, value: Value | undefined): readonly (readonly [string, Value])[] =>
  value === undefined ? [] : [[field, value]]

const valueOf = (measured: AskedMeasure, seconds: number): string =>
  `CAST((${measureSql(measured, seconds)}) * ${measured.times} AS Nullable(Float64))`

/** By which measure groups are found, and in which order. */
function orderOf(
  sort: string | undefined,
  groups: readonly string[],
  asked: ReadonlyMap<string, AskedMeasure>,
): readonly [lead: AskedMeasure, order: string] {
  const [first] = asked.values()
  if (first === undefined) throw new ExploreError('no field was asked for')
  if (sort === undefined || sort === '') return [first, 'value DESC NULLS LAST']
  const isDescending = sort.startsWith('-')
  const wanted = isDescending ? sort.slice(1) : sort
  const way = isDescending ? 'DESC' : 'ASC'
  const measured = asked.get(wanted)
  if (measured) return [measured, `value ${way} NULLS LAST`]
  const at = groups.indexOf(wanted)
  if (at < 0)
    throw new ExploreError(`cannot sort by "${wanted}"`, 'Sort by one of the fields that are asked for.')
  return [first, `JSONExtractString(key, ${at + 1}) ${way}`]
}

/** Groups are put together by texts. */
function fromText(text: string, kind: ValueKind): ExploreValue {
  if (kind === 'string') return text
  if (kind === 'boolean') return text === '1'
  return text === '' ? null : Number(text)
}

const rounded = (value: number | null, kind: ValueKind): number | null =>
  value !== null && kind === 'integer' ? Math.round(value) : value
