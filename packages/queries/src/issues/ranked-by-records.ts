/**
 * A page of issues in an order that the records know. Each project's part is read along an index
 * (`issue_by_status`, `issue_by_last_seen`, `issue_by_events`, `issue_by_priority`, or the unique short number) and stops at the page's
 * length; an organization's page is the merge of its projects' parts. The index of counts begins with the status: what
 * is searched in all states is a part for each.
 */
import { ISSUE_STATUSES, type IssueStatus, PRIORITY_VALUES } from '@sonde/stores'
import type { IssueSort } from '../contract.ts'
import { type Cursor, FIRST_PAGE, formatCursor, offsetOf, type Page } from '../cursor.ts'
import type { QueryDeps } from '../query-deps.ts'
import { issueConditions } from '../search/issue-conditions.ts'
import type { IssueExpressions } from '../search/issue-expressions.ts'
import { issueFieldOf, type IssueTerm } from '../search/search-fields.ts'
import { exactText } from '../search/search-term.ts'
import { countHits, type IssueRequest } from './issue-request.ts'
import { HAS_EVENTS, type IssueRow, issueRow, selectIssues } from './issue-row.ts'

/** `id` grows with creation, so "newest" needs no second key. */
const SORT_COLUMNS = {
  date: 'issue.last_seen_ms',
  new: 'issue.id',
  freq: 'issue.event_count',
  user: 'issue.event_count',
  priority: 'issue.priority',
} as const satisfies Record<IssueSort, string>

const sortValue = (row: IssueRow, sort: IssueSort): number => VALUES[sort](row)

const VALUES: Readonly<Record<IssueSort, (row: IssueRow) => number>> = {
  date: ({ lastSeenMs }) => lastSeenMs,
  new: ({ id }) => id,
  freq: ({ eventCount }) => eventCount,
  user: ({ eventCount }) => eventCount,
  priority: ({ priority }) => PRIORITY_VALUES[priority],
}

export async function rankedByRecords(
  deps: QueryDeps,
  request: IssueRequest,
): Promise<Page<IssueRow> & { hits: number }> {
  const { cursor, limit, sort } = request
  const isBackwards = cursor.isPrevious && cursor.kind === 'key'
  const parts = await Promise.all(
    request.projectIds.flatMap((projectId) =>
      (sort === 'freq' || sort === 'priority' ? statusesOf(request.issue) : [undefined]).map((status) =>
        indexPart(deps, request, { projectId, status, isBackwards }),
      ),
    ),
  )
  const direction = isBackwards ? 1 : -1
  const merged = parts
    .flat()
    .toSorted((a, b) => direction * (sortValue(a, sort) - sortValue(b, sort)) || direction * (a.id - b.id))
    .slice(offsetOf(cursor), offsetOf(cursor) + limit + 1)
  const hasMore = merged.length > limit
  const rows = isBackwards ? merged.slice(0, limit).toReversed() : merged.slice(0, limit)
  const isFirst = cursor.kind === 'offset' && cursor.offset === 0
  const edge = (row: IssueRow | undefined, isPrevious: boolean): string =>
    formatCursor(
      row ? { kind: 'key', value: sortValue(row, sort), id: row.id, isPrevious } : { ...cursor, isPrevious },
    )
  return {
    rows,
    hits: await countHits(deps, request),
    previous: { cursor: edge(rows[0], true), hasResults: isBackwards ? hasMore : !isFirst },
    next: { cursor: edge(rows.at(-1), false), hasResults: isBackwards || hasMore },
  }
}

type Part = {
  readonly projectId: number
  /** Undefined: the search's own conditions alone decide. */
  readonly status: IssueStatus | undefined
  readonly isBackwards: boolean
}

async function indexPart(
  { records }: QueryDeps,
  request: IssueRequest,
  { projectId, status, isBackwards }: Part,
): Promise<readonly IssueRow[]> {
  const { cursor, limit, sort } = request
  const column = SORT_COLUMNS[sort]
  const order = isBackwards ? 'asc' : 'desc'
  let query = selectIssues(records)
    .where('issue.project_id', '=', projectId)
    .where((eb) => issueConditions(eb, request))
    // Numbers grow with ids within a project, and have an index after it; ids would be a sort of all that match.
    .$if(sort === 'new', (newest) => newest.orderBy('issue.short_number', order))
    .$if(sort !== 'new', (others) => others.orderBy(column, order).orderBy('issue.id', order))
    .limit(offsetOf(cursor) + limit + 1)
  if (status !== undefined) query = query.where('issue.status', '=', status)
  if (cursor.kind === 'key') query = query.where((eb) => beyond(cursor, isBackwards)(eb, column))
  return (await query.execute()).map((row) => issueRow(row))
}

/** Issues of the request with the most events, from the first on, whatever page and order it asks for. */
export async function mostEvents(
  deps: QueryDeps,
  request: IssueRequest,
  limit: number,
): Promise<readonly IssueRow[]> {
  const walk: IssueRequest = { ...request, sort: 'freq', cursor: FIRST_PAGE, limit: limit - 1 }
  const parts = await Promise.all(
    request.projectIds.flatMap((projectId) =>
      statusesOf(request.issue).map((status) =>
        indexPart(deps, walk, { projectId, status, isBackwards: false }),
      ),
    ),
  )
  return parts
    .flat()
    .toSorted((a, b) => b.eventCount - a.eventCount || b.id - a.id)
    .slice(0, limit)
}

/** The ids that match, the last seen first. */
export async function issueIdsByRecords(
  { records }: QueryDeps,
  request: IssueRequest,
  limit: number,
): Promise<readonly number[]> {
  if (request.projectIds.length === 0) return []
  const query = records
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .select('issue.id')
    .where('issue.project_id', 'in', request.projectIds)
    .where(HAS_EVENTS)
    .where((eb) => issueConditions(eb, request))
    .orderBy('issue.last_seen_ms', 'desc')
    .limit(limit)
  return (await query.execute()).map((row) => row.id)
}

const beyond =
  (cursor: Extract<Cursor, { kind: 'key' }>, isBackwards: boolean) =>
  (eb: IssueExpressions, column: (typeof SORT_COLUMNS)[IssueSort]) =>
    // A row value comparison: SQLite and PostgreSQL walk the index from it.
    eb(eb.refTuple(column, 'issue.id'), isBackwards ? '>' : '<', eb.tuple(cursor.value, cursor.id))

/** In which states an issue may be that fulfils all terms: the one that `is:…` names, or any. */
function statusesOf(terms: readonly IssueTerm[]): readonly IssueStatus[] {
  for (const term of terms) {
    if (term.kind !== 'filter' || term.negated || issueFieldOf(term.key) !== 'is') continue
    const [only, ...others] = term.values
    if (!only || others.length > 0) continue
    const named = exactText(only) === 'archived' ? 'ignored' : exactText(only)
    const status = ISSUE_STATUSES.find((known) => known === named)
    if (status) return [status]
  }
  return ISSUE_STATUSES
}
