/** Codes and tokens of connected applications: a prefix that secret scanners find, and 32 random bytes. */
import { createHash, randomBytes } from 'node:crypto'
import type { OauthSecretKind } from '@sonde/stores'

const PREFIX = { code: 'sonde_ac_', access: 'sonde_at_', refresh: 'sonde_rt_' } as const
const FORM = /^(sonde_(?:ac|at|rt)_)[A-Za-z0-9_-]{43}$/

/** The way back from the browser to the application takes a second, and a slow program some more. */
export const CODE_LIFE_MS = 2 * 60_000
/** A copy of an access token is of use no longer than this. */
export const ACCESS_LIFE_MS = 60 * 60_000
/** An application that nobody uses for so long is asked to sign in again. */
export const IDLE_LIFE_MS = 30 * 24 * 60 * 60_000
/** However much it is used: as tokens that people make. */
export const CONNECTION_LIFE_MS = 365 * 24 * 60 * 60_000

/** The text goes out once; only the hash is stored. */
export function newOauthSecret(kind: OauthSecretKind): { readonly text: string; readonly hash: string } {
  const text = `${PREFIX[kind]}${randomBytes(32).toString('base64url')}`
  return { text, hash: createHash('sha256').update(text).digest('hex') }
}

export const isOauthSecret = (text: string, kind: OauthSecretKind): boolean =>
  FORM.exec(text)?.[1] === PREFIX[kind]
