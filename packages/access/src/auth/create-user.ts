/** Makes people. The caller has checked that it may, and that the address looks like one. */
import { SondeError, UnavailableError } from '@sonde/base'
import type { Auth } from './create-auth.ts'
import { GATE_RETRY_SEC, type HashGate } from './hash-gate.ts'

/**
 * What a new password must be: long enough, and none that everybody tries first (NIST SP 800-63B-4, section 3.1.1.2).
 * The list of tens of thousands is a package of zxcvbn-ts, looked at without the network; it is loaded when somebody
 * sets a password, and no sign-in asks it.
 */
export const MIN_PASSWORD_CHARS = 8
/** Hashing is deliberately slow: an unbounded password would be a way to burn our processor. */
export const MAX_PASSWORD_CHARS = 128

/** Throws `SondeError` (`invalid`, subject `password`). */
export async function checkPassword(password: string, operation: string): Promise<void> {
  const refused = (message: string) => new SondeError('invalid', message, { operation, subject: 'password' })
  if (password.length < MIN_PASSWORD_CHARS || password.length > MAX_PASSWORD_CHARS) {
    throw refused(`a password has ${MIN_PASSWORD_CHARS} to ${MAX_PASSWORD_CHARS} characters`)
  }
  if (await isCommon(password)) {
    throw refused('this is one of the most used passwords, which are tried first; choose another one')
  }
}

async function isCommon(password: string): Promise<boolean> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return dictionary['passwords-common'].includes(password.toLowerCase())
}

export type NewUser = {
  readonly email: string
  readonly name: string
  readonly password: string
  /** False: nobody has shown that this person reads the address. */
  readonly isVerified?: boolean
}

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
  const email = await freeAddress(auth, operation, user.email)
  const password = await hashed(gate, operation, () => context.password.hash(user.password))
  const created = await context.internalAdapter.createUser({
    email,
    name: user.name,
    emailVerified: user.isVerified ?? true,
  })
  await context.internalAdapter.linkAccount({
    userId: created.id,
    providerId: 'credential',
    accountId: created.id,
    password,
  })
  return { userId: created.id }
}

/** Nobody signs in with a password until one is set. Throws `SondeError` (`conflict`). */
export async function createUserWithoutPassword(
  auth: () => Promise<Auth>,
  user: Omit<NewUser, 'password'>,
): Promise<{ userId: string }> {
  const { internalAdapter } = await (await auth()).$context
  const email = await freeAddress(auth, 'create a user', user.email)
  const created = await internalAdapter.createUser({ email, name: user.name, emailVerified: true })
  return { userId: created.id }
}

/** In lower case. */
async function freeAddress(auth: () => Promise<Auth>, operation: string, typed: string): Promise<string> {
  const email = typed.trim().toLowerCase()
  const { internalAdapter } = await (await auth()).$context
  if (!(await internalAdapter.findUserByEmail(email))) return email
  throw new SondeError('conflict', `somebody with the address ${email} exists already`, {
    operation,
    subject: email,
  })
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
  const accounts = await context.internalAdapter.findAccounts(userId)
  if (accounts.some(({ providerId }) => providerId === 'credential'))
    await context.internalAdapter.updatePassword(userId, hash)
  // Who came by a provider has had none.
  else
    await context.internalAdapter.linkAccount({
      userId,
      providerId: 'credential',
      accountId: userId,
      password: hash,
    })
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
