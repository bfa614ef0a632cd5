/**
 * Bytes of the embedded log, version 1; `docs/internals/log-format.md` describes the same for a second
 * implementation. All integers are little-endian. A position is `segment start + offset in the file`, so
 * headers take positions too and a position names one byte of the whole log for ever.
 */
import { crc32 } from 'node:zlib'

export const FORMAT_VERSION = 1
const MAGIC = Buffer.from('SONDELOG')
const HEADER_COPY_BYTES = 32
/** Two copies, so that one flipped bit does not cost a whole segment its salt. */
export const SEGMENT_HEADER_BYTES = 2 * HEADER_COPY_BYTES

/** Not valid UTF-8 and not zero: rare in what clients send, absent from blank blocks. */
export const RECORD_MARKER = Buffer.from([0xfe, 0xd1, 0x5e, 0xc5])
export const RECORD_HEAD_BYTES = 24
/** Far above what ingest admits; keeps a reader from allocating what a damaged length asks for. */
export const MAX_RECORD_BYTES = 2 ** 30

/** `salt`: 8 random bytes per segment, so that neither stale blocks nor bytes a client sent pass as a head. */
export type SegmentHeader = { readonly start: number; readonly salt: Buffer }
export type RecordHead = { readonly length: number; readonly timeMs: number; readonly bodyCrc: number }

const SEGMENT_NAME = /^(\d{20})\.log$/

export function segmentName(start: number): string {
  return `${String(start).padStart(20, '0')}.log`
}

/** The start position; nothing for a file that is not a segment. */
export function segmentStart(fileName: string): number | undefined {
  const digits = SEGMENT_NAME.exec(fileName)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

export function encodeSegmentHeader(header: SegmentHeader): Buffer {
  const copy = Buffer.alloc(HEADER_COPY_BYTES)
  MAGIC.copy(copy, 0)
  copy.writeUInt32LE(FORMAT_VERSION, 8)
  header.salt.copy(copy, 12, 0, 8)
  writeUint64(copy, header.start, 20)
  copy.writeUInt32LE(crc32(copy.subarray(0, 28)), 28)
  return Buffer.concat([copy, copy])
}

/** `damaged`: neither copy validates. `newer`: both carry the magic and agree on a version we do not know. */
export function decodeSegmentHeader(bytes: Buffer): SegmentHeader | 'damaged' | { readonly newer: number } {
  const copies = [0, HEADER_COPY_BYTES].map((at) => bytes.subarray(at, at + HEADER_COPY_BYTES))
  const versions = new Set<number>()
  for (const copy of copies) {
    if (copy.length < HEADER_COPY_BYTES || !copy.subarray(0, 8).equals(MAGIC)) continue
    const version = copy.readUInt32LE(8)
    versions.add(version)
    if (version !== FORMAT_VERSION || copy.readUInt32LE(28) !== crc32(copy.subarray(0, 28))) continue
    return { start: readUint64(copy, 20), salt: Buffer.from(copy.subarray(12, 20)) }
  }
  const [version] = versions
  return versions.size === 1 && version !== undefined && version > FORMAT_VERSION
    ? { newer: version }
    : 'damaged'
}

/** Into `bytes`, which has `RECORD_HEAD_BYTES`. */
export function writeRecordHead(bytes: Buffer, head: RecordHead, position: number, salt: Buffer): void {
  RECORD_MARKER.copy(bytes, 0)
  bytes.writeUInt32LE(head.length, 4)
  writeUint64(bytes, head.timeMs, 8)
  bytes.writeUInt32LE(head.bodyCrc, 16)
  bytes.writeUInt32LE(headCrc(bytes, position, salt), 20)
}

/** `bytes` starts where the head should be and holds all of it. Nothing unless it is whole and belongs at `position`. */
export function decodeRecordHead(bytes: Buffer, position: number, salt: Buffer): RecordHead | undefined {
  if (!bytes.subarray(0, 4).equals(RECORD_MARKER)) return undefined
  if (bytes.readUInt32LE(20) !== headCrc(bytes, position, salt)) return undefined
  const length = bytes.readUInt32LE(4)
  if (length > MAX_RECORD_BYTES) return undefined
  return { length, timeMs: readUint64(bytes, 8), bodyCrc: bytes.readUInt32LE(16) }
}

const covered = Buffer.alloc(36)

function headCrc(head: Buffer, position: number, salt: Buffer): number {
  head.copy(covered, 0, 0, 20)
  writeUint64(covered, position, 20)
  salt.copy(covered, 28, 0, 8)
  return crc32(covered)
}

const WORD = 2 ** 32

/** Of a non-negative integer below 2^53; twice as fast as going through BigInt. */
export function writeUint64(bytes: Buffer, value: number, offset: number): void {
  bytes.writeUInt32LE(value % WORD, offset)
  bytes.writeUInt32LE(Math.floor(value / WORD), offset + 4)
}

export function readUint64(bytes: Buffer, offset: number): number {
  return bytes.readUInt32LE(offset + 4) * WORD + bytes.readUInt32LE(offset)
}
