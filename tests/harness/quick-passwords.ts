/**
 * Makes password hashes cheap in this process, for fixtures that sign in often: most of the work of their files was
 * hashing. It stays until the process ends: not for packages whose tests compare with hashes that another process made.
 * What the product asks a hash to cost stays as it is; the tests of `access` say what that is.
 */
import crypto, { type ScryptOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const { scrypt } = crypto
const quick = (
  password: crypto.BinaryLike,
  salt: crypto.BinaryLike,
  length: number,
  options: ScryptOptions,
  done: (error: Error | null, key: Buffer) => void,
): void => scrypt(password, salt, length, { ...options, N: 16 }, done)

export function useQuickPasswords(): void {
  Object.assign(crypto, { scrypt: quick })
  syncBuiltinESMExports()
}
