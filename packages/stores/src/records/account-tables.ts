/** Accounts: links that were mailed, mail that waits, passkeys, where somebody signed in from. Times are Unix milliseconds. */
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>

export type AccountTables = {
  account_link: AccountLinkTable
  account_mail: AccountMailTable
  passkey: PasskeyTable
  passkey_challenge: PasskeyChallengeTable
  sign_in_network: SignInNetworkTable
}

const ACCOUNT_LINK_PURPOSES = ['password-reset', 'email-change'] as const
type AccountLinkPurpose = (typeof ACCOUNT_LINK_PURPOSES)[number]

/** A link that proves that whoever opens it reads somebody's mail. Works once. */
export type AccountLinkTable = {
  /** SHA-256 of what is in the link, in hex. */
  token_hash: Fixed<string>
  user_id: Fixed<string>
  purpose: Fixed<AccountLinkPurpose>
  /** Of `email-change`: the new address. */
  value: Fixed<string>
  created_ms: Fixed<number>
  expires_ms: Fixed<number>
}

/** Mail about an account, until it is sent or given up. */
export type AccountMailTable = {
  id: Generated<number>
  to_address: Fixed<string>
  /** JSON, sealed with the installation's key: there may be a link in it that opens an account. */
  content: Fixed<string>
  attempts: Generated<number>
  next_attempt_ms: number
  created_ms: Fixed<number>
  /** From here on it helps nobody. */
  expires_ms: Fixed<number>
}

/** https://www.w3.org/TR/webauthn-3/#sctn-public-key-credential : what an authenticator signs in with. */
export type PasskeyTable = {
  id: Generated<number>
  user_id: Fixed<string>
  name: string
  /** base64url. */
  credential_id: Fixed<string>
  /** COSE, base64url. */
  public_key: Fixed<string>
  /** Grows with each use, where the authenticator counts. */
  sign_count: number
  /** JSON: `usb`, `internal`, `hybrid`, … */
  transports: Fixed<string>
  /** 1: it is kept by a provider and works on several devices. */
  is_synced: number
  created_ms: Fixed<number>
  last_used_ms: ColumnType<number | null, number | null | undefined, number | null>
}

/** What an authenticator is asked to sign, once. */
export type PasskeyChallengeTable = {
  /** SHA-256 of the challenge, in hex. */
  challenge_hash: Fixed<string>
  expires_ms: Fixed<number>
}

/** Networks that somebody signed in from, for 90 days. */
export type SignInNetworkTable = {
  user_id: Fixed<string>
  /** Keyed hash. */
  network: Fixed<string>
  last_ms: number
}

/** The sweep of what has ended looks for it each minute; what has an index by its end already is not here. */
export const ENDINGS: readonly string[] = [
  'CREATE INDEX account_link_by_end ON account_link (expires_ms)',
  'CREATE INDEX account_mail_by_end ON account_mail (expires_ms)',
  'CREATE INDEX issue_share_by_end ON issue_share (expires_ms)',
  'CREATE INDEX issue_share_revoked ON issue_share (revoked_ms) WHERE revoked_ms IS NOT NULL',
  'CREATE INDEX sso_session_by_end ON sso_session (until_ms)',
  'CREATE INDEX sso_ticket_by_end ON sso_ticket (until_ms)',
  'CREATE INDEX sso_used_by_end ON sso_used (until_ms)',
  'CREATE INDEX session_by_end ON "session" ("expiresAt")',
  'CREATE INDEX verification_by_end ON "verification" ("expiresAt")',
]

export const ACCOUNTS: readonly string[] = [
  `CREATE TABLE account_link (token_hash text NOT NULL PRIMARY KEY,
    user_id text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE, purpose text NOT NULL, value text NOT NULL,
    created_ms integer NOT NULL, expires_ms integer NOT NULL) WITHOUT ROWID`,
  'CREATE INDEX account_link_by_user ON account_link (user_id, purpose)',
  `CREATE TABLE account_mail (id integer PRIMARY KEY AUTOINCREMENT, to_address text NOT NULL, content text NOT NULL,
    attempts integer NOT NULL DEFAULT 0, next_attempt_ms integer NOT NULL, created_ms integer NOT NULL,
    expires_ms integer NOT NULL)`,
  'CREATE INDEX account_mail_by_time ON account_mail (next_attempt_ms)',
  `CREATE TABLE passkey (id integer PRIMARY KEY AUTOINCREMENT,
    user_id text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE, name text NOT NULL,
    credential_id text NOT NULL UNIQUE, public_key text NOT NULL, sign_count integer NOT NULL, transports text NOT NULL,
    is_synced integer NOT NULL, created_ms integer NOT NULL, last_used_ms integer)`,
  'CREATE INDEX passkey_by_user ON passkey (user_id)',
  `CREATE TABLE passkey_challenge (challenge_hash text NOT NULL PRIMARY KEY, expires_ms integer NOT NULL) WITHOUT ROWID`,
  'CREATE INDEX passkey_challenge_by_end ON passkey_challenge (expires_ms)',
  `CREATE TABLE sign_in_network (user_id text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE, network text NOT NULL,
    last_ms integer NOT NULL, PRIMARY KEY (user_id, network)) WITHOUT ROWID`,
  'ALTER TABLE organization ADD COLUMN requires_second_factor integer NOT NULL DEFAULT 0',
  `ALTER TABLE "user" ADD COLUMN "timeZone" text NOT NULL DEFAULT ''`,
]
