/** Which events of a batch were stored before: SDKs and proxies send again what was answered too late. */
import type { Telemetry } from '@sonde/stores'

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
  events: readonly Item[],
): Promise<ReadonlySet<Item>> {
  const first = new Map<string, Item>()
  const duplicates = new Set<Item>()
  for (const event of events) {
    const key = keyOf(event.projectId, event.eventId)
    if (first.has(key)) duplicates.add(event)
    else first.set(key, event)
  }
  for (const row of await storedRows(telemetry, [...first.values()])) {
    const event = first.get(keyOf(row.project_id, row.event_id))
    if (!event) continue
    if (row.log_position !== event.position || row.item_index !== event.itemIndex) duplicates.add(event)
  }
  return duplicates
}

function storedRows(telemetry: Pick<Telemetry, 'query'>, events: readonly Named[]): Promise<IndexRow[]> {
  if (events.length === 0) return Promise.resolve([])
  return telemetry.query<IndexRow>(
    `SELECT project_id, event_id, log_position, item_index FROM event_index
     WHERE received >= {since:DateTime64(3, 'UTC')}
       AND project_id IN {projects:Array(UInt32)} AND event_id IN {ids:Array(FixedString(32))}`,
    {
      since: events.reduce((least, event) => Math.min(least, event.receivedMs), Infinity) - REMEMBERED_MS,
      projects: [...new Set(events.map((event) => event.projectId))],
      ids: events.map((event) => event.eventId),
    },
  )
}

const keyOf = (projectId: number, eventId: string): string => `${projectId}:${eventId}`
