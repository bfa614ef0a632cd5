/**
 * Reads one field of an SDK's object in the forms that SDKs are known to send
 * (https://develop.sentry.dev/sdk/data-model/event-payloads/types/): null means absent, numbers and booleans are
 * text where text is wanted, and what cannot be read is absent with a remark.
 */
import type { Pair } from '@sonde/protocol/event'
import { invalid, remark, type Scope } from './meta-remarks.ts'

export type RawObject = { readonly [key: string]: unknown }
export type Mutable<T> = { -readonly [K in keyof T]: T[K] }

export function isObject(value: unknown): value is RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Empty for what is no object. */
export const objectOf = (value: unknown): RawObject => (isObject(value) ? value : {})

/** Undefined for what is no JSON of an object. */
export function jsonObject(text: string): RawObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Python's spelling of booleans: that is what the protocol asks for. */
export function lenientText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return Number.isFinite(value) ? numberText(value) : undefined
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'bigint') return String(value)
  return undefined
}

/** NaN for what is neither a number nor a text: `Number` throws for an object with a key `toString`. */
export function lenientNumber(value: unknown): number {
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
}

/** Integers in full: `String(1e21)` would give an exponent. */
function numberText(value: number): string {
  return Number.isInteger(value) && Math.abs(value) >= 1e21 ? BigInt(value).toString() : String(value)
}

/** Cut to `limit` characters, `...` included, never through a surrogate pair. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text
  const cut = text.slice(0, Math.max(limit - 3, 0))
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}...`
}

/** `text`, cleaned and trimmed to `limit` once it is longer than `limit + tolerance`. */
export function limitText(
  scope: Scope,
  key: string | number,
  text: string,
  limit: number,
  tolerance = 0,
): string {
  const clean = cleanText(text)
  if (clean.length <= limit + tolerance) return clean
  remark(scope, key, 'trimmed', '!limit', clean.length)
  return cutText(clean, limit)
}

/** Absent and empty are the same. */
export function textField(
  scope: Scope,
  raw: RawObject,
  key: string,
  limit: number,
  tolerance = 0,
): string | undefined {
  const value = raw[key]
  if (value === undefined || value === null || value === '') return undefined
  const text = lenientText(value)
  if (text === undefined) {
    invalid(scope, key, value)
    return undefined
  }
  const limited = limitText(scope, key, text, limit, tolerance)
  return limited === '' ? undefined : limited
}

/** A whole number from 0 to 2^53, as number or text. */
export function countField(scope: Scope, raw: RawObject, key: string): number | undefined {
  const value = raw[key]
  if (value === undefined || value === null || value === '') return undefined
  const count = typeof value === 'string' ? Number(value) : value
  if (typeof count === 'number' && count >= 0 && Number.isSafeInteger(Math.trunc(count)))
    return Math.trunc(count)
  // -1 is how several SDKs say "unknown line"; that is no error of theirs.
  if (count !== -1) invalid(scope, key, value)
  return undefined
}

export function booleanField(scope: Scope, raw: RawObject, key: string): boolean | undefined {
  const value = raw[key]
  if (typeof value === 'boolean') return value
  if (value === undefined || value === null || value === '') return undefined
  if (value === 1 || value === 'true' || value === 'True') return true
  if (value === 0 || value === 'false' || value === 'False') return false
  invalid(scope, key, value)
  return undefined
}

/** Reads `[…]`, `{"values": […]}` and a single object as a list; null entries are left out by the readers. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (!isObject(value)) return []
  if (Array.isArray(value.values)) return value.values
  return 'values' in value && (value.values === null || value.values === undefined) ? [] : [value]
}

/** The first of several names that holds something: SDKs of all ages name their interfaces differently. */
export function firstOf(raw: RawObject, names: readonly string[]): unknown {
  for (const name of names) {
    const value = raw[name]
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

/** An empty record without a prototype, so that no key can be special. */
export function emptyRecord<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>
}

/** Text that every store takes: no NUL, no half of a surrogate pair. */
export function cleanText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '') : whole
}

/** `cleanText` for every key and value; drops `__proto__` keys. Depth is bounded by the parser. */
export function cleanJson(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(cleanJson)
  const out: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) {
    const name = cleanText(key)
    if (name !== '__proto__') out[name] = cleanJson(inner)
  }
  return out
}

/** Pair lists: an object, `[[key, value], …]`, or `[{key, value}, …]`; both sides read as lenient text. */
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
