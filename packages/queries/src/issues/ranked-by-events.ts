/**
 * A page of issues that telemetry chooses or orders: those with an event that matches, by the number of events or
 * users within the period. Telemetry names at most `MAX_CANDIDATES` issues, the best by the order that is asked for;
 * the records then apply the issue's own conditions. Reads `events` of the projects, ordering key
 * (project_id, issue_id, timestamp); a condition on a tag without a column of its own is the slowest.
 */
import { EVENT_COUNT, EVENT_USERS } from '@sonde/stores'
import { type IssueSort, MAX_HITS } from '../contract.ts'
import { offsetOf, offsetPage, type Page } from '../cursor.ts'
import type { QueryDeps } from '../query-deps.ts'
import { eventConditions, timeCondition } from '../search/event-search.ts'
import { issueConditions } from '../search/issue-conditions.ts'
import type { IssueRequest } from './issue-request.ts'
import { type IssueRow, issueRow, selectIssues } from './issue-row.ts'

/** Two hundred pages: nobody pages further, and SQLite binds 32,766 values at most. */
export const MAX_CANDIDATES = 5_000

const RANK: Readonly<Record<IssueSort, string>> = {
  date: 'toUnixTimestamp64Milli(max(timestamp))',
  new: 'issue_id',
  freq: EVENT_COUNT,
  // Telemetry does not know it: the candidates are put in order by the records.
  priority: 'issue_id',
  user: EVENT_USERS,
}

export const rankOf = (sort: IssueSort): string => RANK[sort]

export async function rankedByEvents(
  deps: QueryDeps,
  request: IssueRequest,
): Promise<Page<IssueRow> & { hits: number }> {
  const ids = await issueIdsByEvents(deps, request)
  const offset = offsetOf(request.cursor)
  const pageIds = ids.slice(offset, offset + request.limit)
  const found =
    pageIds.length === 0
      ? []
      : await selectIssues(deps.records)
          .where('issue.id', 'in', pageIds)
          .where('issue.project_id', 'in', request.projectIds)
          .execute()
  const byId = new Map(found.map((row) => [row.id, issueRow(row)]))
  const rows = pageIds.flatMap((id) => byId.get(id) ?? [])
  const page = offsetPage(ids.slice(offset, offset + request.limit + 1), request.cursor, request.limit)
  return { ...page, rows, hits: Math.min(ids.length, MAX_HITS) }
}

/** Every id that matches, in the order asked for; at most `MAX_CANDIDATES`. */
export const issueIdsByEvents = async (deps: QueryDeps, request: IssueRequest): Promise<readonly number[]> =>
  matchingIds(deps, request, await candidateIds(deps, request))

/** In the order asked for. */
async function candidateIds(
  { telemetry }: QueryDeps,
  { event, projectIds, sort, ...span }: IssueRequest,
): Promise<readonly number[]> {
  if (projectIds.length === 0) return []
  const condition = eventConditions(event)
  const time = timeCondition(span)
  // One row with all ids: thousands of rows take longer to write and read than to find.
  const [row] = await telemetry.query<{ ids: number[] }>(
    `SELECT groupArray(id) AS ids FROM (
       SELECT issue_id AS id FROM events
       WHERE project_id IN {projects:Array(UInt32)} AND ${time.sql} AND ${condition.sql}
       GROUP BY issue_id ORDER BY ${RANK[sort]} DESC, issue_id DESC LIMIT {limit:UInt32}
     )`,
    {
      ...condition.params,
      projects: projectIds,
      limit: MAX_CANDIDATES,
      ...time.params,
    },
  )
  return row?.ids ?? []
}

/** Those of the candidates that fulfil the conditions on issues, in the candidates' order. */
async function matchingIds(
  { records }: QueryDeps,
  request: IssueRequest,
  candidates: readonly number[],
): Promise<readonly number[]> {
  if (candidates.length === 0) return []
  const rows = await records
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .select(['issue.id', 'issue.priority'])
    .where('issue.id', 'in', candidates)
    .where('issue.project_id', 'in', request.projectIds)
    .where((eb) => issueConditions(eb, request))
    .execute()
  if (request.sort === 'priority')
    return rows.toSorted((a, b) => b.priority - a.priority || b.id - a.id).map(({ id }) => id)
  const matching = new Set(rows.map((row) => row.id))
  return candidates.filter((id) => matching.has(id))
}
