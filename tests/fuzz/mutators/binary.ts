/** Changes to files of fixed layouts (ELF, Mach-O, minidumps): numbers change in place, so that what lies behind them stays where it is. */
import type { Random } from '../engine/random.ts'
import type { Mutate } from '../engine/target.ts'

const EDGES = [0, 1, 2, 3, 7, 8, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0xfffffffe, 0xffffffff]

/** One to four numbers of one, two, four or eight bytes. */
export const mutateBinary: Mutate = (input, random, other) => {
  const bytes = Buffer.from(input)
  if (bytes.length < 16) return bytes
  for (let left = 1 + random.int(4); left > 0; left--) {
    const width = random.pick([1, 2, 4, 4, 8])
    // Headers and tables of contents are where most is decided.
    const room = random.oneIn(2) ? Math.min(bytes.length, 512) : bytes.length
    const at = Math.floor(random.int(room - width) / width) * width
    const value = numberFor(bytes, at, random)
    if (width === 1) bytes[at] = value & 0xff
    else if (width === 2) bytes.writeUInt16LE(value & 0xffff, at)
    else bytes.writeUInt32LE(value, at)
    if (width === 8) bytes.writeUInt32LE(random.oneIn(4) ? random.pick(EDGES) : 0, at + 4)
  }
  if (random.oneIn(8)) return bytes.subarray(0, random.int(bytes.length))
  if (random.oneIn(8) && other.length > 64) {
    const from = random.int(other.length - 32)
    other.copy(bytes, random.int(bytes.length - 8), from, from + 8 + random.int(24))
  }
  return bytes
}

function numberFor(bytes: Buffer, at: number, random: Random): number {
  const now = at + 4 <= bytes.length ? bytes.readUInt32LE(at) : 0
  switch (random.int(4)) {
    case 0:
      return random.pick(EDGES)
    case 1:
      return (now + random.pick([-8, -4, -1, 1, 4, 8])) >>> 0
    case 2:
      return random.int(bytes.length + 16)
    default: {
      const from = random.int(bytes.length - 4)
      return bytes.readUInt32LE(from)
    }
  }
}
