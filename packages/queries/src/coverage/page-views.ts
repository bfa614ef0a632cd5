/**
 * Page views as servers tell of them, and which traces a page told of too: the rows that `page-coverage.ts` joins.
 * docs/coverage.md says what is a page view.
 */
import type { Grant } from '@sonde/access'
import { CRAWLER_PATTERN } from '@sonde/protocol/crawlers'
import { boundedQuery, type Narrowing } from '../explore/bounded-query.ts'
import {
  type Conditions,
  performanceConditions,
  type PerformanceFilter,
} from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'

/** A request that a server answered with a page, or with something of which the span does not say that it is none. */
export type PageView = {
  readonly projectId: number
  readonly trace: string
  readonly route: string
  /** 1: the SDK knew no route, so that is an address. */
  readonly isAddress: number
  readonly browser: string
  readonly country: string
  readonly sampleRate: number
  /** 1: its headers say that a browser asked for a document. */
  readonly isDocument: number
}
/** A page load that an SDK in a page told of. */
export type PageLoad = {
  readonly projectId: number
  readonly trace: string
  readonly sampleRate: number
}
export type PageViewRows = {
  readonly views: readonly PageView[]
  readonly loads: readonly PageLoad[]
  /** Traces of which a page told something: a page load, a vital, an error. */
  readonly told: ReadonlySet<string>
  /** Requests for pages by programs that say so (crawlers, monitors, headless browsers), by project. */
  readonly programs: ReadonlyMap<number, number>
  /** One of so many traces was read: 1 is all of them. */
  readonly oneIn: number
}

// Some 15 MB of rows; a share of more is not known better than anybody looks.
const MAX_ROWS = 50_000
/** A page tells its load at most half a minute after it, its vitals when it is left. */
const SETTLE_MS = 5 * 60_000
/** Clocks of servers and of pages differ. */
const CLOCKS_MS = 60_000
const FEWER_VIEWS: Narrowing = { what: 'page views', hint: 'Choose a shorter time or one environment.' }

const text = (...names: readonly string[]): string =>
  `coalesce(${names.map((name) => `nullIf(strings['${name}'], '')`).join(', ')}, '')`
// OpenTelemetry and Sentry write the same header in two ways, the first as a list.
const header = (name: string): string =>
  text(`http.request.header.${name}`, `http.request.header.${name.replaceAll('-', '_')}`)

const METHOD = `coalesce(nullIf(${text('http.request.method', 'http.method', 'method')}, ''), extract(name, '^([A-Z]{3,7}) '))`
const CODE = `multiIf(numbers['http.response.status_code'] > 0, numbers['http.response.status_code'],
  numbers['http.status_code'] > 0, numbers['http.status_code'],
  toFloat64OrZero(${text('http.response.status_code', 'http.status_code')}))`
// A redirect and a 304 deliver no page: the page behind them has another trace, or an older one.
const DELIVERED = `if(${CODE} = 0, status IN ('', 'ok', 'unset', 'unknown'), ${CODE} >= 200 AND ${CODE} < 300)`
const ASKED_FOR = `replaceRegexpAll(lower(${header('sec-fetch-dest')}), '[^a-z]', '')`
const ACCEPTS = `lower(${header('accept')})`
const IS_DOCUMENT = `(${ASKED_FOR} = 'document' OR (${ASKED_FOR} = '' AND position(${ACCEPTS}, 'text/html') > 0))`
const IS_OTHER = `(${ASKED_FOR} NOT IN ('', 'document') OR (${ASKED_FOR} = '' AND ${ACCEPTS} != '' AND NOT ${IS_DOCUMENT}))`
// Fetched for later, or for a page that is open already (Next.js).
const IS_FOR_LATER = ['sec-purpose', 'purpose', 'next-router-prefetch', 'rsc']
  .map((name) => `${header(name)} != ''`)
  .join(' OR ')
// A name that is but a method is that of pages, pictures and answers of an API alike.
const IS_VIEW = `(op = 'http.server' AND is_segment = 1 AND parent_span_id = '' AND ${METHOD} IN ('', 'GET')
  AND ${DELIVERED} AND NOT ${IS_OTHER} AND NOT (${IS_FOR_LATER})
  AND (${IS_DOCUMENT} OR NOT match(segment_name, '^[A-Z]{3,7}$')))`
const AGENT = `substring(${text('user_agent.original', 'http.user_agent', 'http.request.header.user_agent')}, 1, 512)`
/** As `parseUserAgent` names programs that come as browsers. */
const IS_PROGRAM = `(browser IN ('Googlebot', 'bingbot', 'HeadlessChrome') OR (browser = '' AND ${AGENT} != '')
  OR match(${AGENT}, {crawlers:String}))`
const IS_LOAD = `(op = 'pageload' AND is_segment = 1)`
const SAMPLED = 'cityHash64(toString(trace_id)) % {oneIn:UInt32} = 0'

/** Throws `ExploreError` for more than may be read. Undefined: the grant has no project. */
export async function pageViewRows(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>,
  grant: Grant<'event:read', 'org'>,
  filter: PerformanceFilter,
): Promise<PageViewRows | undefined> {
  const toMs = Math.min(filter.toMs, deps.clock.nowMs() - SETTLE_MS)
  const window = { ...filter, toMs: Math.max(toMs, filter.fromMs) }
  const [viewed, around] = await Promise.all([
    performanceConditions(deps, grant, window),
    // What a page tells belongs to no other environment, whatever it calls itself.
    performanceConditions(deps, grant, {
      fromMs: Math.max(0, filter.fromMs - CLOCKS_MS),
      toMs: deps.clock.nowMs() + CLOCKS_MS,
    }),
  ])
  if (viewed === undefined || around === undefined) return undefined
  const crawlers = `(?i)${CRAWLER_PATTERN}`
  const amounts = await boundedQuery<Record<'projectId' | 'views' | 'programs' | 'loads', number>>(
    deps,
    `SELECT project_id AS projectId, countIf(${IS_VIEW} AND NOT ${IS_PROGRAM}) AS views, countIf(${IS_VIEW} AND ${IS_PROGRAM}) AS programs,
       countIf(${IS_LOAD}) AS loads
     FROM spans WHERE ${viewed.sql} AND is_segment = 1 AND op IN ('http.server', 'pageload') GROUP BY projectId`,
    { ...viewed.params, crawlers },
    FEWER_VIEWS,
  )
  const sumOf = (what: 'views' | 'loads'): number => amounts.reduce((sum, row) => sum + row[what], 0)
  const [views, loads] = [sumOf('views'), sumOf('loads')]
  const oneIn = Math.max(1, Math.ceil(Math.max(views, loads) / MAX_ROWS))
  const sampled = ({ sql, params }: Conditions): Conditions => ({
    sql: `${sql} AND ${SAMPLED}`,
    params: { ...params, crawlers, oneIn },
  })
  const [viewRows, loadRows, told] = await Promise.all([
    readViews(deps, sampled(viewed)),
    readLoads(deps, sampled(around)),
    views === 0 ? [] : readTold(deps, sampled(around)),
  ])
  return {
    views: viewRows,
    loads: loadRows,
    told: new Set([...told, ...loadRows].map(({ trace }) => trace)),
    programs: new Map(amounts.map((row) => [row.projectId, row.programs])),
    oneIn,
  }
}

const readViews = (deps: Pick<QueryDeps, 'telemetry'>, { sql, params }: Conditions) =>
  boundedQuery<PageView>(
    deps,
    `SELECT project_id AS projectId, toString(trace_id) AS trace,
       segment_name AS route, strings['sentry.source'] = 'url' AND ${IS_DOCUMENT} AS isAddress,
       browser, country, sample_rate AS sampleRate, ${IS_DOCUMENT} AS isDocument
     FROM spans WHERE ${sql} AND ${IS_VIEW} AND NOT ${IS_PROGRAM} LIMIT ${2 * MAX_ROWS}`,
    params,
    FEWER_VIEWS,
  )

const readLoads = (deps: Pick<QueryDeps, 'telemetry'>, { sql, params }: Conditions) =>
  boundedQuery<PageLoad>(
    deps,
    `SELECT project_id AS projectId, toString(trace_id) AS trace, sample_rate AS sampleRate
     FROM spans WHERE ${sql} AND ${IS_LOAD} LIMIT ${4 * MAX_ROWS}`,
    params,
    FEWER_VIEWS,
  )

/** Also a page whose load was not kept tells of itself by its vitals and its errors. */
async function readTold(
  deps: Pick<QueryDeps, 'telemetry'>,
  { sql, params }: Conditions,
): Promise<readonly { readonly trace: string }[]> {
  const [vitals, events] = await Promise.all([
    boundedQuery<{ readonly trace: string }>(
      deps,
      `SELECT DISTINCT toString(trace_id) AS trace FROM vitals WHERE ${sql} LIMIT ${4 * MAX_ROWS}`,
      params,
      FEWER_VIEWS,
    ),
    // A server's error lies in the trace too, and tells nothing of the page.
    boundedQuery<{ readonly trace: string }>(
      deps,
      `SELECT DISTINCT trace_id AS trace FROM events
       WHERE ${sql} AND trace_id != '' AND platform = 'javascript' LIMIT ${4 * MAX_ROWS}`,
      params,
      FEWER_VIEWS,
    ),
  ])
  return [...vitals, ...events]
}
