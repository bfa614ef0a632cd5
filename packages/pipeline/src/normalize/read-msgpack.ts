/**
 * Values in MessagePack, as native and mobile SDKs send parts of an event. A library decodes them; before that their
 * nesting is looked at, because it sets aside the length that an array states when the array opens: a body of arrays in
 * arrays of 3 bytes each would ask for gigabytes. https://github.com/msgpack/msgpack/blob/master/spec.md
 */
import { DecodeError, decodeMulti } from '@msgpack/msgpack'

type Limits = {
  /** Arrays and maps within one another. */
  readonly maxDepth: number
  /** Of an array and a map. */
  readonly maxLength: number
  /** Texts that are no key come as their bytes. */
  readonly rawStrings?: boolean
}
/** The longest that an event has are the images of a process, some hundreds. */
const OF_EVENTS: Limits = { maxDepth: 32, maxLength: 10_000 }

/** The values that lie behind one another in it; undefined if it is no MessagePack, is cut, or goes beyond the limits. */
export function readMsgpack(bytes: Uint8Array, limits = OF_EVENTS): readonly unknown[] | undefined {
  const { maxDepth, maxLength, rawStrings = false } = limits
  if (!isShallow(bytes, maxDepth)) return undefined
  try {
    return [
      ...decodeMulti(bytes, {
        maxArrayLength: maxLength,
        maxMapLength: maxLength,
        maxExtLength: 64,
        keyDecoder: null,
        rawStrings,
      }),
    ]
  } catch (error) {
    if (error instanceof DecodeError || error instanceof RangeError) return undefined
    throw error
  }
}

/** Each value is one step, so this ends after as many as there are bytes. */
function isShallow(bytes: Uint8Array, maxDepth: number): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  /** Of each open array and map, how many values are still to come. */
  const open: number[] = []
  let at = 0
  while (at < bytes.length) {
    const head = readHead(view, at)
    if (head === undefined) return false
    at += head.bytes
    if (head.values > 0 && open.push(head.values) > maxDepth) return false
    if (head.values > 0) continue
    while (open.length > 0 && --open[open.length - 1]! === 0) open.pop()
  }
  return open.length === 0 && at === bytes.length
}

type Head = {
  /** Of the value with its content; of an array or map without. */
  readonly bytes: number
  /** In an array or a map; 0 of others and empty ones. */
  readonly values: number
}

// By the first byte, from 0xc0 to 0xdf. The value's bytes without what its length says; 0: no type.
const OWN_BYTES = [
  1, 0, 1, 1, 2, 3, 5, 3, 4, 6, 5, 9, 2, 3, 5, 9, 2, 3, 5, 9, 3, 4, 6, 10, 18, 2, 3, 5, 3, 5, 3, 5,
]
/** Bytes of the length that follows the first one. */
const LENGTH_BYTES = [
  0, 0, 0, 0, 1, 2, 4, 1, 2, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 2, 4, 2, 4,
]
const FIRST_ARRAY = 0xdc
const FIRST_MAP = 0xde

/** Undefined: not a type, or cut. */
function readHead(view: DataView, at: number): Head | undefined {
  const type = view.getUint8(at)
  if (type <= 0x7f || type >= 0xe0) return { bytes: 1, values: 0 }
  if (type <= 0x8f) return { bytes: 1, values: (type & 0x0f) * 2 }
  if (type <= 0x9f) return { bytes: 1, values: type & 0x0f }
  if (type <= 0xbf) return { bytes: 1 + (type & 0x1f), values: 0 }
  const bytes = OWN_BYTES[type - 0xc0] ?? 0
  if (bytes === 0 || at + bytes > view.byteLength) return undefined
  const length = readLength(view, at + 1, LENGTH_BYTES[type - 0xc0] ?? 0)
  if (type < FIRST_ARRAY) return { bytes: bytes + length, values: 0 }
  return { bytes, values: type < FIRST_MAP ? length : length * 2 }
}

function readLength(view: DataView, at: number, bytes: number): number {
  if (bytes === 0) return 0
  if (bytes === 1) return view.getUint8(at)
  return bytes === 2 ? view.getUint16(at) : view.getUint32(at)
}
