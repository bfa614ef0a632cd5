/** Event ids: 32 lower hex everywhere inside; on the wire also hyphenated and in any case. */
const PLAIN = /^[0-9a-f]{32}$/i
const HYPHENATED = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** 32 lower hex, or undefined for anything that is not an id. */
export function normalizeEventId(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  if (PLAIN.test(value)) return value.toLowerCase()
  return HYPHENATED.test(value) ? value.replaceAll('-', '').toLowerCase() : undefined
}

/** A random UUID (version 4) as 32 lower hex. */
export function newEventId(): string {
  // Not randomUUID: browsers have that one only on https pages.
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  let id = ''
  for (const byte of bytes) id += byte.toString(16).padStart(2, '0')
  return id
}
