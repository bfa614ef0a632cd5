/** Another address for an account: it counts once a link that was sent there is opened. */
import { randomBytes } from 'node:crypto'
import type { UserViewer } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { accountAudit, writeAuditOf } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { asFieldError, emailField, InvalidInput, readInput } from '../fields.ts'
import { hashOfLink } from './invite.ts'

const LIFE_MS = 24 * 60 * 60_000
const TOKEN_CHARS = 43
const INPUT = z.object({ email: emailField.transform((email) => email.toLowerCase()) })

/**
 * The answer does not tell whether somebody else has the address; then nothing is sent. Throws `InvalidInput` (`email`,
 * `currentPassword`).
 */
export async function requestEmailChange(
  deps: CommandDeps,
  viewer: UserViewer,
  input: { readonly email: string; readonly currentPassword: string },
): Promise<void> {
  const operation = 'change the e-mail address'
  const { email } = readInput(operation, INPUT, input)
  if (email === viewer.email.toLowerCase())
    throw new InvalidInput(operation, { email: ['is your address already'] })
  if (!deps.access.mailbox.isOn) throw new InvalidInput(operation, { email: ['no mail can be sent'] })
  await asFieldError(operation, {}, () => deps.access.checkCurrentPassword(viewer, input.currentPassword))
  const wait = await deps.access.takeTry('email-change', viewer.userId, viewer.address)
  if (wait !== undefined) throw new InvalidInput(operation, { email: [wait] })
  const token = randomBytes(32).toString('base64url')
  const nowMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    await accountAudit(deps, tx, viewer, 'account.email-request', { email })
    const taken = await tx.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst()
    if (taken) return
    await tx
      .deleteFrom('account_link')
      .where('user_id', '=', viewer.userId)
      .where('purpose', '=', 'email-change')
      .execute()
    await tx
      .insertInto('account_link')
      .values({
        token_hash: hashOfLink(token),
        user_id: viewer.userId,
        purpose: 'email-change',
        value: email,
        created_ms: nowMs,
        expires_ms: nowMs + LIFE_MS,
      })
      .execute()
    await deps.access.mailbox.queue(tx, email, {
      subject: 'Confirm your new e-mail address',
      heading: 'Confirm your new e-mail address',
      lines: [
        `The account ${viewer.email} is to have this address from now on. The link works once, within a day.`,
        'If this was not you, ignore this mail: nothing changes.',
      ],
      facts: [],
      button: {
        label: 'Confirm address',
        url: `${deps.access.publicUrl}/settings/confirm-address?token=${token}`,
      },
      footer: `Sonde at ${deps.access.publicUrl} sent this because somebody entered your address there.`,
    })
  })
}

/** Reads alone. Undefined: it never was, is over, or was used. */
export async function lookAtEmailChange(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  token: string,
): Promise<{ readonly userId: string; readonly before: string; readonly email: string } | undefined> {
  if (token.length !== TOKEN_CHARS) return undefined
  return records
    .selectFrom('account_link')
    .innerJoin('user', 'user.id', 'account_link.user_id')
    .select(['user.id as userId', 'user.email as before', 'account_link.value as email'])
    .where('token_hash', '=', hashOfLink(token))
    .where('purpose', '=', 'email-change')
    .where('expires_ms', '>', clock.nowMs())
    .where('user.disabledMs', 'is', null)
    .executeTakeFirst()
}

/** The address of before is told. Throws `SondeError` (`not-found`; also when somebody has the address meanwhile). */
export async function confirmEmailChange(
  deps: CommandDeps,
  token: string,
  address: string | undefined,
): Promise<void> {
  const operation = 'confirm an e-mail address'
  const over = () => new SondeError('not-found', 'this link is no longer valid', { operation })
  const done = await writeTransaction(deps.records, async (tx) => {
    const found = await lookAtEmailChange({ ...deps, records: tx }, token)
    if (!found) throw over()
    const { userId, before, email } = found
    const taken = await tx.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst()
    if (taken) throw over()
    await tx.updateTable('user').set({ email, emailVerified: 1 }).where('id', '=', userId).execute()
    // A link for a new password went to the address of before.
    await tx.deleteFrom('account_link').where('user_id', '=', userId).execute()
    await writeAuditOf(tx, {
      orgId: null,
      actor: `user:${userId}`,
      action: 'account.email',
      subject: userId,
      detail: { before, email },
      atMs: deps.clock.nowMs(),
      address,
    })
    return found
  })
  const { userId, before, email } = done
  await deps.access.recordEvent({ event: 'email_changed', userId, email, address, to: before, about: email })
}
