/** Makes people. The caller has checked that it may, and that the address looks like one. */
import { SondeError, UnavailableError } from '@sonde/base'
import type { Auth } from './create-auth.ts'
import { GATE_RETRY_SEC, type HashGate } from './hash-gate.ts'
import { checkPassword } from './password-rules.ts'

export type NewUser = { readonly email: string; readonly name: string; readonly password: string }

/**
 * Throws `SondeError`: `conflict` when the address is taken, `invalid` for a password that is not allowed. The
 * address is kept in lower case.
 */
export async function createUser(
  auth: () => Promise<Auth>,
  gate: HashGate,
  user: NewUser,
): Promise<{ userId: string }> {
  const operation = 'create a user'
  await checkPassword(user.password, operation)
  const context = await (await auth()).$context
  const email = user.email.trim().toLowerCase()
  const taken = new SondeError('conflict', `somebody with the address ${email} exists already`, {
    operation,
    subject: email,
  })
  if (await context.internalAdapter.findUserByEmail(email)) throw taken
  const password = await hashed(gate, operation, () => context.password.hash(user.password))
  const created = await context.internalAdapter.createUser({ email, name: user.name, emailVerified: true })
  await context.internalAdapter.linkAccount({
    userId: created.id,
    providerId: 'credential',
    accountId: created.id,
    password,
  })
  return { userId: created.id }
}

/** Ends every session of that person. Throws `SondeError` (`invalid`) for a password that is not allowed. */
export async function setPassword(
  auth: () => Promise<Auth>,
  gate: HashGate,
  userId: string,
  password: string,
): Promise<void> {
  const operation = 'set a password'
  await checkPassword(password, operation)
  const context = await (await auth()).$context
  const hash = await hashed(gate, operation, () => context.password.hash(password))
  await context.internalAdapter.updatePassword(userId, hash)
  await context.internalAdapter.deleteSessions(userId)
}

async function hashed(gate: HashGate, operation: string, hash: () => Promise<string>): Promise<string> {
  const leave = await gate.enter({ isKnown: true })
  if (!leave) {
    const details = { operation, subject: 'password', retryAfterSec: GATE_RETRY_SEC }
    throw new UnavailableError('many people sign in at this moment; try again soon', details)
  }
  try {
    return await hash()
  } finally {
    leave()
  }
}
