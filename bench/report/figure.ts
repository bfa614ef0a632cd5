/** One line of the bench's table. */

export type Figure = {
  /** Which part measured it. */
  readonly part: string
  readonly name: string
  readonly value: number
  readonly unit: string
  /** Measured in the same run with the same load: the ratio is what may be compared between machines. */
  readonly against?: { readonly name: string; readonly value: number }
  readonly budget?: { readonly text: string; readonly isMet: boolean }
}

/** `limit` is of the ratio where there is one, else of the value. */
export function atLeast(limit: number, measured: number, text: string): NonNullable<Figure['budget']> {
  return { text: `≥ ${text}`, isMet: measured >= limit }
}

export function atMost(limit: number, measured: number, text: string): NonNullable<Figure['budget']> {
  return { text: `≤ ${text}`, isMet: measured <= limit }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length % 2 === 1) return sorted[middle] ?? Number.NaN
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}
