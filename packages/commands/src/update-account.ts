/** What people change about themselves. Only a person who is signed in has an account: tokens cannot do any of this. */
import type { ConfirmedTwoFactor, NewTwoFactor, Renewed, UserViewer } from '@sonde/access'
import { isTimeZone } from '@sonde/alerts'
import { SondeError } from '@sonde/base'
import { writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { rescheduleMail } from './alerts/notification-choices.ts'
import { accountAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { asFieldError, InvalidInput, nameField, readInput } from './fields.ts'
import { endPersonalTokens } from './tokens/change-token.ts'

const PROFILE = z.object({
  name: nameField,
  /** IANA name; empty: of the browser. */
  timeZone: z
    .string()
    .max(64)
    .refine((zone) => zone === '' || isTimeZone(zone), 'is not a time zone, such as Europe/Berlin')
    .optional(),
})

/** `timeZone` left out stays. Throws `InvalidInput` (`name`, `timeZone`). */
export async function updateProfile(
  deps: CommandDeps,
  viewer: UserViewer,
  input: { readonly name: string; readonly timeZone?: string },
): Promise<void> {
  const { name, timeZone } = readInput('change your profile', PROFILE, input)
  await writeTransaction(deps.records, async (tx) => {
    await tx
      .updateTable('user')
      .set({ name, ...(timeZone !== undefined && { timeZone }) })
      .where('id', '=', viewer.userId)
      .execute()
    if (name !== viewer.name)
      await accountAudit(deps, tx, viewer, 'account.name', { before: viewer.name, name })
    const before = viewer.timeZone ?? ''
    if (timeZone === undefined || timeZone === before) return
    await accountAudit(deps, tx, viewer, 'account.time-zone', { before, timeZone })
    await rescheduleMail(tx, viewer.userId, deps.clock.nowMs())
  })
}

export type ChangePasswordInput = {
  readonly currentPassword: string
  readonly newPassword: string
  /** One's own tokens end too. */
  readonly endTokens?: boolean
}

/**
 * Ends every other session; `setCookies` belong on the answer, they keep this one. Throws `InvalidInput`
 * (`currentPassword`, `newPassword`).
 */
export async function changePassword(
  deps: CommandDeps,
  viewer: UserViewer,
  { currentPassword, newPassword, endTokens = false }: ChangePasswordInput,
  headers: Headers,
): Promise<Renewed> {
  const renewed = await asFieldError('change the password', { password: 'newPassword' }, () =>
    deps.access.changePassword(viewer, { current: currentPassword, next: newPassword }, headers),
  )
  await writeTransaction(deps.records, async (tx) => {
    const endedTokens = endTokens ? await endPersonalTokens(tx, viewer.userId) : 0
    await accountAudit(deps, tx, viewer, 'account.password', { endedTokens })
  })
  return renewed
}

/** Works at the next request with it. Idempotent for a session of this person; `not-found` for any other. */
export async function revokeSession(
  deps: CommandDeps,
  viewer: UserViewer,
  { sessionId }: { readonly sessionId: string },
): Promise<void> {
  await writeTransaction(deps.records, async (tx) => {
    const deleted = await tx
      .deleteFrom('session')
      .where('id', '=', sessionId)
      .where('userId', '=', viewer.userId)
      .returning('id')
      .executeTakeFirst()
    if (!deleted) {
      throw new SondeError('not-found', 'this session is over already', { operation: 'end a session' })
    }
    await accountAudit(deps, tx, viewer, 'account.session-end')
  })
}

/** All but the one that asks. Returns how many. */
export async function revokeOtherSessions(deps: CommandDeps, viewer: UserViewer): Promise<number> {
  return writeTransaction(deps.records, async (tx) => {
    const deleted = await tx
      .deleteFrom('session')
      .where('userId', '=', viewer.userId)
      .where('id', '!=', viewer.sessionId ?? '')
      .returning('id')
      .execute()
    if (deleted.length > 0) {
      await accountAudit(deps, tx, viewer, 'account.session-end', { count: deleted.length })
    }
    return deleted.length
  })
}

/** Two-factor sign-in of one's own account: a code that changes every 30 seconds (TOTP, RFC 6238). */
type Password = { readonly currentPassword: string }

/**
 * Shows the secret and the backup codes once; not in force before `confirmTwoFactor`, and may be repeated until then.
 * Throws `InvalidInput` (`currentPassword`), `SondeError` (`conflict`: it is on).
 */
export function enableTwoFactor(
  deps: CommandDeps,
  viewer: UserViewer,
  { currentPassword }: Password,
  headers: Headers,
): Promise<NewTwoFactor> {
  return asFieldError('set up two-factor sign-in', {}, () =>
    deps.access.enableTwoFactor(viewer, currentPassword, headers),
  )
}

/**
 * With a code of the app: from now on a sign-in asks for one. `setCookies` belong on the answer; the backup codes are
 * shown once. Throws `InvalidInput` (`code`).
 */
export async function confirmTwoFactor(
  deps: CommandDeps,
  viewer: UserViewer,
  { code }: { readonly code: string },
  headers: Headers,
): Promise<ConfirmedTwoFactor> {
  const confirmed = await asFieldError('confirm two-factor sign-in', {}, () =>
    deps.access.confirmTwoFactor(viewer, code, headers),
  )
  await accountAudit(deps, deps.records, viewer, 'account.two-factor-on')
  return confirmed
}

/** `setCookies` belong on the answer. Throws `InvalidInput` (`currentPassword`). */
export async function disableTwoFactor(
  deps: CommandDeps,
  viewer: UserViewer,
  { currentPassword }: Password,
  headers: Headers,
): Promise<Renewed> {
  const renewed = await asFieldError('switch off two-factor sign-in', {}, () =>
    deps.access.disableTwoFactor(viewer, currentPassword, headers),
  )
  await accountAudit(deps, deps.records, viewer, 'account.two-factor-off')
  return renewed
}

/** The old ones stop working. Throws `InvalidInput` (`currentPassword`), `SondeError` (`conflict`: it is off). */
export async function newBackupCodes(
  deps: CommandDeps,
  viewer: UserViewer,
  { currentPassword }: Password,
  headers: Headers,
): Promise<readonly string[]> {
  const codes = await asFieldError('make new backup codes', {}, () =>
    deps.access.newBackupCodes(viewer, currentPassword, headers),
  )
  await accountAudit(deps, deps.records, viewer, 'account.backup-codes')
  return codes
}

/** With the answer of `navigator.credentials.create`. Throws `InvalidInput` (`currentPassword`, `name`, `passkey`). */
export async function addPasskey(
  deps: CommandDeps,
  viewer: UserViewer,
  input: Password & { readonly name: string; readonly response: string },
): Promise<void> {
  const operation = 'add a passkey'
  const { name } = readInput(operation, z.object({ name: nameField }), input)
  await asFieldError(operation, {}, () => deps.access.checkCurrentPassword(viewer, input.currentPassword))
  await deps.access.passkeys.register(viewer, { name, response: input.response }).catch((error: unknown) => {
    const isRefused = error instanceof SondeError && (error.kind === 'invalid' || error.kind === 'conflict')
    throw isRefused ? new InvalidInput(operation, { passkey: [error.message] }) : error
  })
  await accountAudit(deps, deps.records, viewer, 'account.passkey-add', { name })
}

/** Throws `InvalidInput` (`currentPassword`), `SondeError` (`not-found`). */
export async function removePasskey(
  deps: CommandDeps,
  viewer: UserViewer,
  { currentPassword, passkeyId }: Password & { readonly passkeyId: number },
): Promise<void> {
  await asFieldError('remove a passkey', {}, () => deps.access.checkCurrentPassword(viewer, currentPassword))
  const { name } = await deps.access.passkeys.remove(viewer, passkeyId)
  await accountAudit(deps, deps.records, viewer, 'account.passkey-remove', { name })
}
