/** Pieces of uploads that are not put together yet. An organization has equal pieces once. */
import { createHash, randomUUID } from 'node:crypto'
import { type Clock, UnavailableError } from '@sonde/base'
import type { Blobs } from '../blobs/blobs.ts'
import { claimBlobs, releaseBlobs, reserveBlobs } from '../records/blob-garbage.ts'
import type { Records } from '../records/schema.ts'
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

/** The chunks of an upload as one file that can be read anywhere. Holds two chunks in memory. */
export type StoredChunk = { readonly blob: string; readonly bytes: number }

export type ChunkSource = {
  readonly bytes: number
  /** Throws `RangeError` beyond the end, `UnavailableError` when a chunk cannot be read. */
  read(offset: number, length: number): Promise<Buffer>
  /** Of everything, hex. */
  sha1(): Promise<string>
}

export function chunkSource(blobs: Pick<Blobs, 'get'>, chunks: readonly StoredChunk[]): ChunkSource {
  let total = 0
  const starts = chunks.map((chunk) => {
    const start = total
    total += chunk.bytes
    return start
  })
  // What is read lies in one chunk or goes on in the next.
  const held = new Map<number, Uint8Array>()

  const load = async (index: number): Promise<Uint8Array> => {
    const known = held.get(index)
    if (known) return known
    const chunk = chunks[index]
    const bytes = chunk && (await blobs.get(chunk.blob))
    if (!chunk || bytes?.length !== chunk.bytes) throw gone(chunk?.blob ?? String(index))
    held.set(index, bytes)
    const [oldest] = held.keys()
    if (held.size > 2 && oldest !== undefined) held.delete(oldest)
    return bytes
  }

  return {
    bytes: total,
    async read(offset, length) {
      if (offset < 0 || length < 0 || offset + length > total)
        throw new RangeError(`bytes ${offset} to ${offset + length} of ${total}`)
      const into = Buffer.allocUnsafe(length)
      let done = 0
      let index = chunkAt(starts, offset)
      while (done < length) {
        const bytes = await load(index)
        const from = offset + done - starts[index]!
        const part = bytes.subarray(from, from + length - done)
        into.set(part, done)
        done += part.length
        index++
      }
      return into
    },
    async sha1() {
      const hash = createHash('sha1')
      for (let index = 0; index < chunks.length; index++) hash.update(await load(index))
      return hash.digest('hex')
    },
  }
}

/** The last that begins at or before it. */
function chunkAt(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (starts[middle]! <= offset) low = middle
    else high = middle - 1
  }
  return low
}

function gone(blob: string): UnavailableError {
  return new UnavailableError('a part of the upload cannot be read', {
    operation: 'read an upload',
    subject: blob,
    hint: 'upload again',
    retryAfterSec: 5,
  })
}
