/**
 * The rows of a batch's attachments, inside the transaction that marks the batch. Repeating it changes nothing: a row is
 * known by its place in the log. Asked and written in lists, because the engine answers on the thread of the screens.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { UnavailableError } from '@sonde/base'
import {
  attachmentUsageBeside,
  type Blobs,
  discardBlobs,
  type OutcomeFields,
  type Records,
} from '@sonde/stores'
import type { ProcessedAttachment } from '../process/processed.ts'
import type { Batch } from './batch-queue.ts'
import type { PlacedItem } from './dead-rows.ts'
import { ACCEPTED, type EventEnd } from './outcomes.ts'
import { type HeldItems, placeKey } from './pipeline-state.ts'

// SQLite takes 32,766 parameters in one statement; a row has 13.
const MAX_LIST = 500

const PROJECT_GONE: EventEnd = { outcome: 'invalid', reason: 'project_gone' }
const DUPLICATE: EventEnd = { outcome: 'invalid', reason: 'duplicate_attachment' }

export type AttachmentEnds = {
  readonly isGivenUp: (item: PlacedItem) => boolean
  /** Of an attachment whose event is not stored, the event's; undefined otherwise. */
  readonly endOf: (item: PlacedItem) => EventEnd | undefined
  readonly nowMs: number
}

/** What was given up is counted with its dead letter. */
export async function writeAttachments(
  tx: Records,
  batch: Omit<Batch, 'entries'>,
  placed: readonly PlacedAttachment[],
  { isGivenUp, endOf, nowMs }: AttachmentEnds,
): Promise<readonly OutcomeFields[]> {
  if (placed.length === 0) return []
  const taken = placed.filter((each) => !isGivenUp(each))
  const own = await ownPlaces(tx, batch)
  const projects = await existingProjects(tx, taken)
  const known = await knownFiles(tx, taken)
  const ends = taken.map((each): readonly [PlacedAttachment, EventEnd, boolean] => {
    const end = endOf(each)
    if (end) return [each, end, false]
    if (own.has(`${each.position}:${each.itemIndex}`)) return [each, ACCEPTED, false]
    if (!projects.has(each.projectId)) return [each, PROJECT_GONE, false]
    const file = fileKey(each.projectId, each.eventId, each.name, each.sha256)
    if (known.has(file)) return [each, DUPLICATE, false]
    known.add(file)
    return [each, ACCEPTED, true]
  })
  const added = ends.flatMap(([each, , isAdded]) => (isAdded ? [each] : []))
  await checkReused(tx, added)
  for (let at = 0; at < added.length; at += MAX_LIST)
    await tx
      .insertInto('attachment')
      .values(added.slice(at, at + MAX_LIST).map((each) => rowOf(batch.partition, each)))
      .execute()
  const named = new Set(added.map(({ blob }) => blob))
  const unnamed = placed.filter(({ isNew, blob }) => isNew && !named.has(blob)).map(({ blob }) => blob)
  await discardBlobs(tx, unnamed, nowMs)
  return ends.map(([each, end]) => attachmentOutcome(each, end))
}

/** Rows that an earlier attempt at this batch wrote. */
async function ownPlaces(tx: Records, { partition, from, to }: Omit<Batch, 'entries'>): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('attachment')
    .select(['log_position', 'item_index'])
    .where('log_partition', '=', partition)
    .where('log_position', '>=', from)
    .where('log_position', '<', to)
    .execute()
  return new Set(rows.map((row) => `${row.log_position}:${row.item_index}`))
}

async function existingProjects(tx: Records, placed: readonly PlacedAttachment[]): Promise<Set<number>> {
  const found = new Set<number>()
  for (const id of new Set(placed.map(({ projectId }) => projectId))) {
    const row = await tx.selectFrom('project').select('id').where('id', '=', id).executeTakeFirst()
    if (row) found.add(id)
  }
  return found
}

const fileKey = (project: number, event: string, name: string, sha256: string): string =>
  JSON.stringify([project, event, name, sha256])

/** The files that the events of the batch have already. */
async function knownFiles(tx: Records, placed: readonly PlacedAttachment[]): Promise<Set<string>> {
  const known = new Set<string>()
  for (const [projectId, own] of Map.groupBy(placed, (each) => each.projectId)) {
    const events = [...new Set(own.map(({ eventId }) => eventId))]
    for (let at = 0; at < events.length; at += MAX_LIST) {
      const rows = await tx
        .selectFrom('attachment')
        .select(['event_id', 'name', 'sha256'])
        .where('project_id', '=', projectId)
        .where('event_id', 'in', events.slice(at, at + MAX_LIST))
        .execute()
      for (const row of rows) known.add(fileKey(projectId, row.event_id, row.name, row.sha256))
    }
  }
  return known
}

/** The last row with the same bytes may have been deleted since they were found: then the next attempt writes them anew. */
async function checkReused(tx: Records, added: readonly PlacedAttachment[]): Promise<void> {
  const reused = added.filter(({ isNew }) => !isNew).map(({ blob }) => blob)
  for (const blob of new Set(reused)) {
    const row = await tx
      .selectFrom('attachment')
      .select('id')
      .where('blob', '=', blob)
      .limit(1)
      .executeTakeFirst()
    if (row) continue
    throw new UnavailableError('an attachment with the same content was deleted just now', {
      operation: 'store an attachment',
      subject: blob,
      retryAfterSec: 1,
    })
  }
}

const rowOf = (partition: number, each: PlacedAttachment) => ({
  project_id: each.projectId,
  event_id: each.eventId,
  name: each.name,
  content_type: each.contentType,
  attachment_type: each.attachmentType,
  shown_as: each.shownAs,
  bytes: each.bytes,
  sha1: each.sha1,
  sha256: each.sha256,
  blob: each.blob,
  log_partition: partition,
  log_position: each.position,
  item_index: each.itemIndex,
  created_ms: each.receivedMs,
})

export function attachmentOutcome(
  each: Pick<PlacedAttachment, 'projectId' | 'keyId' | 'receivedMs'>,
  end: EventEnd,
): OutcomeFields {
  const { projectId, keyId, receivedMs: atMs } = each
  return { atMs, projectId, keyId, category: 'attachment', ...end, quantity: 1 }
}

/**
 * Where the bytes of a batch's attachments lie: where equal bytes of the same project lie already, else in a new blob
 * whose name no other will ever have. docs/internals/attachments.md
 */
type PlacedAttachment = ProcessedAttachment & Place
type Place = {
  readonly blob: string
  /** Written for this batch, so that it is garbage if no row comes to name it. */
  readonly isNew: boolean
}

// Each waits for the disk; more at once than this would not make it faster.
const WRITES_AT_ONCE = 8
// The engine answers on this thread: so many looks take some milliseconds, then screens have their turn.
const LOOKS_PER_TURN = 32

type PlacedAttachments = {
  readonly placed: readonly PlacedAttachment[]
  /** Their organization has no room for them. */
  readonly refused: readonly ProcessedAttachment[]
}

/**
 * Before the rows, so that a row never names what is not there. `held`: what the attempt before refused, which decided for
 * all of the batch.
 */
export async function placeAttachments(
  {
    records,
    blobs,
    attachmentQuotaBytes: quotaBytes,
  }: { readonly records: Records; readonly blobs: Blobs; readonly attachmentQuotaBytes?: number },
  batch: Batch,
  held: HeldItems | undefined,
): Promise<PlacedAttachments> {
  const placed: PlacedAttachment[] = []
  const refused: ProcessedAttachment[] = []
  const writes: (() => Promise<void>)[] = []
  const placeOf = new Map<string, Place>()
  const hasRoom = held || quotaBytes === undefined ? undefined : roomWithin(records, quotaBytes)
  for (const { record, processed } of batch.entries) {
    for (const each of processed.attachments) {
      const content = `${each.projectId}/${each.sha256}`
      const known = placeOf.get(content)
      const place = known ?? (await findPlace(records, batch.partition, each))
      const isRefused =
        held?.get(placeKey(each)) === 'attachment_quota' ||
        (!known && place.isNew && (await hasRoom?.(each)) === false)
      if (isRefused) {
        refused.push(each)
        continue
      }
      placed.push({ ...each, ...place })
      if (known) continue
      placeOf.set(content, place)
      if (placeOf.size % LOOKS_PER_TURN === 0) await turn()
      if (!place.isNew) continue
      const bytes = record.bytes.subarray(each.offset, each.offset + each.bytes)
      writes.push(() => blobs.put(place.blob, bytes))
    }
  }
  for (let at = 0; at < writes.length; at += WRITES_AT_ONCE)
    await Promise.all(writes.slice(at, at + WRITES_AT_ONCE).map((write) => write()))
  return { placed, refused }
}

/** Counts what fits. This is the only place that adds, so whatever goes meanwhile leaves more room, never less. */
function roomWithin(records: Records, quotaBytes: number): (each: ProcessedAttachment) => Promise<boolean> {
  const orgOf = new Map<number, number | undefined>()
  const usedBy = new Map<number, number>()
  return async ({ projectId, bytes }) => {
    if (!orgOf.has(projectId)) {
      const usage = await attachmentUsageBeside(records, projectId)
      orgOf.set(projectId, usage?.orgId)
      if (usage && !usedBy.has(usage.orgId)) usedBy.set(usage.orgId, usage.bytes)
    }
    const orgId = orgOf.get(projectId)
    // Its row says what becomes of it.
    if (orgId === undefined) return true
    const used = (usedBy.get(orgId) ?? 0) + bytes
    if (used > quotaBytes) return false
    usedBy.set(orgId, used)
    return true
  }
}

async function findPlace(records: Records, partition: number, each: ProcessedAttachment): Promise<Place> {
  // One look per content: what is attached to every event has a million rows, and one of them is enough.
  const row = await records
    .selectFrom('attachment')
    .select('blob')
    .where('project_id', '=', each.projectId)
    .where('sha256', '=', each.sha256)
    .limit(1)
    .executeTakeFirst()
  return row
    ? { blob: row.blob, isNew: false }
    : { blob: await freshName(records, partition, each), isNew: true }
}

/** The place in the log makes it the only one of its name; a `-` more where an earlier attempt is being deleted. */
async function freshName(records: Records, partition: number, each: ProcessedAttachment): Promise<string> {
  const { projectId, sha256, position, itemIndex } = each
  const base = `attachments/${projectId}/${sha256.slice(0, 2)}/${sha256}-${partition ? `${partition}-` : ''}${position}-${itemIndex}`
  for (let name = base; ; name += '-') {
    const garbage = await records
      .selectFrom('blob_garbage')
      .select('name')
      .where('name', '=', name)
      .executeTakeFirst()
    if (!garbage) return name
  }
}
