/**
 * How long a value is as JSON, without writing it: copies share what they hold, so that a value of a few objects can be
 * gigabytes of text, and an indent costs the square of the depth.
 */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Twice what the longest input of a target may be: more is cut off anyway. */
export const MAX_CHARS = 128 * 1024
/** `JSON.stringify` and `structuredClone` call themselves for each level. */
export const MAX_DEPTH = 1_000

type Open = { readonly values: readonly (Json | undefined)[]; at: number }

/** May be written with that indent. */
export const fits = (value: Json | undefined, indent: number): boolean =>
  charsOf(value, indent, MAX_CHARS) <= MAX_CHARS

/** As `JSON.stringify` would write it; counting ends beyond `most`, and says Infinity for what is too deep. */
export function charsOf(value: Json | undefined, indent: number, most: number): number {
  let chars = 0
  const open: Open[] = [{ values: [value], at: 0 }]
  while (chars <= most) {
    const inner = open.at(-1)!
    if (inner.at === inner.values.length) {
      open.pop()
      if (open.length === 0) return chars
      continue
    }
    const next = inner.values[inner.at++]
    if (typeof next !== 'object' || next === null) {
      chars += (JSON.stringify(next) ?? 'null').length
      continue
    }
    if (open.length > MAX_DEPTH) return Infinity
    const values = Object.values(next)
    // Brackets, commas, and a line for each value and for the closing bracket.
    chars += 2 + Math.max(0, values.length - 1)
    if (indent > 0 && values.length > 0)
      chars += values.length * (1 + indent * open.length) + 1 + indent * (open.length - 1)
    if (!Array.isArray(next))
      for (const key of Object.keys(next)) chars += JSON.stringify(key).length + (indent > 0 ? 2 : 1)
    open.push({ values, at: 0 })
  }
  return chars
}
