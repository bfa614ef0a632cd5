/** What people change about themselves. Only a person who is signed in has an account: tokens cannot do any of this. */
import type { Renewed, UserViewer } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { z } from 'zod'
import { accountAudit } from './account-audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { nameField } from './fields.ts'
import { readInput } from './invalid-input.ts'
import { endPersonalTokens } from './tokens/end-tokens.ts'
import { asFieldError } from './wrong-secret.ts'
import { writeTransaction } from '@sonde/stores'

/** Throws `InvalidInput` (`name`). */
export async function updateProfile(
  deps: CommandDeps,
  viewer: UserViewer,
  input: { readonly name: string },
): Promise<void> {
  const { name } = readInput('change your name', z.object({ name: nameField }), input)
  await writeTransaction(deps.records, async (tx) => {
    await tx.updateTable('user').set({ name }).where('id', '=', viewer.userId).execute()
    await accountAudit(deps, tx, viewer, 'account.name', { before: viewer.name, name })
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
