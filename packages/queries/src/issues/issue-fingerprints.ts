/** What became one issue: its fingerprints with their events, and the issues that people merged into it. */
import type { Grant } from '@sonde/access'
import { findHashGroups, fingerprintsOf, type HashGroup, hashesOf, inProjects } from '@sonde/stores'
import { actorNames } from '../artifacts/reprocessing.ts'
import type { QueryDeps } from '../query-deps.ts'
import { type IssueRow, selectIssues } from './issue-row.ts'

type Deps = Pick<QueryDeps, 'records' | 'telemetry'>

export type IssueFingerprint = {
  /** Those that some event has together: they are moved together. */
  readonly hashes: readonly string[]
  /** Of those that are stored; 0: no event of it is. */
  readonly events: number
  readonly firstSeenMs: number | undefined
  readonly lastSeenMs: number | undefined
  /** Of the newest event. */
  readonly title: string
  readonly culprit: string
  /** 32 lower hex; empty: there is none. */
  readonly lastEventId: string
  /** Which of `members` brought it. */
  readonly memberId: number | undefined
}

/** An issue that was merged into another and can be given back. */
export type MergedIssue = {
  readonly id: number
  readonly shortId: string
  readonly title: string
  /** As it was, and as it will be. */
  readonly status: string
  readonly mergedMs: number
  readonly by: string
}

/** Rows of events that follow to the issue or away from it. */
export type MovingEvents = { readonly moved: number; readonly total: number; readonly trouble: string }

export type IssueParts = {
  /** The most events first; at most `limit`. */
  readonly fingerprints: readonly IssueFingerprint[]
  readonly fingerprintCount: number
  readonly members: readonly MergedIssue[]
  readonly moving: MovingEvents | undefined
}

/** `issue` comes from `findIssue` within `grant`. One grouped read of the issue's events. */
export async function issueParts(
  deps: Deps,
  _grant: Grant<'event:read', 'org' | 'project'>,
  issue: Pick<IssueRow, 'id' | 'project'>,
  limit = 500,
): Promise<IssueParts> {
  const [{ groups, leadOf }, hashes, merges, moving] = await Promise.all([
    findHashGroups(deps, issue.project.id, [issue.id]),
    hashesOf(deps.records, issue.id),
    mergesInto(deps, issue),
    movingEvents(deps, issue),
  ])
  const own = groups.filter((group) => leadOf(group) === issue.id)
  const all = fingerprintsOf(own, new Set(hashes)).map((each) => ({
    hashes: each.hashes,
    ...figuresOf(each.groups),
    memberId: merges.find((merge) => each.hashes.some((hash) => merge.hashes.has(hash)))?.member.id,
  }))
  return {
    fingerprints: all.toSorted((a, b) => b.events - a.events).slice(0, limit),
    fingerprintCount: all.length,
    members: merges.map(({ member }) => member),
    moving,
  }
}

function figuresOf(groups: readonly HashGroup[]): Omit<IssueFingerprint, 'hashes' | 'memberId'> {
  const last = groups.reduce<HashGroup | undefined>(
    (a, b) => (a === undefined || b.lastMs > a.lastMs ? b : a),
    undefined,
  )
  const [lastEventId = '', , , title = '', culprit = ''] = last?.newest ?? []
  return {
    events: groups.reduce((sum, { events }) => sum + events, 0),
    firstSeenMs: last && groups.reduce((least, { firstMs }) => Math.min(least, firstMs), last.firstMs),
    lastSeenMs: last?.lastMs,
    title,
    culprit,
    lastEventId,
  }
}

async function mergesInto({ records }: Deps, issue: Pick<IssueRow, 'id' | 'project'>) {
  const rows = await records
    .selectFrom('issue_merge')
    .innerJoin('issue', 'issue.id', 'issue_merge.issue_id')
    .select(['issue.id', 'issue.short_number', 'issue.title', 'issue.status'])
    .select(['issue_merge.at_ms', 'issue_merge.actor', 'issue_merge.hashes'])
    .where('issue_merge.into_issue_id', '=', issue.id)
    .orderBy('issue_merge.at_ms', 'desc')
    .execute()
  const names = await actorNames(
    records,
    rows.map(({ actor }) => actor),
  )
  return rows.map((row) => ({
    hashes: new Set(JSON.parse(row.hashes) as string[]),
    member: {
      id: row.id,
      shortId: `${issue.project.slug.toUpperCase()}-${row.short_number}`,
      title: row.title,
      status: row.status,
      mergedMs: row.at_ms,
      by: names.get(row.actor) ?? '',
    } satisfies MergedIssue,
  }))
}

/** Undefined: all of its events are where they belong. */
export async function movingEvents(
  { records }: Pick<QueryDeps, 'records'>,
  issue: Pick<IssueRow, 'id' | 'project'>,
): Promise<MovingEvents | undefined> {
  const rows = await records
    .selectFrom('issue_move')
    .select(['moved_count', 'total_count', 'trouble'])
    .where('project_id', '=', issue.project.id)
    .where('finished_ms', 'is', null)
    .where((eb) => eb.or([eb('into_issue_id', '=', issue.id), eb('from_issue_id', '=', issue.id)]))
    .execute()
  const total = rows.reduce((sum, row) => sum + row.total_count, 0)
  if (total === 0) return undefined
  return {
    moved: rows.reduce((sum, row) => sum + Math.min(row.moved_count, row.total_count), 0),
    total,
    trouble: rows.find(({ trouble }) => trouble !== '')?.trouble ?? '',
  }
}

export type DiscardedIssue = {
  /** Of the issue that was deleted. */
  readonly shortNumber: number
  readonly title: string
  readonly hashes: number
  readonly sinceMs: number
  readonly by: string
  /** Events that were dropped. */
  readonly dropped: number
  readonly lastMs: number | undefined
}

/** What a project drops since somebody deleted it for good; the newest first. */
export async function discardedIssues(
  { records }: Pick<QueryDeps, 'records'>,
  { projectId }: Grant<'event:read', 'project'>,
): Promise<readonly DiscardedIssue[]> {
  const rows = await records
    .selectFrom('discarded_hash')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('at_ms', 'desc')
    .orderBy('short_number', 'desc')
    .execute()
  const names = await actorNames(
    records,
    rows.map(({ actor }) => actor),
  )
  return [...Map.groupBy(rows, (row) => row.short_number)].map(([shortNumber, own]) => {
    const [{ title, at_ms: sinceMs, actor } = { title: '', at_ms: 0, actor: '' }] = own
    const times = own.flatMap((row) => (row.last_ms === null ? [] : [row.last_ms]))
    return {
      shortNumber,
      title,
      hashes: own.length,
      sinceMs,
      by: names.get(actor) ?? '',
      dropped: own.reduce((sum, row) => sum + row.dropped_count, 0),
      lastMs: times.length === 0 ? undefined : Math.max(...times),
    }
  })
}

/** Slugs of the projects that these issues are of, within the grant. */
export async function projectsOfIssues(
  { records }: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  ids: readonly number[],
): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const rows = await selectIssues(records).where(inProjects(grant)).where('issue.id', 'in', ids).execute()
  return [...new Set(rows.map((row) => row.project_slug))]
}
