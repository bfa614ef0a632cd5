/** Errors that a release brought or brought back, and where in the code the worst of them is. */
import type { Grant } from '@sonde/access'
import { sql } from 'kysely'
import { issueEvent } from '../events/event-by-id.ts'
import { HAS_EVENTS, type IssueRow, issueRow, selectIssues } from '../issues/issue-row.ts'
import type { QueryDeps } from '../query-deps.ts'
import { releaseIssues } from '../releases/release-differences.ts'
import { suspectCommits } from '../releases/suspect-commits.ts'

type Deps = Pick<QueryDeps, 'records' | 'telemetry'>
type ProjectGrant = Grant<'event:read', 'project'>

export type FreshIssue = Pick<
  IssueRow,
  'shortId' | 'title' | 'culprit' | 'level' | 'status' | 'metadata' | 'firstSeenMs'
> & {
  readonly kind: 'new' | 'regressed'
  readonly events: number
  /** 0: nobody is named. */
  readonly users: number
}
export type FreshCommit = { readonly sha: string; readonly subject: string; readonly author: string }
export type FreshIssues = {
  readonly new: number
  readonly regressed: number
  /**
   * Open errors; where there are none other open ones, else resolved ones. Of most users, then events, first; at most three.
   */
  readonly top: readonly FreshIssue[]
  /** Of the first of them: which commit probably did it. */
  readonly suspect: FreshCommit | undefined
}

const SHOWN = 3

/** Of a release, with what the records say of its numbers. Two look-ups by index, then the newest event of one issue. */
export async function freshIssuesOf(
  deps: Deps,
  grant: ProjectGrant,
  {
    version,
    previous,
    issues,
  }: {
    readonly version: string
    readonly previous: string | undefined
    readonly issues: { readonly new: number; readonly regressed: number }
  },
): Promise<FreshIssues> {
  const kinds = ['new', 'regressed'] as const
  const lists = await Promise.all(
    kinds.map((kind) =>
      issues[kind] === 0
        ? Promise.resolve([])
        : releaseIssues(deps, grant, { version, previous, kind, limit: 20 }),
    ),
  )
  const found = lists.flatMap((rows, at) =>
    rows.map(({ eventsHere, usersHere, ...row }) =>
      freshIssue(row, { kind: kinds[at] ?? 'new', events: eventsHere, users: usersHere }),
    ),
  )
  const top = topOf(found)
  return { new: issues.new, regressed: issues.regressed, top, suspect: await suspectOf(deps, grant, top[0]) }
}

/** Where nothing names a release: what was first seen since then. */
export async function freshIssuesSince(
  deps: Deps,
  grant: ProjectGrant,
  sinceMs: number,
): Promise<FreshIssues> {
  const since = deps.records
    .selectFrom('issue')
    .where('issue.project_id', '=', grant.projectId)
    .where('issue.first_seen_ms', '>=', sinceMs)
    // Said for the engine: by last events there is an index.
    .where('issue.last_seen_ms', '>=', sinceMs)
    .where(HAS_EVENTS)
  const [{ count }, rows] = await Promise.all([
    since.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow(),
    selectIssues(deps.records)
      .where('issue.project_id', '=', grant.projectId)
      .where('issue.first_seen_ms', '>=', sinceMs)
      .where('issue.last_seen_ms', '>=', sinceMs)
      .orderBy('issue.event_count', 'desc')
      .orderBy('issue.id', 'desc')
      .limit(SHOWN)
      .execute(),
  ])
  const top = rows.map((row) => {
    const shown = issueRow(row)
    return freshIssue(shown, { kind: 'new', events: shown.eventCount, users: 0 })
  })
  return { new: count, regressed: 0, top: topOf(top), suspect: await suspectOf(deps, grant, top[0]) }
}

const freshIssue = (
  {
    shortId,
    title,
    culprit,
    level,
    status,
    metadata,
    firstSeenMs,
  }: Omit<FreshIssue, 'kind' | 'events' | 'users'>,
  counted: Pick<FreshIssue, 'kind' | 'events' | 'users'>,
): FreshIssue => ({ shortId, title, culprit, level, status, metadata, firstSeenMs, ...counted })

/** Of the gravest kind that there is. */
function topOf(issues: readonly FreshIssue[]): readonly FreshIssue[] {
  const sorted = issues.toSorted((a, b) => rank(a) - rank(b) || b.users - a.users || b.events - a.events)
  const [first] = sorted
  return sorted.filter((issue) => first && rank(issue) === rank(first)).slice(0, SHOWN)
}

/** What is slow, and what people wrote, is no error; nobody has to look at what was resolved or ignored. */
const rank = ({ status, level }: FreshIssue): number =>
  status !== 'unresolved' ? 2 : level === 'error' || level === 'fatal' ? 0 : 1

async function suspectOf(
  deps: Deps,
  grant: ProjectGrant,
  issue: FreshIssue | undefined,
): Promise<FreshCommit | undefined> {
  if (!issue) return undefined
  const row = await selectIssues(deps.records)
    .where('issue.project_id', '=', grant.projectId)
    .where('issue.short_number', '=', Number(issue.shortId.split('-').at(-1)))
    .executeTakeFirst()
  if (!row) return undefined
  const shown = issueRow(row)
  const detail = await issueEvent(deps, shown, 'latest')
  const found =
    detail && (await suspectCommits(deps, grant, { issueId: shown.id, event: detail.event, limit: 1 }))
  const commit = found?.commits[0]
  if (!commit) return undefined
  const { sha, message, authorName, authorEmail } = commit
  return { sha, subject: message.split('\n')[0] ?? '', author: authorName || authorEmail }
}
