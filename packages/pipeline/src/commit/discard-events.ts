/** Events whose fingerprint somebody discarded: dropped when their batch is marked, counted when the batch is. */
import type { Records } from '@sonde/stores'
import type { ProcessedEvent } from '../process/processed.ts'

// SQLite takes 32,766 parameters in one statement; short lists keep its cache of prepared statements useful.
const MAX_LIST = 500

/** Of `events`, those with a hash that is discarded. */
export async function discardedOf(
  tx: Records,
  events: readonly ProcessedEvent[],
): Promise<ReadonlySet<ProcessedEvent>> {
  const found = new Set<ProcessedEvent>()
  for (const [projectId, own] of Map.groupBy(events, (event) => event.projectId)) {
    const hashes = [...new Set(own.flatMap((event) => event.hashes))]
    const discarded = new Set<string>()
    for (let at = 0; at < hashes.length; at += MAX_LIST) {
      const rows = await tx
        .selectFrom('discarded_hash')
        .select('hash')
        .where('project_id', '=', projectId)
        .where('hash', 'in', hashes.slice(at, at + MAX_LIST))
        .execute()
      for (const { hash } of rows) discarded.add(hash)
    }
    if (discarded.size === 0) continue
    for (const event of own) if (event.hashes.some((hash) => discarded.has(hash))) found.add(event)
  }
  return found
}

/** In the transaction that moves the position, so that each counts once. */
export async function countDiscarded(tx: Records, events: Iterable<ProcessedEvent>): Promise<void> {
  for (const [projectId, own] of Map.groupBy(events, (event) => event.projectId)) {
    const dropped = new Map<string, { count: number; lastMs: number }>()
    for (const { hashes, receivedMs } of own)
      for (const hash of hashes) {
        const { count, lastMs } = dropped.get(hash) ?? { count: 0, lastMs: 0 }
        dropped.set(hash, { count: count + 1, lastMs: Math.max(lastMs, receivedMs) })
      }
    for (const [hash, { count, lastMs }] of dropped)
      await tx
        .updateTable('discarded_hash')
        .set((eb) => ({ dropped_count: eb('dropped_count', '+', count), last_ms: lastMs }))
        .where('project_id', '=', projectId)
        .where('hash', '=', hash)
        .execute()
  }
}
