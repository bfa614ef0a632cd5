/** Changes to the numbers of a ZIP's headers, and ZIPs written anew around a changed manifest. */
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Mutate } from '../engine/target.ts'
import { changedJson } from './json.ts'

type Entry = { readonly name: string; readonly bytes: Buffer; readonly isPacked: boolean }

// Where numbers stand behind each signature, and how wide they are: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
const HEADERS: readonly (readonly [
  signature: number,
  fields: readonly (readonly [at: number, width: 2 | 4])[],
])[] = [
  [
    0x04034b50,
    [
      [4, 2],
      [6, 2],
      [8, 2],
      [14, 4],
      [18, 4],
      [22, 4],
      [26, 2],
      [28, 2],
    ],
  ],
  [
    0x02014b50,
    [
      [6, 2],
      [8, 2],
      [10, 2],
      [16, 4],
      [20, 4],
      [24, 4],
      [28, 2],
      [30, 2],
      [32, 2],
      [34, 2],
      [42, 4],
    ],
  ],
  [
    0x06054b50,
    [
      [4, 2],
      [6, 2],
      [8, 2],
      [10, 2],
      [12, 4],
      [16, 4],
      [20, 2],
    ],
  ],
]
const MAX_NAME = 2 ** 14
// Together, unpacked: they are packed again.
const MAX_UNPACKED = 2 ** 20
const NUMBERS = [0, 1, 2, 7, 8, 9, 0x7f, 0xff, 0xffff, 0x7fffffff, 0xfffffffe, 0xffffffff]

export const mutateZip: Mutate = (input, random, other) => {
  if (random.oneIn(3)) {
    const entries = entriesOf(input)
    if (entries.length > 0) {
      const changed = entries.map((entry) =>
        entry.name === 'manifest.json'
          ? { ...entry, bytes: changedJson(entry.bytes, random, entry.bytes) ?? entry.bytes }
          : entry,
      )
      const more = random.oneIn(3) ? entriesOf(other) : []
      return zipOf([...changed, ...more])
    }
  }
  const bytes = Buffer.from(input)
  for (let left = 1 + random.int(3); left > 0; left--) {
    const [signature, fields] = random.pick(HEADERS)
    const found = placesOf(bytes, signature)
    if (found.length === 0) continue
    const [offset, width] = random.pick(fields)
    const at = random.pick(found) + offset
    if (at + width > bytes.length) continue
    const value = random.oneIn(3) ? bytes.readUIntLE(at, width) + random.pick([-1, 1]) : random.pick(NUMBERS)
    bytes.writeUIntLE((value >>> 0) % 2 ** (8 * width), at, width)
  }
  return bytes
}

function placesOf(bytes: Buffer, signature: number): number[] {
  const wanted = Buffer.alloc(4)
  wanted.writeUInt32LE(signature)
  const found: number[] = []
  for (let at = bytes.indexOf(wanted); at !== -1 && found.length < 100; at = bytes.indexOf(wanted, at + 4))
    found.push(at)
  return found
}

/** By their local headers alone; what cannot be unpacked is left out. */
function entriesOf(zip: Buffer): Entry[] {
  const found: Entry[] = []
  let left = MAX_UNPACKED
  for (const at of placesOf(zip, 0x04034b50)) {
    if (at + 30 > zip.length) continue
    const nameBytes = zip.readUInt16LE(at + 26)
    const from = at + 30 + nameBytes + zip.readUInt16LE(at + 28)
    const packed = zip.subarray(from, from + zip.readUInt32LE(at + 18))
    const isPacked = zip.readUInt16LE(at + 8) === 8
    try {
      const bytes = isPacked ? inflateRawSync(packed, { maxOutputLength: Math.max(1, left) }) : packed
      left -= bytes.length
      // What is no UTF-8 becomes longer, and a header has two bytes for the length.
      const name = zip.toString('utf8', at + 30, at + 30 + Math.min(nameBytes, MAX_NAME))
      found.push({ name, bytes, isPacked })
    } catch {
      // Damaged by a change before.
    }
  }
  return found
}

export function zipOf(entries: readonly Entry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes, isPacked } of entries) {
    const packed = isPacked ? deflateRawSync(bytes) : bytes
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(isPacked ? 8 : 0, 4)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(bytes.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), fields, tail, Buffer.from(name)]))
    parts.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, listed, end])
}
