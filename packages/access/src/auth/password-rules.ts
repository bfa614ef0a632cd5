/**
 * What a new password must be: long enough, and none that everybody tries first (NIST SP 800-63B-4, section 3.1.1.2).
 * The list of tens of thousands is a package of zxcvbn-ts, looked at without the network; it is loaded when somebody
 * sets a password, and no sign-in asks it.
 */
import { SondeError } from '@sonde/base'

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
