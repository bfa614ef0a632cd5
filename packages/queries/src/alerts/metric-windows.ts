/**
 * The values of very many metrics, each over a window, in few statements: planning one takes the engine longer than reading a
 * window, so those of one measure and time are one statement, whatever they search for and whichever project they are of.
 */
import { SondeError } from '@sonde/base'
import { type Bind, boundedQuery, createBind, ExploreError } from '../explore/bounded-query.ts'
import type { QueryDeps } from '../query-deps.ts'
import { SearchError } from '../search/search-term.ts'
import { metricSelect, type MetricSelect, type MetricValue, type MetricWindow } from './metric-values.ts'

type Deps = Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>

/** What is asked cannot be read, or there is too much to read. */
export type MetricFault = SearchError | ExploreError

export const isMetricFault = (error: unknown): error is MetricFault =>
  error instanceof SearchError || error instanceof ExploreError

/** Each row is held against so many searches. */
const SEARCHES_AT_ONCE = 50

/** In the order of the windows; a fault stands where that window's value would. */
export async function metricAnswers(
  deps: Deps,
  windows: readonly MetricWindow[],
): Promise<readonly (MetricValue | MetricFault)[]> {
  const answers = new Map<MetricWindow, MetricValue | MetricFault>()
  const empty = new Map<string, Promise<MetricValue>>()
  for (const alike of Map.groupBy(windows, measureOf).values()) {
    const searches = [...Map.groupBy(alike, searchOf).values()]
    for (let at = 0; at < searches.length; at += SEARCHES_AT_ONCE)
      await answerAlike(deps, searches.slice(at, at + SEARCHES_AT_ONCE), answers, empty)
  }
  return windows.map((window) => answers.get(window) ?? { value: null, count: 0 })
}

/** In the order of the windows. Throws `SearchError` and `ExploreError` for the first that cannot be read. */
export async function metricValues(
  deps: Deps,
  windows: readonly MetricWindow[],
): Promise<readonly MetricValue[]> {
  const answers = await metricAnswers(deps, windows)
  return answers.map((answer) => {
    if (answer instanceof SondeError) throw answer
    return answer
  })
}

/** Points of metrics are read of one project and search at a time: growth is measured before anything is put together. */
const measureOf = ({ metric: { source, measure, search }, grant, fromMs, toMs }: MetricWindow): string =>
  `${source} ${fromMs} ${toMs} ${measure}${source === 'metrics' ? ` ${grant.projectId} ${search}` : ''}`

/** What spans are searched for may name projects, and those are of one organization. */
const searchOf = ({ metric, grant }: MetricWindow): string => `${grant.orgId} ${metric.search}`

/** Of one measure and one time; each list is of one search, in several projects. */
async function answerAlike(
  deps: Deps,
  searches: readonly (readonly MetricWindow[])[],
  answers: Map<MetricWindow, MetricValue | MetricFault>,
  empty: Map<string, Promise<MetricValue>>,
): Promise<void> {
  const { bind, params } = createBind('m')
  const asked: { readonly windows: readonly MetricWindow[]; readonly select: MetricSelect }[] = []
  for (const windows of searches) {
    const [first] = windows
    if (!first) continue
    try {
      asked.push({ windows, select: await metricSelect(deps, first, bind) })
    } catch (error) {
      if (!isMetricFault(error)) throw error
      for (const window of windows) answers.set(window, error)
    }
  }
  const [first] = asked
  if (!first) return
  try {
    const found = await valuesBySearch(deps, asked, bind, params)
    for (const [at, { windows, select }] of asked.entries())
      for (const window of windows) {
        const value = found.get(`${at + 1} ${window.grant.projectId}`)
        answers.set(window, value ?? (await emptyValue(deps, window, select, params, empty)))
      }
  } catch (error) {
    if (!isMetricFault(error)) throw error
    for (const { windows } of asked) for (const window of windows) answers.set(window, error)
  }
}

type Row = MetricValue & { readonly search: number; readonly project: number }

/** By `SEARCH PROJECT`, the first search being 1; what nothing was received of is missing. */
async function valuesBySearch(
  deps: Deps,
  asked: readonly { readonly windows: readonly MetricWindow[]; readonly select: MetricSelect }[],
  bind: Bind,
  params: Readonly<Record<string, unknown>>,
): Promise<ReadonlyMap<string, MetricValue>> {
  const [{ select } = { select: undefined }] = asked
  if (!select) return new Map()
  const all = idsOf(asked.flatMap(({ windows }) => windows))
  const conditions = asked.map(({ windows, select: { matches } }) => {
    const own = idsOf(windows)
    return own.length === all.length ? matches : `${projectIn(own, bind)} AND ${matches}`
  })
  const only = conditions.length === 1
  const held = conditions.map((condition, at) => `if(${condition}, ${at + 1}, 0)`)
  const rows = await boundedQuery<Row>(
    deps,
    `SELECT ${only ? '1' : 'held'} AS search, project_id AS project, CAST(${select.value} AS Nullable(Float64)) AS value,
       toFloat64(${select.count}) AS count
     FROM ${select.from} ${only ? '' : `ARRAY JOIN arrayFilter(at -> at != 0, [${held.join(', ')}]) AS held`}
     WHERE ${projectIn(all, bind)} AND ${select.within} AND ${only ? (conditions[0] ?? '1') : '1'}
     GROUP BY search, project`,
    params,
  )
  return new Map(
    rows.map(({ search, project, value, count }) => [
      `${search} ${project}`,
      { value, count: Math.round(count) },
    ]),
  )
}

const idsOf = (windows: readonly MetricWindow[]): readonly number[] => [
  ...new Set(windows.map(({ grant }) => grant.projectId)),
]

const projectIn = (ids: readonly number[], bind: Bind): string =>
  `project_id IN ${bind(ids, 'Array(UInt32)')}`

/** Of no rows: 0 for what is counted, null for what there is no quantile of. Asked once for each measure. */
function emptyValue(
  deps: Deps,
  window: MetricWindow,
  { value, count, from }: MetricSelect,
  params: Readonly<Record<string, unknown>>,
  known: Map<string, Promise<MetricValue>>,
): Promise<MetricValue> {
  const key = measureOf(window)
  const asked =
    known.get(key) ??
    boundedQuery<MetricValue>(
      deps,
      `SELECT CAST(${value} AS Nullable(Float64)) AS value, toFloat64(${count}) AS count FROM ${from} WHERE 0`,
      params,
    ).then(([row]) => row ?? { value: null, count: 0 })
  known.set(key, asked)
  return asked
}
