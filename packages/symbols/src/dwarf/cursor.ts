/** Reads a section of DWARF from front to back. What lies behind its end throws a `RangeError`. */
import { SymbolError } from '../symbol-table.ts'

/** Shared by everything that is read of one file: what it may cost, in attributes and instructions. */
export type Work = { left: number }

/** Measured: 10 million take about a second. The largest file that is read (64 MiB) needs some 20 million. */
export const MAX_WORK = 60_000_000

export function spend(work: Work, amount = 1): void {
  work.left -= amount
  if (work.left < 0) throw new SymbolError('reading its debug information takes too long')
}

export type Cursor = {
  at: number
  readonly bytes: Buffer
  u8(): number
  u16(): number
  u32(): number
  /** Exact up to 2^53: above it nothing is an address or a length. */
  u64(): number
  uleb(): number
  sleb(): number
  /** Of this many bytes, as addresses are. */
  sized(bytes: number): number
  /** Of four or eight bytes. */
  offset(is64: boolean): number
  skip(bytes: number): void
  skipText(): void
}

export function createCursor(bytes: Buffer, from: number): Cursor {
  const cursor: Cursor = {
    at: from,
    bytes,
    u8() {
      if (cursor.at >= bytes.length) throw new RangeError('behind the end')
      return bytes[cursor.at++]!
    },
    u16() {
      const value = bytes.readUInt16LE(cursor.at)
      cursor.at += 2
      return value
    },
    u32() {
      const value = bytes.readUInt32LE(cursor.at)
      cursor.at += 4
      return value
    },
    u64: () => cursor.u32() + cursor.u32() * 2 ** 32,
    uleb() {
      let value = 0
      for (let scale = 1; ; scale *= 128) {
        const byte = cursor.u8()
        if (scale < 2 ** 63) value += (byte & 0x7f) * scale
        if (byte < 0x80) return value
      }
    },
    sleb() {
      let value = 0
      for (let scale = 1; ; scale *= 128) {
        const byte = cursor.u8()
        if (scale < 2 ** 63) value += (byte & 0x7f) * scale
        if (byte < 0x80) return (byte & 0x40) === 0 ? value : value - scale * 128
      }
    },
    sized(size) {
      if (size === 8) return cursor.u64()
      if (size === 4) return cursor.u32()
      if (size === 2) return cursor.u16()
      return cursor.u8()
    },
    offset: (is64) => (is64 ? cursor.u64() : cursor.u32()),
    skip(size) {
      cursor.at += size
      if (!(cursor.at <= bytes.length)) throw new RangeError('behind the end')
    },
    skipText() {
      const end = bytes.indexOf(0, cursor.at)
      if (end === -1) throw new RangeError('behind the end')
      cursor.at = end + 1
    },
  }
  return cursor
}

const MAX_TEXT = 4_096

/** Text that ends with a zero byte. Empty where it lies outside. */
export function textAt(bytes: Buffer, at: number): string {
  if (!(at >= 0 && at < bytes.length)) return ''
  const limit = Math.min(bytes.length, at + MAX_TEXT)
  const end = bytes.subarray(at, limit).indexOf(0)
  return bytes.toString('utf8', at, end === -1 ? limit : at + end)
}

/** The length that units and line programs begin with. */
export function readLength(cursor: Cursor): { readonly end: number; readonly is64: boolean } {
  const short = cursor.u32()
  const is64 = short === 0xffffffff
  const length = is64 ? cursor.u64() : short
  const end = cursor.at + length
  if (!(end <= cursor.bytes.length)) throw new RangeError('behind the end')
  return { end, is64 }
}
