/**
 * The issues screen and `/api/0/…/issues/`. At most 100 rows a page.
 *
 * Searches over an issue's own fields are a walk along an index of the records, per project, merged
 * (`ranked-by-records.ts`). Searches over events first ask telemetry for the issues that match
 * (`ranked-by-events.ts`); orders that telemetry counts look at the issues with the most events (`ranked-by-bound.ts`). Counts of users and the hourly bars are read for the rows of the page only.
 */
import { DEFAULT_QUERY } from '../contract.ts'
import { offsetOf, offsetPage, type Page } from '../cursor.ts'
import type { QueryDeps } from '../query-deps.ts'
import { timeCondition } from '../search/event-search.ts'
import { type EventBars, eventBars, userCounts } from './event-bars.ts'
import { type IssueMarks, issueMarks } from './issue-marks.ts'
import { countHits, issueRequest, type IssueRequest, type ListIssuesInput } from './issue-request.ts'
import type { IssueRow } from './issue-row.ts'
import { issueIdsByEvents, MAX_CANDIDATES, rankedByEvents, rankOf } from './ranked-by-events.ts'
import { issueIdsByRecords, mostEvents, rankedByRecords } from './ranked-by-records.ts'

// A page of issues by what only telemetry can count, users or the events of a period, without counting it for every
// issue: neither can be more than the issue's events ever, and by those the records have an index. So the issues with
// the most events are counted, and more of them until the last row of the page has at least as many as the next issue
// has events. Exact; equal ranks stand by events, then by id.

/** People and events of an issue are about as many: three pages hold the page that is asked for. */
const FIRST_PAGES = 3
const GROWTH = 4

/** Among the `MAX_CANDIDATES` issues with the most events at worst. Only for searches without terms about events. */
async function rankedByBound(
  deps: QueryDeps,
  request: IssueRequest,
): Promise<Page<IssueRow> & { hits: number }> {
  const needed = Math.min(offsetOf(request.cursor) + request.limit + 1, MAX_CANDIDATES)
  const [ranked, hits] = await Promise.all([rankedIssues(deps, request, needed), countHits(deps, request)])
  const offset = offsetOf(request.cursor)
  return {
    ...offsetPage(ranked.slice(offset, offset + request.limit + 1), request.cursor, request.limit),
    hits,
  }
}

async function rankedIssues(
  deps: QueryDeps,
  request: IssueRequest,
  needed: number,
): Promise<readonly IssueRow[]> {
  for (let size = needed * FIRST_PAGES; ; size *= GROWTH) {
    const candidates = await mostEvents(deps, request, Math.min(size, MAX_CANDIDATES))
    const rankById = await ranks(deps, request, candidates)
    const rank = (row: IssueRow): number => rankById.get(row.id) ?? 0
    const ranked = candidates.toSorted(
      (a, b) => rank(b) - rank(a) || b.eventCount - a.eventCount || b.id - a.id,
    )
    const last = ranked[needed - 1]
    const bound = candidates.at(-1)?.eventCount ?? 0
    const isAll = candidates.length < size
    if (isAll || (last && rank(last) >= bound) || size >= MAX_CANDIDATES) return ranked
  }
}

async function ranks(
  { telemetry }: QueryDeps,
  { sort, ...span }: IssueRequest,
  issues: readonly IssueRow[],
): Promise<ReadonlyMap<number, number>> {
  if (issues.length === 0) return new Map()
  const time = timeCondition(span)
  const [row] = await telemetry.query<{ ids: number[]; ranks: number[] }>(
    `SELECT groupArray(id) AS ids, groupArray(rank) AS ranks FROM (
       SELECT issue_id AS id, ${rankOf(sort)} AS rank FROM events
       WHERE project_id IN {projects:Array(UInt32)} AND issue_id IN {issues:Array(UInt64)} AND ${time.sql}
       GROUP BY issue_id
     )`,
    {
      projects: [...new Set(issues.map((issue) => issue.project.id))],
      issues: issues.map((issue) => issue.id),
      ...time.params,
    },
  )
  return new Map(row?.ids.map((id, at) => [id, row.ranks[at] ?? 0]))
}

// "All that match", for a change to many issues at once.

const MAX_MATCHING = MAX_CANDIDATES

/**
 * At most 5,000, as many as `updateIssues` takes, the last seen first; more are changed in steps (`updateMatchingIssues`).
 * `otherThan`, a term like `is:resolved` or `assigned:user:ID`, leaves out those that are so already, so that after a step
 * of a change to it the next one finds others. Throws `SearchError`. The same reads as `listIssues`, without the rows.
 */
export async function matchingIssueIds(
  deps: QueryDeps,
  {
    otherThan,
    ...input
  }: Pick<
    ListIssuesInput,
    'grant' | 'query' | 'statsPeriod' | 'start' | 'end' | 'environments' | 'projectIds'
  > & { readonly otherThan?: string | undefined },
): Promise<readonly number[]> {
  const query = otherThan === undefined ? input.query : `${input.query ?? DEFAULT_QUERY} !${otherThan}`
  const request = await issueRequest(deps, { ...input, query })
  return request.event.length > 0
    ? issueIdsByEvents(deps, request)
    : issueIdsByRecords(deps, request, MAX_MATCHING)
}

export type IssueListRow = IssueRow &
  IssueMarks & {
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
  const [marks, users, bars] = await Promise.all([
    issueMarks(deps, input.grant, page.rows),
    userCounts(deps, page.rows),
    eventBars(deps, page.rows, (input.statsPeriod ?? '24h') === '24h' ? '24h' : '14d'),
  ])
  const rows = page.rows.map((row) => ({
    ...row,
    ...marks(row.id),
    userCount: users(row.id),
    bars: bars(row.id),
  }))
  return { ...page, rows }
}
