/** What slows down guessing: tries that were counted and codes that were used. Both are gone when their time is over. */
import type { ColumnType } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>

export type SignInTables = {
  try_window: TryWindowTable
  used_code: UsedCodeTable
  account: AccountTable
}

export type TryWindowTable = {
  /** A keyed hash of what is counted. */
  key: Fixed<string>
  tries: number
  /** Only where a full window still lets one through now and then. */
  next_try_ms: number
  ends_ms: number
}

export type UsedCodeTable = { user_id: Fixed<string>; code_hash: Fixed<string>; until_ms: Fixed<number> }

/** better-auth's; as far as it is read here. `password` is a salted scrypt hash: never read it into anything shown. */
export type AccountTable = { userId: Fixed<string>; providerId: Fixed<string>; password: string | null }

/** However much it is used: then the password is asked again. */
export const SESSION_MAX_MS = 90 * 24 * 60 * 60_000

export const SIGN_IN = [
  `CREATE TABLE try_window (key text NOT NULL PRIMARY KEY, tries integer NOT NULL, next_try_ms integer NOT NULL,
    ends_ms integer NOT NULL) WITHOUT ROWID`,
  'CREATE INDEX try_window_by_end ON try_window (ends_ms)',
  `CREATE TABLE used_code (user_id text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE, code_hash text NOT NULL,
    until_ms integer NOT NULL, PRIMARY KEY (user_id, code_hash)) WITHOUT ROWID`,
  'CREATE INDEX used_code_by_end ON used_code (until_ms)',
]

/**
 * Until here the tokens of sessions lay there as they are in the cookie, and copies of the file may be about: those
 * sessions end, and everybody signs in once more.
 */
export const SESSIONS_AND_AUDIT = [
  'DELETE FROM "session"',
  'DELETE FROM "verification"',
  'ALTER TABLE audit_entry ADD COLUMN address text',
]
