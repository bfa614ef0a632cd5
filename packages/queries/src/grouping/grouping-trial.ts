/**
 * What rules of grouping, or another version of it, would make of a project's recent events: read, grouped anew, and
 * nothing written. A page at a time, so that who waits sees how far it is.
 */
import type { Grant } from '@sonde/access'
import type { GroupingRules } from '@sonde/stores'
import { recentPayloads } from '../events/recent-payloads.ts'
import type { QueryDeps } from '../query-deps.ts'

/** Groups a stored event once for each of `rules`; undefined where its payload cannot be read. Pure, never throws. */
export type GroupStored = (
  payload: string,
  rules: readonly GroupingRules[],
) => readonly StoredGrouping[] | undefined

export type StoredGrouping = {
  /** The primary one. */
  readonly hash: string
  readonly title: string
  /** The fingerprint rule that decided, as it was written. */
  readonly rule: string | undefined
  /** Its values, with variables filled in; else what decided: `stacktrace`, `message`, … */
  readonly fingerprint: string
  /** How many frames stack-trace rules changed. */
  readonly changedFrames: number
}

export type TriedEvent = {
  readonly eventId: string
  readonly issueId: number
  readonly timestampMs: number
  readonly before: StoredGrouping
  readonly now: StoredGrouping
}

export type GroupingTrial = {
  /** Newest first. */
  readonly events: readonly TriedEvent[]
  /** Of these issues, as far as they are still there. */
  readonly issues: readonly { readonly id: number; readonly shortId: string; readonly title: string }[]
  /** Issues that have a hash of `now` already. */
  readonly owners: Readonly<Record<string, number>>
  /** Hand in to go on; undefined: there are no more events. */
  readonly next: string | undefined
}

/**
 * At most `TRIAL_PAGE` events and 8 MiB of payloads. `cursor`: of the page before; one that makes no sense begins anew.
 * Reads the narrow columns of the project's newest events, then the payloads by key.
 */
export async function groupingTrial(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>,
  grant: Grant<'event:read' | 'project:write', 'project'>,
  group: GroupStored,
  rules: { readonly before: GroupingRules; readonly now: GroupingRules },
  cursor?: string,
): Promise<GroupingTrial> {
  const { places, payloads, next } = await recentPayloads(deps, grant.projectId, cursor)
  const events = places.flatMap((place): TriedEvent[] => {
    const payload = payloads.get(place.eventId)
    const grouped = payload === undefined ? undefined : group(payload, [rules.before, rules.now])
    const [before, now] = grouped ?? []
    const { eventId, issueId, timestampMs } = place
    return before && now ? [{ eventId, issueId, timestampMs, before, now }] : []
  })
  const owners = await ownersOf(deps, grant.projectId, events)
  return {
    events,
    owners,
    issues: await issuesOf(deps, grant.projectId, [
      ...events.map(({ issueId }) => issueId),
      ...Object.values(owners),
    ]),
    next,
  }
}

async function ownersOf(
  { records }: Pick<QueryDeps, 'records'>,
  projectId: number,
  events: readonly TriedEvent[],
): Promise<Readonly<Record<string, number>>> {
  const hashes = [...new Set(events.map(({ now }) => now.hash))]
  if (hashes.length === 0) return {}
  const rows = await records
    .selectFrom('issue_hash')
    .select(['hash', 'issue_id'])
    .where('project_id', '=', projectId)
    .where('hash', 'in', hashes)
    .execute()
  return Object.fromEntries(rows.map((row) => [row.hash, row.issue_id]))
}

async function issuesOf(
  { records }: Pick<QueryDeps, 'records'>,
  projectId: number,
  issueIds: readonly number[],
): Promise<GroupingTrial['issues']> {
  const ids = [...new Set(issueIds)]
  if (ids.length === 0) return []
  const rows = await records
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .select(['issue.id', 'issue.short_number', 'issue.title', 'project.slug'])
    .where('issue.project_id', '=', projectId)
    .where('issue.id', 'in', ids)
    .execute()
  return rows.map(({ id, short_number: number, title, slug }) => ({
    id,
    shortId: `${slug.toUpperCase()}-${number}`,
    title,
  }))
}
