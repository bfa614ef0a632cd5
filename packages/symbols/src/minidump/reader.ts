/** Bounded access to the bytes of a minidump: offsets and counts in it are a stranger's. */

/** The file cannot be read; the message is for people. */
export class MinidumpError extends Error {
  override readonly name = 'MinidumpError'
}

export type Stream = { readonly at: number; readonly size: number }

export type Reader = {
  readonly length: number
  /** 0 beyond the end: what a dump does not hold it does not say. */
  u16(at: number): number
  u32(at: number): number
  /** Exact up to 2^53; above it nothing is an address of a program. */
  u64(at: number): number
  bytes(at: number, length: number): Buffer
  /** `MINIDUMP_STRING`: length in bytes, UTF-16. */
  text(at: number): string
  streams: ReadonlyMap<number, Stream>
}

const SIGNATURE = 'MDMP'
const MAX_STREAMS = 1_000
const MAX_TEXT_BYTES = 2_048

/** https://learn.microsoft.com/windows/win32/api/minidumpapiset/ns-minidumpapiset-minidump_header. Throws `MinidumpError`. */
export function openMinidump(bytes: Uint8Array): Reader {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (file.length < 32 || file.toString('latin1', 0, 4) !== SIGNATURE)
    throw new MinidumpError('it does not begin as a minidump does')
  const u16 = (at: number): number => (at + 2 <= file.length ? file.readUInt16LE(at) : 0)
  const u32 = (at: number): number => (at + 4 <= file.length ? file.readUInt32LE(at) : 0)
  const count = u32(8)
  if (count > MAX_STREAMS) throw new MinidumpError(`it says that it has ${count} streams`)
  const streams = new Map<number, Stream>()
  for (let at = 0; at < count; at++) {
    const entry = u32(12) + at * 12
    const stream = { size: u32(entry + 4), at: u32(entry + 8) }
    if (stream.at > 0 && stream.at < file.length) streams.set(u32(entry), stream)
  }
  return {
    length: file.length,
    streams,
    u16,
    u32,
    u64: (at) => u32(at) + u32(at + 4) * 2 ** 32,
    bytes: (at, length) => file.subarray(Math.min(at, file.length), Math.min(at + length, file.length)),
    text(at) {
      const length = Math.min(u32(at), MAX_TEXT_BYTES, file.length - at - 4)
      if (at === 0 || !(length >= 2)) return ''
      // Whole characters, and aligned: Node 24.21 writes behind its memory for an odd length at an odd place.
      return Buffer.from(file.subarray(at + 4, at + 4 + length - (length % 2))).toString('utf16le')
    },
  }
}
