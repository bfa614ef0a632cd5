/**
 * Where the bytes of a batch's attachments lie: where equal bytes of the same project lie already, else in a new blob
 * whose name no other will ever have. docs/internals/attachments.md
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { Blobs, Records } from '@sonde/stores'
import type { DigestedAttachment } from '../digest/digested.ts'
import type { Batch } from './batch.ts'

export type PlacedAttachment = DigestedAttachment & Place
type Place = {
  readonly blob: string
  /** Written for this batch, so that it is garbage if no row comes to name it. */
  readonly isNew: boolean
}

// Each waits for the disk; more at once than this would not make it faster.
const WRITES_AT_ONCE = 8
// The engine answers on this thread: so many looks take some milliseconds, then screens have their turn.
const LOOKS_PER_TURN = 32

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
  return placed
}

async function findPlace(records: Records, each: DigestedAttachment): Promise<Place> {
  // One look per content: what is attached to every event has a million rows, and one of them is enough.
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
