/** Lists of numbers that grow without an object for each, and how a place in a sorted one is found. */
export type Column = {
  readonly length: number
  push(value: number): void
  get(at: number): number
  set(at: number, value: number): void
  /** Cut to its length. */
  done(): Uint32Array
}

export function createColumn(): Column {
  let values = new Uint32Array(1_024)
  let length = 0
  return {
    get length() {
      return length
    },
    push(value) {
      if (length === values.length) {
        const larger = new Uint32Array(values.length * 2)
        larger.set(values)
        values = larger
      }
      values[length++] = value
    },
    get: (at) => values[at]!,
    set(at, value) {
      values[at] = value
    },
    done: () => values.slice(0, length),
  }
}

/** What begins before an address may end before it, and what began earlier reach to it: only hand-made files overlap more. */
const MAX_OVERLAPS = 8

/** Index of the range with the largest start that holds the address; -1: none does. */
export function lastOverlapping(starts: Uint32Array, address: number, endOf: (at: number) => number): number {
  const last = lastIn(starts, address, 0, starts.length)
  for (let at = last; at >= 0 && at > last - MAX_OVERLAPS; at--) if (address < endOf(at)) return at
  return -1
}

/** Index of the last number that is at most `value`; `from - 1`: all are larger. */
export function lastIn(sorted: Uint32Array, value: number, from: number, to: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}
