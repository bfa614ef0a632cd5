/** Who looks after the installation, who is locked out, and until when a token works. */
import type { ColumnType } from 'kysely'

/** Columns of our own in better-auth's table, named as it names its own. */
export type PersonColumns = {
  /** 1: looks after the whole installation. Independent of the roles in organizations. */
  isOperator: ColumnType<number, number | undefined, number>
  /** Since when this person is locked out. Null: not. */
  disabledMs: ColumnType<number | null, number | null | undefined, number | null>
  /** Exact to the hour. Null: never. */
  lastSeenMs: ColumnType<number | null, number | null | undefined, number | null>
  /** IANA name: in which times are told. Empty: of the browser on screens, UTC in mail. */
  timeZone: ColumnType<string, string | undefined, string>
}

export type TokenLifeColumns = {
  /** From here on the token is refused. Null: it does not expire. */
  expires_ms: ColumnType<number | null, number | null | undefined, number | null>
  /** From where it was used last, written with `last_used_ms`. */
  last_used_address: ColumnType<string | null, string | null | undefined, string | null>
  /** The person who made it: of a token of the organization too, which outlives that person. Null: the command line. */
  made_by: ColumnType<string | null, string | null | undefined, never>
}

/**
 * Until here owners of organization 1 looked after the installation. Those keep it whom nobody but the first start made
 * that: the person whom it made, and further owners when it made the organization too. An organization that the command
 * line made before the first start may be a customer's; its other owners never should have had the machine. Nobody gains.
 */
const FIRST_START = `SELECT min(id) FROM audit_entry WHERE actor = 'operator:server' AND action = 'user.create'`
const MARK_OPERATORS = `UPDATE "user" SET "isOperator" = 1
  WHERE id IN (SELECT user_id FROM member WHERE org_id = 1 AND role = 'owner')
    AND EXISTS (SELECT 1 FROM audit_entry WHERE id = (${FIRST_START}))
    AND (id IN (SELECT subject FROM audit_entry WHERE actor = 'operator:server' AND action = 'user.create')
      OR NOT EXISTS (SELECT 1 FROM audit_entry
        WHERE org_id = 1 AND action = 'project.create' AND id < (${FIRST_START})))`

export const PEOPLE = [
  'ALTER TABLE "user" ADD COLUMN "isOperator" integer NOT NULL DEFAULT 0',
  'ALTER TABLE "user" ADD COLUMN "disabledMs" integer',
  'ALTER TABLE "user" ADD COLUMN "lastSeenMs" integer',
  'ALTER TABLE api_token ADD COLUMN expires_ms integer',
  'ALTER TABLE api_token ADD COLUMN last_used_address text',
  'ALTER TABLE api_token ADD COLUMN made_by text',
  'UPDATE api_token SET made_by = user_id',
  'CREATE INDEX api_token_by_user ON api_token (user_id)',
  MARK_OPERATORS,
]

/** What slows down guessing: tries that were counted and codes that were used. Both are gone when their time is over. */
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
