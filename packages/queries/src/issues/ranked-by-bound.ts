/**
 * A page of issues by what only telemetry can count, users or the events of a period, without counting it for every
 * issue: neither can be more than the issue's events ever, and by those the records have an index. So the issues with
 * the most events are counted, and more of them until the last row of the page has at least as many as the next issue
 * has events. Exact; equal ranks stand by events, then by id.
 */
import { offsetOf, offsetPage, type Page } from '../cursor.ts'
import type { QueryDeps } from '../query-deps.ts'
import { timeCondition } from '../search/time-condition.ts'
import { countHits } from './count-hits.ts'
import type { IssueRequest } from './issue-request.ts'
import type { IssueRow } from './issue-row.ts'
import { MAX_CANDIDATES, rankOf } from './ranked-by-events.ts'
import { mostEvents } from './ranked-by-records.ts'

/** People and events of an issue are about as many: three pages hold the page that is asked for. */
const FIRST_PAGES = 3
const GROWTH = 4

/** Among the `MAX_CANDIDATES` issues with the most events at worst. Only for searches without terms about events. */
export async function rankedByBound(
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
