/**
 * Bytes of an event item → a JSON value, as leniently as SDKs write it: invalid UTF-8 is replaced, `NaN` and
 * `Infinity` become text, containers below `maxDepth` become empty, integers too long for a double keep their digits
 * as text, NUL is removed and lone surrogates are replaced (ClickHouse refuses both in JSON). Never throws.
 */
import { cleanJson } from './read-fields.ts'

/**
 * One pass over the bytes of a JSON text, before it is parsed: how deep it nests (a few kilobytes of `[` would
 * otherwise cost every later recursive reader its stack), and whether it needs one of the slow treatments.
 */
const QUOTE = 0x22
const BACKSLASH = 0x5c
const LOWER_U = 0x75
const POINT = 0x2e

type JsonScan = {
  readonly maxDepth: number
  /** An escape of NUL or of half a surrogate pair occurs: the only way for them to get in. */
  readonly unsafeEscapes: boolean
  /** A number outside strings has 16 or more digits in a row before its point. */
  readonly longIntegers: boolean
}

function scanJson(bytes: Uint8Array): JsonScan {
  let depth = 0
  let maxDepth = 0
  let unsafeEscapes = false
  let longIntegers = false
  const end = bytes.length
  for (let at = 0; at < end; at++) {
    const byte = bytes[at]!
    if (byte === QUOTE) {
      at++
      for (let inner = bytes[at]; at < end && inner !== QUOTE; inner = bytes[++at]) {
        if (inner !== BACKSLASH) continue
        at++
        if (bytes[at] === LOWER_U && isUnsafeEscape(bytes, at + 1)) unsafeEscapes = true
      }
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > maxDepth) maxDepth = depth
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--
    } else if (byte >= 0x30 && byte <= 0x39) {
      const start = at
      while (bytes[at + 1]! >= 0x30 && bytes[at + 1]! <= 0x39) at++
      if (at - start >= 15 && bytes[start - 1] !== POINT) longIntegers = true
    }
  }
  return { maxDepth, unsafeEscapes, longIntegers }
}

/** `0000`, or `d8` to `df` in either case. */
function isUnsafeEscape(bytes: Uint8Array, at: number): boolean {
  const first = bytes[at]
  if (first === 0x64 || first === 0x44) return bytes[at + 1]! >= 0x38
  return first === 0x30 && bytes[at + 1] === 0x30 && bytes[at + 2] === 0x30 && bytes[at + 3] === 0x30
}

/** Empties every container that would be deeper than `maxDepth`: the rest of the event stays. */
function cutDepth(bytes: Uint8Array, maxDepth: number): Uint8Array {
  const out = new Uint8Array(bytes.length + 4)
  let length = 0
  let depth = 0
  const end = bytes.length
  const emit = (byte: number) => {
    out[length++] = byte
  }
  for (let at = 0; at < end; at++) {
    const byte = bytes[at]!
    const kept = depth <= maxDepth
    if (byte === QUOTE) {
      const start = at
      at++
      while (at < end && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
      if (kept) for (let copy = start; copy <= at && copy < end; copy++) emit(bytes[copy]!)
    } else if (byte === 0x7b || byte === 0x5b) {
      depth++
      if (depth <= maxDepth) emit(byte)
      // Never longer than what it replaces, so `out` cannot overflow.
      else if (depth === maxDepth + 1) {
        emit(0x5b)
        emit(0x5d)
      }
    } else if (byte === 0x7d || byte === 0x5d) {
      if (depth <= maxDepth) emit(byte)
      depth--
    } else if (kept) emit(byte)
  }
  return out.subarray(0, length)
}

/**
 * Second try for a text that `JSON.parse` refused. Outside strings `NaN`, `Infinity` and `-Infinity` (Python's
 * `json.dumps` writes them) become text; inside strings raw control characters are escaped. Linear in the length.
 */
const LITERALS = ['-Infinity', 'Infinity', 'NaN']

function repairJson(text: string): string {
  const out: string[] = []
  let from = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === 0x5c) at++
      else if (code === 0x22) inString = false
      else if (code < 0x20) {
        out.push(text.slice(from, at), escapeControl(code))
        from = at + 1
      }
    } else if (code === 0x22) inString = true
    else if (code === 0x4e || code === 0x49 || code === 0x2d) {
      const literal = LITERALS.find((word) => text.startsWith(word, at))
      if (literal === undefined) continue
      out.push(text.slice(from, at), `"${literal}"`)
      at += literal.length - 1
      from = at + 1
    } else if (code === 0) {
      out.push(text.slice(from, at))
      from = at + 1
    }
  }
  out.push(text.slice(from))
  return out.join('')
}

function escapeControl(code: number): string {
  return code === 0 ? '' : `\\u${code.toString(16).padStart(4, '0')}`
}

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
