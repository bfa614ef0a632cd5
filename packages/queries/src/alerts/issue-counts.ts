/** How often each issue of a project came within a time: for rules that fire above a number. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { eventSearch } from '../search/event-search.ts'

const ISSUE_COUNTS = ['events', 'users', 'escalating'] as const
export type IssueCount = (typeof ISSUE_COUNTS)[number]

export type BusyIssue = { readonly issueId: number; readonly count: number; readonly usual: number }

export type BusyIssuesInput = {
  readonly count: IssueCount
  /** More than this many; of `escalating` the number of events below which nothing escalates. */
  readonly above: number
  readonly search: string
  /** By the time of receipt; `toMs` is exclusive. */
  readonly fromMs: number
  readonly toMs: number
}

/** More than a rule can tell about at once. */
const MAX_ISSUES = 200
const WEEK_MS = 7 * 86_400_000
/** An issue escalates above so many times its usual rate. */
export const ESCALATING_TIMES = 4

/**
 * The busiest first, at most 200. `escalating`: more than `ESCALATING_TIMES` as many events as the same length of time had on
 * average in the week before, and more than `above`; `usual` is that average. Throws `SearchError`.
 */
export async function busyIssues(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  grant: Grant<'event:read', 'project'>,
  { count, above, search, fromMs, toMs }: BusyIssuesInput,
): Promise<readonly BusyIssue[]> {
  const where = eventSearch({ query: search })
  const isEscalating = count === 'escalating'
  const now = isEscalating ? 'received >= {from:DateTime64(3)}' : '1'
  const counted = count === 'users' ? `uniqIf(user_key, user_key != '')` : `countIf(${now})`
  const weeks = WEEK_MS / (toMs - fromMs)
  const usual = isEscalating ? `countIf(NOT (${now})) / {weeks:Float64}` : '0'
  const enough = isEscalating ? `AND n > ${ESCALATING_TIMES} * usual` : ''
  return telemetry.query<BusyIssue>(
    `SELECT issue_id AS issueId, ${counted} AS n, n AS count, ${usual} AS usual FROM events
     WHERE project_id = {project:UInt32} AND received >= {since:DateTime64(3)} AND received < {to:DateTime64(3)}
       AND issue_id != 0 AND ${where.sql}
     GROUP BY issue_id HAVING n > {above:UInt64} ${enough} ORDER BY n DESC, issueId LIMIT ${MAX_ISSUES}`,
    {
      ...where.params,
      project: grant.projectId,
      since: isEscalating ? Math.max(0, fromMs - WEEK_MS) : fromMs,
      from: fromMs,
      to: toMs,
      weeks,
      above,
    },
  )
}
