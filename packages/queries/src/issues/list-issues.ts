/**
 * The issues screen and `/api/0/…/issues/`. At most 100 rows a page.
 *
 * Searches over an issue's own fields are a walk along an index of the records, per project, merged
 * (`ranked-by-records.ts`). Searches over events first ask telemetry for the issues that match
 * (`ranked-by-events.ts`); orders that telemetry counts look at the issues with the most events (`ranked-by-bound.ts`). Counts of users and the hourly bars are read for the rows of the page only.
 */
import type { Page } from '../cursor.ts'
import type { QueryDeps } from '../query-deps.ts'
import { type EventBars, eventBars } from './event-bars.ts'
import { issueRequest, type ListIssuesInput } from './issue-request.ts'
import type { IssueRow } from './issue-row.ts'
import { rankedByBound } from './ranked-by-bound.ts'
import { rankedByEvents } from './ranked-by-events.ts'
import { rankedByRecords } from './ranked-by-records.ts'
import { userCounts } from './user-counts.ts'

export type IssueListRow = IssueRow & {
  /** Different users among the events that are still kept. */
  readonly userCount: number
  readonly bars: EventBars
}

export type IssuePage = Page<IssueListRow> & {
  /** Matching issues, counted up to 1,000 (`MAX_HITS`): beyond it a number helps nobody and costs a scan. */
  readonly hits: number
}
/** Throws `SearchError` (with a position) for a query that cannot be understood, a wrong period, sort or cursor. */
export async function listIssues(deps: QueryDeps, input: ListIssuesInput): Promise<IssuePage> {
  const request = await issueRequest(deps, input)
  const { event, sort, sinceMs } = request
  const isCounted = sort === 'user' || (sort === 'freq' && sinceMs !== undefined)
  const ranked = event.length > 0 ? rankedByEvents : isCounted ? rankedByBound : rankedByRecords
  const page = await ranked(deps, request)
  const [users, bars] = await Promise.all([
    userCounts(deps, page.rows),
    eventBars(deps, page.rows, (input.statsPeriod ?? '24h') === '24h' ? '24h' : '14d'),
  ])
  const rows = page.rows.map((row) => ({ ...row, userCount: users(row.id), bars: bars(row.id) }))
  return { ...page, rows }
}
