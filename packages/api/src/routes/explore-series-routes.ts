/**
 * Measures of Explore over time: `events-stats` as charts of Grafana and older clients read it, `events-timeseries` as Sentry
 * documents it. https://docs.sentry.io/api/explore/query-explore-events-in-timeseries-format/
 */
import {
  EXPLORE_DATASETS,
  type ExploreDataset,
  type ExploreSeries,
  type ExploreValue,
  type Interval,
  INTERVALS,
  isMeasure,
  parsePeriodMs,
} from '@sonde/queries'
import { type Api, type ApiContext, type ApiOptions, orgGrant } from '../api-context.ts'
import { performanceParams } from '../request-params.ts'
import { asInvalid, datasetParam, invalid, queryParam, sortParam } from './explore-params.ts'

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

export function exploreSeriesRoutes(api: Api, { queries }: ApiOptions): void {
  api.get('/organizations/:org/events-stats', async (c) => c.json(statsJson(await readLines(c, queries))))
  api.get('/organizations/:org/events-timeseries', async (c) =>
    c.json(timeseriesJson(await readLines(c, queries))),
  )
}

async function readLines(c: ApiContext, queries: Deps): Promise<Lines> {
  const grant = await orgGrant(c, 'event:read')
  const dataset = datasetParam(c, EXPLORE_DATASETS)
  const yAxes = [...new Set(c.req.queries('yAxis') ?? ['count()'])]
  if (yAxes.length > MAX_MEASURES) throw invalid(`at most ${MAX_MEASURES} yAxis can be asked for`)
  const [interval, top] = [intervalParam(c), topParam(c)]
  const groupBy =
    top === 0
      ? []
      : [...(c.req.queries('field') ?? []), ...(c.req.queries('groupBy') ?? [])].filter(
          (field) => !isMeasure(field),
        )
  const common = { ...performanceParams(c, queries.clock), query: queryParam(c) }
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
    const { sort = `-${yAxes[0] ?? ''}` } = sortParam(c)
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
function intervalParam(c: ApiContext): Interval | undefined {
  const text = c.req.query('interval')
  if (text === undefined) return undefined
  const ms = parsePeriodMs(text)
  if (ms === undefined || ms === 0) throw invalid('interval is for example 5m, 1h or 1d')
  return (INTERVALS.find(([, stepMs]) => stepMs >= ms) ?? INTERVALS[INTERVALS.length - 1])?.[0]
}

function topParam(c: ApiContext): number {
  const text = c.req.query('topEvents')
  if (text === undefined) return 0
  const top = Number(text)
  if (!Number.isInteger(top) || top < 1 || top > MAX_GROUPS)
    throw invalid(`topEvents is a number from 1 to ${MAX_GROUPS}`)
  return top
}

/** `{data: [[seconds, [{count}]]], start, end, meta}`; of several, by the group, the measure, or both. */
function statsJson({ dataset, window, lines, measures }: Lines) {
  const json = ({ yAxis, values }: Line, order: number) => {
    const measure = measures.find((each) => each.yAxis === yAxis)
    return {
      data: values.map((count, at) => [(window.fromMs + at * window.stepMs) / 1000, [{ count }]] as const),
      order,
      start: window.fromMs / 1000,
      end: window.toMs / 1000,
      meta: {
        dataset: dataset.name,
        fields: { [yAxis]: measure?.kind },
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
