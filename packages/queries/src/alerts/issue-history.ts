/** What happened to the issues of a project in the past: for what a rule would have told. */
import type { Grant } from '@sonde/access'
import type { AlertedChange } from '@sonde/stores'
import { EVENT_COUNT, EVENT_USERS } from '@sonde/stores'
import { eventsThatMatch } from '../events/matching-events.ts'
import { boundedQuery } from '../explore/bounded-query.ts'
import type { QueryDeps } from '../query-deps.ts'
import { eventSearch } from '../search/event-search.ts'
import { sinceWeek } from '../weeks.ts'
import { ESCALATING_TIMES, type IssueCount, ON_TIME } from './issue-counts.ts'

type ReadGrant = Grant<'event:read', 'project'>

export type PastChange = {
  readonly issueId: number
  readonly kind: AlertedChange
  readonly atMs: number
}

export type PastChangesInput = {
  readonly kinds: readonly AlertedChange[]
  /** Only of changes that match; what ends an incident always counts. */
  readonly search: string
  readonly fromMs: number
}

const MAX_CHANGES = 5_000
const ENDS: readonly AlertedChange[] = ['resolved', 'ignored']

/** Oldest first; of more than 5,000 the newest. Throws `SearchError`. */
export async function pastIssueChanges(
  { records, telemetry }: Pick<QueryDeps, 'records' | 'telemetry'>,
  { projectId }: ReadGrant,
  { kinds, search, fromMs }: PastChangesInput,
): Promise<readonly PastChange[]> {
  const rows = await records
    .selectFrom('issue_change')
    .innerJoin('issue', 'issue.id', 'issue_change.issue_id')
    .select(['issue_change.issue_id', 'issue_change.kind', 'issue_change.at_ms', 'issue_change.event_id'])
    .select('issue.last_event_id')
    .where('issue_change.project_id', '=', projectId)
    .where('issue_change.kind', 'in', [...kinds, ...ENDS])
    .where('issue_change.at_ms', '>=', fromMs)
    .$narrowType<{ kind: AlertedChange }>()
    .orderBy('issue_change.id', 'desc')
    .limit(MAX_CHANGES)
    .execute()
  const changes = rows.toReversed().map((row) => ({
    issueId: row.issue_id,
    kind: row.kind,
    atMs: row.at_ms,
    eventId: row.event_id || row.last_event_id,
  }))
  if (search === '') return changes
  const found = await eventsThatMatch({ telemetry }, projectId, changes, search)
  return changes.filter(({ kind, eventId }) => ENDS.includes(kind) || found.has(eventId))
}

/** An issue above the number in the window that ends with step `at`; 0 is the one that ends at `fromMs`. */
export type BusyStep = { readonly issueId: number; readonly at: number; readonly count: number }

export type BusyStepsInput = {
  readonly count: IssueCount
  readonly above: number
  readonly search: string
  /** Ends of the first and of the last window: whole steps apart. */
  readonly fromMs: number
  readonly toMs: number
  /** A window is a whole number of steps long. */
  readonly stepMs: number
  readonly windowMs: number
}

const MAX_BUSY = 20_000
const WEEK_MS = 7 * 86_400_000
/** No step before the first is negative then, and a division rounds down. */
const MANY_STEPS = 20_000

/**
 * As `busyIssues` counts, for windows one after the other and in one statement: at most 20,000, the earliest first. Throws
 * `SearchError`, and `ExploreError` for more events than can be read at once.
 */
export async function busyIssueSteps(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  grant: ReadGrant,
  { count, above, search, fromMs, toMs, stepMs, windowMs }: BusyStepsInput,
): Promise<readonly BusyStep[]> {
  const where = eventSearch({ query: search })
  const overlap = Math.round(windowMs / stepMs)
  const sinceMs = fromMs - windowMs - (count === 'escalating' ? WEEK_MS : 0)
  const counted = count === 'users' ? EVENT_USERS : EVENT_COUNT
  const step = `intDiv(toUnixTimestamp64Milli(received) - {origin:Int64}, {step:Int64}) - ${MANY_STEPS}`
  const windows = `SELECT issue_id, ${step} + later AS at, ${counted} AS n FROM events ARRAY JOIN range(${overlap}) AS later
     WHERE project_id = {project:UInt32} AND ${sinceWeek('toMonday({since:DateTime64(3)})')}
       AND received >= {since:DateTime64(3)} AND received < {to:DateTime64(3)} AND ${ON_TIME}
       AND issue_id != 0 AND ${where.sql}
     GROUP BY issue_id, at`
  // Every event is in `overlap` windows, so the sum over a week of windows is that many times the week's events.
  const weekSteps = Math.round(WEEK_MS / stepMs)
  const usual = `SELECT issue_id, at, n, ifNull(sum(n) OVER (PARTITION BY issue_id ORDER BY at
       RANGE BETWEEN ${weekSteps + overlap - 1} PRECEDING AND ${overlap} PRECEDING), 0) / {windowsOfWeek:Float64} AS usual
     FROM (${windows})`
  const enough = count === 'escalating' ? `AND n > ${ESCALATING_TIMES} * usual` : ''
  const rows = await boundedQuery<BusyStep>(
    { telemetry },
    `SELECT issue_id AS issueId, toInt32(at) AS at, n AS count FROM (${count === 'escalating' ? usual : windows})
     WHERE n > {above:UInt64} AND at >= 0 AND at <= {last:Int64} ${enough} ORDER BY at, issueId LIMIT ${MAX_BUSY}`,
    {
      ...where.params,
      project: grant.projectId,
      since: Math.max(0, sinceMs),
      to: toMs,
      origin: fromMs - (MANY_STEPS + 1) * stepMs,
      step: stepMs,
      last: Math.round((toMs - fromMs) / stepMs),
      above,
      // The mean of the windows of the week.
      windowsOfWeek: WEEK_MS / stepMs,
    },
  )
  return rows
}

const IDS_AT_ONCE = 1_000

/** Who has them now; of the project, in no order. */
export async function issueAssignees(
  { records }: Pick<QueryDeps, 'records'>,
  { projectId }: ReadGrant,
  ids: readonly number[],
) {
  const found = []
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE)
    found.push(
      ...(await records
        .selectFrom('issue')
        .select(['id', 'assignee_user_id', 'assignee_team_id'])
        .where('project_id', '=', projectId)
        .where('id', 'in', ids.slice(at, at + IDS_AT_ONCE))
        .execute()),
    )
  return found
}

export type NamedIssue = {
  readonly id: number
  readonly shortId: string
  readonly title: string
  readonly level: string
  readonly eventCount: number
  readonly firstSeenMs: number
}

/** Those of the project, in no order. */
export async function issuesNamed(
  { records }: Pick<QueryDeps, 'records'>,
  grant: ReadGrant,
  ids: readonly number[],
): Promise<readonly NamedIssue[]> {
  if (ids.length === 0) return []
  const rows = await records
    .selectFrom('issue')
    .select(['id', 'short_number', 'title', 'level', 'event_count', 'first_seen_ms'])
    .where('project_id', '=', grant.projectId)
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ id, short_number, title, level, ...row }) => ({
    id,
    shortId: `${grant.projectSlug.toUpperCase()}-${short_number}`,
    title,
    level,
    eventCount: row.event_count,
    firstSeenMs: row.first_seen_ms,
  }))
}
