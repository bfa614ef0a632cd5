/**
 * People and groups that an organization's directory keeps by SCIM. Every member has a SCIM resource, also who came otherwise:
 * without a row its id is the account's. Times are Unix milliseconds, JSON is text. docs/operate/scim.md
 */
import type { ColumnType } from 'kysely'
import type { Role } from './roles.ts'

type Fixed<T> = ColumnType<T, T, never>
type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>

export type ScimTables = {
  scim_connection: ScimConnectionTable
  scim_user: ScimUserTable
  scim_group: { team_id: Fixed<number>; external_id: Optional<string>; updated_ms: number }
  /** What the directory told, also of those who are not active or have not come yet. */
  scim_group_member: { team_id: Fixed<number>; scim_user_id: Fixed<string> }
}

/** At most one of an organization. */
export type ScimConnectionTable = {
  org_id: Fixed<number>
  /** SHA-256 of the token, hex; null: switched off. */
  token_hash: Optional<string>
  /** Who made the token: `user:ID`. */
  made_by: string
  made_ms: number
  last_used_ms: Optional<number>
  /** `PATCH /Users`. */
  last_request: Optional<string>
}

export type ScimUserTable = {
  /** Never another one, whatever becomes of the person. */
  id: Fixed<string>
  org_id: Fixed<number>
  /** Null: nobody has come who is this person. */
  user_id: Optional<string>
  user_name: string
  /** In lower case. */
  user_name_key: string
  external_id: Optional<string>
  /** In lower case; empty: the directory told none. */
  email: string
  display_name: string
  /** JSON: `name`, `displayName` and `emails` as they were told. */
  attributes: string
  /** What the directory wants. Of somebody who has an account here, membership is what counts. */
  is_active: number
  /** What they were when they were made inactive; null: they were not. */
  kept_role: Optional<Role>
  /** JSON: ids of the teams that they were in then. */
  kept_teams: string
  created_ms: Fixed<number>
  updated_ms: number
}

export const SCIM: readonly string[] = [
  `CREATE TABLE scim_connection (org_id integer PRIMARY KEY REFERENCES organization (id) ON DELETE CASCADE,
    token_hash text UNIQUE, made_by text NOT NULL, made_ms integer NOT NULL, last_used_ms integer, last_request text)`,
  `CREATE TABLE scim_user (id text NOT NULL PRIMARY KEY,
    org_id integer NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    user_id text REFERENCES "user" (id) ON DELETE CASCADE, user_name text NOT NULL, user_name_key text NOT NULL,
    external_id text, email text NOT NULL, display_name text NOT NULL, attributes text NOT NULL, is_active integer NOT NULL,
    kept_role text, kept_teams text NOT NULL, created_ms integer NOT NULL, updated_ms integer NOT NULL,
    UNIQUE (org_id, user_name_key)) WITHOUT ROWID`,
  'CREATE UNIQUE INDEX scim_user_by_user ON scim_user (org_id, user_id)',
  'CREATE INDEX scim_user_by_account ON scim_user (user_id)',
  'CREATE INDEX scim_user_by_email ON scim_user (org_id, email)',
  `CREATE TABLE scim_group (team_id integer PRIMARY KEY REFERENCES team (id) ON DELETE CASCADE, external_id text,
    updated_ms integer NOT NULL)`,
  `CREATE TABLE scim_group_member (team_id integer NOT NULL REFERENCES team (id) ON DELETE CASCADE,
    scim_user_id text NOT NULL REFERENCES scim_user (id) ON DELETE CASCADE,
    PRIMARY KEY (team_id, scim_user_id)) WITHOUT ROWID`,
  'CREATE INDEX scim_group_member_by_user ON scim_group_member (scim_user_id, team_id)',
]
