/**
 * Tabs that are open now, by build. Tabs with the reporter's `tabs()` say so themselves every four minutes while they are
 * visible; of others only those are seen that just did something. docs/deployments.md says what stays unseen.
 */
import type { Grant } from '@sonde/access'
import { TAB_BEAT_MS } from '@sonde/protocol/navigation'
import { performanceConditions } from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'
import { BROWSER_SESSIONS_SQL, PAGE_SEGMENTS_SQL } from './build.ts'

/** A beat may come a minute late: it is sent with others, over a network. */
export const OPEN_WITHIN_MS = TAB_BEAT_MS + 60_000
/** By how much a clock may be late; what is told later was kept while offline, and says nothing of now. */
export const CLOCK_SLACK_MS = 5 * 60_000

/**
 * What shows that they are open: the tabs themselves, page loads and navigations, sessions, or errors; the first that there
 * is of a build. `sessions` and `errors` count somebody without a user id more than once.
 */
const TAB_SOURCES = ['beats', 'pages', 'sessions', 'errors'] as const
export type TabSource = (typeof TAB_SOURCES)[number]

export type OpenTabs = {
  readonly build: string
  readonly environment: string
  readonly tabs: number
  readonly source: TabSource
}

const MAX_BUILDS = 100
/** Of a person who is known one; else of a trace, which a page load begins. */
const PERSON_SQL = `if(user_key != '', user_key, trace_id)`

/**
 * Most tabs first. By when they were received, as clocks are wrong by minutes. Reads what came in the last minutes: the newest
 * parts of the tables.
 */
export async function openTabs(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  environment: readonly string[] = [],
): Promise<OpenTabs[]> {
  const nowMs = deps.clock.nowMs()
  const window = {
    fromMs: nowMs - OPEN_WITHIN_MS - CLOCK_SLACK_MS,
    toMs: nowMs + CLOCK_SLACK_MS,
    environment,
  }
  const where = await performanceConditions(deps, grant, window)
  if (where === undefined) return []
  const recent = `${where.sql} AND received >= {openSince:DateTime64(3)}`
  const counted = [
    // A tab that just changed its build is on the new one.
    `SELECT runs AS build, runs_in AS environment, round(count() * avg(1 / rate)) AS n, 0 AS place FROM (
       SELECT if(tab_id = '', toString(page_id), tab_id) AS tab, argMax(build, started) AS runs,
         argMax(environment, started) AS runs_in, any(sample_rate) AS rate
       FROM tabs WHERE ${recent} AND build != '' GROUP BY tab
     ) GROUP BY runs, runs_in`,
    // Without a user a navigation may be of a tab that is counted already.
    `SELECT release AS build, environment,
       greatest(1, round(uniqExactIf(${PERSON_SQL}, user_key != '' OR op = 'pageload') * avg(1 / sample_rate))) AS n, 1 AS place
     FROM spans WHERE ${recent} AND ${PAGE_SEGMENTS_SQL} GROUP BY build, environment`,
    `SELECT release AS build, environment, toFloat64(uniqExact(if(user_hash != '', user_hash, toString(session_id)))) AS n, 2 AS place
     FROM sessions WHERE ${recent.replaceAll('timestamp', 'started')} AND ${BROWSER_SESSIONS_SQL} GROUP BY build, environment`,
    `SELECT release AS build, environment, toFloat64(uniqExact(${PERSON_SQL})) AS n, 3 AS place
     FROM events WHERE ${recent} AND type = 'error' AND platform = 'javascript' AND release != '' AND url != ''
     GROUP BY build, environment`,
  ]
  const rows = await deps.telemetry.query<Omit<OpenTabs, 'source'> & { readonly first: number }>(
    `SELECT build, environment, argMin(n, place) AS tabs, min(place) AS first
     FROM (${counted.join('\nUNION ALL ')})
     GROUP BY build, environment ORDER BY tabs DESC, build LIMIT ${MAX_BUILDS}`,
    { ...where.params, openSince: nowMs - OPEN_WITHIN_MS },
  )
  return rows.map(({ first, ...row }) => ({ ...row, source: TAB_SOURCES[first] ?? 'errors' }))
}
