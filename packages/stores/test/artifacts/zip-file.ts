/** ZIPs byte by byte, so that they can be wrong in every way: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
import { deflateRawSync } from 'node:zlib'

export type ZipPart = {
  readonly name: string
  readonly content: Uint8Array | string
  readonly stored?: boolean
  /** What the headers say, when that is not so. */
  readonly flags?: number
  readonly method?: number
  readonly claimedBytes?: number
  readonly claimedPackedBytes?: number
  /** In the directory: the number of a part whose place it says to have. */
  readonly at?: number
}

/** `prefix` bytes before it, counted in its offsets or not. */
export function zipOf(
  parts: readonly ZipPart[],
  prefix: { readonly bytes: Uint8Array; readonly isCounted: boolean } = NO_PREFIX,
): Buffer {
  const pieces: Uint8Array[] = [prefix.bytes]
  let at = prefix.isCounted ? prefix.bytes.length : 0
  const put = (piece: Uint8Array): void => {
    pieces.push(piece)
    at += piece.length
  }
  const places = parts.map((part) => {
    const place = at
    const { name, packed, fields } = fieldsOf(part)
    put(Buffer.concat([u32(0x04034b50), u16(20), fields, u16(name.length), u16(0), name, packed]))
    return place
  })
  const start = at
  parts.forEach((part, index) => {
    const { name, fields } = fieldsOf(part)
    const end = [u16(name.length), u16(0), u16(0), u16(0), u16(0), u32(0), u32(places[part.at ?? index]!)]
    put(Buffer.concat([u32(0x02014b50), u16(20), u16(20), fields, ...end, name]))
  })
  const count = u16(Math.min(parts.length, 0xffff))
  put(Buffer.concat([u32(0x06054b50), u16(0), u16(0), count, count, u32(at - start), u32(start), u16(0)]))
  return Buffer.concat(pieces)
}

const NO_PREFIX = { bytes: new Uint8Array(), isCounted: false }
const u16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

const packedParts = new WeakMap<ZipPart, Buffer>()

function fieldsOf(part: ZipPart) {
  const content = Buffer.from(part.content)
  const packed = packedParts.get(part) ?? (part.stored === true ? content : deflateRawSync(content))
  packedParts.set(part, packed)
  const fields = Buffer.concat([
    u16(part.flags ?? 0x800),
    u16(part.method ?? (part.stored === true ? 0 : 8)),
    u32(0),
    // No check sum: the whole upload has one.
    u32(0),
    u32(part.claimedPackedBytes ?? packed.length),
    u32(part.claimedBytes ?? content.length),
  ])
  return { name: Buffer.from(part.name), packed, fields }
}
