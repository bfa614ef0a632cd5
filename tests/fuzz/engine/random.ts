/** Numbers that look random and come again for the same seed: a run can be repeated from what it printed. */

export type Random = {
  /** A whole number from 0 to `below` - 1; 0 when there is none. */
  int(below: number): number
  /** True once in `times`. */
  oneIn(times: number): boolean
  /** Throws for an empty list. */
  pick<T>(list: readonly T[]): T
  bytes(count: number): Buffer
}

/** sfc32, filled from one number: https://pracrand.sourceforge.net/RNG_engines.txt */
export function createRandom(seed: number): Random {
  let a = seed >>> 0
  let b = (seed ^ 0x9e3779b9) >>> 0
  let c = 0xdeadbeef
  let counter = 1
  const next = (): number => {
    const sum = (a + b + counter++) >>> 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) >>> 0
    c = ((c << 21) | (c >>> 11)) >>> 0
    c = (c + sum) >>> 0
    return sum
  }
  for (let round = 0; round < 12; round++) next()
  const int = (below: number): number => (below <= 0 ? 0 : Math.floor((next() / 0x1_0000_0000) * below))
  return {
    int,
    oneIn: (times) => int(times) === 0,
    pick(list) {
      if (list.length === 0) throw new Error('nothing to pick from')
      return list[int(list.length)]!
    },
    bytes(count) {
      const bytes = Buffer.alloc(count)
      for (let at = 0; at < count; at++) bytes[at] = int(256)
      return bytes
    },
  }
}
