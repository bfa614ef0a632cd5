/** How often each issue of a project came within a time: for rules that fire above a number. */
import type { Grant } from '@sonde/access'
import { EVENT_COUNT, EVENT_USERS, USERS_OF_ROW } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'
import { eventSearch } from '../search/event-search.ts'
import { SearchError } from '../search/search-term.ts'
import { sinceWeek } from '../weeks.ts'

type ProjectGrant = Grant<'event:read', 'project'>

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

/** Longer on its way, and an event says nothing of now. */
export const ON_TIME = 'timestamp >= received - toIntervalMinute(60)'
/** More than a rule can tell about at once. */
const MAX_ISSUES = 200
const WEEK_MS = 7 * 86_400_000
/** An issue escalates above so many times its usual rate. */
export const ESCALATING_TIMES = 4

/** Of one project; throws `SearchError`. */
export async function busyIssues(
  deps: Pick<QueryDeps, 'telemetry'>,
  grant: ProjectGrant,
  input: BusyIssuesInput,
): Promise<readonly BusyIssue[]> {
  const [answer = []] = await busyIssuesOf(deps, [{ ...input, grant }])
  if (answer instanceof SearchError) throw answer
  return answer
}

export type BusyIssuesAsked = BusyIssuesInput & { readonly grant: ProjectGrant }

/**
 * In the order of what was asked; what is counted alike is read in one statement, of whichever projects. The busiest first, at
 * most 200. `escalating`: more than `ESCALATING_TIMES` as many events as the same length of time had on average in the week
 * before, and more than `above`; `usual` is that average.
 */
export async function busyIssuesOf(
  deps: Pick<QueryDeps, 'telemetry'>,
  asked: readonly BusyIssuesAsked[],
): Promise<readonly (readonly BusyIssue[] | SearchError)[]> {
  const answers = new Map<BusyIssuesAsked, readonly BusyIssue[] | SearchError>()
  for (const alike of Map.groupBy(asked, countedAs).values())
    try {
      const found = await countAlike(deps, alike)
      for (const each of alike)
        answers.set(
          each,
          (found.get(each.grant.projectId) ?? []).filter(({ count }) => count > each.above),
        )
    } catch (error) {
      if (!(error instanceof SearchError)) throw error
      for (const each of alike) answers.set(each, error)
    }
  return asked.map((each) => answers.get(each) ?? [])
}

const countedAs = ({ count, search, fromMs, toMs }: BusyIssuesInput): string =>
  `${count} ${fromMs} ${toMs} ${search}`

type Row = BusyIssue & { readonly projectId: number }

async function countAlike(
  deps: Pick<QueryDeps, 'telemetry'>,
  alike: readonly BusyIssuesAsked[],
): Promise<ReadonlyMap<number, readonly BusyIssue[]>> {
  const [first] = alike
  if (!first) return new Map()
  const { count, search, fromMs, toMs } = first
  const where = eventSearch({ query: search })
  const counted = count === 'users' ? EVENT_USERS : EVENT_COUNT
  const rows = await deps.telemetry.query<Row>(
    `SELECT project_id AS projectId, issue_id AS issueId, ${counted} AS n, n AS count, 0 AS usual FROM events
     WHERE project_id IN {projects:Array(UInt32)} AND ${sinceWeek('toMonday({from:DateTime64(3)})')}
       AND received >= {from:DateTime64(3)} AND received < {to:DateTime64(3)} AND ${ON_TIME}
       AND issue_id != 0 AND ${where.sql}
     GROUP BY projectId, issueId HAVING n > {above:UInt64}
     ORDER BY n DESC, issueId LIMIT ${MAX_ISSUES} BY projectId`,
    {
      ...where.params,
      projects: [...new Set(alike.map(({ grant }) => grant.projectId))],
      from: fromMs,
      to: toMs,
      above: Math.min(...alike.map(({ above }) => above)),
    },
  )
  const busy = count === 'escalating' ? await escalatingAmong(deps, rows, first) : rows
  return Map.groupBy(busy, ({ projectId }) => projectId)
}

/** Few issues are above a number, so the week is read of those alone. */
async function escalatingAmong(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  rows: readonly Row[],
  { search, fromMs, toMs }: BusyIssuesInput,
): Promise<readonly Row[]> {
  if (rows.length === 0) return []
  const where = eventSearch({ query: search })
  const before = await telemetry.query<{ readonly issueId: number; readonly usual: number }>(
    `SELECT issue_id AS issueId, ${EVENT_COUNT} / {weeks:Float64} AS usual FROM events
     WHERE project_id IN {projects:Array(UInt32)} AND issue_id IN {issues:Array(UInt64)}
       AND ${sinceWeek('toMonday({since:DateTime64(3)})')}
       AND received >= {since:DateTime64(3)} AND received < {from:DateTime64(3)} AND ${ON_TIME} AND ${where.sql}
     GROUP BY issueId`,
    {
      ...where.params,
      projects: [...new Set(rows.map(({ projectId }) => projectId))],
      issues: rows.map(({ issueId }) => issueId),
      since: Math.max(0, fromMs - WEEK_MS),
      from: fromMs,
      weeks: WEEK_MS / (toMs - fromMs),
    },
  )
  const usualOf = new Map(before.map(({ issueId, usual }) => [issueId, usual]))
  return rows
    .map((row) => ({ ...row, usual: usualOf.get(row.issueId) ?? 0 }))
    .filter((row) => row.count > ESCALATING_TIMES * row.usual)
}

type OneIssue = { readonly projectId: number; readonly issueId: number }

/** Events of one issue, or the different users they happened to, received since then. */
export async function issueCountSince(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  { projectId, issueId }: OneIssue,
  count: 'events' | 'users',
  sinceMs: number,
): Promise<number> {
  const counted = count === 'users' ? `uniqExactArray(${USERS_OF_ROW})` : EVENT_COUNT
  const [row] = await telemetry.query<{ readonly n: number }>(
    `SELECT ${counted} AS n FROM events
     WHERE project_id = {project:UInt32} AND issue_id = {issue:UInt64}
       AND ${sinceWeek('toMonday({since:DateTime64(3)})')} AND received >= {since:DateTime64(3)}`,
    { project: projectId, issue: issueId, since: sinceMs },
  )
  return row?.n ?? 0
}

/** Fewer in an hour say nothing, however quiet the week was. */
const ESCALATING_ABOVE = 10
const HOUR_MS = 3_600_000

/** Whether the last hour had more than ten events, and more than `ESCALATING_TIMES` the usual hour of the week before. */
export async function isEscalatingNow(
  deps: Pick<QueryDeps, 'telemetry'>,
  issue: OneIssue,
  nowMs: number,
): Promise<boolean> {
  const fromMs = nowMs - HOUR_MS
  const count = await issueCountSince(deps, issue, 'events', fromMs)
  if (count <= ESCALATING_ABOVE) return false
  const asked = { count: 'escalating', above: ESCALATING_ABOVE, search: '', fromMs, toMs: nowMs } as const
  const busy = await escalatingAmong(deps, [{ ...issue, count, usual: 0 }], asked)
  return busy.length > 0
}
