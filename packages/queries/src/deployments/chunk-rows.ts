/**
 * Code that could not be loaded, as rows of one shape: what the reporter's `chunkFailures()` tells, and errors of other SDKs
 * whose message says so. Those name neither a cause nor a tab; their release is the build.
 */
import type { Grant } from '@sonde/access'
import { CHUNK_ERROR_PATTERN } from '@sonde/protocol/chunk-error'
import { CHUNK_FAILURE_OP, CHUNK_FAILURE_PREFIX, PAGE_START_ATTRIBUTE } from '@sonde/protocol/navigation'
import { sql } from 'kysely'
import type { NavigationFilter } from '../performance/navigation-filter.ts'
import { type Conditions, performanceConditions } from '../performance/performance-filter.ts'
import { projectIdsOf, type QueryDeps } from '../query-deps.ts'

/** For RE2. */
export const CHUNK_ERROR = `(?i)${CHUNK_ERROR_PATTERN}`
/** How issues of such errors are called: the same words, for `LIKE`. */
const TITLES = [
  '%dynamically imported module%',
  '%importing a module script failed%',
  '%loading chunk %',
  '%loading css chunk %',
  '%unable to preload css%',
] as const
const MAX_ISSUES = 200
/** Of the reporter's own errors the failure beside it tells more, and of any other's in the same trace. */
const OWN_SDK = 'sonde.javascript.browser'

const text = (key: string): string => `strings['${CHUNK_FAILURE_PREFIX}${key}']`
const PAGE_START = `numbers['${PAGE_START_ATTRIBUTE}']`

/**
 * A `SELECT` of `project_id, build, environment, release, kind, url, route, user_key, trace_id, at, weight, tab, page,
 * page_start`; undefined: there is nothing to read. `tab` tells tabs apart as far as they say who they are: by their id,
 * else the person, else the page load, else the trace. One range of the ordering key of `spans` for each project, and one
 * of `events` for each issue.
 */
export async function chunkRows(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: NavigationFilter,
): Promise<Conditions | undefined> {
  const [where, issues] = await Promise.all([
    performanceConditions(deps, grant, input),
    chunkIssues(deps, grant, input.fromMs),
  ])
  if (where === undefined) return undefined
  const ofReporter = `${where.sql} AND is_segment = 0 AND op = '${CHUNK_FAILURE_OP}'`
  const spans = `SELECT project_id, if(${text('build')} = '', release, ${text('build')}) AS build, environment, release,
       ${text('kind')} AS kind, ${text('url')} AS url, ${text('route')} AS route, user_key, toString(spans.trace_id) AS trace_id,
       toDateTime64(timestamp, 3, 'UTC') AS at, 1 / sample_rate AS weight,
       multiIf(${text('tab')} != '', ${text('tab')}, user_key != '', concat('user ', user_key), ${PAGE_START} > 0,
         toString(${PAGE_START}), toString(spans.trace_id)) AS tab,
       ${text('page')} AS page, ${PAGE_START} AS page_start
     FROM spans WHERE ${ofReporter}
       ${input.to === undefined ? '' : `AND ${text('route')} = {chunkRoute:String}`}`
  // Browsers, systems and so on are columns of the others alone: an error is not asked for them.
  const isNarrowed = [input.browser, input.os, input.device, input.country, input.connection].some(
    (values) => values !== undefined && values.length > 0,
  )
  const errors = `SELECT project_id, release AS build, environment, release, 'unknown' AS kind,
       path(extract(exception_value, 'https?://[^\\\\s)"]+')) AS url, transaction AS route, user_key, trace_id,
       timestamp AS at, 1. + left_out AS weight,
       multiIf(user_key != '', concat('user ', user_key), trace_id != '', trace_id, toString(event_id)) AS tab,
       '' AS page, 0. AS page_start
     FROM events WHERE ${where.sql} AND issue_id IN {chunkIssues:Array(UInt64)} AND sdk_name != '${OWN_SDK}'
       AND (trace_id = '' OR trace_id NOT IN (SELECT toString(spans.trace_id) FROM spans WHERE ${ofReporter}))
       AND match(exception_value, '${CHUNK_ERROR.replaceAll('\\', '\\\\')}')
       ${input.to === undefined ? '' : 'AND transaction = {chunkRoute:String}'}`
  const isWithErrors = issues.length > 0 && !isNarrowed
  return {
    sql: isWithErrors ? `${spans}\nUNION ALL ${errors}` : spans,
    params: { ...where.params, chunkRoute: input.to ?? '', chunkIssues: issues },
  }
}

async function chunkIssues(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  fromMs: number,
): Promise<readonly number[]> {
  const projects = await projectIdsOf(deps, grant)
  if (projects.length === 0) return []
  const rows = await deps.records
    .selectFrom('issue')
    .select('id')
    .where('project_id', 'in', projects)
    .where('last_seen_ms', '>=', fromMs)
    .where(({ or, eb }) => or(TITLES.map((title) => eb(sql<string>`lower(title)`, 'like', title))))
    .orderBy('id', 'desc')
    .limit(MAX_ISSUES)
    .execute()
  return rows.map(({ id }) => id)
}
