/**
 * Applications that people connected by OAuth. A connection is a personal token (`api_token`), so it ends with all that ends
 * one; what the application holds are short-lived secrets of it, of which only hashes lie here. docs/decisions/0103.
 */
import type { ColumnType } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>

export type OauthTables = {
  oauth_app: OauthAppTable
  oauth_secret: OauthSecretTable
}

/** One for each connection. Its `api_token` has the name, the scopes, the last use, and when it ends unless it is used. */
export type OauthAppTable = {
  token_id: Fixed<number>
  /** SHA-256 of the client id, hex: what was registered stands in the id itself. */
  client_hash: Fixed<string>
  /** Where the browser was sent with the code, whole. */
  redirect_uri: Fixed<string>
  /** PKCE, S256. */
  code_challenge: Fixed<string>
  /** The one address that the access tokens open; null: all that the scopes allow. */
  resource: Fixed<string | null>
  /** When the code was exchanged. Null: nobody has come with it yet, and nobody is shown the connection. */
  redeemed_ms: ColumnType<number | null, number | null | undefined, number>
}

export type OauthSecretKind = 'code' | 'access' | 'refresh'

export type OauthSecretTable = {
  /** SHA-256, hex. */
  secret_hash: Fixed<string>
  token_id: Fixed<number>
  kind: Fixed<OauthSecretKind>
  expires_ms: Fixed<number>
  /** Of codes and refresh tokens: when it was exchanged. */
  used_ms: ColumnType<number | null, number | null | undefined, number>
  /** Of refresh tokens: the hash of the one it was given for; null: the code. */
  parent_hash: Fixed<string | null>
}

export const OAUTH: readonly string[] = [
  `CREATE TABLE oauth_app (token_id integer PRIMARY KEY REFERENCES api_token (id) ON DELETE CASCADE,
    client_hash text NOT NULL, redirect_uri text NOT NULL, code_challenge text NOT NULL, resource text,
    redeemed_ms integer)`,
  'CREATE INDEX oauth_app_by_client ON oauth_app (client_hash)',
  `CREATE TABLE oauth_secret (secret_hash text NOT NULL PRIMARY KEY,
    token_id integer NOT NULL REFERENCES api_token (id) ON DELETE CASCADE, kind text NOT NULL,
    expires_ms integer NOT NULL, used_ms integer, parent_hash text) WITHOUT ROWID`,
  'CREATE INDEX oauth_secret_by_token ON oauth_secret (token_id)',
  'CREATE INDEX oauth_secret_by_parent ON oauth_secret (parent_hash)',
  'CREATE INDEX oauth_secret_by_end ON oauth_secret (expires_ms)',
]
