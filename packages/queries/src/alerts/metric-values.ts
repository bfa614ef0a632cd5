/**
 * The values of a metric: window by window in a row, and by route. By the time of receipt: what was received within a window is counted in that
 * window, once, however long it was on its way; what happened an hour earlier than it was received is of no alert any more.
 */
import type { Grant } from '@sonde/access'
import { CHUNK_ERROR_PATTERN } from '@sonde/protocol/chunk-error'
import {
  CHUNK_FAILURE_OP,
  CHUNK_FAILURE_PREFIX,
  PAGE_DATA_FAILURE_OP,
  PAGE_DATA_FAILURE_PREFIX,
} from '@sonde/protocol/navigation'
import { VITAL_NAMES } from '@sonde/protocol/web-vitals'
import { EVENT_COUNT, EVENT_USERS } from '@sonde/stores'
import { boundedQuery, createBind, type Bind, ExploreError } from '../explore/bounded-query.ts'
import { spanConditions } from '../explore/span-conditions.ts'
import { readMeasure } from '../explore/span-measures.ts'
import { LOG_SEARCH } from '../logs/log-fields.ts'
import { measureSql } from '../metrics/measure-sql.ts'
import { METRIC_SEARCH } from '../metrics/metric-fields.ts'
import { readMeasured } from '../metrics/metric-measures.ts'
import { LOOKBACK_MS, metricRows } from '../metrics/metric-rows.ts'
import { HUNG_SQL, SEEN_AFTER_SQL, WAITED_FOR_SQL } from '../performance/navigation-filter.ts'
import { PAGES_SQL } from '../performance/navigation-page-data.ts'
import { TROUBLED_SQL } from '../performance/navigation-summary.ts'
import { dayText, WEIGHT } from '../performance/performance-filter.ts'
import { IS_PREFETCH_SQL, SERVER_REQUEST_SQL } from '../performance/prefetch-origin.ts'
import type { QueryDeps } from '../query-deps.ts'
import { eventSearch } from '../search/event-search.ts'
import { sinceWeek } from '../weeks.ts'
import { ON_TIME } from './issue-counts.ts'
import { columnsWhere } from './metric-columns.ts'
import type { Metric, MetricSource } from './metric.ts'

type Deps = Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>
type ReadGrant = Grant<'event:read', 'project'>

export type MetricWindow = {
  readonly grant: ReadGrant
  readonly metric: Metric
  /** Unix milliseconds; `toMs` is exclusive. */
  readonly fromMs: number
  readonly toMs: number
}

export type MetricValue = {
  /** Null: nothing was received of which it could be computed. */
  readonly value: number | null
  /** Rows that it stands on, sampled ones counted up. */
  readonly count: number
}

/** Throws `SearchError` and `ExploreError` when `metricValues` could not read it. */
export async function checkMetric(
  deps: Omit<Deps, 'telemetry'>,
  grant: ReadGrant,
  metric: Metric,
): Promise<void> {
  await metricSelect(deps, { grant, metric, fromMs: 0, toMs: 60_000 }, createBind('c').bind)
}

export type MetricSeriesInput = {
  readonly grant: ReadGrant
  readonly metric: Metric
  /** Ends of the first and of the last window: whole steps apart. */
  readonly fromMs: number
  readonly toMs: number
  /** From one window to the next; a window is a whole number of steps long. */
  readonly stepMs: number
  readonly windowMs: number
}

/**
 * Of windows one after the other, in one statement: each row is counted in every window that holds it. Throws `SearchError` and
 * `ExploreError`, the latter also for more rows than can be read at once.
 */
export async function metricSeries(
  deps: Deps,
  { grant, metric, fromMs, toMs, stepMs, windowMs }: MetricSeriesInput,
): Promise<readonly MetricValue[]> {
  const { bind, params } = createBind('p')
  const overlap = Math.round(windowMs / stepMs)
  const whole = { grant, metric, fromMs: fromMs - windowMs, toMs }
  const { value, count, from, where, atMs, onTime } = await metricSelect(
    deps,
    whole,
    bind,
    windowMs / MINUTE_MS,
  )
  const computed = `CAST(${value} AS Nullable(Float64)) AS value, toFloat64(${count}) AS count`
  // The step in which a row lies ends at index `step`; it is in that window and in those after it that reach back so far.
  const originMs = fromMs - (MANY_STEPS + 1) * stepMs
  const step = `intDiv(${atMs} - ${bind(originMs, 'Int64')}, ${bind(stepMs, 'Int64')}) - ${MANY_STEPS}`
  const rows = await boundedQuery<MetricValue & { readonly at: number }>(
    deps,
    `SELECT * FROM (
       SELECT ${step} + later AS at, ${computed} FROM ${from} ARRAY JOIN range(${overlap}) AS later
       WHERE ${where} AND ${onTime} GROUP BY at
       UNION ALL SELECT toInt64(-${MANY_STEPS}) AS at, ${computed} FROM ${from} WHERE 0)`,
    params,
  )
  const found = new Map(
    rows.map(({ at, value: of, count: rowCount }) => [at, { value: of, count: Math.round(rowCount) }]),
  )
  const empty = found.get(-MANY_STEPS) ?? { value: null, count: 0 }
  const windows = Math.round((toMs - fromMs) / stepMs) + 1
  return Array.from({ length: windows }, (_, at) => found.get(at) ?? empty)
}

export type MetricRoute = MetricValue & { readonly route: string }

const ROUTE_COLUMNS: Readonly<Partial<Record<MetricSource, string>>> = {
  errors: 'transaction',
  spans: 'segment_name',
  vitals: 'route',
  navigations: 'to_route',
  page_data: `strings['${PAGE_DATA_FAILURE_PREFIX}route']`,
  chunks: `strings['${CHUNK_FAILURE_PREFIX}route']`,
  prefetches: 'route',
}

/** The routes with the highest (of `below` the lowest) values, at most `limit`; what has no routes has none. */
export async function metricRoutes(
  deps: Deps,
  window: MetricWindow,
  { worse, limit }: { readonly worse: 'above' | 'below'; readonly limit: number },
): Promise<readonly MetricRoute[]> {
  const { source, measure } = window.metric
  const isOfServers = source === 'prefetches' && SERVER_MEASURES.has(measure)
  const route = isOfServers ? ROUTE_COLUMNS.spans : ROUTE_COLUMNS[source]
  if (route === undefined) return []
  const { bind, params } = createBind('r')
  const { value, count, from, where } = await metricSelect(deps, window, bind)
  return boundedQuery<MetricRoute>(
    deps,
    `SELECT ${route} AS route, CAST(${value} AS Nullable(Float64)) AS value, round(toFloat64(${count})) AS count
     FROM ${from} WHERE ${where} AND ${route} != '' GROUP BY route HAVING isFinite(value)
     ORDER BY value ${worse === 'above' ? 'DESC' : 'ASC'}, count DESC, route LIMIT ${bind(limit, 'UInt32')}`,
    params,
  )
}

/** More than a window overlaps: so many steps before the first nothing is negative, and a division rounds down. */
const MANY_STEPS = 2_000

export type MetricSelect = {
  readonly value: string
  readonly count: string
  readonly from: string
  /** Of the project, within the window, and in the search. */
  readonly where: string
  /** Within the window, of whichever project. */
  readonly within: string
  /** In the search. */
  readonly matches: string
  /** When a row was received, in Unix milliseconds. */
  readonly atMs: string
  /** It was not so long on its way that no window counted it. */
  readonly onTime: string
}

const RECEIVED = {
  atMs: 'toUnixTimestamp64Milli(received)',
  onTime: ON_TIME,
}

const ROWS = 'sum(1 / sample_rate)'
/** Longer on its way, and it says nothing of now. */
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const LATE_MS = 60 * MINUTE_MS
/** A sender's clock may be ahead. */
const AHEAD_MS = 60_000

/** Throws `SearchError` and `ExploreError`. `minutes`: what a rate is per minute of. */
export async function metricSelect(
  deps: Omit<Deps, 'telemetry'>,
  window: MetricWindow,
  bind: Bind,
  minutes = (window.toMs - window.fromMs) / MINUTE_MS,
): Promise<MetricSelect> {
  const { within, ...select } = {
    within: received(window, bind),
    ...(await tableSelect(deps, window, bind, minutes)),
  }
  const where = `project_id = ${bind(window.grant.projectId, 'UInt32')} AND ${within} AND ${select.matches}`
  return { ...select, within, where }
}

/** `within`: where it is not the time of receipt. */
type TableSelect = Omit<MetricSelect, 'where' | 'within'> & { readonly within?: string }

async function tableSelect(
  deps: Omit<Deps, 'telemetry'>,
  { grant, metric, fromMs, toMs }: MetricWindow,
  bind: Bind,
  minutes: number,
): Promise<TableSelect> {
  const { source, measure, search } = metric
  switch (source) {
    case 'errors': {
      const value = ERROR_MEASURES.get(measure) ?? unknown(metric)
      return {
        value,
        count: EVENT_COUNT,
        from: 'events',
        ...RECEIVED,
        matches: eventsWhere(search, bind),
      }
    }
    case 'spans': {
      const { sql } = readMeasure(measure, minutes, bind)
      const matches = await spanConditions(deps, grant, search, bind)
      return { value: sql, count: ROWS, from: 'spans', ...RECEIVED, matches }
    }
    case 'logs': {
      if (measure !== 'count()') unknown(metric)
      const matches = await spanConditions(deps, grant, search, bind, LOG_SEARCH)
      return { value: ROWS, count: ROWS, from: 'logs', ...RECEIVED, matches }
    }
    case 'profile_functions':
      return {
        value: FUNCTION_MEASURES.get(measure) ?? unknown(metric),
        count: 'count()',
        from: 'profile_functions',
        ...RECEIVED,
        matches: `in_app = 1 AND ${columnsWhere(source, search, bind)}`,
      }
    case 'metrics':
      return pointsSelect(deps, { grant, metric, fromMs, toMs }, bind, minutes)
    case 'page_data':
    case 'chunks': {
      const { op, measures } = REPORTS[source]
      return {
        value: measures.get(measure) ?? unknown(metric),
        count: ROWS,
        from: 'spans',
        ...RECEIVED,
        matches: `is_segment = 0 AND op = '${op}' AND ${columnsWhere(source, search, bind)}`,
      }
    }
    case 'outcomes': {
      const category = /^dropped\((error|span)\)$/.exec(measure)?.[1] ?? unknown(metric)
      const lost = `outcome NOT IN ('accepted', 'client_discard', 'filtered') AND category = ${bind(category)}`
      return {
        value: `sumIf(quantity, ${lost})`,
        count: 'sum(quantity)',
        from: 'outcomes',
        atMs: 'toInt64(toUnixTimestamp(minute)) * 1000',
        onTime: '1',
        // Whole minutes: a window ends with one.
        within: `minute >= ${bind(fromMs / 1_000, 'DateTime')} AND minute < ${bind(toMs / 1_000, 'DateTime')}`,
        matches: columnsWhere(source, search, bind),
      }
    }
    case 'sessions': {
      const { value, count } = SESSION_MEASURES.get(measure) ?? unknown(metric)
      return {
        value,
        count,
        from: 'sessions FINAL',
        ...RECEIVED,
        onTime: 'received < started + INTERVAL 1 DAY',
        within: sessionsWithin({ fromMs, toMs }, bind),
        matches: columnsWhere(source, search, bind),
      }
    }
    default: {
      const ofServers = source === 'prefetches' ? SERVER_MEASURES.get(measure) : undefined
      if (ofServers !== undefined) {
        const narrowed = columnsWhere('server requests', search, bind)
        const matches = `${SERVER_REQUEST_SQL} AND ${narrowed}`
        return { value: ofServers, count: ROWS, from: 'spans', ...RECEIVED, matches }
      }
      const { value, count = ROWS, and = '1' } = tableMeasure(metric, source, minutes)
      const matches = `${and} AND ${columnsWhere(source, search, bind)}`
      return { value, count, from: `${source} FINAL`, ...RECEIVED, matches }
    }
  }
}

/** Rows of what was received within the window, a minute of each series: growth begins with the point before. */
async function pointsSelect(
  deps: Omit<Deps, 'telemetry'>,
  { grant, metric, fromMs, toMs }: MetricWindow,
  bind: Bind,
  minutes: number,
): Promise<TableSelect> {
  const measured = readMeasured(metric.measure) ?? unknown(metric)
  const search = await spanConditions(deps, grant, metric.search, bind, METRIC_SEARCH)
  const project = `project_id = ${bind(grant.projectId, 'UInt32')}`
  const before = received({ grant, metric, fromMs: Math.max(0, fromMs - LOOKBACK_MS), toMs }, bind)
  const where = `${project} AND ${before} AND ${search}`
  const steps = { fromMs, originMs: fromMs, stepMs: MINUTE_MS }
  return {
    value: measureSql(measured, minutes * SECONDS_IN_MINUTE),
    count: 'sum(n)',
    from: metricRows({ ...measured, where, key: "''", time: 'received', ...steps }, bind),
    atMs: 'at_ms',
    onTime: '1',
    within: '1',
    matches: '1',
  }
}

const SECONDS_IN_MINUTE = 60
const USERS = "uniqIf(user_key, user_key != '')"
/** Within a literal of the engine. */
const CHUNK_ERROR_PATTERN_SQL = CHUNK_ERROR_PATTERN.replaceAll('\\', '\\\\')

const ERROR_MEASURES: ReadonlyMap<string, string> = new Map([
  ['count()', EVENT_COUNT],
  ['count_unique(user)', EVENT_USERS],
  // Of what stock SDKs send too, who do not tell of files themselves.
  [
    'chunk_failures()',
    `sumIf(1 + left_out, match(exception_value, '(?i)${CHUNK_ERROR_PATTERN_SQL}') OR match(message, '(?i)${CHUNK_ERROR_PATTERN_SQL}'))`,
  ],
])

/** What the navigation recorder tells of beside navigations, each as a span of its own. */
const REPORTS: Readonly<
  Record<'page_data' | 'chunks', { readonly op: string; readonly measures: ReadonlyMap<string, string> }>
> = {
  page_data: {
    op: PAGE_DATA_FAILURE_OP,
    measures: new Map([
      ['failures()', ROWS],
      ['seen()', `sumIf(1 / sample_rate, strings['${PAGE_DATA_FAILURE_PREFIX}seen'] = 'true')`],
      ['count_unique(user)', USERS],
    ]),
  },
  chunks: {
    op: CHUNK_FAILURE_OP,
    measures: new Map([
      ['failures()', ROWS],
      ['old_build()', `sumIf(1 / sample_rate, strings['${CHUNK_FAILURE_PREFIX}kind'] = 'old_build')`],
      ['tabs()', PAGES_SQL],
    ]),
  },
}

/** A row is what a function took in one profile; profiles are not counted up, as each stands for itself. */
const FUNCTION_MEASURES: ReadonlyMap<string, string> = new Map([
  ['p75(function.self_time)', 'quantileBFloat16(0.75)(self_ms)'],
  ['p95(function.self_time)', 'quantileBFloat16(0.95)(self_ms)'],
  ['sum(function.self_time)', 'sum(self_ms)'],
])

const SESSIONS = 'sum(toUInt64(healthy + errored + unhandled + abnormal + crashed))'
const CRASHED = 'sum(toUInt64(crashed))'
const SESSION_USERS = "uniqExactIf(user_hash, user_hash != '')"
const SESSION_MEASURES: ReadonlyMap<string, { readonly value: string; readonly count: string }> = new Map([
  ['sum(session)', { value: SESSIONS, count: SESSIONS }],
  ['crashed()', { value: CRASHED, count: SESSIONS }],
  [
    'crash_free_rate(session)',
    { value: `if(${SESSIONS} = 0, NULL, 1 - ${CRASHED} / ${SESSIONS})`, count: SESSIONS },
  ],
  [
    'crash_free_rate(user)',
    {
      value: `if(${SESSION_USERS} = 0, NULL, 1 - uniqExactIf(user_hash, user_hash != '' AND crashed > 0) / ${SESSION_USERS})`,
      count: SESSION_USERS,
    },
  ],
])

/**
 * A session is of the window in which the last of it was told: one that crashes after hours tells of now. Of those that
 * began more than a day before nothing is read, so that few weeks and a short range of the key are.
 */
function sessionsWithin({ fromMs, toMs }: Pick<MetricWindow, 'fromMs' | 'toMs'>, bind: Bind): string {
  const ms = (at: number): string => bind(Math.max(0, at), 'DateTime64(3)')
  return `started >= ${ms(fromMs - DAY_MS)} AND started < ${ms(toMs + HOUR_MS)}
    AND received >= ${ms(fromMs)} AND received < ${ms(toMs)}`
}

type TableMeasure = { readonly value: string; readonly count?: string; readonly and?: string }

const NAVIGATION_MEASURES: ReadonlyMap<string, TableMeasure> = new Map([
  ['count()', { value: ROWS }],
  ['failed()', { value: `sumIf(1 / sample_rate, outcome IN ('errored', 'full_load'))` }],
  ['hung()', { value: `sumIf(1 / sample_rate, ${HUNG_SQL})` }],
  ['failure_rate()', { value: `sumIf(1 / sample_rate, ${TROUBLED_SQL}) / ${ROWS}`, and: WAITED_FOR_SQL }],
  [
    'p75(visible_after)',
    { value: `quantileBFloat16Weighted(0.75)(${SEEN_AFTER_SQL}, ${WEIGHT})`, and: `outcome = 'committed'` },
  ],
])
const ISSUED = 'sum(issued / sample_rate)'
/** Of the servers' own spans, whoever fetched ahead and whatever of it a page tells. */
const SERVER_PREFETCHES = `sumIf(1 / sample_rate, ${IS_PREFETCH_SQL})`
const SERVER_MEASURES: ReadonlyMap<string, string> = new Map([
  ['server_requests()', SERVER_PREFETCHES],
  ['server_share()', `if(${ROWS} = 0, NULL, ${SERVER_PREFETCHES} / ${ROWS})`],
])
const PREFETCH_MEASURES: ReadonlyMap<string, TableMeasure> = new Map([
  ['issued()', { value: ISSUED }],
  [
    'wasted_share()',
    {
      value: `sum(wasted / sample_rate) / ${ISSUED}`,
      count: ISSUED,
      and: 'issued > 0',
    },
  ],
])

function tableMeasure(
  metric: Metric,
  source: 'vitals' | 'navigations' | 'prefetches',
  minutes: number,
): TableMeasure {
  const { measure } = metric
  if (source === 'prefetches' && measure === 'per_minute()')
    return { value: `${ISSUED} / ${minutes}`, count: ISSUED }
  if (source === 'navigations') return NAVIGATION_MEASURES.get(measure) ?? unknown(metric)
  if (source === 'prefetches') return PREFETCH_MEASURES.get(measure) ?? unknown(metric)
  const name = VITAL_NAMES.find((vital) => measure === `p75(${vital})`) ?? unknown(metric)
  return { value: `quantileBFloat16Weighted(0.75)(value, ${WEIGHT})`, and: `name = '${name}'` }
}

function unknown({ source, measure }: Metric): never {
  throw new ExploreError(`"${measure}" cannot be computed of ${source}`)
}

/** The index is by the time of happening, so that is bounded too. */
function received({ fromMs, toMs }: MetricWindow, bind: Bind): string {
  const from = bind(fromMs, 'DateTime64(3)')
  const to = bind(toMs, 'DateTime64(3)')
  const week = bind(dayText(Math.max(0, fromMs)), 'Date')
  return `${sinceWeek(`toMonday(${week})`)}
    AND timestamp >= ${bind(Math.max(0, fromMs - LATE_MS), 'DateTime64(3)')} AND timestamp < ${bind(toMs + AHEAD_MS, 'DateTime64(3)')}
    AND received >= ${from} AND received < ${to}`
}

/** Names its values itself, so they are bound again under names that nothing else of the statement has. */
function eventsWhere(search: string, bind: Bind): string {
  const { sql, params } = eventSearch({ query: search })
  return sql.replaceAll(/\{(s\d+):String\}/g, (_, name: string) => bind(String(params[name])))
}
