/**
 * A part of a vital's visits that stands for all of them and is cheap to read. Rows lie by the id of their page, which
 * is random, so ranges of ids are a random sample and one of the ordering key as well.
 */
export type VisitSample = {
  /** To be added to a condition; empty when all are read. */
  readonly sql: string
  /** Of all visits, 0 < share ≤ 1: each that is read stands for `1 / share`. */
  readonly share: number
}

/** Digits behind the first by which ids are chosen: steps of a 4096th. */
const DIGITS = 3
const STEPS = 16 ** DIGITS
const HEX = Array.from({ length: 16 }, (_, digit) => digit.toString(16))

/**
 * About `wanted` of `visits`, the same ones each time; all when `visits` is not known. A range behind each first digit:
 * ids that SDKs cut out of a UUID begin with 8, 9, a or b only, and are random from the second digit on.
 */
export function visitSample(visits: number | undefined, wanted: number): VisitSample {
  const steps = visits === undefined ? STEPS : Math.max(1, Math.ceil((STEPS * wanted) / Math.max(1, visits)))
  if (steps >= STEPS) return { sql: '', share: 1 }
  const end = steps.toString(16).padStart(DIGITS, '0')
  const ranges = HEX.map((first) => `page_id >= '${first}' AND page_id < '${first}${end}'`)
  return { sql: `AND (${ranges.join(' OR ')})`, share: steps / STEPS }
}
