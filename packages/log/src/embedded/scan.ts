/**
 * Walks the records of one segment and gets past damage: a record with a bad body costs itself, a bad head costs
 * the bytes up to the next valid head. Work is linear in the bytes looked at, whatever they are.
 */
import { crc32 } from 'node:zlib'
import { decodeRecordHead, RECORD_HEAD_BYTES, RECORD_MARKER, SEGMENT_HEADER_BYTES } from './format.ts'
import type { LogFile } from './segments.ts'

// Two read calls per 6.6 kB × 40 records; small enough that asking for one record is cheap too.
const CHUNK_BYTES = 256 * 1024
const SECTOR_BYTES = 4096

/** `end`: the position where the segment's records end (the next segment's start, or what is durable). */
export type OpenSegment = {
  readonly file: Pick<LogFile, 'read'>
  readonly start: number
  readonly salt: Buffer
  readonly end: number
}
export type StoredRecord = {
  readonly position: number
  readonly next: number
  readonly timeMs: number
  readonly bytes: Uint8Array
}
/** Either records (in order, without holes, ending at `next`) or one damaged stretch that ends at `next`. */
export type Scanned = {
  readonly records: readonly StoredRecord[]
  readonly damaged: { readonly position: number; readonly bytes: number } | undefined
  readonly next: number
}

export function firstRecordPosition(start: number): number {
  return start + SEGMENT_HEADER_BYTES
}

/** Some records from `position` on, at most `maxRecords`. `next` is always greater than `position`, up to `end`. */
export async function scan(segment: OpenSegment, position: number, maxRecords: number): Promise<Scanned> {
  const records: StoredRecord[] = []
  let chunk = await readAt(segment, position, CHUNK_BYTES)
  let offset = 0
  while (position + offset < segment.end && records.length < maxRecords) {
    const at = position + offset
    const rest = chunk.subarray(offset)
    const head = rest.length < RECORD_HEAD_BYTES ? undefined : decodeRecordHead(rest, at, segment.salt)
    const next = head === undefined ? undefined : at + RECORD_HEAD_BYTES + head.length
    const cutByChunk =
      at + rest.length < segment.end &&
      (rest.length < RECORD_HEAD_BYTES || (next !== undefined && next > at + rest.length))
    if (cutByChunk && records.length > 0) break
    if (cutByChunk) {
      const wanted = Math.max(CHUNK_BYTES, next === undefined ? 0 : next - at)
      const bigger = await readAt(segment, at, wanted)
      // The file is shorter than the log says: nothing more will come out of this segment.
      if (bigger.length <= rest.length) return damage(at, segment.end)
      chunk = bigger
      position = at
      offset = 0
      continue
    }
    if (head === undefined || next === undefined || next > segment.end) {
      if (records.length > 0) break
      return damage(at, await findHead(segment, at + 1))
    }
    const bytes = rest.subarray(RECORD_HEAD_BYTES, next - at)
    if (crc32(bytes) !== head.bodyCrc) {
      if (records.length > 0) break
      return damage(at, next)
    }
    records.push({ position: at, next, timeMs: head.timeMs, bytes })
    offset = next - position
  }
  return { records, damaged: undefined, next: position + offset }
}

function damage(position: number, next: number): Scanned {
  return { records: [], damaged: { position, bytes: next - position }, next }
}

/** The first position from `from` on with a valid head of a record that ends within the segment; else its end. */
async function findHead(segment: OpenSegment, from: number): Promise<number> {
  for (let base = from; base + RECORD_HEAD_BYTES <= segment.end;) {
    const chunk = await readAt(segment, base, CHUNK_BYTES)
    if (chunk.length < RECORD_HEAD_BYTES) return segment.end
    const last = chunk.length - RECORD_HEAD_BYTES
    for (
      let at = chunk.indexOf(RECORD_MARKER);
      at >= 0 && at <= last;
      at = chunk.indexOf(RECORD_MARKER, at + 1)
    ) {
      const head = decodeRecordHead(chunk.subarray(at), base + at, segment.salt)
      if (head && base + at + RECORD_HEAD_BYTES + head.length <= segment.end) return base + at
    }
    base += last + 1
  }
  return segment.end
}

async function readAt(segment: OpenSegment, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(Math.min(length, segment.end - position))
  const offset = position - segment.start
  try {
    return bytes.subarray(0, await fill(segment.file, bytes, offset))
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return readAround(segment.file, bytes, offset)
  }
}

/** Reads until `bytes` is full or the file ends; answers how many came. */
async function fill(file: OpenSegment['file'], bytes: Buffer, offset: number): Promise<number> {
  let filled = 0
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, offset + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return filled
}

/** A bad sector is damage like any other: what cannot be read counts as zeros, which are never a record. */
async function readAround(file: OpenSegment['file'], bytes: Buffer, offset: number): Promise<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const boundary = SECTOR_BYTES - ((offset + at) % SECTOR_BYTES)
    const sector = bytes.subarray(at, at + boundary)
    const filled = await fill(file, sector, offset + at).catch((error: unknown) => {
      if (!isUnreadable(error)) throw error
      return sector.fill(0).length
    })
    at += filled
    if (filled < sector.length) return bytes.subarray(0, at)
  }
  return bytes
}

function isUnreadable(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EIO'
}
