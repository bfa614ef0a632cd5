/**
 * Splits a body into header, items and payload views. Only header lines are decoded; each byte is
 * looked at a constant number of times. Grammar and the lenient cases:
 * https://develop.sentry.dev/sdk/data-model/envelopes/#serialization-format
 */
import {
  type Envelope,
  EnvelopeError,
  type EnvelopeItem,
  type ItemHeader,
  NEWLINE_BYTE,
  ONE_NEWLINE,
} from './envelope.ts'
import { type JsonRecord, MAX_HEADER_BYTES, parseHeaderLine } from './header-line.ts'

/**
 * Upstream allows at most 100 items of any one kind (sessions, client reports). A thousand refuses no
 * SDK, and bounds what a body of tiny items can cost: an item takes about 1 kB once parsed.
 */
const DEFAULT_MAX_ITEMS = 1000

export type EnvelopeLimits = { readonly maxItems?: number }

/** Never copies payloads: the result keeps `bytes` alive. Throws `EnvelopeError` and nothing else. */
export function parseEnvelope(bytes: Uint8Array, limits: EnvelopeLimits = {}): Envelope {
  const maxItems = limits.maxItems ?? DEFAULT_MAX_ITEMS
  const { header, rawHeader } = readEnvelopeHeader(bytes, MAX_HEADER_BYTES)
  const items: EnvelopeItem[] = []
  let end = rawHeader.byteLength
  for (;;) {
    const start = skipBlankLines(bytes, end)
    if (start === undefined) return { header, rawHeader, items, trail: bytes.subarray(end) }
    if (items.length >= maxItems) {
      throw new EnvelopeError('too-many-items', `the envelope has more than ${maxItems} items`, start)
    }
    const item = readItem(bytes, end, start, items.length + 1)
    items.push(item)
    end = start + item.rawHeader.byteLength + (item.headerEndsBody ? 0 : 1) + item.payload.byteLength
  }
}

/** The first line alone, e.g. to find the DSN. `bytes` may be the start of a body that is still arriving. */
export function readEnvelopeHeader(
  bytes: Uint8Array,
  maxBytes: number = MAX_HEADER_BYTES,
): { readonly header: JsonRecord; readonly rawHeader: Uint8Array } {
  if (bytes.byteLength === 0) throw new EnvelopeError('bad-header', 'the body is empty', 0)
  // One byte more than allowed: a newline there still ends a line of exactly `maxBytes`.
  const prefix = bytes.byteLength > maxBytes + 1 ? bytes.subarray(0, maxBytes + 1) : bytes
  const rawHeader = prefix.subarray(0, lineEnd(prefix, 0))
  if (rawHeader.byteLength > maxBytes) {
    const message = `the envelope header has more than the ${maxBytes} bytes allowed`
    throw new EnvelopeError('header-too-large', message, 0)
  }
  return { header: parseHeaderLine(rawHeader, 'bad-header', 'the envelope header', 0), rawHeader }
}

function readItem(bytes: Uint8Array, previousEnd: number, start: number, position: number): EnvelopeItem {
  const headerEnd = lineEnd(bytes, start)
  const rawHeader = bytes.subarray(start, headerEnd)
  const header = parseHeaderLine(rawHeader, 'bad-item-header', `the header of item ${position}`, start)
  if (!hasType(header)) {
    throw new EnvelopeError('missing-type', `the header of item ${position} has no "type"`, start)
  }
  const headerEndsBody = headerEnd === bytes.byteLength
  const payloadStart = headerEndsBody ? headerEnd : headerEnd + 1
  const payloadEnd = findPayloadEnd(bytes, payloadStart, header, `item ${position}`, start)
  return {
    header,
    rawHeader,
    payload: bytes.subarray(payloadStart, payloadEnd),
    lead: start === previousEnd + 1 ? ONE_NEWLINE : bytes.subarray(previousEnd, start),
    headerEndsBody,
  }
}

function findPayloadEnd(
  bytes: Uint8Array,
  payloadStart: number,
  header: ItemHeader,
  item: string,
  offset: number,
): number {
  const { length } = header
  // Serialisers that write absent options as null mean "no length".
  if (length === undefined || length === null) return lineEnd(bytes, payloadStart)
  if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0) {
    throw new EnvelopeError('bad-length', `"length" of ${item} is not a whole number of bytes`, offset)
  }
  const left = bytes.byteLength - payloadStart
  if (length > left) {
    throw new EnvelopeError(
      'truncated',
      `"length" of ${item} says ${length} bytes, but ${left} follow`,
      offset,
    )
  }
  const end = payloadStart + length
  if (end < bytes.byteLength && bytes[end] !== NEWLINE_BYTE) {
    const message = `"length" of ${item} says ${length} bytes, but no newline stands after them`
    throw new EnvelopeError('bad-length', message, offset)
  }
  return end
}

/** Where the next item header starts; undefined when only blank lines, or nothing, is left. */
function skipBlankLines(bytes: Uint8Array, from: number): number | undefined {
  let lineStart = from + 1 // `from` is the newline that ends the part before, or the end of the body
  for (let at = lineStart; at < bytes.byteLength; at++) {
    const byte = bytes[at]
    if (byte === NEWLINE_BYTE) lineStart = at + 1
    // Leading space belongs to the header line, for which it means nothing to JSON.
    else if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return lineStart
  }
  return undefined
}

function lineEnd(bytes: Uint8Array, from: number): number {
  const at = bytes.indexOf(NEWLINE_BYTE, from)
  return at < 0 ? bytes.byteLength : at
}

function hasType(header: JsonRecord): header is ItemHeader {
  return typeof header['type'] === 'string' && header['type'] !== ''
}
