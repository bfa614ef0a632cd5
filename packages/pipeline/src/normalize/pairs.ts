/** Pair lists: an object, `[[key, value], …]`, or `[{key, value}, …]`; both sides read as lenient text. */
import type { Pair } from '@sonde/protocol/event'
import { cleanText } from './clean-json.ts'
import { isObject, lenientText } from './read.ts'

export function rawPairs(raw: unknown): readonly (readonly [unknown, unknown])[] {
  if (isObject(raw)) return Object.entries(raw)
  if (!Array.isArray(raw)) return []
  const pairs: [unknown, unknown][] = []
  for (const entry of raw as readonly unknown[]) {
    if (Array.isArray(entry) && entry.length === 2) pairs.push([entry[0], entry[1]])
    else if (isObject(entry) && 'key' in entry) pairs.push([entry.key, entry.value])
  }
  return pairs
}

/** Values that are lists are joined with `, `; those that cannot be text become empty. Bounded by `maxBytes`. */
export function textPairs(raw: unknown, maxBytes: number): { pairs: Pair[]; trimmed: boolean } {
  const pairs: Pair[] = []
  let left = maxBytes
  for (const [rawKey, rawValue] of rawPairs(raw)) {
    const key = lenientText(rawKey)
    if (key === undefined) continue
    const name = cleanText(key)
    const value = cleanText(textOf(rawValue))
    left -= name.length + value.length + 4
    if (left < 0) return { pairs, trimmed: true }
    pairs.push([name, value])
  }
  return { pairs, trimmed: false }
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map((entry) => lenientText(entry) ?? '').join(', ')
  return lenientText(value) ?? ''
}
