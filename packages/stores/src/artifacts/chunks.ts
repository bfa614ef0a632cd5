/** Pieces of uploads that are not put together yet. An organisation has equal pieces once. */
import { randomUUID } from 'node:crypto'
import type { Clock } from '@sonde/base'
import type { Blobs } from '../blobs/blobs.ts'
import { claimBlobs, releaseBlobs, reserveBlobs } from '../records/reserved-blobs.ts'
import type { Records } from '../records/schema.ts'
import type { StoredChunk } from './chunk-source.ts'
import { writeTransaction } from '../records/write-transaction.ts'

export type ChunkStore = {
  readonly records: Records
  readonly blobs: Pick<Blobs, 'put'>
  readonly clock: Clock
}

/** An upload that was broken off is taken up within a day, or not at all. */
const CHUNK_LIFETIME_MS = 24 * 3_600_000
// Writing 8 MiB takes seconds on a bad day.
const WRITE_WITHIN_MS = 3_600_000
const NAMES_AT_ONCE = 1_000

/** Of these, those that are there; they live on from now. */
export async function keepChunks(
  { records, clock }: Pick<ChunkStore, 'records' | 'clock'>,
  orgId: number,
  sha1s: readonly string[],
): Promise<ReadonlyMap<string, StoredChunk>> {
  const found = new Map<string, StoredChunk>()
  for (let at = 0; at < sha1s.length; at += NAMES_AT_ONCE) {
    const rows = await records
      .updateTable('artifact_chunk')
      .set({ expires_ms: clock.nowMs() + CHUNK_LIFETIME_MS })
      .where('org_id', '=', orgId)
      .where('sha1', 'in', sha1s.slice(at, at + NAMES_AT_ONCE))
      .returning(['sha1', 'blob', 'bytes'])
      .execute()
    for (const { sha1, blob, bytes } of rows) found.set(sha1, { blob, bytes })
  }
  return found
}

/** `bytes` were checked against `sha1`. Idempotent; durable when it resolves. */
export async function storeChunk(
  { records, blobs, clock }: ChunkStore,
  orgId: number,
  sha1: string,
  bytes: Uint8Array,
): Promise<void> {
  if ((await keepChunks({ records, clock }, orgId, [sha1])).has(sha1)) return
  const blob = `chunks/${orgId}/${sha1.slice(0, 2)}/${sha1}-${randomUUID()}`
  await reserveBlobs(records, [blob], clock.nowMs() + WRITE_WITHIN_MS)
  try {
    await blobs.put(blob, bytes)
    await writeTransaction(records, async (tx) => {
      const expires_ms = clock.nowMs() + CHUNK_LIFETIME_MS
      const row = { org_id: orgId, sha1, blob, bytes: bytes.length, expires_ms }
      const inserted = await tx
        .insertInto('artifact_chunk')
        .values(row)
        .onConflict((on) => on.doNothing())
        .returning('sha1')
        .executeTakeFirst()
      // Another request was faster: what this one wrote is garbage.
      if (inserted) await claimBlobs(tx, [blob])
      else await releaseBlobs(tx, [blob])
    })
  } catch (error) {
    // It expires anyway.
    await releaseBlobs(records, [blob]).catch(() => undefined)
    throw error
  }
}
