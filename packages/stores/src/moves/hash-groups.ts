/** What stored events say of fingerprints: how many have one, from when to when, and what the newest is called. */
import type { Selectable } from 'kysely'
import type { IssueMoveTable } from '../records/move-tables.ts'
import type { IssueTable, Records } from '../records/schema.ts'
import { EVENT_COUNT } from '../telemetry/tables/events.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'

type Reader = Pick<Telemetry, 'query'>

/** Events of one issue that have the same fingerprints. */
export type HashGroup = {
  /** Where their rows are. */
  readonly issueId: number
  readonly hashes: readonly string[]
  /** With those that a spike left out. */
  readonly events: number
  readonly rows: number
  readonly firstMs: number
  readonly lastMs: number
  readonly unhandled: number
  /** Of the first. */
  readonly firstRelease: string
  readonly releases: readonly string[]
  /** Of the newest: event id, type, level, title, culprit, platform. */
  readonly newest: readonly [string, string, string, string, string, string]
}

// An issue of more fingerprints was merged from thousands; its page shows the most frequent.
const MAX_GROUPS = 10_000

/**
 * The most frequent first. `isSettled`: no events of the issues are on their way to another, so that no row is there twice.
 */
async function readHashGroups(
  telemetry: Reader,
  projectId: number,
  issueIds: readonly number[],
  isSettled: boolean,
): Promise<readonly HashGroup[]> {
  const from = isSettled
    ? `events WHERE ${OF_ISSUES}`
    : `(SELECT issue_id, hashes, left_out, timestamp, handled, release, event_id, type, level, title, culprit, platform FROM events
       WHERE ${OF_ISSUES} ORDER BY revision DESC LIMIT 1 BY event_id, log_partition, log_position, item_index)`
  return telemetry.query<HashGroup>(
    `SELECT issue_id AS issueId, hashes, ${GROUP_FIGURES}
     FROM ${from} GROUP BY issueId, hashes ORDER BY events DESC LIMIT ${MAX_GROUPS}`,
    { project: projectId, issues: issueIds },
  )
}

const GROUP_FIGURES = `${EVENT_COUNT} AS events, count() AS rows,
  toUnixTimestamp64Milli(min(timestamp)) AS firstMs, toUnixTimestamp64Milli(max(timestamp)) AS lastMs,
  max(handled = 'no') AS unhandled, argMin(release, (timestamp, event_id)) AS firstRelease,
  groupUniqArray(1000)(release) AS releases,
  argMax([toString(event_id), type, level, title, culprit, platform], (timestamp, event_id)) AS newest`
const OF_ISSUES = 'project_id = {project:UInt32} AND issue_id IN {issues:Array(UInt64)}'

/** Fingerprints that some event has together are one error: they are moved together. */
export type Fingerprint = { readonly hashes: readonly string[]; readonly groups: readonly HashGroup[] }

/** Of an issue, whose hashes are `own`; those that no stored event has are one each. */
export function fingerprintsOf(
  groups: readonly HashGroup[],
  own: ReadonlySet<string>,
): readonly Fingerprint[] {
  const parent = new Map<string, string>()
  const rootOf = (hash: string): string => {
    let root = hash
    for (let up = parent.get(root); up !== undefined && up !== root; up = parent.get(root)) root = up
    parent.set(hash, root)
    return root
  }
  for (const hash of own) parent.set(hash, hash)
  for (const { hashes } of groups) {
    const [first, ...others] = hashes.filter((hash) => own.has(hash))
    if (first === undefined) continue
    for (const other of others) parent.set(rootOf(other), rootOf(first))
  }
  const members = Map.groupBy(own, rootOf)
  const events = Map.groupBy(groups, ({ hashes }) => {
    const known = hashes.find((hash) => own.has(hash))
    return known === undefined ? '' : rootOf(known)
  })
  return [...members].map(([root, hashes]) => ({ hashes, groups: events.get(root) ?? [] }))
}

/** What an issue is called and when it was seen: columns of its row that follow from its events. */
export const FIGURE_COLUMNS = [
  'first_seen_ms',
  'last_seen_ms',
  'is_unhandled',
  'first_release',
  'last_release',
  'type',
  'level',
  'title',
  'culprit',
  'platform',
  'metadata',
  'logger',
  'last_event_id',
] as const
export type Figures = Pick<Selectable<IssueTable>, (typeof FIGURE_COLUMNS)[number]>
export type Counted = {
  readonly events: number
  readonly figures: Figures
  readonly releases: readonly string[]
}

/** Undefined: they are none. Reads the payload of the newest event. */
export async function figuresOf(
  telemetry: Reader,
  projectId: number,
  groups: readonly HashGroup[],
  table: 'events' | 'deleted_events' = 'events',
): Promise<Counted | undefined> {
  const [any] = groups
  if (!any) return undefined
  const oldest = groups.reduce((a, b) => (b.firstMs < a.firstMs ? b : a), any)
  const last = groups.reduce((a, b) => (b.lastMs > a.lastMs ? b : a), any)
  const [eventId, type, level, title, culprit, platform] = last.newest
  const [row] = await telemetry.query<{ metadata: string; logger: string }>(
    `SELECT JSONExtractRaw(payload, 'derived', 'metadata') AS metadata, JSONExtractString(payload, 'logger') AS logger
     FROM ${table} WHERE project_id = {project:UInt32} AND issue_id = {issue:UInt64}
       AND timestamp = {at:DateTime64(3, 'UTC')} AND event_id = {event:String} LIMIT 1`,
    { project: projectId, issue: last.issueId, at: last.lastMs, event: eventId },
  )
  const releases = [...new Set(groups.flatMap((group) => group.releases))].filter((release) => release !== '')
  return {
    events: groups.reduce((sum, group) => sum + group.events, 0),
    releases,
    figures: {
      first_seen_ms: oldest.firstMs,
      last_seen_ms: last.lastMs,
      is_unhandled: groups.some(({ unhandled }) => unhandled === 1) ? 1 : 0,
      first_release: oldest.firstRelease,
      last_release: '',
      type,
      level,
      title,
      culprit,
      platform,
      metadata: row?.metadata || '{}',
      logger: row?.logger ?? '',
      last_event_id: eventId,
    },
  }
}

type ChosenEvents = {
  readonly table: 'events' | 'deleted_events'
  readonly projectId: number
  readonly issueIds: readonly number[]
  readonly eventIds: readonly string[]
  /** The issues' other events instead. */
  readonly others?: boolean
  /** All of them as events of this issue. */
  readonly asOne?: number
}

/** Of chosen events, by issue; of events that are on their way to another issue nothing is said. */
export async function countedEvents(
  telemetry: Reader,
  { table, projectId, issueIds, eventIds, others = false, asOne }: ChosenEvents,
): Promise<ReadonlyMap<number, Counted>> {
  const groups = await telemetry.query<HashGroup>(
    `SELECT issue_id AS issueId, [] AS hashes, ${GROUP_FIGURES}
     FROM ${table} WHERE ${OF_ISSUES} AND event_id ${others ? 'NOT IN' : 'IN'} {events:Array(FixedString(32))}
     GROUP BY issueId`,
    { project: projectId, issues: issueIds, events: eventIds },
  )
  const counted = new Map<number, Counted>()
  for (const [issueId, own] of Map.groupBy(groups, (group) => asOne ?? group.issueId)) {
    const figures = await figuresOf(telemetry, projectId, own, table)
    if (figures) counted.set(issueId, figures)
  }
  return counted
}

type Grouped = Pick<HashGroup, 'issueId' | 'hashes'>

export type FoundHashes = {
  readonly groups: readonly HashGroup[]
  /** Issues under whose id rows of these may be. */
  readonly places: readonly number[]
  /** No events of the project are on their way to another issue. */
  readonly isSettled: boolean
  /** Where events lead: to the issue of their first fingerprint that is known, else they stay where they are. */
  readonly leadOf: (group: Grouped) => number
}

/** Groups of events where the issues' rows may be, and to which issue each leads. */
export async function findHashGroups(
  { records, telemetry }: { readonly records: Records; readonly telemetry: Reader },
  projectId: number,
  issueIds: readonly number[],
): Promise<FoundHashes> {
  const open = await openMoves(records, projectId)
  const isSettled = open.length === 0
  const between = open.flatMap((move) => [move.from_issue_id, move.into_issue_id])
  const places = [...new Set([...issueIds, ...between])]
  const groups = await readHashGroups(telemetry, projectId, places, isSettled)
  return { groups, places, isSettled, leadOf: await readLeads(records, projectId, groups) }
}

export async function readLeads(
  records: Records,
  projectId: number,
  groups: readonly Grouped[],
): Promise<(group: Grouped) => number> {
  const known = await readHashes(records, projectId, groups)
  return ({ issueId, hashes }) =>
    hashes.map((hash) => known.get(hash)).find((id) => id !== undefined) ?? issueId
}

// SQLite takes 32,766 parameters in one statement; short lists keep its cache of prepared statements useful.
const MAX_LIST = 500

/** Hash → the issue that has it. */
export async function readHashes(
  tx: Records,
  projectId: number,
  events: readonly { readonly hashes: readonly string[] }[],
): Promise<Map<string, number>> {
  const hashes = [...new Set(events.flatMap((event) => event.hashes))]
  const known = new Map<string, number>()
  for (let at = 0; at < hashes.length; at += MAX_LIST) {
    const rows = await tx
      .selectFrom('issue_hash')
      .select(['hash', 'issue_id'])
      .where('project_id', '=', projectId)
      .where('hash', 'in', hashes.slice(at, at + MAX_LIST))
      .execute()
    for (const row of rows) known.set(row.hash, row.issue_id)
  }
  return known
}

export async function hashesOf(tx: Records, issueId: number): Promise<readonly string[]> {
  const rows = await tx
    .selectFrom('issue_hash')
    .select('hash')
    .where('issue_id', '=', issueId)
    .orderBy('hash')
    .execute()
  return rows.map(({ hash }) => hash)
}

export type OpenMove = Pick<
  Selectable<IssueMoveTable>,
  'id' | 'project_id' | 'from_issue_id' | 'into_issue_id' | 'hashes'
>

/** Of one project, or of all; in the order in which they were asked for. */
export async function openMoves(records: Records, projectId?: number): Promise<readonly OpenMove[]> {
  return records
    .selectFrom('issue_move')
    .select(['id', 'project_id', 'from_issue_id', 'into_issue_id', 'hashes'])
    .where('finished_ms', 'is', null)
    .$if(projectId !== undefined, (query) => query.where('project_id', '=', projectId ?? 0))
    .orderBy('id')
    .execute()
}
