/**
 * The id of an event that only its payload names: the envelope header of hand-written clients, and of some SDKs, has
 * none. The answer must say the id by which the event can be found. Read by a scan, not by parsing: payloads are
 * parsed once, in the pipeline.
 */
import { type Envelope, normalizeEventId } from '@sonde/protocol'

// Serialisers put the id first or last; events of 64 KiB and more come from SDKs, which put it into the header.
const MAX_SCANNED_BYTES = 64 * 1024
/** Types whose `event_id` is their own; that of a user report is another event's. */
const NAMED_BY_PAYLOAD: ReadonlySet<string> = new Set(['event', 'transaction', 'feedback'])

const KEY = Buffer.from('"event_id"')
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
// A hyphenated UUID and its quotes.
const MAX_VALUE_BYTES = 38

/** Of the first item that may name one and is not in `skip`. 32 lower hex. */
export function payloadEventId({ items }: Envelope, skip: readonly number[]): string | undefined {
  const named = items.find(({ header }, index) => NAMED_BY_PAYLOAD.has(header.type) && !skip.includes(index))
  return named && scanEventId(named.payload)
}

/** The `event_id` of the outermost object, if it is an id and near enough to the start. Never throws, whatever the bytes. */
export function scanEventId(payload: Uint8Array): string | undefined {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, Math.min(payload.length, MAX_SCANNED_BYTES))
  let depth = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      const end = stringEnd(bytes, at + 1)
      if (end === undefined) return undefined
      if (depth === 1 && end - at === KEY.length - 1 && KEY.equals(bytes.subarray(at, end + 1))) {
        const colon = skipBlanks(bytes, end + 1)
        if (bytes[colon] === COLON) return readId(bytes, skipBlanks(bytes, colon + 1))
      }
      at = end
    } else if (byte === 0x7b || byte === 0x5b) depth++
    else if (byte === 0x7d || byte === 0x5d) depth--
  }
  return undefined
}

function readId(bytes: Buffer, from: number): string | undefined {
  if (bytes[from] !== QUOTE) return undefined
  const text = bytes.toString('latin1', from + 1, from + MAX_VALUE_BYTES)
  const end = text.indexOf('"')
  return end < 0 ? undefined : normalizeEventId(text.slice(0, end))
}

/** Where the string that begins at `from` has its closing quote. */
function stringEnd(bytes: Buffer, from: number): number | undefined {
  for (let quote = bytes.indexOf(QUOTE, from); quote >= 0; quote = bytes.indexOf(QUOTE, quote + 1)) {
    let before = quote - 1
    while (before >= from && bytes[before] === BACKSLASH) before--
    if ((quote - 1 - before) % 2 === 0) return quote
  }
  return undefined
}

function skipBlanks(bytes: Buffer, from: number): number {
  let at = from
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0a || bytes[at] === 0x0d) at++
  return at
}
