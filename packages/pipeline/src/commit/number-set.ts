/** Many 32-bit numbers in few bytes: a `Set` of them takes some ten times as much memory. */
import { randomInt } from 'node:crypto'

export type NumberSet = {
  has(number: number): boolean
  /** Changes nothing once `most` are in. */
  add(number: number): void
  readonly size: number
}

const LEAST_SLOTS = 1_024
// Above it the ways to a free slot become long.
const FILLED = 3 / 4

/** `most`: it never has more. Numbers are whole, at least 0 and below 2^32. */
export function createNumberSet(most: number): NumberSet {
  let slots = new Uint32Array(LEAST_SLOTS)
  let size = 0
  // 0 is an empty slot.
  let hasZero = false
  // Odd, and another for each set: whoever chooses the numbers cannot know which of them would stand in each other's way.
  const factor = randomInt(2 ** 31) * 2 + 1

  /** Of the number, or the free one where it would be. */
  const slotOf = (number: number): number => {
    let at = Math.imul(number, factor) >>> (32 - Math.log2(slots.length))
    while (slots[at] !== 0 && slots[at] !== number) at = (at + 1) % slots.length
    return at
  }
  const has = (number: number): boolean => (number === 0 ? hasZero : slots[slotOf(number)] === number)
  const grow = (): void => {
    const before = slots
    slots = new Uint32Array(before.length * 2)
    for (const number of before) if (number !== 0) slots[slotOf(number)] = number
  }
  return {
    has,
    add(number) {
      if (size >= most || has(number)) return
      size++
      if (number === 0) {
        hasZero = true
        return
      }
      if (size > slots.length * FILLED) grow()
      slots[slotOf(number)] = number
    },
    get size() {
      return size
    },
  }
}
