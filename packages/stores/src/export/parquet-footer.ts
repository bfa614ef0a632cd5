/**
 * How many rows a Parquet file has, read from its end: the metadata is a struct in Thrift's compact protocol, whose third field that
 * is. https://parquet.apache.org/docs/file-format/metadata/,
 * https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
 */

const MAGIC = 'PAR1'
const END_BYTES = 8
const ROWS_FIELD = 3

/** How many bytes of the end hold the metadata; `end`: at least the last 8 of the file. Undefined: it is no Parquet file. */
export function footerBytes(end: Buffer): number | undefined {
  if (end.length < END_BYTES || end.toString('latin1', end.length - MAGIC.length) !== MAGIC) return undefined
  return end.readUInt32LE(end.length - END_BYTES) + END_BYTES
}

/** `footer`: the last `footerBytes` of the file. Throws `RangeError` for what ends too early or is none. */
export function parquetRows(footer: Buffer): number {
  const reader = createReader(footer)
  const rows = reader.field(ROWS_FIELD)
  if (rows === undefined) throw new RangeError('the metadata says no number of rows')
  return rows
}

// Types of the compact protocol, as a field and as an element of a list say them.
const TYPE = {
  yes: 1,
  no: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  map: 11,
  struct: 12,
}
/** The metadata nests four deep. */
const MAX_DEPTH = 32

function createReader(bytes: Buffer) {
  let at = 0
  const byte = (): number => bytes.readUInt8(at++)
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const next = byte()
      value |= BigInt(next & 0x7f) << shift
      if (next < 0x80) return value
    }
    throw new RangeError('a number is too long')
  }
  const signed = (): number => {
    const value = varint()
    return Number((value >> 1n) ^ -(value & 1n))
  }
  const skipBytes = (count: number): void => {
    at += count
  }
  const skip = (type: number, depth: number, isElement = false): void => {
    if (depth > MAX_DEPTH) throw new RangeError('it nests too deep')
    switch (type) {
      case TYPE.yes:
      case TYPE.no:
        if (isElement) at += 1
        return
      case TYPE.byte:
        at += 1
        return
      case TYPE.i16:
      case TYPE.i32:
      case TYPE.i64:
        varint()
        return
      case TYPE.double:
        at += 8
        return
      case TYPE.binary:
        skipBytes(Number(varint()))
        return
      case TYPE.list:
      case TYPE.set: {
        const head = byte()
        const count = head >> 4 === 15 ? Number(varint()) : head >> 4
        for (let left = count; left > 0; left--) skip(head & 15, depth + 1, true)
        return
      }
      case TYPE.map: {
        const count = Number(varint())
        const types = count === 0 ? 0 : byte()
        for (let left = count; left > 0; left--) {
          skip(types >> 4, depth + 1, true)
          skip(types & 15, depth + 1, true)
        }
        return
      }
      case TYPE.struct:
        walk(depth + 1, () => undefined)
        return
      default:
        throw new RangeError(`there is no type ${type}`)
    }
  }
  /** Calls `take` for each field; what it does not read is skipped. */
  const walk = (depth: number, take: (id: number, type: number) => 'taken' | undefined): void => {
    for (let id = 0; ;) {
      const head = byte()
      if (head === 0) return
      id = head >> 4 === 0 ? signed() : id + (head >> 4)
      if (take(id, head & 15) === undefined) skip(head & 15, depth)
    }
  }
  return {
    /** A number of the outermost struct. */
    field(wanted: number): number | undefined {
      let found: number | undefined
      walk(0, (id, type) => {
        if (id !== wanted || (type !== TYPE.i64 && type !== TYPE.i32)) return undefined
        found = signed()
        return 'taken'
      })
      return found
    },
  }
}
