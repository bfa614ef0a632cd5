/**
 * Rows of events follow their fingerprints to another issue. Nothing is counted here: that happened when the fingerprints were
 * moved. What is there decides what is done, so it may be interrupted anywhere and done again, and by the next move meanwhile.
 */
import { type OpenMove, readLeads, type Records, ROW_COLUMNS, type Telemetry } from '@sonde/stores'
import { type ChunkItem, keyOf } from '../reprocess/reprocessing-cursor.ts'
import type { ReprocessingStep } from '../reprocess/reprocessing-step.ts'
import {
  deleteOldRows,
  IN_LOT,
  indexedAnew,
  indexRow,
  insert,
  paramsOf,
  storedRevisions,
} from '../reprocess/stored-chunk.ts'

/** Where it may be interrupted; each may be the last one before a crash. */
export const MOVE_STEPS = [
  'events',
  'event_index',
  'index_deleted',
  'events_deleted',
] as const satisfies readonly ReprocessingStep[]
export type MoveStep = (typeof MOVE_STEPS)[number]

export type MoveNeeds = {
  readonly records: Records
  readonly telemetry: Pick<Telemetry, 'insert' | 'query' | 'deleteRows'>
  readonly signal: AbortSignal
  readonly afterStep: (step: MoveStep) => void | Promise<void>
}
type Place = { readonly timestampMs: number; readonly eventId: string }
type Row = Place & Omit<ChunkItem, 'from' | 'to'> & { readonly hashes: readonly string[] }

// A deletion walks every part of the table, for ten rows as for thousands; what is in memory meanwhile is the rows' text.
const CHUNK = { maxEvents: 2_000, maxBytes: 8 * 1024 * 1024 }
/** Of ids and hashes alone. */
const PAGE_EVENTS = 10_000

/** One chunk: how many rows moved, and behind which event to go on. Undefined: there is nothing left to move. */
export async function moveChunk(
  needs: MoveNeeds,
  move: OpenMove,
  after: Place | undefined,
): Promise<{ readonly moved: number; readonly after: Place | undefined } | undefined> {
  const { records, telemetry, afterStep } = needs
  const { project_id: projectId, from_issue_id: from } = move
  const page = await readPage(telemetry, move, after)
  const last = page.at(-1)
  if (!last) return undefined
  const leadOf = await readLeads(
    records,
    projectId,
    page.map(({ hashes }) => ({ issueId: from, hashes })),
  )
  const items: ChunkItem[] = []
  let bytes = 0
  let read = 0
  for (const { hashes, payloadBytes, ...row } of page) {
    if (items.length >= CHUNK.maxEvents || bytes >= CHUNK.maxBytes) break
    read++
    const to = leadOf({ issueId: from, hashes })
    if (to === from) continue
    items.push({ ...row, from, to })
    bytes += payloadBytes
  }
  const end = page[read - 1]
  const next = end && { timestampMs: end.timestampMs, eventId: end.eventId }
  if (items.length === 0) return { moved: 0, after: next }
  const chunk = { projectId, items }
  const stored = await storedRevisions(telemetry, chunk)
  const missing = items.filter(
    (item) => !(stored.get(keyOf(item)) ?? []).some((revision) => revision > item.revision),
  )
  const name = `move:${move.id}`
  await insert(telemetry, 'events', await copiedRows(telemetry, projectId, missing), name)
  await afterStep('events')
  const indexed = await indexedAnew(telemetry, chunk)
  await insert(
    telemetry,
    'event_index',
    items
      .filter((item) => !indexed.has(keyOf(item)))
      .map((item) => ({ item, row: indexRow(projectId, item) })),
    name,
  )
  await afterStep('event_index')
  // In this order an event can be found by its id at any moment.
  await deleteOldRows(needs, 'event_index', chunk, items)
  await afterStep('index_deleted')
  await deleteOldRows(needs, 'events', chunk, items)
  await afterStep('events_deleted')
  return { moved: items.length, after: next }
}

async function readPage(
  telemetry: MoveNeeds['telemetry'],
  { project_id: project, from_issue_id: issue, hashes }: OpenMove,
  after: Place | undefined,
): Promise<readonly (Row & { readonly payloadBytes: number })[]> {
  const named = hashes === '' ? undefined : (JSON.parse(hashes) as readonly string[])
  return telemetry.query(
    `SELECT toString(event_id) AS eventId, log_partition AS logPartition, log_position AS logPosition,
       item_index AS itemIndex, toUnixTimestamp64Milli(timestamp) AS timestampMs,
       toUnixTimestamp64Milli(received) AS receivedMs, revision, hashes, length(payload) AS payloadBytes
     FROM events WHERE project_id = {project:UInt32} AND issue_id = {issue:UInt64}
       ${named ? 'AND hasAny(hashes, {hashes:Array(String)})' : ''}
       ${
         after
           ? `AND timestamp >= {at:DateTime64(3, 'UTC')}
              AND NOT (timestamp = {at:DateTime64(3, 'UTC')} AND event_id <= {event:String})`
           : ''
       }
     ORDER BY project_id, issue_id, timestamp, event_id LIMIT ${PAGE_EVENTS}`,
    {
      project,
      issue,
      ...(named && { hashes: named }),
      ...(after && { at: after.timestampMs, event: after.eventId }),
    },
  )
}

/** Every column as it is but the issue and the revision, in the words of an insert. */
async function copiedRows(
  telemetry: MoveNeeds['telemetry'],
  projectId: number,
  items: readonly ChunkItem[],
): Promise<readonly { readonly item: ChunkItem; readonly row: string }[]> {
  const found: { item: ChunkItem; row: string }[] = []
  for (const [to, same] of Map.groupBy(items, (item) => item.to)) {
    const byKey = new Map(same.map((item) => [keyOf(item), item]))
    const rows = await telemetry.query<Omit<ChunkItem, 'to'> & { readonly row: string }>(
      `SELECT toString(event_id) AS eventId, log_partition AS logPartition, log_position AS logPosition,
         item_index AS itemIndex, revision, issue_id AS from, formatRowNoNewline('TabSeparated', ${COPIED}) AS row
       FROM events WHERE ${IN_LOT}`,
      { ...paramsOf({ projectId, items: same }, same), to },
    )
    // Where it goes there may be a copy of the same revision, of a move that was interrupted: only one of the two is copied.
    for (const { row, ...stored } of rows) {
      const item = byKey.get(keyOf(stored))
      if (item?.revision === stored.revision && item.from === stored.from) found.push({ item, row })
    }
  }
  return found
}

const CHANGED: Readonly<Record<string, string>> = {
  issue_id: '{to:UInt64}',
  revision: 'revision + 1',
}
const COPIED = ROW_COLUMNS.events.map((column) => CHANGED[column] ?? column).join(', ')
