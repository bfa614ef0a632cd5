import { type Envelope, ONE_NEWLINE } from './envelope.ts'

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
