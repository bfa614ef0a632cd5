/**
 * What a mail carries to end such mails without a sign-in (https://www.rfc-editor.org/rfc/rfc8058): whom it is for and
 * about which project, sealed with the installation's key. It is good for nothing else, and ends with the key.
 */
import type { Seal } from '@sonde/access'
import { z } from 'zod'

export type Unsubscribed = {
  readonly userId: string
  /** Null: the mail was about several projects. */
  readonly projectId: number | null
  /** What others do about this issue alone. */
  readonly issueId?: number | undefined
  /** What others do about issues, of several at once. */
  readonly isActivity?: boolean | undefined
}

/** So that nothing else which the key sealed is taken for one. */
const PURPOSE = 'unsubscribe '
const MAX_CHARS = 1_000

const UNSUBSCRIBED = z.object({
  userId: z.string().min(1),
  projectId: z.int().positive().nullable(),
  issueId: z.int().positive().optional(),
  isActivity: z.boolean().optional(),
})

export const unsubscribeToken = (seal: Seal, whom: Unsubscribed): Promise<string> =>
  seal.seal(PURPOSE + JSON.stringify(whom))

/** Undefined: this installation did not write it, or with another key. */
export async function readUnsubscribeToken(seal: Seal, token: string): Promise<Unsubscribed | undefined> {
  if (token === '' || token.length > MAX_CHARS) return undefined
  try {
    const text = await seal.open(token)
    return text.startsWith(PURPOSE) ? UNSUBSCRIBED.parse(JSON.parse(text.slice(PURPOSE.length))) : undefined
  } catch {
    return undefined
  }
}

/** Where programs post; people who open it in a browser are led to a page. */
export const unsubscribeUrl = (publicUrl: string, token: string): string =>
  `${publicUrl}/api/0/unsubscribe/?token=${encodeURIComponent(token)}`
