/** Which errors only one of two releases has, and how many people each of them hit. */
import type { Grant } from '@sonde/access'
import { EVENT_COUNT, EVENT_USERS } from '@sonde/stores'
import { type IssueRow, issueRow, selectIssues } from '../issues/issue-row.ts'
import { type Change, type Estimate, rateEstimate, shareChange } from '../performance/change-interval.ts'
import type { QueryDeps } from '../query-deps.ts'
import { releaseAdoption } from './release-adoption.ts'

/** Issues that a release brought, brought back, or in which they are resolved. */
export const RELEASE_ISSUE_KINDS = ['new', 'regressed', 'resolved'] as const
export type ReleaseIssueKind = (typeof RELEASE_ISSUE_KINDS)[number]

/** `eventCount` is ever, in all releases. */
export type ReleaseIssue = Omit<IssueRow, 'id' | 'project' | 'lastEventId'> & {
  /** Of those that are stored, in this release. */
  readonly eventsHere: number
  readonly usersHere: number
  /** Each of its events here is of a class of noise: docs/noise.md. */
  readonly isNoise: boolean
}
export type ReleaseIssuesInput = {
  readonly version: string
  /** In the order of the project: what is resolved in the one after it is resolved in this. */
  readonly previous: string | undefined
  readonly kind: ReleaseIssueKind
  /** At most 100. */
  readonly limit: number
}

/** Of a group of events. */
export const ONLY_NOISE = "toBool(countIf(noise_class = '') = 0)"

/** Those with the most events first. By an index of the records, then one range of `events` for each. */
export async function releaseIssues(
  { records, telemetry }: Pick<QueryDeps, 'records' | 'telemetry'>,
  { projectId }: Grant<'event:read' | 'project:read', 'project'>,
  { version, previous = '', kind, limit }: ReleaseIssuesInput,
): Promise<readonly ReleaseIssue[]> {
  if (version === '') return []
  const found = await selectIssues(records)
    .where('issue.project_id', '=', projectId)
    // That they are not empty is said for the engine: the indexes are of those rows only.
    .$if(kind === 'new', (query) =>
      query.where('issue.first_release', '=', version).where('issue.first_release', '<>', ''),
    )
    .$if(kind === 'regressed', (query) =>
      query.where('issue.regressed_release', '=', version).where('issue.regressed_release', '<>', ''),
    )
    .$if(kind === 'resolved', (query) =>
      query
        .where('issue.status', '=', 'resolved')
        .where('issue.resolved_release', '<>', '')
        .where(({ and, eb, or }) =>
          or([
            and([eb('issue.resolved_release', '=', version), eb('issue.resolved_in', '=', 'release')]),
            and([eb('issue.resolved_release', '=', previous), eb('issue.resolved_in', '=', 'next_release')]),
          ]),
        ),
    )
    .orderBy('issue.event_count', 'desc')
    .orderBy('issue.id', 'desc')
    .limit(limit)
    .execute()
  if (found.length === 0) return []
  const here = await telemetry.query<{ issue: number; events: number; users: number; isNoise: boolean }>(
    `SELECT issue_id AS issue, ${EVENT_COUNT} AS events, ${EVENT_USERS} AS users, ${ONLY_NOISE} AS isNoise FROM events
     WHERE project_id = {project:UInt32} AND issue_id IN {issues:Array(UInt64)} AND release = {release:String}
     GROUP BY issue`,
    { project: projectId, issues: found.map(({ id }) => id), release: version },
  )
  const hereOf = new Map(here.map((row) => [row.issue, row]))
  return found.map((row) => {
    const { id, project: _, lastEventId: __, ...shown } = issueRow(row)
    const { events = 0, users = 0, isNoise = false } = hereOf.get(id) ?? {}
    return { ...shown, eventsHere: events, usersHere: users, isNoise }
  })
}

export type ReleaseDifferencesInput = {
  readonly release: string
  readonly before: string
  readonly fromMs: number
  readonly toMs: number
  /** Empty or absent: every environment. */
  readonly environment?: readonly string[] | undefined
  /** Issues of each kind, at most 100. */
  readonly limit: number
}

export type DifferentIssue = IssueRow & {
  /** Stored events of the one release that has it, in this time. */
  readonly eventsHere: number
}
export type ErrorRate = {
  readonly events: number
  /** Page loads and navigations, counted up from what was sampled; 0: nobody measures them. */
  readonly visits: number
  /** People whom the release served, as far as senders tell them apart. */
  readonly users: number
  /** Who had an error, of these; undefined: senders do not tell users apart, or they are too few. */
  readonly people: Estimate | undefined
}
export type ReleaseDifferences = {
  /** With the most events first. */
  readonly onlyRelease: readonly DifferentIssue[]
  readonly onlyBefore: readonly DifferentIssue[]
  readonly release: ErrorRate
  readonly before: ErrorRate
  /** Of the share of people, `release` less `before`: in shares of one. */
  readonly change: Change
}

/**
 * Reads the release and the issue of every event of the project in the window, and what `releaseAdoption` reads. People are
 * compared, not events: one of them with a broken page sends a hundred. Where
 * page loads are sampled, people without an error are seen less often, and both shares are too high alike.
 */
export async function releaseDifferences(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'project'>,
  input: ReleaseDifferencesInput,
): Promise<ReleaseDifferences> {
  const { release, before, fromMs, toMs, environment = [] } = input
  const [onlyRelease, onlyBefore, hit, adoption] = await Promise.all([
    onlyIn(deps, grant, input, release, before),
    onlyIn(deps, grant, input, before, release),
    peopleHit(deps, grant, input),
    releaseAdoption(deps, grant, { fromMs, toMs, environment, releases: [release, before] }),
  ])
  const rateOf = (version: string): ErrorRate => {
    const use = adoption.releases.find((each) => each.release === version)
    const own = hit.get(version) ?? { events: 0, people: 0 }
    const people = Math.max(use?.users ?? 0, own.people)
    return {
      events: own.events,
      visits: use?.visits ?? 0,
      users: people,
      people: people === 0 ? undefined : rateEstimate(own.people / people, people),
    }
  }
  const [now, then] = [rateOf(release), rateOf(before)]
  return { onlyRelease, onlyBefore, release: now, before: then, change: shareChange(now.people, then.people) }
}

const WINDOW = `project_id = {project:UInt32} AND release IN {releases:Array(String)}
  AND timestamp >= fromUnixTimestamp64Milli({from:Int64}) AND timestamp < fromUnixTimestamp64Milli({to:Int64})
  AND (empty({environments:Array(String)}) OR environment IN {environments:Array(String)})`

const paramsOf = (
  { projectId }: Grant<'event:read', 'project'>,
  { release, before, fromMs, toMs, environment = [] }: ReleaseDifferencesInput,
) => ({ project: projectId, releases: [release, before], from: fromMs, to: toMs, environments: environment })

async function onlyIn(
  { records, telemetry }: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'project'>,
  input: ReleaseDifferencesInput,
  has: string,
  hasNot: string,
): Promise<readonly DifferentIssue[]> {
  const counts = await telemetry.query<{ issue: number; events: number }>(
    `SELECT issue_id AS issue, sumIf(1 + left_out, release = {has:String}) AS events FROM events WHERE ${WINDOW}
     GROUP BY issue_id HAVING events > 0 AND countIf(release = {hasNot:String}) = 0
     ORDER BY events DESC, issue_id LIMIT {limit:UInt32}`,
    { ...paramsOf(grant, input), has, hasNot, limit: Math.min(100, input.limit) },
  )
  if (counts.length === 0) return []
  const rows = await selectIssues(records)
    .where('issue.project_id', '=', grant.projectId)
    .where(
      'issue.id',
      'in',
      counts.map(({ issue }) => issue),
    )
    .execute()
  return counts.flatMap(({ issue, events }) => {
    const row = rows.find(({ id }) => id === issue)
    return row ? [{ ...issueRow(row), eventsHere: events }] : []
  })
}

async function peopleHit(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  grant: Grant<'event:read', 'project'>,
  input: ReleaseDifferencesInput,
): Promise<ReadonlyMap<string, { readonly events: number; readonly people: number }>> {
  const rows = await telemetry.query<{ release: string; events: number; people: number }>(
    `SELECT release, ${EVENT_COUNT} AS events, ${EVENT_USERS} AS people FROM events
     WHERE ${WINDOW} GROUP BY release`,
    paramsOf(grant, input),
  )
  return new Map(rows.map((row) => [row.release, row]))
}
