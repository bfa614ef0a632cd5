/** Tells which password hashes are computed while a test runs. */
import crypto, { type ScryptOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import type { TestContext } from 'node:test'

export type HashWatch = {
  /** What each was asked to cost, in the order in which they began. */
  readonly costs: ScryptOptions[]
  readonly mostAtOnce: () => number
}

export function watchHashes(t: TestContext): HashWatch {
  const { scrypt } = crypto
  const costs: ScryptOptions[] = []
  let running = 0
  let most = 0
  const watched = (
    password: crypto.BinaryLike,
    salt: crypto.BinaryLike,
    length: number,
    options: ScryptOptions,
    done: (error: Error | null, key: Buffer) => void,
  ): void => {
    costs.push(options)
    most = Math.max(most, ++running)
    scrypt(password, salt, length, options, (error, key) => {
      running--
      done(error, key)
    })
  }
  const use = (one: unknown) => {
    Object.assign(crypto, { scrypt: one })
    syncBuiltinESMExports()
  }
  use(watched)
  t.after(() => use(scrypt))
  return { costs, mostAtOnce: () => most }
}
