/**
 * Looks for a text in every file below a folder, as whoever has the disk would: in the bytes as they are, and in what they
 * unpack to: ClickHouse's compressed blocks (LZ4, ZSTD or none), zlib, gzip and ZSTD.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'

/** Names of the files, from the folder on. Files that go while it looks have nothing. */
export function filesWith(dir: string, text: string): readonly string[] {
  const wanted = Buffer.from(text)
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => contentsOf(path).some((bytes) => bytes.includes(wanted)))
    .map((path) => relative(dir, path))
    .sort()
}

function contentsOf(path: string): readonly Buffer[] {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch {
    return []
  }
  return [bytes, unpacked(() => inflateSync(bytes)), unpacked(() => gunzipSync(bytes)), blocksOf(bytes)]
}

function unpacked(unpack: () => Buffer): Buffer {
  try {
    return unpack()
  } catch {
    return Buffer.alloc(0)
  }
}

// Checksum, method, size with this header of nine bytes, size unpacked:
// https://github.com/ClickHouse/ClickHouse/blob/v25.8.1.5101-lts/src/Compression/CompressionInfo.h
const CHECKSUM_BYTES = 16
const HEADER_BYTES = 9
const NONE = 0x02
const LZ4 = 0x82
const ZSTD = 0x90
const MAX_BLOCK_BYTES = 64 * 1024 * 1024

/** All blocks of a file one after the other; a file of something else gives nothing. */
function blocksOf(bytes: Buffer): Buffer {
  const blocks: Buffer[] = []
  for (let at = 0; at + CHECKSUM_BYTES + HEADER_BYTES <= bytes.length;) {
    const head = at + CHECKSUM_BYTES
    const method = bytes.readUInt8(head)
    const packedBytes = bytes.readUInt32LE(head + 1)
    const size = bytes.readUInt32LE(head + 5)
    if (packedBytes < HEADER_BYTES || head + packedBytes > bytes.length || size > MAX_BLOCK_BYTES) break
    const packed = bytes.subarray(head + HEADER_BYTES, head + packedBytes)
    if (method === NONE) blocks.push(packed)
    else if (method === LZ4) blocks.push(unpacked(() => unpackLz4(packed, size)))
    else if (method === ZSTD) blocks.push(unpacked(() => zstdDecompressSync(packed)))
    at = head + packedBytes
  }
  return Buffer.concat(blocks)
}

/** https://github.com/lz4/lz4/blob/v1.10.0/doc/lz4_Block_format.md */
function unpackLz4(packed: Buffer, size: number): Buffer {
  const out = Buffer.alloc(size)
  let from = 0
  let to = 0
  const lengthOf = (nibble: number): number => {
    let length = nibble
    if (nibble === 15)
      for (let more = 255; more === 255;) {
        more = packed.readUInt8(from++)
        length += more
      }
    return length
  }
  while (from < packed.length) {
    const token = packed.readUInt8(from++)
    const literals = lengthOf(token >> 4)
    packed.copy(out, to, from, from + literals)
    from += literals
    to += literals
    if (from >= packed.length) break
    const offset = packed.readUInt16LE(from)
    from += 2
    const length = lengthOf(token & 15) + 4
    // Bit by bit: what is copied may be what was just written.
    for (let n = 0; n < length; n++, to++) out[to] = out[to - offset] ?? 0
  }
  return out
}
