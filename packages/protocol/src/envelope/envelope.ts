/**
 * An envelope: one header line, then items of one header line and a payload each. Payloads are bytes
 * and stay bytes. https://develop.sentry.dev/sdk/data-model/envelopes/
 */

/** As received: any JSON. `readHeaderFields` gives the known fields with their types. */
export type EnvelopeHeader = { readonly [field: string]: unknown }
/** As received: any JSON beside `type`. `length` is only what the sender claimed; `payload` is the truth. */
export type ItemHeader = { readonly type: string; readonly [field: string]: unknown }

export type EnvelopeItem = {
  readonly header: ItemHeader
  /** The header line without its newline. `serializeEnvelope` writes this, not `header`. */
  readonly rawHeader: Uint8Array
  /** A view of the parsed body, not a copy. */
  readonly payload: Uint8Array
  /** What stands between the part before and this header: `\n`, more if there were blank lines. */
  readonly lead: Uint8Array
  /** The body ended with this header, without even a newline. */
  readonly headerEndsBody: boolean
}

export type Envelope = {
  readonly header: EnvelopeHeader
  /** The first line without its newline. `serializeEnvelope` writes this, not `header`. */
  readonly rawHeader: Uint8Array
  readonly items: readonly EnvelopeItem[]
  /** What stands after the last part: nothing, `\n`, or blank lines. */
  readonly trail: Uint8Array
}

export const NEWLINE_BYTE = 0x0a
/** Shared by all items that have the usual one newline before them. Nobody writes into it. */
export const ONE_NEWLINE: Uint8Array = Uint8Array.of(NEWLINE_BYTE)

/** A payload that is not bytes is encoded: text as UTF-8, anything else as JSON. */
export type NewItem = {
  readonly header: ItemHeader
  readonly payload: Uint8Array | string | object
}

/** `length` of every item header is set from its payload, so payloads may hold newlines. */
export function createEnvelope(header: EnvelopeHeader, items: readonly NewItem[] = []): Envelope {
  return {
    header,
    rawHeader: encodeJson(header),
    items: items.map(createItem),
    trail: ONE_NEWLINE,
  }
}

function createItem(item: NewItem): EnvelopeItem {
  const payload = encodePayload(item.payload)
  const header: ItemHeader = { ...item.header, length: payload.byteLength }
  return { header, rawHeader: encodeJson(header), payload, lead: ONE_NEWLINE, headerEndsBody: false }
}

function encodePayload(payload: Uint8Array | string | object): Uint8Array {
  if (payload instanceof Uint8Array) return payload
  return typeof payload === 'string' ? new TextEncoder().encode(payload) : encodeJson(payload)
}

function encodeJson(value: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value))
}

/**
 * The very bytes that were parsed, as long as nothing was changed. Items may be left out, added or
 * reordered: what is written then parses to just these items.
 */
export function serializeEnvelope(envelope: Envelope): Uint8Array {
  const parts: Uint8Array[] = [envelope.rawHeader]
  for (const [index, item] of envelope.items.entries()) {
    const endsBody = index === envelope.items.length - 1 && envelope.trail.byteLength === 0
    parts.push(item.lead, item.rawHeader)
    if (!(item.headerEndsBody && endsBody)) parts.push(ONE_NEWLINE)
    parts.push(item.payload)
  }
  parts.push(envelope.trail)
  return concat(parts)
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.byteLength
  }
  return bytes
}

/** What is wrong with an envelope. Code branches on `code`; people read the message. */
export type EnvelopeErrorCode =
  /** The first line is not a JSON object in UTF-8. */
  | 'bad-header'
  /** The line before a payload is not a JSON object in UTF-8. */
  | 'bad-item-header'
  /** An item header without a `type` text. */
  | 'missing-type'
  /** `length` is not a byte count, or does not end at a newline or at the end of the body. */
  | 'bad-length'
  /** The body ends before the bytes that `length` promises. */
  | 'truncated'
  | 'too-many-items'
  /** A header line longer than the limit. */
  | 'header-too-large'
  /** A header nested deeper than the limit. */
  | 'header-too-deep'

export class EnvelopeError extends Error {
  readonly code: EnvelopeErrorCode
  /** Byte of the body at which the trouble starts. */
  readonly offset: number

  constructor(code: EnvelopeErrorCode, message: string, offset: number) {
    super(`${message} (at byte ${offset})`)
    this.name = 'EnvelopeError'
    this.code = code
    this.offset = offset
  }
}
