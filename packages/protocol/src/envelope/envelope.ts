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
