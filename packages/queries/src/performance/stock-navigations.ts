/**
 * Navigations that only Sentry's own SDK told of, by where they went: how many, how long its idle span was, which had an error in
 * their trace, and which requests failed below them. How they ended is not known. docs/decisions/0065
 */
import type { Grant } from '@sonde/access'
import { pathTemplate } from '@sonde/protocol/path-template'
import type { QueryDeps } from '../query-deps.ts'
import { sinceWeek } from '../weeks.ts'
import { issuesOfTraces, type TraceIssue } from './issues-of-traces.ts'
import { navigationConditions, type NavigationFilter, SHARE_SQL } from './navigation-filter.ts'
import { WEIGHT } from './performance-filter.ts'

export type StockTarget = {
  readonly to: string
  /** Pages that were left, the most frequent first; at most three. */
  readonly from: readonly string[]
  readonly count: number
  readonly samples: number
  readonly users: number
  /** Milliseconds of the SDK's idle span: neither what a person waited nor less nor more than that. */
  readonly p50: number
  readonly p75: number
  /** Ended by something else than a second of silence: the next navigation, a hidden tab, the limit of 30 s. */
  readonly cut: number
  /** With an error in the same trace. */
  readonly withError: number
  readonly lastMs: number
  /** The latest, of those with an error if any has one. */
  readonly navigationId: string
  readonly traceId: string
  readonly issue: TraceIssue | undefined
}
/** A request of such navigations that got no answer, or one of 400 and above. */
export type StockRequest = {
  /** `GET /api/orders/*` */
  readonly endpoint: string
  readonly count: number
  /** By HTTP status; `none` without an answer. The most frequent first. */
  readonly answers: readonly { readonly answer: string; readonly count: number }[]
  /** Routes that were opened; at most three. */
  readonly routes: readonly string[]
  readonly users: number
  readonly lastMs: number
  readonly traceId: string
}
export type StockNavigations = {
  readonly targets: readonly StockTarget[]
  readonly requests: readonly StockRequest[]
}

const MAX_TARGETS = 100
const MAX_FROM = 3
const MAX_REQUESTS = 30
/** Requests of a navigation begin within it; its span is cut at 30 s. */
const WITHIN_MS = 60_000

/** Most frequent first. Two bounded passes: the second only where there are such navigations. */
export async function stockNavigations(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: NavigationFilter,
): Promise<StockNavigations> {
  const where = await navigationConditions(deps, grant, { ...input, toldBy: 'stock' })
  if (where === undefined) return { targets: [], requests: [] }
  const rows = await deps.telemetry.query<TargetRow>(
    `SELECT to_route AS toRoute, topKIf(3)(from_route, from_route != '') AS fromRoutes, sum(${SHARE_SQL}) AS count,
       count() AS samples, uniqIf(user_key, user_key != '') AS users,
       quantilesBFloat16Weighted(0.5, 0.75)(duration_ms, ${WEIGHT}) AS times,
       sumIf(${SHARE_SQL}, reason NOT IN ('', 'idleTimeout')) AS cut, sumIf(${SHARE_SQL}, hasError) AS withError,
       toUnixTimestamp64Milli(max(timestamp)) AS lastMs,
       argMax((navigation_id, trace_id, toUnixTimestamp64Milli(timestamp)), (hasError, timestamp)) AS sample
     FROM (
       SELECT *, toString(trace_id) IN (
         SELECT trace_id FROM events WHERE project_id IN {projects:Array(UInt32)} AND trace_id != ''
           AND timestamp >= {from:DateTime64(3)} AND timestamp < {to:DateTime64(3)} + INTERVAL 1 MINUTE AND type IN ('error', 'default')
       ) AS hasError
       FROM navigations FINAL WHERE ${where.sql}
     )
     GROUP BY toRoute ORDER BY count DESC, toRoute LIMIT ${MAX_TARGETS}`,
    where.params,
  )
  if (rows.length === 0) return { targets: [], requests: [] }
  const failing = rows.filter(({ withError }) => withError > 0)
  const [issues, requests, linked] = await Promise.all([
    issuesOfTraces(
      deps,
      grant,
      failing.map(({ sample: [, traceId, atMs] }) => ({ traceId, atMs })),
    ),
    failedRequests(deps, where),
    linkedPages(deps, where),
  ])
  const targets = rows.map(({ toRoute, fromRoutes, times, sample, ...row }): StockTarget => {
    const [navigationId, traceId] = sample
    const [p50 = 0, p75 = 0] = times
    return {
      ...row,
      to: toRoute,
      from: [...new Set([...fromRoutes, ...(linked.get(toRoute) ?? [])])].slice(0, MAX_FROM),
      count: Math.round(row.count),
      cut: Math.round(row.cut),
      withError: Math.round(row.withError),
      p50,
      p75,
      navigationId,
      traceId,
      issue: row.withError > 0 ? issues.get(traceId) : undefined,
    }
  })
  return { targets, requests }
}

type TargetRow = Omit<StockTarget, 'to' | 'from' | 'p50' | 'p75' | 'navigationId' | 'traceId' | 'issue'> & {
  readonly toRoute: string
  readonly fromRoutes: readonly string[]
  readonly times: readonly number[]
  readonly sample: readonly [navigationId: string, traceId: string, atMs: number]
}

/** No answer: a request that got one has a status code, and SDKs say of the others that they failed. */
const NO_ANSWER = `(result IN ('', '0') AND status NOT IN ('', 'ok'))`
const FAILED = `(${NO_ANSWER} OR toUInt16OrZero(result) >= 400)`

async function failedRequests(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  { sql, params }: { readonly sql: string; readonly params: Readonly<Record<string, unknown>> },
): Promise<readonly StockRequest[]> {
  const rows = await telemetry.query<
    Omit<StockRequest, 'answers'> & { answers: Readonly<Record<string, number>> }
  >(
    `SELECT normalized_name AS endpoint, sum(${SHARE_SQL}) AS count,
       sumMap(map(if(${NO_ANSWER}, 'none', result), ${SHARE_SQL})) AS answers,
       topK(3)(if(route = '', segment_name, route)) AS routes, uniqIf(user_key, user_key != '') AS users,
       toUnixTimestamp64Milli(toDateTime64(max(timestamp), 3)) AS lastMs, toString(argMax(trace_id, timestamp)) AS traceId
     FROM spans
     INNER JOIN (SELECT toString(navigation_id) AS navigation, any(to_route) AS route FROM navigations WHERE ${sql} GROUP BY navigation) AS told
       ON told.navigation = spans.segment_id
     WHERE project_id IN {projects:Array(UInt32)} AND ${sinceWeek('toMonday({weekFrom:Date})')}
       AND timestamp >= {from:DateTime64(3)} AND timestamp < {to:DateTime64(3)} + INTERVAL ${WITHIN_MS} MILLISECOND
       AND is_segment = 0 AND startsWith(op, 'http.client') AND ${FAILED}
     GROUP BY endpoint ORDER BY count DESC, endpoint LIMIT ${MAX_REQUESTS}`,
    params,
  )
  return rows.map(({ answers, ...row }) => ({
    ...row,
    count: Math.round(row.count),
    answers: Object.entries(answers)
      .map(([answer, count]) => ({ answer, count: Math.round(count) }))
      .toSorted((a, b) => b.count - a.count || a.answer.localeCompare(b.answer)),
  }))
}

/** Streamed, a root is named so when no router names it. */
const PAGE_SQL = `if(name IN ('Pageload', 'Navigation') AND strings['url.path'] != '', strings['url.path'], name)`

/** Pages before, by the links of spans that do not say them otherwise. Reads roots of pages alone: two ranges of the key. */
async function linkedPages(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  { sql, params }: { readonly sql: string; readonly params: Readonly<Record<string, unknown>> },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const roots = 'project_id IN {projects:Array(UInt32)} AND is_segment = 1'
  const rows = await telemetry.query<{ readonly route: string; readonly pages: readonly string[] }>(
    `SELECT told.route AS route, topK(${MAX_FROM})(page) AS pages
     FROM (SELECT toString(navigation_id) AS navigation, any(to_route) AS route FROM navigations
       WHERE ${sql} AND from_route = '' GROUP BY navigation) AS told
     INNER JOIN (SELECT toString(span_id) AS own, link_span_ids[1] AS previous FROM spans
       WHERE ${roots} AND op = 'navigation' AND ${sinceWeek('toMonday({weekFrom:Date})')} AND notEmpty(link_span_ids)
         AND timestamp >= {from:DateTime64(3)} AND timestamp < {to:DateTime64(3)}) AS linked ON linked.own = told.navigation
     INNER JOIN (SELECT toString(span_id) AS span, ${PAGE_SQL} AS page FROM spans
       WHERE ${roots} AND op IN ('pageload', 'navigation') AND ${sinceWeek('toMonday({weekFrom:Date}) - 7')}
         AND timestamp >= {from:DateTime64(3)} - INTERVAL ${LINKED_MS} MILLISECOND AND timestamp < {to:DateTime64(3)}) AS pages
       ON pages.span = linked.previous
     GROUP BY route`,
    params,
  )
  return new Map(rows.map(({ route, pages }) => [route, pages.map(pathTemplate)]))
}

/** Where the page before was, by the link that streamed spans have to it; undefined when it is not stored, or there is none. */
export async function pageBefore(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  grant: Grant<'event:read', 'project'>,
  {
    navigationId,
    traceId,
    atMs,
  }: { readonly navigationId: string; readonly traceId: string; readonly atMs: number },
): Promise<string | undefined> {
  const project = 'project_id = {project:UInt32} AND is_segment = 1'
  const within = 'timestamp >= {from:DateTime64(3)} AND timestamp <= {to:DateTime64(3)}'
  const params = {
    project: grant.projectId,
    traceId,
    navigationId,
    from: Math.max(0, atMs - LINKED_MS),
    to: atMs + 1,
  }
  const [row] = await telemetry.query<{ readonly page: string }>(
    `SELECT ${PAGE_SQL} AS page FROM spans
     WHERE ${project} AND ${within} AND (toString(trace_id), toString(span_id)) IN (
       SELECT arrayJoin(arrayZip(link_trace_ids, link_span_ids)) FROM spans
       WHERE ${project} AND ${within} AND trace_id = {traceId:String} AND span_id = {navigationId:String})
     LIMIT 1`,
    params,
  )
  return row && pathTemplate(row.page)
}

/** SDKs link to a page of at most an hour ago. */
const LINKED_MS = 3_600_000
