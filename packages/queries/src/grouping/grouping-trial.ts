/**
 * What rules of grouping, or another version of it, would make of a project's recent events: read, grouped anew, and
 * nothing written. A page at a time, so that who waits sees how far it is.
 */
import type { Grant } from '@sonde/access'
import type { GroupingRules } from '@sonde/stores'
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

export const TRIAL_PAGE = 50
// What is in memory at once: payloads as text and parsed.
const MAX_PAGE_BYTES = 8 * 1024 * 1024
// A scan of the narrow columns ends here, however long ago the last event was.
const DAYS = 90

type Place = { readonly eventId: string; readonly issueId: number; readonly timestampMs: number }

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
  const page = await nextPlaces(deps, grant.projectId, cursor)
  const places = fitting(page, await sizesOf(deps, grant.projectId, page))
  const payloads = await payloadsOf(deps, grant.projectId, places)
  const events = places.flatMap((place): TriedEvent[] => {
    const payload = payloads.get(place.eventId)
    const grouped = payload === undefined ? undefined : group(payload, [rules.before, rules.now])
    const [before, now] = grouped ?? []
    const { eventId, issueId, timestampMs } = place
    return before && now ? [{ eventId, issueId, timestampMs, before, now }] : []
  })
  const last = places.at(-1)
  const isEnd = page.length < TRIAL_PAGE && places.length === page.length
  const owners = await ownersOf(deps, grant.projectId, events)
  return {
    events,
    owners,
    issues: await issuesOf(deps, grant.projectId, [
      ...events.map(({ issueId }) => issueId),
      ...Object.values(owners),
    ]),
    next: isEnd || !last ? undefined : `${last.timestampMs}:${last.eventId}`,
  }
}

const CURSOR = /^(\d{1,15}):([0-9a-f]{32})$/

async function nextPlaces(
  { telemetry, clock }: Pick<QueryDeps, 'telemetry' | 'clock'>,
  projectId: number,
  cursor: string | undefined,
): Promise<readonly Place[]> {
  const [, at, eventId] = CURSOR.exec(cursor ?? '') ?? []
  const beyond =
    at === undefined
      ? ''
      : `AND timestamp <= {at:DateTime64(3, 'UTC')} AND NOT (timestamp = {at:DateTime64(3, 'UTC')} AND event_id <= {event:String})`
  return telemetry.query<Place>(
    `SELECT toString(event_id) AS eventId, issue_id AS issueId, toUnixTimestamp64Milli(timestamp) AS timestampMs
     FROM events
     WHERE project_id = {project:UInt32} AND timestamp >= {since:DateTime64(3, 'UTC')} ${beyond}
     ORDER BY timestamp DESC, event_id LIMIT {limit:UInt32}`,
    {
      project: projectId,
      since: clock.nowMs() - DAYS * 86_400_000,
      limit: TRIAL_PAGE,
      ...(at !== undefined && { at: Number(at), event: eventId }),
    },
  )
}

/** At least one, or a single large event would end the trial. */
function fitting(places: readonly Place[], sizes: ReadonlyMap<string, number>): readonly Place[] {
  let bytes = 0
  const end = places.findIndex(
    ({ eventId }, at) => (bytes += sizes.get(eventId) ?? 0) > MAX_PAGE_BYTES && at > 0,
  )
  return end < 0 ? places : places.slice(0, end)
}

type Reader = Pick<QueryDeps, 'telemetry'>

const sizesOf = (deps: Reader, projectId: number, places: readonly Place[]) =>
  valuesOf<number>(deps, projectId, places, 'length(payload)')

const payloadsOf = (deps: Reader, projectId: number, places: readonly Place[]) =>
  valuesOf<string>(deps, projectId, places, 'payload')

/** By event id. Along the ordering key of `events`. */
async function valuesOf<Value>(
  { telemetry }: Reader,
  projectId: number,
  places: readonly Place[],
  column: 'payload' | 'length(payload)',
): Promise<ReadonlyMap<string, Value>> {
  if (places.length === 0) return new Map()
  const rows = await telemetry.query<{ eventId: string; value: Value }>(
    `SELECT toString(event_id) AS eventId, ${column} AS value FROM events
     WHERE project_id = {project:UInt32} AND issue_id IN {issues:Array(UInt64)}
       AND timestamp >= {from:DateTime64(3, 'UTC')} AND timestamp <= {to:DateTime64(3, 'UTC')}
       AND event_id IN {ids:Array(String)}`,
    {
      project: projectId,
      issues: [...new Set(places.map(({ issueId }) => issueId))],
      from: Math.min(...places.map(({ timestampMs }) => timestampMs)),
      to: Math.max(...places.map(({ timestampMs }) => timestampMs)),
      ids: places.map(({ eventId }) => eventId),
    },
  )
  return new Map(rows.map(({ eventId, value }) => [eventId, value]))
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
