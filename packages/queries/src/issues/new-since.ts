/** "12 new": what came in since a list was loaded, without loading it again. */
import type { QueryDeps } from '../query-deps.ts'
import { eventConditions } from '../search/event-conditions.ts'
import { issueConditions } from '../search/issue-conditions.ts'
import { issueRequest, type ListIssuesInput } from './issue-request.ts'

export type NewSince = {
  /** Issues of the filter that did not exist then. */
  readonly created: number
  /** Older ones with new events. */
  readonly updated: number
  /** More changed than are looked at: both numbers are lower bounds. */
  readonly isCapped: boolean
}

/** A number beyond it is the same to everybody ("999+"). */
export const MAX_NEW = 1_000

/**
 * How many issues that match the list's filter had events stored that were received at `sinceMs` (Unix milliseconds,
 * the server's clock when the list was read) or later; in a search over events only events that match count. What was
 * received a moment before and stored a moment after counts when its issue is new (`created_ms` is the time of
 * storing), else not. Reads `received` of the newest part of `events` (partitions know their range), then the
 * issues by id. Throws `SearchError` as `listIssues` does. Order, cursor and limit of the input do not matter.
 */
export async function newSince(deps: QueryDeps, input: ListIssuesInput, sinceMs: number): Promise<NewSince> {
  const { cursor: _cursor, limit: _limit, sort: _sort, ...filter } = input
  const request = await issueRequest(deps, filter)
  if (request.projectIds.length === 0) return { created: 0, updated: 0, isCapped: false }
  const [touched, born] = await Promise.all([
    touchedIssues(deps, request, sinceMs),
    // Under a search over events, an issue's birth alone says nothing about them.
    request.event.length === 0 ? bornIssues(deps, request.projectIds, sinceMs) : [],
  ])
  const ids = [...new Set([...touched, ...born])]
  if (ids.length === 0) return { created: 0, updated: 0, isCapped: false }
  const rows = await deps.records
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .select('issue.created_ms')
    .where('issue.id', 'in', ids)
    .where('issue.project_id', 'in', request.projectIds)
    .where('issue.event_count', '>', 0)
    .where((eb) => issueConditions(eb, request))
    .execute()
  const created = rows.filter((row) => row.created_ms >= sinceMs).length
  return {
    created,
    updated: rows.length - created,
    isCapped: touched.length >= MAX_NEW || born.length >= MAX_NEW,
  }
}

type Request = Awaited<ReturnType<typeof issueRequest>>

/** The newest of them when there are many. */
async function touchedIssues(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  { event, projectIds }: Request,
  sinceMs: number,
): Promise<readonly number[]> {
  const condition = eventConditions(event)
  const rows = await telemetry.query<{ id: number }>(
    `SELECT issue_id AS id FROM events
     WHERE project_id IN {projects:Array(UInt32)} AND received >= {since:DateTime64(3)} AND ${condition.sql}
     GROUP BY issue_id ORDER BY max(received) DESC, issue_id DESC LIMIT {limit:UInt32}`,
    { ...condition.params, projects: projectIds, since: sinceMs, limit: MAX_NEW },
  )
  return rows.map((row) => row.id)
}

/** Ids grow with time: a look at the end of the table. */
async function bornIssues(
  { records }: Pick<QueryDeps, 'records'>,
  projectIds: readonly number[],
  sinceMs: number,
): Promise<readonly number[]> {
  const newest = await records
    .selectFrom((eb) =>
      eb
        .selectFrom('issue')
        .select(['id', 'project_id', 'created_ms'])
        .orderBy('id', 'desc')
        .limit(MAX_NEW)
        .as('newest'),
    )
    .select('id')
    .where('created_ms', '>=', sinceMs)
    .where('project_id', 'in', projectIds)
    .execute()
  return newest.map((row) => row.id)
}
