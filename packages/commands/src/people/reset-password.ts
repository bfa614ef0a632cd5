/** A new password by a link in a mail. What is answered never tells whether somebody has an account. */
import { randomBytes } from 'node:crypto'
import { SondeError } from '@sonde/base'
import { type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAuditOf } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { asFieldError, emailField, readInput } from '../fields.ts'
import { endPersonalTokens } from '../tokens/change-token.ts'
import { hashOfLink } from './invite.ts'

const HOUR_MS = 60 * 60_000
const TOKEN_CHARS = 43

type Asking = {
  readonly address: string | undefined
  readonly userAgent?: string | undefined
}

/**
 * Sends a link that works once, within an hour; the link of before ends. Resolves before anything is looked up, so that the
 * time tells nothing either. Throws `InvalidInput` (`email`: no address, or asked for too often).
 */
export async function requestPasswordReset(
  deps: CommandDeps,
  input: { readonly email: string },
  asking: Asking,
): Promise<{ readonly isDone: Promise<void> }> {
  const operation = 'ask for a new password'
  const email = readInput(operation, z.object({ email: emailField }), input).email.toLowerCase()
  const wait = await deps.access.takeTry('password-reset', email, asking.address)
  if (wait !== undefined) throw new SondeError('unavailable', wait, { operation })
  return { isDone: sendLink(deps, email, asking).catch(() => undefined) }
}

async function sendLink(deps: CommandDeps, email: string, { address, userAgent }: Asking): Promise<void> {
  const { records, access, clock } = deps
  const person = await records
    .selectFrom('user')
    .innerJoin('account', 'account.userId', 'user.id')
    .select('user.id')
    .where('user.email', '=', email)
    .where('user.disabledMs', 'is', null)
    .where('account.providerId', '=', 'credential')
    .executeTakeFirst()
  await access.recordEvent({ event: 'reset_requested', userId: person?.id, email: person && email, address })
  if (!person || !access.mailbox.isOn) return
  const token = randomBytes(32).toString('base64url')
  const nowMs = clock.nowMs()
  await writeTransaction(records, async (tx) => {
    await endLinks(tx, person.id)
    await tx.deleteFrom('account_link').where('expires_ms', '<=', nowMs).execute()
    await tx
      .insertInto('account_link')
      .values({
        token_hash: hashOfLink(token),
        user_id: person.id,
        purpose: 'password-reset',
        value: '',
        created_ms: nowMs,
        expires_ms: nowMs + HOUR_MS,
      })
      .execute()
    const mail = {
      subject: 'Set a new password for Sonde',
      heading: 'Set a new password',
      lines: [
        'Somebody, probably you, asked for a new password for this account.',
        'The link works once, within an hour. If you did not ask for it, ignore this mail: your password stays as it is.',
      ],
      facts: [
        ...(userAgent === undefined ? [] : [['Browser', access.deviceName(userAgent)] as [string, string]]),
        ...(address === undefined ? [] : [['Address', address] as [string, string]]),
      ],
      button: { label: 'Set a new password', url: `${access.publicUrl}/sign-in/new-password?token=${token}` },
      footer: `Sonde at ${access.publicUrl} sent this because somebody entered your address there.`,
    }
    await access.mailbox.queue(tx, email, mail, HOUR_MS)
  })
}

const endLinks = (tx: Records, userId: string) =>
  tx
    .deleteFrom('account_link')
    .where('user_id', '=', userId)
    .where('purpose', '=', 'password-reset')
    .execute()

/** Reads alone. Undefined: it never was, is over, or was used. */
export async function lookAtReset(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  token: string,
): Promise<{ readonly userId: string; readonly email: string } | undefined> {
  if (token.length !== TOKEN_CHARS) return undefined
  return records
    .selectFrom('account_link')
    .innerJoin('user', 'user.id', 'account_link.user_id')
    .select(['user.id as userId', 'user.email'])
    .where('token_hash', '=', hashOfLink(token))
    .where('purpose', '=', 'password-reset')
    .where('expires_ms', '>', clock.nowMs())
    .where('user.disabledMs', 'is', null)
    .executeTakeFirst()
}

export type ResetPasswordInput = {
  readonly password: string
  /** One's own tokens end too. */
  readonly endTokens?: boolean
}

/**
 * Ends every session; the next sign-in asks for the second factor as ever. A password that is not allowed leaves the link.
 * Throws `InvalidInput` (`password`), `SondeError` (`not-found`: the link is over).
 */
export async function resetOwnPassword(
  deps: CommandDeps,
  token: string,
  { password, endTokens = false }: ResetPasswordInput,
  { address, userAgent }: Asking,
): Promise<void> {
  const operation = 'set a new password'
  const found = await lookAtReset(deps, token)
  const over = new SondeError('not-found', 'this link is no longer valid', { operation })
  if (!found) throw over
  const { userId, email } = found
  await asFieldError(operation, {}, () => deps.access.checkNewPassword(password))
  // Taken by one alone, also of two at the same moment.
  const taken = await deps.records
    .deleteFrom('account_link')
    .where('token_hash', '=', hashOfLink(token))
    .returning('user_id')
    .executeTakeFirst()
  if (!taken) throw over
  await deps.access.setPassword(userId, password, {
    event: 'password_reset',
    userId,
    email,
    address,
    userAgent,
  })
  await writeTransaction(deps.records, async (tx) => {
    await endLinks(tx, userId)
    // Whoever opened the link reads this address.
    await tx.updateTable('user').set({ emailVerified: 1 }).where('id', '=', userId).execute()
    const endedTokens = endTokens ? await endPersonalTokens(tx, userId) : 0
    await writeAuditOf(tx, {
      orgId: null,
      actor: `user:${userId}`,
      action: 'account.password-reset',
      subject: userId,
      detail: { byMail: true, endedTokens },
      atMs: deps.clock.nowMs(),
      address,
    })
  })
}
