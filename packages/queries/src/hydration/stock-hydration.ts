/** Hydration errors of SDKs of Sentry: route and component, without what differs and what it costs. */
import type { Grant } from '@sonde/access'
import { hydrationKind, mismatchedComponent } from '@sonde/protocol/hydration'
import { performanceConditions, type PerformanceFilter } from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'
import { rankedIssues } from './hydration-issues.ts'
import type { HydrationRank } from './hydration-sql.ts'

/** How the titles of such issues begin, in lower case; which they are is decided by the whole text. */
const TITLES = [
  '%minified react error #4%',
  '%hydrat%',
  '%server rendered%',
  '%server-rendered%',
  '%did not match%',
  '%server could not finish this suspense%',
] as const
const MAX_ISSUES = 100
/** Their payloads are read: 6 kB each. */
const MAX_EVENTS = 2000
/** Of a component stack: the first names are in it. */
const STACK_CHARS = 2000

type Row = {
  readonly issueId: number
  readonly route: string
  readonly stack: string
  readonly value: string
  readonly pages: number
  readonly users: number
  readonly lastMs: number
}

/**
 * Of the newest 2,000 events of at most 100 issues whose title is one of React's. What an SDK sends without a component
 * stack, as the handlers of the window do, has the component `unknown`.
 */
export async function stockRanks(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'project'>,
  filter: PerformanceFilter,
): Promise<readonly Omit<HydrationRank, 'ofPages'>[]> {
  const issues = await deps.records
    .selectFrom('issue')
    .select(['id', 'title'])
    .where('project_id', '=', grant.projectId)
    .where('last_seen_ms', '>=', filter.fromMs)
    .where((eb) => eb.or(TITLES.map((title) => eb(eb.fn<string>('lower', ['title']), 'like', title))))
    .orderBy('last_seen_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_ISSUES)
    .execute()
  const ids = issues
    .filter(({ title }) => hydrationKind({ message: title }) !== undefined)
    .map(({ id }) => id)
  // Events have no columns for the others.
  const { fromMs, toMs, release, environment } = filter
  const narrowed = { fromMs, toMs, ...(release && { release }), ...(environment && { environment }) }
  const where = ids.length === 0 ? undefined : await performanceConditions(deps, grant, narrowed)
  if (where === undefined) return []
  const rows = await deps.telemetry.query<Row>(
    `SELECT issueId, route, stack, value, uniq(page) AS pages, uniqIf(user, user != '') AS users, max(ms) AS lastMs
     FROM (
       SELECT issue_id AS issueId, if(transaction != '', transaction, path(url)) AS route,
         substringUTF8(JSONExtractString(payload, 'contexts', 'react', 'componentStack'), 1, ${STACK_CHARS}) AS stack,
         exception_value AS value, if(trace_id != '', trace_id, toString(event_id)) AS page, user_key AS user,
         toUnixTimestamp64Milli(timestamp) AS ms
       FROM events
       WHERE ${where.sql} AND issue_id IN {issues:Array(UInt64)} AND NOT startsWith(sdk_name, 'sonde')
       ORDER BY timestamp DESC LIMIT {events:UInt32}
     ) GROUP BY issueId, route, stack, value`,
    { ...where.params, issues: ids, events: MAX_EVENTS },
  )
  const known = await rankedIssues(deps, grant, ids)
  const ranks = new Map<string, Omit<HydrationRank, 'ofPages'>>()
  for (const { issueId, route, stack, value, pages, users, lastMs } of rows) {
    if (hydrationKind({ message: value }) === undefined) continue
    const component = mismatchedComponent(stack)
    const key = JSON.stringify([route, component])
    const before = ranks.get(key)
    ranks.set(key, {
      route,
      component,
      source: 'sdk',
      pages: (before?.pages ?? 0) + pages,
      users: (before?.users ?? 0) + users,
      shown: undefined,
      rootPages: 0,
      meanMs: undefined,
      msUsers: undefined,
      lastMs: Math.max(before?.lastMs ?? 0, lastMs),
      issue: before?.issue ?? known.get(issueId),
    })
  }
  return [...ranks.values()]
}
