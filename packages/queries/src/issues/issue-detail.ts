import type { Grant } from '@sonde/access'
import type { GroupingTrace, NormalizedEvent } from '@sonde/protocol/event'
import { EVENT_USERS, inProjects } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'
import { type EventBars, eventBars } from './event-bars.ts'
import { type IssueMarks, issueMarks } from './issue-marks.ts'
import { type IssueRow, issueRow, selectNamedIssues } from './issue-row.ts'
import { issueTags, type TagSummary } from './issue-tags.ts'

// Finds an issue by id or short id, within a grant. One that became part of another is found as that.

/** `42` or `SHOP-7`, in any case. Undefined when there is none in the grant. `namesIssue` tells whether it is a redirect. */
export async function findIssue(
  { records }: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  issue: string | number,
): Promise<IssueRow | undefined> {
  const text = String(issue)
  const shortId = /^([A-Za-z0-9_-]{1,100})-(\d{1,15})$/.exec(text)
  if (!shortId && !/^\d{1,15}$/.test(text)) return undefined
  let granted = selectNamedIssues(records).where(inProjects(grant))
  if (shortId) granted = granted.where('project.slug', '=', (shortId[1] ?? '').toLowerCase())
  const number = Number(shortId?.[2] ?? text)
  const own = await granted.where(shortId ? 'issue.short_number' : 'issue.id', '=', number).executeTakeFirst()
  const row =
    own ?? (await leadsTo(records, grant, granted, shortId ? 'short_number' : 'from_issue_id', number))
  return row && issueRow(row)
}

/** Where an issue that became part of another leads: to that, or to what that became part of. */
async function leadsTo(
  records: QueryDeps['records'],
  grant: Grant<'event:read', 'org' | 'project'>,
  granted: ReturnType<typeof selectNamedIssues>,
  column: 'short_number' | 'from_issue_id',
  number: number,
) {
  const redirects = await records
    .selectFrom('issue_redirect')
    .innerJoin('project', 'project.id', 'issue_redirect.project_id')
    .select('into_issue_id')
    .where(inProjects(grant))
    .where(`issue_redirect.${column}`, '=', number)
    .execute()
  // A number is one of each project; which one is meant, `granted` knows.
  for (const redirect of redirects)
    for (let id: number | undefined = redirect.into_issue_id; id !== undefined;) {
      const row = await granted.where('issue.id', '=', id).executeTakeFirst()
      if (row) return row
      const next = await records
        .selectFrom('issue_redirect')
        .select('into_issue_id')
        .where('from_issue_id', '=', id)
        .executeTakeFirst()
      id = next?.into_issue_id
    }
  return undefined
}

/** False: the text is an address of before, and leads to the issue. */
export const namesIssue = ({ id, shortId }: Pick<IssueRow, 'id' | 'shortId'>, text: string): boolean =>
  text === String(id) || text.toUpperCase() === shortId.toUpperCase() || Number(text) === id

export type IssueDetail = IssueRow &
  IssueMarks & {
    readonly userCount: number
    /** Events of the issue that retention has kept. */
    readonly keptCount: number
    /** Of those that are not: counted with a stored event that is like them. */
    readonly thinnedCount: number
    readonly bars24h: EventBars
    readonly bars14d: EventBars
    /** The twenty-four most frequent tags, three values each. */
    readonly tags: readonly TagSummary[]
  }

/** The head of the issue screen. By id or short id; undefined when the grant has no such issue. */
export async function issueDetail(
  deps: QueryDeps,
  grant: Grant<'event:read', 'org' | 'project'>,
  issue: string | number,
): Promise<IssueDetail | undefined> {
  const row = await findIssue(deps, grant, issue)
  if (!row) return undefined
  const [marks, bars24h, bars14d, tags, [counted]] = await Promise.all([
    issueMarks(deps, grant, [row]),
    eventBars(deps, [row], '24h'),
    eventBars(deps, [row], '14d'),
    issueTags(deps, row, { keys: 24, valuesPerKey: 3 }),
    deps.telemetry.query<{ kept: number; thinned: number; users: number }>(
      `SELECT count() AS kept, sum(left_out) AS thinned, ${EVENT_USERS} AS users FROM events
       WHERE project_id = {project:UInt32} AND issue_id = {issue:UInt64}`,
      { project: row.project.id, issue: row.id },
    ),
  ])
  return {
    ...row,
    ...marks(row.id),
    userCount: counted?.users ?? 0,
    keptCount: counted?.kept ?? 0,
    thinnedCount: counted?.thinned ?? 0,
    bars24h: bars24h(row.id),
    bars14d: bars14d(row.id),
    tags,
  }
}

/** "Why did this event land here?" on the issue screen. */
export type GroupingReason = {
  /** How the event was grouped; undefined for events from before that was kept. */
  readonly trace: GroupingTrace | undefined
  /** Every hash that leads to this issue; `isOfEvent` marks those of the event. At most 100. */
  readonly hashes: readonly { readonly hash: string; readonly isOfEvent: boolean }[]
}

/** `issue` comes from `findIssue` or `issueDetail`. One read along `issue_hash_by_issue`. */
export async function groupingReason(
  { records }: Pick<QueryDeps, 'records'>,
  issue: Pick<IssueRow, 'id' | 'project'>,
  event: NormalizedEvent,
): Promise<GroupingReason> {
  const trace = event.derived.grouping
  const rows = await records
    .selectFrom('issue_hash')
    .select('hash')
    .where('issue_id', '=', issue.id)
    .where('project_id', '=', issue.project.id)
    .orderBy('hash')
    .limit(100)
    .execute()
  const own = new Set(trace?.hashes)
  return { trace, hashes: rows.map(({ hash }) => ({ hash, isOfEvent: own.has(hash) })) }
}
