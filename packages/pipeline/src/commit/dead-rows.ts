/** Dead letters of a batch: the record's bytes among the blobs, a row each in the records. */
import { decodeIntakeRecord } from '@sonde/log'
import type { Blobs, Records } from '@sonde/stores'
import { type DeadItem, partitionPrefix, WHOLE_RECORD } from '../process/processed.ts'
import type { Batch } from './batch-queue.ts'

export type PlacedDead = DeadItem & { readonly position: number }

/** Where an item is: in which record of the log, and as which of its items. */
export type PlacedItem = { readonly position: number; readonly itemIndex: number }

const deadBlobName = (partition: number, position: number): string =>
  `dead/${partitionPrefix(partition)}${String(position).padStart(16, '0')}`

/** Before the rows, so that a row never points to nothing. Repeating it writes the same. */
export async function storeDeadRecords(
  blobs: Blobs,
  batch: Batch,
  dead: readonly PlacedDead[],
): Promise<void> {
  const positions = new Set(dead.map((each) => each.position))
  for (const { record } of batch.entries) {
    if (positions.has(record.position))
      await blobs.put(deadBlobName(batch.partition, record.position), record.bytes)
  }
}

export async function writeDeadRows(
  tx: Records,
  batch: Batch,
  dead: readonly PlacedDead[],
  nowMs: number,
): Promise<void> {
  for (const each of dead) {
    const record = batch.entries.find((entry) => entry.record.position === each.position)?.record
    await tx
      .insertInto('dead_letter')
      .values({
        project_id: each.projectId === 0 ? null : each.projectId,
        log_partition: batch.partition,
        log_position: each.position,
        item_index: each.itemIndex,
        item_type: each.itemType,
        reason: each.reason,
        detail: each.detail,
        blob: deadBlobName(batch.partition, each.position),
        created_ms: nowMs,
        replayed_ms: null,
        bytes: record?.bytes.length ?? 0,
        sdk: record ? senderOf(record.bytes) : '',
      })
      .onConflict((on) => on.columns(['log_partition', 'log_position', 'item_index']).doNothing())
      .execute()
  }
}

// The names that SDKs give themselves are far shorter.
const MAX_SDK_CHARS = 64

/** What the sender called itself. The record may be what cannot be read: then nobody says. */
function senderOf(bytes: Uint8Array): string {
  try {
    const { meta } = decodeIntakeRecord(bytes)
    return meta.kind === 'envelope' ? (meta.client ?? '').slice(0, MAX_SDK_CHARS) : ''
  } catch {
    return ''
  }
}

/**
 * What an earlier attempt at this batch gave up on stays given up: its rows may be in telemetry under the batch's
 * token already, without this event, so that a second insert would drop it without a trace.
 */
export async function readGivenUp(
  tx: Records,
  { partition, from, to }: Batch,
): Promise<(item: PlacedItem) => boolean> {
  const rows = await tx
    .selectFrom('dead_letter')
    .select(['log_position', 'item_index'])
    .where('log_partition', '=', partition)
    .where('log_position', '>=', from)
    .where('log_position', '<', to)
    .where('reason', '!=', 'store_refused')
    .execute()
  const items = new Set(rows.map((row) => `${row.log_position}:${row.item_index}`))
  return ({ position, itemIndex }) =>
    items.has(`${position}:${itemIndex}`) || items.has(`${position}:${WHOLE_RECORD}`)
}
