/**
 * One pass over the bytes of a JSON text, before it is parsed: how deep it nests (a few kilobytes of `[` would
 * otherwise cost every later recursive reader its stack), and whether it needs one of the slow treatments.
 */
const QUOTE = 0x22
const BACKSLASH = 0x5c
const LOWER_U = 0x75
const POINT = 0x2e

export type JsonScan = {
  readonly maxDepth: number
  /** An escape of NUL or of half a surrogate pair occurs: the only way for them to get in. */
  readonly unsafeEscapes: boolean
  /** A number outside strings has 16 or more digits in a row before its point. */
  readonly longIntegers: boolean
}

export function scanJson(bytes: Uint8Array): JsonScan {
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
export function cutDepth(bytes: Uint8Array, maxDepth: number): Uint8Array {
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
