/** Changes that need to know nothing of the input: bits, pieces, lengths, nesting, broken text. */
import type { Random } from '../engine/random.ts'
import { BOUNDARY_NUMBERS, BROKEN_TEXTS } from './odd-values.ts'

type Change = (input: Buffer, random: Random, other: Buffer, words: readonly string[]) => Buffer

/** One to six of them, one after the other. `maxBytes` holds for the result. */
export function mutateBytes(
  input: Buffer,
  random: Random,
  other: Buffer,
  words: readonly string[],
  maxBytes: number,
): Buffer {
  let bytes = input
  for (let left = 1 + random.int(6); left > 0; left--) {
    const changed = random.pick(CHANGES)(bytes, random, other, words)
    bytes = changed.length > maxBytes ? changed.subarray(0, maxBytes) : changed
  }
  return bytes
}

const CHANGES: readonly Change[] = [
  function flipBit(input, random) {
    const bytes = Buffer.from(input)
    if (bytes.length > 0) bytes[random.int(bytes.length)]! ^= 1 << random.int(8)
    return bytes
  },
  function setByte(input, random) {
    const bytes = Buffer.from(input)
    const odd = [0, 1, 0x0a, 0x0d, 0x20, 0x22, 0x2c, 0x5c, 0x7b, 0x7d, 0x7f, 0x80, 0xc0, 0xff]
    if (bytes.length > 0) bytes[random.int(bytes.length)] = random.pick(odd)
    return bytes
  },
  (input, random) => replace(input, random, random.bytes(1 + random.int(8)), 0),
  (input, random) => replace(input, random, Buffer.alloc(0), 1 + random.int(32)),
  (input, random) => replace(input, random, Buffer.alloc(0), random.int(input.length + 1)),
  (input, random, _other, words) =>
    words.length === 0 ? input : replace(input, random, Buffer.from(random.pick(words)), random.int(4)),
  (input, random, _other, words) =>
    words.length === 0 ? input : replace(input, random, Buffer.from(random.pick(words)), 0),
  (input, random) => replace(input, random, random.pick(BROKEN_TEXTS), random.int(3)),
  (input, random) => replace(input, random, piece(input, random, 64), 0),
  (input, random, other) => replace(input, random, piece(other, random, 512), random.int(64)),
  function splice(input, random, other) {
    return Buffer.concat([
      input.subarray(0, random.int(input.length + 1)),
      other.subarray(random.int(other.length + 1)),
    ])
  },
  function truncate(input, random) {
    return input.subarray(0, random.int(input.length + 1))
  },
  function repeat(input, random) {
    const part = piece(input, random, random.pick([1, 2, 8, 64]))
    return replace(input, random, Buffer.concat(Array(random.pick([2, 30, 1_000, 20_000])).fill(part)), 0)
  },
  function nest(input, random) {
    const [open, close] = random.pick([
      ['[', ']'],
      ['{"a":', '}'],
      ['(', ')'],
      ['"', '"'],
    ] as const)
    const depth = random.pick([2, 40, 250, 6_000])
    const at = random.int(input.length + 1)
    const end = at + random.int(input.length + 1 - at)
    return Buffer.concat([
      input.subarray(0, at),
      Buffer.from(open.repeat(depth)),
      input.subarray(at, end),
      Buffer.from(random.oneIn(4) ? '' : close.repeat(depth)),
      input.subarray(end),
    ])
  },
  /** A number as text becomes another: lengths that lie, dates out of range, ids that overflow. */
  function lieAboutNumber(input, random) {
    const found = [...input.toString('latin1', 0, 16_384).matchAll(/-?\d+(?:\.\d+)?/g)]
    if (found.length === 0) return input
    const { index, 0: text } = random.pick(found)
    const written = random.oneIn(2)
      ? random.pick(BOUNDARY_NUMBERS)
      : String(Number(text) + random.pick([-1, 1, 10]))
    return Buffer.concat([
      input.subarray(0, index),
      Buffer.from(written),
      input.subarray(index + text.length),
    ])
  },
  function swap(input, random) {
    const [a = 0, b = 0, c = 0] = [0, 1, 2]
      .map(() => random.int(input.length + 1))
      .toSorted((left, right) => left - right)
    return Buffer.concat([
      input.subarray(0, a),
      input.subarray(b, c),
      input.subarray(a, b),
      input.subarray(c),
    ])
  },
]

/** `taken` bytes at some place give way to `inserted`. */
function replace(input: Buffer, random: Random, inserted: Uint8Array, taken: number): Buffer {
  const at = random.int(input.length + 1)
  return Buffer.concat([input.subarray(0, at), inserted, input.subarray(Math.min(input.length, at + taken))])
}

function piece(input: Buffer, random: Random, most: number): Buffer {
  const at = random.int(input.length)
  return input.subarray(at, at + 1 + random.int(most))
}
