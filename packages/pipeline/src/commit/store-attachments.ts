/**
 * Attachments of a batch: their bytes among the blobs, a row each in the records. Equal content of one project lies
 * there once. Repeating any of it changes nothing: a row is known by its place in the log. docs/internals/attachments.md
 */
import { UnavailableError } from '@sonde/base'
import { type Blobs, discardBlobs, type OutcomeFields, type Records } from '@sonde/stores'
import type { DigestedAttachment } from '../digest/digested.ts'
import type { Batch } from './batch.ts'
import type { PlacedItem } from './dead-rows.ts'
import { ACCEPTED, type EventEnd } from './outcomes.ts'

export type PlacedAttachment = DigestedAttachment & Place
type Place = {
  readonly blob: string
  /** Written for this batch, so that it is garbage if no row comes to name it. */
  readonly isNew: boolean
}

// Each waits for the disk; more at once than this would not make it faster.
const WRITES_AT_ONCE = 8

/** Before the rows, so that a row never names what is not there. */
export async function placeAttachments(
  { records, blobs }: { readonly records: Records; readonly blobs: Blobs },
  batch: Batch,
): Promise<readonly PlacedAttachment[]> {
  const placed: PlacedAttachment[] = []
  const writes: (() => Promise<void>)[] = []
  const placeOf = new Map<string, Place>()
  for (const { record, digested } of batch.entries) {
    for (const each of digested.attachments) {
      const content = `${each.projectId}/${each.sha256}`
      const known = placeOf.get(content)
      const place = known ?? (await findPlace(records, each))
      placeOf.set(content, place)
      placed.push({ ...each, ...place })
      if (known || !place.isNew) continue
      const bytes = record.bytes.subarray(each.offset, each.offset + each.bytes)
      writes.push(() => blobs.put(place.blob, bytes))
    }
  }
  for (let at = 0; at < writes.length; at += WRITES_AT_ONCE)
    await Promise.all(writes.slice(at, at + WRITES_AT_ONCE).map((write) => write()))
  return placed
}

async function findPlace(records: Records, each: DigestedAttachment): Promise<Place> {
  const row = await records
    .selectFrom('attachment')
    .select('blob')
    .where('project_id', '=', each.projectId)
    .where('sha256', '=', each.sha256)
    .limit(1)
    .executeTakeFirst()
  return row ? { blob: row.blob, isNew: false } : { blob: await freshName(records, each), isNew: true }
}

/** The place in the log makes it the only one of its name; a `-` more where an earlier attempt is being deleted. */
async function freshName(records: Records, each: DigestedAttachment): Promise<string> {
  const { projectId, sha256, position, itemIndex } = each
  const base = `attachments/${projectId}/${sha256.slice(0, 2)}/${sha256}-${position}-${itemIndex}`
  for (let name = base; ; name += '-') {
    const garbage = await records
      .selectFrom('blob_garbage')
      .select('name')
      .where('name', '=', name)
      .executeTakeFirst()
    if (!garbage) return name
  }
}

/** Inside the transaction that marks the batch. What was given up is counted with its dead letter. */
export async function writeAttachments(
  tx: Records,
  placed: readonly PlacedAttachment[],
  isGivenUp: (item: PlacedItem) => boolean,
  nowMs: number,
): Promise<readonly OutcomeFields[]> {
  const outcomes: OutcomeFields[] = []
  const projects = new Map<number, boolean>()
  for (const each of placed) {
    if (isGivenUp(each)) continue
    const { projectId } = each
    const isThere = projects.get(projectId) ?? (await projectExists(tx, projectId))
    projects.set(projectId, isThere)
    outcomes.push(attachmentOutcome(each, isThere ? await writeRow(tx, each) : PROJECT_GONE))
  }
  const written = placed.filter(({ isNew }) => isNew).map(({ blob }) => blob)
  await discardBlobs(tx, written, nowMs)
  return outcomes
}

async function projectExists(tx: Records, id: number): Promise<boolean> {
  return (await tx.selectFrom('project').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

const PROJECT_GONE: EventEnd = { outcome: 'invalid', reason: 'project_gone' }
const DUPLICATE: EventEnd = { outcome: 'invalid', reason: 'duplicate_attachment' }

async function writeRow(tx: Records, each: PlacedAttachment): Promise<EventEnd> {
  const rows = tx.selectFrom('attachment').select('id').limit(1)
  const own = await rows
    .where('log_position', '=', each.position)
    .where('item_index', '=', each.itemIndex)
    .executeTakeFirst()
  if (own) return ACCEPTED
  const same = await rows
    .where('project_id', '=', each.projectId)
    .where('event_id', '=', each.eventId)
    .where('name', '=', each.name)
    .where('sha256', '=', each.sha256)
    .executeTakeFirst()
  if (same) return DUPLICATE
  if (!each.isNew && !(await rows.where('blob', '=', each.blob).executeTakeFirst())) throw lostBlob(each)
  await tx
    .insertInto('attachment')
    .values({
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
      log_position: each.position,
      item_index: each.itemIndex,
      created_ms: each.receivedMs,
    })
    .execute()
  return ACCEPTED
}

/** Its last row was deleted since it was looked up: the next attempt writes the bytes anew. */
function lostBlob({ blob }: PlacedAttachment): UnavailableError {
  return new UnavailableError('an attachment with the same content was deleted just now', {
    operation: 'store an attachment',
    subject: blob,
    retryAfterSec: 1,
  })
}

function attachmentOutcome(each: DigestedAttachment, end: EventEnd): OutcomeFields {
  const { projectId, keyId, receivedMs: atMs } = each
  return { atMs, projectId, keyId, category: 'attachment', ...end, quantity: 1 }
}
