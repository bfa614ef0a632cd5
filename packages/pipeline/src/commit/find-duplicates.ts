/** Which events of a batch were stored before: SDKs and proxies send again what was answered too late. */
import { mergedInto, type Records, type Telemetry } from '@sonde/stores'
import type { ProcessedEvent } from '../process/processed.ts'
import type { Batch } from './batch-queue.ts'
import { type HeldItems, placeKey } from './pipeline-state.ts'
import { countedId, numberOf } from './sample-spikes.ts'

/** What an id was given to: an event, a transaction, an item of spans. */
export type Named = {
  readonly projectId: number
  readonly eventId: string
  readonly receivedMs: number
  readonly position: number
  readonly itemIndex: number
}

type IndexRow = {
  readonly project_id: number
  readonly event_id: string
  readonly log_partition: number
  readonly log_position: number
  readonly item_index: number
}

/**
 * The index is cut into weeks of receipt, and each costs its own look-up; senders that keep events on disk give up
 * long before this.
 */
const REMEMBERED_MS = 14 * 24 * 3600 * 1000

/**
 * A row from the same place of the log is this very batch, repeated after a crash: no duplicate. Of equal ids within
 * the batch the first wins.
 */
export async function findDuplicates<Item extends Named>(
  telemetry: Pick<Telemetry, 'query'>,
  partition: number,
  events: readonly Item[],
  /** What an earlier attempt at the batch held back: what it counted and did not store is itself, not sent again. */
  held: HeldItems = new Map(),
): Promise<ReadonlySet<Item>> {
  const first = new Map<string, Item>()
  const duplicates = new Set<Item>()
  for (const event of events) {
    const key = keyOf(event.projectId, event.eventId)
    if (first.has(key)) duplicates.add(event)
    else first.set(key, event)
  }
  const asked = [...first.values()]
  const [stored, counted] = await Promise.all([storedRows(telemetry, asked), countedIds(telemetry, asked)])
  if (counted.size > 0)
    for (const event of asked)
      if (countedKeys(event).some((key) => counted.has(key)) && !held.has(placeKey(event)))
        duplicates.add(event)
  for (const row of stored) {
    const event = first.get(keyOf(row.project_id, row.event_id))
    if (!event) continue
    const isItself =
      row.log_partition === partition &&
      row.log_position === event.position &&
      row.item_index === event.itemIndex
    if (!isItself) duplicates.add(event)
  }
  return duplicates
}

function storedRows(telemetry: Pick<Telemetry, 'query'>, events: readonly Named[]): Promise<IndexRow[]> {
  if (events.length === 0) return Promise.resolve([])
  return telemetry.query<IndexRow>(
    `SELECT project_id, event_id, log_partition, log_position, item_index FROM event_index
     WHERE received >= {since:DateTime64(3, 'UTC')}
       AND project_id IN {projects:Array(UInt32)} AND event_id IN {ids:Array(FixedString(32))}`,
    {
      since: events.reduce((least, event) => Math.min(least, event.receivedMs), Infinity) - REMEMBERED_MS,
      projects: [...new Set(events.map((event) => event.projectId))],
      ids: events.map((event) => event.eventId),
    },
  )
}

/** Events that were counted and not stored: `COUNTED_IDS`. */
async function countedIds(
  telemetry: Pick<Telemetry, 'query'>,
  events: readonly Named[],
): Promise<ReadonlySet<string>> {
  if (events.length === 0) return new Set()
  const rows = await telemetry.query<{ project_id: number; id: number }>(
    `SELECT project_id, id FROM counted_ids
     WHERE project_id IN {projects:Array(UInt32)} AND id IN {ids:Array(UInt64)}`,
    {
      projects: [...new Set(events.map((event) => event.projectId))],
      ids: events.flatMap(numbersOf),
    },
  )
  return new Set(rows.map((row) => `${row.project_id}:${row.id}`))
}
/** As they are written, and as earlier versions wrote them: those are there for a week. */
const numbersOf = ({ eventId }: Named): readonly number[] => [countedId(eventId), numberOf(eventId)]
const countedKeys = (event: Named): readonly string[] =>
  numbersOf(event).map((id) => `${event.projectId}:${id}`)

const keyOf = (projectId: number, eventId: string): string => `${projectId}:${eventId}`

/**
 * Events of a batch that an earlier attempt put into `events` before it was interrupted. When the batch is repeated they
 * may be read differently, because a source map came meanwhile, and by that belong to another issue. They keep the one that
 * they were stored with: otherwise the row would stand in one issue and be counted in another. Reprocessing moves them later.
 * docs/decisions/0018-symbolication.md
 */
type AlreadyStoredRow = {
  readonly project_id: number
  readonly log_position: number
  readonly item_index: number
  readonly issue: number
}

/** The issue of each event that is already stored. Read before the batch is marked again. */
export async function findAlreadyStored(
  telemetry: Pick<Telemetry, 'query'>,
  { partition, from, to }: Batch,
  events: readonly ProcessedEvent[],
): Promise<ReadonlyMap<ProcessedEvent, number>> {
  const alreadyStored = new Map<ProcessedEvent, number>()
  if (events.length === 0) return alreadyStored
  const received = events.map((event) => event.receivedMs)
  const rows = await telemetry.query<AlreadyStoredRow>(
    `SELECT project_id, log_position, item_index, argMax(issue_id, revision) AS issue FROM events
     WHERE project_id IN {projects:Array(UInt32)} AND log_partition = {partition:UInt32}
       AND log_position >= {from:UInt64} AND log_position < {to:UInt64}
       AND received >= {first:DateTime64(3, 'UTC')} AND received <= {last:DateTime64(3, 'UTC')}
     GROUP BY project_id, log_position, item_index`,
    {
      projects: [...new Set(events.map((event) => event.projectId))],
      partition,
      from,
      to,
      first: received.reduce((least, each) => Math.min(least, each), Infinity),
      last: received.reduce((most, each) => Math.max(most, each), 0),
    },
  )
  const issues = new Map(rows.map((row) => [storedKeyOf(row.log_position, row.item_index), row.issue]))
  for (const event of events) {
    const issue = issues.get(storedKeyOf(event.position, event.itemIndex))
    if (issue !== undefined) alreadyStored.set(event, issue)
  }
  return alreadyStored
}

/** Issues that became part of another since: their events are counted there. */
export async function followRedirects(
  tx: Records,
  alreadyStored: ReadonlyMap<ProcessedEvent, number>,
): Promise<ReadonlyMap<ProcessedEvent, number>> {
  if (alreadyStored.size === 0) return alreadyStored
  const into = await mergedInto(tx, [...alreadyStored.values()])
  return new Map([...alreadyStored].map(([event, issue]) => [event, into.get(issue) ?? issue]))
}

const storedKeyOf = (position: number | string, itemIndex: number): string => `${position}:${itemIndex}`
