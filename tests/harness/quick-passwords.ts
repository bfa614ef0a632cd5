/**
 * Makes password hashes cheap in this process, for fixtures that sign in often: half of the work of their files was
 * hashing. That a hash costs an attacker something, and us not too much, is what the tests of `access` are about; they
 * do not use this.
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
