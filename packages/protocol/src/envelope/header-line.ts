/** Reads one header line: bounded in size and depth before JSON.parse sees it. */
import { EnvelopeError } from './envelope.ts'

/**
 * Real header lines have 100 to 2,000 bytes. The largest part is `trace`, which SDKs also send as a
 * baggage header of at most 8,192 characters; 64 KiB leaves eight times that, and is little enough
 * that a body made only of header lines costs no more memory than its own size a few times over.
 */
export const MAX_HEADER_BYTES = 64 * 1024
/** Real headers are at most 4 deep (`sdk.packages[].name`). Deeper ones only cost parser and stack. */
const MAX_HEADER_DEPTH = 32

export type JsonRecord = { readonly [field: string]: unknown }
type HeaderErrorCode = 'bad-header' | 'bad-item-header'

// Stateless without `stream`; a byte order mark at the start is dropped.
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** `what` names the line in messages; `offset` is where it starts in the body. Throws `EnvelopeError` only. */
export function parseHeaderLine(
  line: Uint8Array,
  code: HeaderErrorCode,
  what: string,
  offset: number,
): JsonRecord {
  checkHeaderSize(line.byteLength, what, offset)
  if (depthOf(line) > MAX_HEADER_DEPTH) {
    throw new EnvelopeError('header-too-deep', `${what} is nested deeper than ${MAX_HEADER_DEPTH}`, offset)
  }
  let text: string
  try {
    text = utf8.decode(line)
  } catch {
    throw new EnvelopeError(code, `${what} is not valid UTF-8`, offset)
  }
  let value: unknown
  try {
    value = parseWithoutProto(text)
  } catch (error) {
    throw new EnvelopeError(
      code,
      `${what} is not JSON: ${error instanceof Error ? error.message : ''}`,
      offset,
    )
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new EnvelopeError(code, `${what} is not a JSON object`, offset)
  }
  return value as JsonRecord
}

function checkHeaderSize(bytes: number, what: string, offset: number): void {
  if (bytes <= MAX_HEADER_BYTES) return
  throw new EnvelopeError(
    'header-too-large',
    `${what} has ${bytes} bytes, at most ${MAX_HEADER_BYTES} are allowed`,
    offset,
  )
}

/**
 * JSON.parse makes `__proto__` an own field, harmless until somebody copies it with Object.assign.
 * The reviver is several times slower, so it runs only where the name may occur, escaped or not.
 */
function parseWithoutProto(text: string): unknown {
  if (!text.includes('__proto__') && !text.includes('\\u')) return JSON.parse(text)
  return JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value))
}

/** The deepest nesting of brackets outside of strings; right for JSON, harmless for anything else. */
function depthOf(line: Uint8Array): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let at = 0; at < line.length; at++) {
    const byte = line[at]
    if (inString) {
      if (byte === 0x5c) at++
      else if (byte === 0x22) inString = false
    } else if (byte === 0x22) inString = true
    else if (byte === 0x7b || byte === 0x5b) deepest = Math.max(deepest, ++depth)
    else if (byte === 0x7d || byte === 0x5d) depth--
  }
  return deepest
}
