/** Errors that a release brought or brought back, and where in the code the worst of them is. */
import type { Grant } from '@sonde/access'
import { sql } from 'kysely'
import { issueEvent } from '../events/event-by-id.ts'
import { HAS_EVENTS, type IssueRow, issueRow, selectIssues } from '../issues/issue-row.ts'
import type { QueryDeps } from '../query-deps.ts'
import { ONLY_NOISE, releaseIssues } from '../releases/release-differences.ts'
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
  /** Each of its events is of a class of noise: docs/noise.md. */
  readonly isNoise: boolean
}
export type FreshCommit = { readonly sha: string; readonly subject: string; readonly author: string }
export type FreshIssues = {
  readonly new: number
  readonly regressed: number
  /** How many of them are nothing but noise, of the 20 most frequent of each kind. */
  readonly noise: number
  /**
   * Without noise. Open errors; where there are none other open ones, else resolved ones. Of most users, then events, first; at most three.
   */
  readonly top: readonly FreshIssue[]
  /** Of the first of them: which commit probably did it. */
  readonly suspect: FreshCommit | undefined
}

const SHOWN = 3
const READ = 20

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
        : releaseIssues(deps, grant, { version, previous, kind, limit: READ }),
    ),
  )
  const found = lists.flatMap((rows, at) =>
    rows.map(({ eventsHere, usersHere, isNoise, ...row }) =>
      freshIssue(row, { kind: kinds[at] ?? 'new', events: eventsHere, users: usersHere, isNoise }),
    ),
  )
  return { new: issues.new, regressed: issues.regressed, ...(await shownOf(deps, grant, found)) }
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
      .limit(READ)
      .execute(),
  ])
  const shown = rows.map((row) => issueRow(row))
  const noise = await noiseOf(deps, grant, { sinceMs, issues: shown.map(({ id }) => id) })
  const found = shown.map((row) =>
    freshIssue(row, { kind: 'new', events: row.eventCount, users: 0, isNoise: noise.has(row.id) }),
  )
  return { new: count, regressed: 0, ...(await shownOf(deps, grant, found)) }
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
  }: Omit<FreshIssue, 'kind' | 'events' | 'users' | 'isNoise'>,
  counted: Pick<FreshIssue, 'kind' | 'events' | 'users' | 'isNoise'>,
): FreshIssue => ({ shortId, title, culprit, level, status, metadata, firstSeenMs, ...counted })

/** One range of `events` for each issue. */
async function noiseOf(
  { telemetry }: Deps,
  { projectId }: ProjectGrant,
  { sinceMs, issues }: { readonly sinceMs: number; readonly issues: readonly number[] },
): Promise<ReadonlySet<number>> {
  if (issues.length === 0) return new Set()
  const rows = await telemetry.query<{ readonly issue: number }>(
    `SELECT issue_id AS issue FROM events
     WHERE project_id = {project:UInt32} AND issue_id IN {issues:Array(UInt64)}
       AND timestamp >= fromUnixTimestamp64Milli({since:Int64})
     GROUP BY issue HAVING ${ONLY_NOISE}`,
    { project: projectId, issues, since: sinceMs },
  )
  return new Set(rows.map(({ issue }) => issue))
}

async function shownOf(
  deps: Deps,
  grant: ProjectGrant,
  found: readonly FreshIssue[],
): Promise<Pick<FreshIssues, 'noise' | 'top' | 'suspect'>> {
  const caused = found.filter(({ isNoise }) => !isNoise)
  const top = topOf(caused)
  return { noise: found.length - caused.length, top, suspect: await suspectOf(deps, grant, top[0]) }
}

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
