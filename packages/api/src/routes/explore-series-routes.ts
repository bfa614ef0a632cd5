/**
 * Measures of Explore over time: `events-stats` as charts of Grafana and older clients read it, `events-timeseries` as Sentry
 * documents it. https://docs.sentry.io/api/explore/query-explore-events-in-timeseries-format/
 */
import type { Grant } from '@sonde/access'
import {
  type ExploreDataset,
  type ExploreSeries,
  type ExploreValue,
  type Interval,
  INTERVALS,
  isMeasure,
  parsePeriodMs,
} from '@sonde/queries'
import { z } from 'zod'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import type { DeepReadonly } from '../operation.ts'
import { performanceOf, text, texts } from '../query-schemas.ts'
import { asInvalid, datasetOf, EXPLORE, invalid, searchOf, sortOf } from './explore-params.ts'

type Deps = ApiOptions['queries']
type Line = {
  readonly yAxis: string
  /** Names and values of the group; empty: of everything. */
  readonly groupBy: readonly { readonly key: string; readonly value: ExploreValue }[]
  readonly values: readonly (number | null)[]
}
type Lines = {
  readonly dataset: ExploreDataset
  readonly window: Pick<ExploreSeries, 'fromMs' | 'toMs' | 'stepMs'>
  readonly lines: readonly Line[]
  readonly measures: readonly (Pick<ExploreSeries, 'kind' | 'unit'> & { readonly yAxis: string })[]
}

const MAX_MEASURES = 5
const MAX_GROUPS = 10

const SERIES = {
  ...EXPLORE,
  yAxis: texts('Measures; `count()` unless given.'),
  interval: text('The step, for example `5m`, `1h` or `1d`.'),
  topEvents: text(`How many groups by \`field\`, at most ${MAX_GROUPS}; none: one line of everything.`),
  groupBy: texts('Fields of the groups, beside those of `field`.'),
}
type SeriesQuery = z.output<z.ZodObject<typeof SERIES>>

const StatsLine = z
  .object({
    data: z
      .array(z.tuple([z.number(), z.tuple([z.object({ count: z.number().nullable() })])]))
      .meta({ description: 'Unix seconds where a step begins, and the value; null: nothing was measured.' }),
    order: z.int().meta({ description: 'Its place among several.' }),
    start: z.number().meta({ description: 'Unix seconds.' }),
    end: z.number().meta({ description: 'Unix seconds.' }),
    meta: z.object({
      dataset: z.string(),
      fields: z.record(z.string(), z.string()).meta({
        description: 'By measure what it is: `integer`, `number`, `duration`, `percentage`, `rate`, …',
      }),
      units: z.record(z.string(), z.string().nullable()).meta({ description: 'By measure.' }),
    }),
  })
  .meta({ id: 'ExploreStatsLine' })
const OfGroup = z
  .record(z.string(), z.union([StatsLine, z.int()]))
  .meta({ description: 'Lines by measure, and `order`, the place of the group.' })

const Stats = z.union([StatsLine, z.record(z.string(), z.union([StatsLine, OfGroup]))]).meta({
  id: 'ExploreStats',
  description: 'One line; of several measures or groups lines by their names, of both by group and measure.',
})
type StatsJson = DeepReadonly<z.infer<typeof Stats>>
type StatsLineJson = DeepReadonly<z.infer<typeof StatsLine>>

const Timeseries = z
  .object({
    timeSeries: z.array(
      z.object({
        yAxis: z.string(),
        groupBy: z
          .array(
            z.object({
              key: z.string(),
              value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
            }),
          )
          .optional(),
        values: z.array(
          z.object({ timestamp: z.int(), value: z.number().nullable(), incomplete: z.boolean() }),
        ),
        meta: z.object({
          interval: z.int().meta({ description: 'Length of a step.' }),
          valueType: z
            .string()
            .optional()
            .meta({ examples: ['duration'] }),
          valueUnit: z.string().nullable(),
        }),
      }),
    ),
    meta: z.object({ dataset: z.string(), start: z.int(), end: z.int() }),
  })
  .meta({ id: 'ExploreTimeseries', description: 'Times in milliseconds.' })

const asks = { tag: 'Explore', permission: 'event:read', query: z.object(SERIES) } as const

export function exploreSeriesRoutes(api: Api, { queries }: ApiOptions): void {
  api.get(
    '/organizations/:org/events-stats',
    {
      ...asks,
      id: 'getExploreStats',
      summary: 'Query measures over time, as charts of Grafana read them',
      answer: Stats,
    },
    async ({ grant, query }) => statsJson(await readLines(queries, grant, query)),
  )
  api.get(
    '/organizations/:org/events-timeseries',
    { ...asks, id: 'getExploreTimeseries', summary: 'Query measures over time', answer: Timeseries },
    async ({ grant, query }) => timeseriesJson(await readLines(queries, grant, query)),
  )
}

async function readLines(
  queries: Deps,
  grant: Grant<'event:read', 'org'>,
  query: SeriesQuery,
): Promise<Lines> {
  const dataset = datasetOf(query)
  const yAxes = [...new Set(query.yAxis ?? ['count()'])]
  if (yAxes.length > MAX_MEASURES) throw invalid(`at most ${MAX_MEASURES} yAxis can be asked for`)
  const [interval, top] = [intervalOf(query), topOf(query)]
  const groupBy =
    top === 0 ? [] : [...(query.field ?? []), ...(query.groupBy ?? [])].filter((field) => !isMeasure(field))
  const common = { ...performanceOf(query, queries.clock), query: searchOf(query) }
  const rows = groupBy.length === 0 ? [] : await topGroups()
  const groups = rows.map((row) => row.slice(0, groupBy.length).map(groupText))
  // One after the other: several at once would share the engine's memory.
  const found: ExploreSeries[] = []
  for (const measure of yAxes)
    found.push(
      await asInvalid(() =>
        dataset.series(queries, grant, { ...common, measure, groupBy, groups, interval }),
      ),
    )
  const [first] = found
  if (first === undefined) throw invalid('yAxis names what is computed, for example count()')
  const lines = found.flatMap((series, at): Line[] => {
    const line = { yAxis: yAxes[at] ?? '' }
    if (groupBy.length === 0) return [{ ...line, groupBy: [], values: counted(series.values, series) }]
    return rows.map((row, index) => ({
      ...line,
      groupBy: groupBy.map((key, column) => ({ key, value: row[column] ?? null })),
      values: counted(series.groups[index] ?? [], series),
    }))
  })
  const measures = found.map(({ kind, unit }, at) => ({ yAxis: yAxes[at] ?? '', kind, unit }))
  return { dataset, window: first, lines, measures }

  async function topGroups(): Promise<readonly (readonly ExploreValue[])[]> {
    const { sort = `-${yAxes[0] ?? ''}` } = sortOf(query)
    const sorted = sort.replace(/^-/, '')
    const fields = [...new Set([...groupBy, ...yAxes, ...(isMeasure(sorted) ? [sorted] : [])])]
    const input = { ...common, fields, sort, limit: top }
    return (await asInvalid(() => dataset.table(queries, grant, input))).rows
  }
}

/** Where nothing was, nothing was counted; of all else nothing is known. */
const counted = (values: ExploreSeries['values'], { kind }: Pick<ExploreSeries, 'kind'>) =>
  values.map((value) => (value === null && (kind === 'integer' || kind === 'rate') ? 0 : value))

/** As the engine writes what a table gives. */
const groupText = (value: ExploreValue): string =>
  typeof value === 'boolean' ? String(Number(value)) : String(value ?? '')

/** The next longer of the steps that charts have: a step must not be 37 minutes. */
function intervalOf({ interval: asked }: SeriesQuery): Interval | undefined {
  if (asked === undefined) return undefined
  const ms = parsePeriodMs(asked)
  if (ms === undefined || ms === 0) throw invalid('interval is for example 5m, 1h or 1d')
  return (INTERVALS.find(([, stepMs]) => stepMs >= ms) ?? INTERVALS[INTERVALS.length - 1])?.[0]
}

function topOf({ topEvents }: SeriesQuery): number {
  if (topEvents === undefined) return 0
  const top = Number(topEvents)
  if (!Number.isInteger(top) || top < 1 || top > MAX_GROUPS)
    throw invalid(`topEvents is a number from 1 to ${MAX_GROUPS}`)
  return top
}

/** Of several, by the group, the measure, or both. */
function statsJson({ dataset, window, lines, measures }: Lines): StatsJson {
  const json = ({ yAxis, values }: Line, order: number): StatsLineJson => {
    const measure = measures.find((each) => each.yAxis === yAxis)
    return {
      data: values.map((count, at) => [(window.fromMs + at * window.stepMs) / 1000, [{ count }]]),
      order,
      start: window.fromMs / 1000,
      end: window.toMs / 1000,
      meta: {
        dataset: dataset.name,
        fields: { [yAxis]: measure?.kind ?? 'number' },
        units: { [yAxis]: measure?.unit ?? null },
      },
    }
  }
  const [only] = lines
  const isGrouped = lines.some(({ groupBy }) => groupBy.length > 0)
  if (only !== undefined && lines.length === 1 && !isGrouped) return json(only, 0)
  if (!isGrouped) return Object.fromEntries(lines.map((line, at) => [line.yAxis, json(line, at)]))
  const byGroup = Map.groupBy(lines, ({ groupBy }) =>
    groupBy.map(({ value }) => String(value ?? '')).join(','),
  )
  return Object.fromEntries(
    [...byGroup].map(([group, each], order) => {
      const [first] = each
      if (first !== undefined && measures.length === 1) return [group, json(first, order)]
      return [group, { ...Object.fromEntries(each.map((line, at) => [line.yAxis, json(line, at)])), order }]
    }),
  )
}

/** Times in milliseconds. */
function timeseriesJson({ dataset, window, lines, measures }: Lines) {
  return {
    timeSeries: lines.map(({ yAxis, groupBy, values }) => {
      const measure = measures.find((each) => each.yAxis === yAxis)
      return {
        yAxis,
        ...(groupBy.length > 0 && { groupBy }),
        values: values.map((value, at) => ({
          timestamp: window.fromMs + at * window.stepMs,
          value,
          incomplete: false,
        })),
        meta: { interval: window.stepMs, valueType: measure?.kind, valueUnit: measure?.unit ?? null },
      }
    }),
    meta: { dataset: dataset.name, start: window.fromMs, end: window.toMs },
  }
}
