/** Proofs of who sends, compared in constant time. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export const hmacHex = (key: string, ...parts: readonly (string | Uint8Array)[]): string => {
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(part)
  return hmac.digest('hex')
}

/** Also of different lengths: what is compared are digests. */
export const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Of a secret that was never entered nothing is a proof. */
export const textOf = (secret: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  const value = secret[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
