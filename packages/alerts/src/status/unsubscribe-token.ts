/**
 * What a mail of a status page carries to end these mails by one press: the subscriber, sealed with the installation's key. It is good
 * for nothing else, nothing of it is stored, and it ends with the key.
 */
import type { Seal } from '@sonde/access'

/** So that nothing else which the key sealed is taken for one. */
const PURPOSE = 'status-unsubscribe '
const MAX_CHARS = 500

export const statusUnsubscribeToken = (seal: Seal, subscriberId: number): Promise<string> =>
  seal.seal(PURPOSE + subscriberId)

/** The subscriber's id. Undefined: this installation did not write it, or with another key. */
export async function readStatusUnsubscribeToken(seal: Seal, token: string): Promise<number | undefined> {
  if (token === '' || token.length > MAX_CHARS) return undefined
  const text = await seal.open(token).catch(() => '')
  const id = text.startsWith(PURPOSE) ? Number(text.slice(PURPOSE.length)) : Number.NaN
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

/** Where programs post (RFC 8058); people who open it in a browser are led to a page. */
export const statusUnsubscribeUrl = (publicUrl: string, token: string): string =>
  `${publicUrl}/api/0/status-unsubscribe/?token=${encodeURIComponent(token)}`
