/**
 * `durable`: how the writer tells other processes up to where the log is on disk. One small file, written in
 * place after each flush and never synced: after a power loss an old value is merely too small, and the
 * writer's recovery publishes anew. A torn value fails its checksum and counts as missing.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { FORMAT_VERSION, readUint64, writeUint64 } from './format.ts'

const MAGIC = Buffer.from('SONDEPUB')
const PUBLISHED_BYTES = 44

export type Published = {
  /** Every byte of the log before this position is on disk. */
  readonly durable: number
  /**
   * The start of the segment whose bytes from `durable` on were refused and could not be cut off. Recovery
   * cuts them if that segment is still the last; otherwise the next segment's start already hides them.
   */
  readonly refusedSegment: number | undefined
  readonly writerPid: number
  readonly atMs: number
}

export function publishedPath(dir: string): string {
  return join(dir, 'durable')
}

export function encodePublished(published: Published): Buffer {
  const bytes = Buffer.alloc(PUBLISHED_BYTES)
  MAGIC.copy(bytes, 0)
  bytes.writeUInt32LE(FORMAT_VERSION, 8)
  bytes.writeUInt32LE(published.writerPid, 12)
  writeUint64(bytes, published.durable, 16)
  // Plus one: a segment may start at 0, and 0 says "none".
  writeUint64(bytes, published.refusedSegment === undefined ? 0 : published.refusedSegment + 1, 24)
  writeUint64(bytes, published.atMs, 32)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 40)), 40)
  return bytes
}

function decodePublished(bytes: Buffer): Published | undefined {
  if (bytes.length < PUBLISHED_BYTES || !bytes.subarray(0, 8).equals(MAGIC)) return undefined
  if (bytes.readUInt32LE(8) !== FORMAT_VERSION) return undefined
  if (bytes.readUInt32LE(40) !== crc32(bytes.subarray(0, 40))) return undefined
  const refused = readUint64(bytes, 24)
  return {
    durable: readUint64(bytes, 16),
    refusedSegment: refused === 0 ? undefined : refused - 1,
    writerPid: bytes.readUInt32LE(12),
    atMs: readUint64(bytes, 32),
  }
}

/** Nothing when no writer ran yet or the value is torn. */
export async function readPublished(dir: string): Promise<Published | undefined> {
  // The writer may be in the middle of its 44 bytes; it is out of it by the next look.
  for (let attempt = 0; attempt < 3; attempt++) {
    let bytes: Buffer
    try {
      bytes = await readFile(publishedPath(dir))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
    const published = decodePublished(bytes)
    if (published) return published
  }
  return undefined
}
