/**
 * Where the bytes of a batch's attachments lie: where equal bytes of the same project lie already, else in a new blob
 * whose name no other will ever have. docs/internals/attachments.md
 */
import { setImmediate as turn } from 'node:timers/promises'
import { attachmentUsageBeside, type Blobs, type Records } from '@sonde/stores'
import type { DigestedAttachment } from '../digest/digested.ts'
import type { Batch } from './batch.ts'
import { type HeldItems, placeKey } from './pipeline-state.ts'

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

export type PlacedAttachments = {
  readonly placed: readonly PlacedAttachment[]
  /** Their organisation has no room for them. */
  readonly refused: readonly DigestedAttachment[]
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
  const refused: DigestedAttachment[] = []
  const writes: (() => Promise<void>)[] = []
  const placeOf = new Map<string, Place>()
  const hasRoom = held || quotaBytes === undefined ? undefined : roomWithin(records, quotaBytes)
  for (const { record, digested } of batch.entries) {
    for (const each of digested.attachments) {
      const content = `${each.projectId}/${each.sha256}`
      const known = placeOf.get(content)
      const place = known ?? (await findPlace(records, each))
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
function roomWithin(records: Records, quotaBytes: number): (each: DigestedAttachment) => Promise<boolean> {
  const orgOf = new Map<number, number | undefined>()
  const usedBy = new Map<number, number>()
  return async ({ projectId, bytes }) => {
    if (!orgOf.has(projectId)) {
      const usage = await attachmentUsageBeside(records, projectId)
      orgOf.set(projectId, usage?.orgId)
      if (usage && !usedBy.has(usage.orgId)) usedBy.set(usage.orgId, usage.bytes)
    }
    const orgId = orgOf.get(projectId)
    // What becomes of it is said by its row.
    if (orgId === undefined) return true
    const used = (usedBy.get(orgId) ?? 0) + bytes
    if (used > quotaBytes) return false
    usedBy.set(orgId, used)
    return true
  }
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
