/**
 * Bytes of an event item → a JSON value, as leniently as SDKs write it: invalid UTF-8 is replaced, `NaN` and
 * `Infinity` become text, containers below `maxDepth` become empty, integers too long for a double keep their digits
 * as text, NUL is removed and lone surrogates are replaced (ClickHouse refuses both in JSON). Never throws.
 */
import { cleanJson } from './clean-json.ts'
import { cutDepth, scanJson } from './scan-json.ts'
import { repairJson } from './repair-json.ts'

export type ParseLimits = { readonly maxBytes: number; readonly maxDepth: number }
export type ParseResult =
  | { readonly ok: true; readonly value: unknown; readonly notes: readonly ParseNote[] }
  | { readonly ok: false; readonly reason: 'empty' | 'too_large' | 'invalid_json'; readonly detail: string }
/** What had to be done to the text; empty for a well-formed one. */
export type ParseNote = 'depth_cut' | 'repaired'

export const DEFAULT_PARSE_LIMITS: ParseLimits = { maxBytes: 20 * 1024 * 1024, maxDepth: 200 }

export function parseEventJson(bytes: Uint8Array, limits: ParseLimits = DEFAULT_PARSE_LIMITS): ParseResult {
  if (bytes.length > limits.maxBytes)
    return { ok: false, reason: 'too_large', detail: `${bytes.length} bytes, allowed ${limits.maxBytes}` }
  const notes: ParseNote[] = []
  const scan = scanJson(bytes)
  let body = bytes
  if (scan.maxDepth > limits.maxDepth) {
    body = cutDepth(bytes, limits.maxDepth)
    notes.push('depth_cut')
  }
  const text = decode(body)
  if (text.trim() === '') return { ok: false, reason: 'empty', detail: 'no JSON in the item' }
  let value: unknown
  try {
    value = parse(text, scan.longIntegers)
  } catch (first) {
    try {
      value = parse(repairJson(text), scan.longIntegers)
      notes.push('repaired')
    } catch {
      return { ok: false, reason: 'invalid_json', detail: messageOf(first) }
    }
  }
  if (scan.unsafeEscapes) value = cleanJson(value)
  return { ok: true, value, notes }
}

function decode(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

function parse(text: string, longIntegers: boolean): unknown {
  if (!longIntegers) return JSON.parse(text)
  return JSON.parse(text, keepDigits)
}

/** Snowflake ids and 64-bit counters would silently change in their last digits. */
function keepDigits(_key: string, value: unknown, source?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const literal = source?.source
  if (literal === undefined || !/^-?\d{16,}$/.test(literal)) return value
  return String(value) === literal ? value : literal
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200) : 'not JSON'
}
