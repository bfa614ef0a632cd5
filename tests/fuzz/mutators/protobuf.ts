/** Changes to fields of a message: their numbers, types, lengths that lie, values, and messages within messages. */
import type { Random } from '../engine/random.ts'
import type { Mutate } from '../engine/target.ts'

type Field = { number: number; type: number; value: bigint | Buffer | Field[] }

const MAX_DEPTH = 12
// Copies of copies would fill the memory.
const MAX_FIELDS = 2_000
const MAX_COPIED = 128 * 1024
const ODD_VARINTS: readonly bigint[] = [
  0n,
  1n,
  127n,
  128n,
  2n ** 31n,
  2n ** 32n,
  2n ** 53n,
  2n ** 63n,
  2n ** 64n - 1n,
]

export const mutateProtobuf: Mutate = (input, random, other) => {
  const fields = read(input)
  if (fields === undefined) return input
  const theirs = read(other) ?? fields
  for (let left = 1 + random.int(4); left > 0; left--) change(fields, theirs, random)
  return write(fields, random)
}

function change(fields: Field[], theirs: readonly Field[], random: Random): void {
  const lists = messagesIn(fields)
  const list = random.pick(lists)
  if (list.length === 0) return
  const at = random.int(list.length)
  const field = list[at]!
  switch (random.int(9)) {
    case 0:
      field.number = random.pick([0, 1, 2, 5, 7, 15, 16, 536_870_911])
      return
    case 1:
      list.splice(at, 1)
      return
    case 2: {
      const most = Math.min(MAX_FIELDS / sizeOf(field), Math.ceil(MAX_COPIED / (bytesOf(field) + 1)))
      for (let copies = Math.floor(Math.min(most, random.pick([1, 2, 300]))); copies > 0; copies--)
        list.push(copy(field))
      return
    }
    case 3: {
      const donor = random.pick(messagesIn(theirs as Field[]))
      if (donor.length > 0) list.splice(at, 0, copy(random.pick(donor)))
      return
    }
    case 4:
      field.type = 0
      field.value = random.pick(ODD_VARINTS)
      return
    case 5:
      field.type = 1
      field.value = random.oneIn(2) ? Buffer.alloc(8, random.pick([0, 0xff, 0x7f])) : random.bytes(8)
      return
    case 6:
      field.type = 2
      field.value = random.oneIn(2) ? random.bytes(random.pick([0, 8, 16, 17])) : Buffer.alloc(16)
      return
    case 7:
      // A message within itself: values of lists and maps may nest.
      for (let depth = random.pick([1, 20, 300]); depth > 0; depth--) {
        const inner: Field = { ...field }
        field.type = 2
        field.value = [inner]
      }
      return
    default:
      if (Buffer.isBuffer(field.value) && field.value.length > 0) {
        const bytes = Buffer.from(field.value)
        bytes[random.int(bytes.length)] = random.int(256)
        field.value = bytes
      } else list.reverse()
  }
}

/** `structuredClone` would make plain arrays of buffers. */
const copy = (field: Field): Field => ({
  ...field,
  value: Array.isArray(field.value) ? field.value.map(copy) : field.value,
})

const sizeOf = ({ value }: Field): number =>
  Array.isArray(value) ? value.reduce((sum, inner) => sum + sizeOf(inner), 1) : 1

const bytesOf = ({ value }: Field): number =>
  Array.isArray(value)
    ? value.reduce((sum, inner) => sum + bytesOf(inner), 0)
    : Buffer.isBuffer(value)
      ? value.length
      : 1

function messagesIn(fields: Field[]): Field[][] {
  const found = [fields]
  for (let at = 0; at < found.length && found.length < 500; at++)
    for (const { value } of found[at]!) if (Array.isArray(value)) found.push(value)
  return found
}

/** Undefined: no message. A text that happens to read as one is taken for one: as good a change as any. */
function read(bytes: Buffer, depth = 0): Field[] | undefined {
  const fields: Field[] = []
  let at = 0
  const varint = (): bigint | undefined => {
    let value = 0n
    for (let shift = 0n; shift < 70n && at < bytes.length; shift += 7n) {
      const byte = bytes[at++]!
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
    return undefined
  }
  while (at < bytes.length) {
    const tag = varint()
    if (tag === undefined || tag >> 3n === 0n || tag >> 3n > 10_000n) return undefined
    const field = { number: Number(tag >> 3n), type: Number(tag & 7n) }
    if (field.type === 0) {
      const value = varint()
      if (value === undefined) return undefined
      fields.push({ ...field, value })
      continue
    }
    const length = field.type === 1 ? 8n : field.type === 5 ? 4n : field.type === 2 ? varint() : undefined
    if (length === undefined || BigInt(at) + length > BigInt(bytes.length)) return undefined
    const value = bytes.subarray(at, at + Number(length))
    at += Number(length)
    const inner =
      field.type === 2 && value.length > 1 && depth < MAX_DEPTH ? read(value, depth + 1) : undefined
    fields.push({ ...field, value: inner ?? value })
  }
  return fields
}

function write(fields: readonly Field[], random: Random): Buffer {
  return Buffer.concat(
    fields.flatMap(({ number, type, value }) => {
      const tag = varintBytes((BigInt(number) << 3n) | BigInt(type))
      if (typeof value === 'bigint') return [tag, varintBytes(value)]
      const bytes = Buffer.isBuffer(value) ? value : write(value, random)
      if (type !== 2) return [tag, bytes]
      const lie = random.oneIn(60) ? random.pick(ODD_VARINTS) : BigInt(bytes.length)
      return [tag, varintBytes(lie), bytes]
    }),
  )
}

function varintBytes(value: bigint): Buffer {
  const bytes: number[] = []
  for (let left = value; ; left >>= 7n) {
    if (left < 128n) return Buffer.of(...bytes, Number(left))
    bytes.push(Number(left & 127n) | 0x80)
  }
}
