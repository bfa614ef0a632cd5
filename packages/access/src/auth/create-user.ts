/** Makes people. The caller has checked that it may, and that the address looks like one. */
import { SondeError } from '@sonde/base'
import type { Auth } from './create-auth.ts'
import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from './create-auth.ts'

export type NewUser = { readonly email: string; readonly name: string; readonly password: string }

/**
 * Throws `SondeError`: `conflict` when the address is taken, `invalid` for a password of the wrong length. The
 * address is kept in lower case.
 */
export async function createUser(auth: () => Promise<Auth>, user: NewUser): Promise<{ userId: string }> {
  const operation = 'create a user'
  checkLength(user.password, operation)
  const context = await (await auth()).$context
  const email = user.email.trim().toLowerCase()
  const taken = new SondeError('conflict', `somebody with the address ${email} exists already`, {
    operation,
    subject: email,
  })
  if (await context.internalAdapter.findUserByEmail(email)) throw taken
  const password = await context.password.hash(user.password)
  const created = await context.internalAdapter.createUser({ email, name: user.name, emailVerified: true })
  await context.internalAdapter.linkAccount({
    userId: created.id,
    providerId: 'credential',
    accountId: created.id,
    password,
  })
  return { userId: created.id }
}

/** Ends every session of that person. Throws `SondeError` (`invalid`) for a password of the wrong length. */
export async function setPassword(
  auth: () => Promise<Auth>,
  userId: string,
  password: string,
): Promise<void> {
  checkLength(password, 'set a password')
  const context = await (await auth()).$context
  await context.internalAdapter.updatePassword(userId, await context.password.hash(password))
  await context.internalAdapter.deleteSessions(userId)
}

export function checkLength(password: string, operation: string): void {
  if (password.length >= MIN_PASSWORD_CHARS && password.length <= MAX_PASSWORD_CHARS) return
  const message = `a password has ${MIN_PASSWORD_CHARS} to ${MAX_PASSWORD_CHARS} characters`
  throw new SondeError('invalid', message, { operation, subject: 'password' })
}
