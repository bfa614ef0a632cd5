/**
 * Mail about an account: invitations, new passwords, notices. It waits in the records, sealed because of the links in it,
 * until the role `alerts` sends it.
 */
import type { Clock } from '@sonde/base'
import type { Records } from '@sonde/stores'
import { z } from 'zod'
import type { Seal } from './auth/reencrypt.ts'

const ACCOUNT_MAIL = z.object({
  subject: z.string(),
  heading: z.string(),
  /** Paragraphs. */
  lines: z.array(z.string()),
  facts: z.array(z.tuple([z.string(), z.string()])),
  button: z.object({ label: z.string(), url: z.string() }).optional(),
  /** Why it was sent. */
  footer: z.string(),
})
/** Plain text all of it: names of people are strangers' words. */
export type AccountMail = z.output<typeof ACCOUNT_MAIL>

/** What helps nobody a day later is not sent then. */
const ACCOUNT_MAIL_LIFE_MS = 24 * 60 * 60_000

export type AccountMailbox = {
  /** Whether mail is set up: without it `queue` does nothing. */
  readonly isOn: boolean
  /** In the caller's transaction. `lifeMs`: given up after it; a day unless told. */
  queue(tx: Records, to: string, mail: AccountMail, lifeMs?: number): Promise<void>
}

export function createAccountMailbox(isOn: boolean, seal: Seal, clock: Clock): AccountMailbox {
  return {
    isOn,
    async queue(tx, to, mail, lifeMs = ACCOUNT_MAIL_LIFE_MS) {
      if (!isOn) return
      const nowMs = clock.nowMs()
      await tx
        .insertInto('account_mail')
        .values({
          to_address: to,
          content: await seal.seal(JSON.stringify(mail)),
          next_attempt_ms: nowMs,
          created_ms: nowMs,
          expires_ms: nowMs + lifeMs,
        })
        .execute()
    },
  }
}

/** Throws for what was sealed with another key. */
export const readAccountMail = async (seal: Seal, content: string): Promise<AccountMail> =>
  ACCOUNT_MAIL.parse(JSON.parse(await seal.open(content)))
