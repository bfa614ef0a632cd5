/** The chunks of an upload as one file that can be read anywhere. Holds two chunks in memory. */
import { createHash } from 'node:crypto'
import { UnavailableError } from '@sonde/base'
import type { Blobs } from '../blobs/blobs.ts'

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
