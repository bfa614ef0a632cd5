/** How trackers sign what they send: an HMAC of the raw body, or the secret itself. All of it compares in constant time. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && timingSafeEqual(one, other)

const SHA256_HEX = /^[0-9a-f]{64}$/

/** `signature`: hex, after what `prefix` says. */
export function isHmacOf(
  secret: string,
  body: Uint8Array,
  signature: string | readonly string[] | undefined,
  prefix = '',
): boolean {
  if (typeof signature !== 'string' || !signature.startsWith(prefix)) return false
  const hex = signature.slice(prefix.length)
  if (!SHA256_HEX.test(hex)) return false
  return isSame(createHmac('sha256', secret).update(body).digest(), Buffer.from(hex, 'hex'))
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The header holds the secret: its digest is compared, so that its length takes no time either. */
export const isSecret = (secret: string, sent: string | readonly string[] | undefined): boolean =>
  typeof sent === 'string' && isSame(digest(secret), digest(sent))
