/**
 * Single sign-on of an organization: the provider, the mail domains that are its own, which groups of the provider lead to
 * which team and role, and who signed in by it. Times are Unix milliseconds, JSON is text. docs/internals/single-sign-on.md
 */
import type { ColumnType, Generated } from 'kysely'
import type { Role } from './roles.ts'

type Fixed<T> = ColumnType<T, T, never>
type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>

export type SsoTables = {
  sso_connection: SsoConnectionTable
  sso_domain: SsoDomainTable
  sso_group: SsoGroupTable
  sso_identity: SsoIdentityTable
  sso_session: SsoSessionTable
  sso_ticket: SsoTicketTable
  sso_used: { key_hash: Fixed<string>; until_ms: Fixed<number> }
}

export const SSO_KINDS = ['oidc', 'saml'] as const
export type SsoKind = (typeof SSO_KINDS)[number]

/** What a provider may give: nobody becomes an owner by what a provider says. */
export type SsoRole = Exclude<Role, 'owner'>

/** At most one of an organization. */
export type SsoConnectionTable = {
  id: Generated<number>
  org_id: Fixed<number>
  kind: SsoKind
  /** On the button: "Sign in with NAME". */
  name: string
  /** JSON, without secrets. */
  settings: string
  /** Sealed with the installation's key; empty: it needs none. */
  secret: string
  /** 1: people sign in by it. */
  is_on: number
  /** 1: a session that began with a password opens this organization for its owners alone. */
  is_required: number
  /** 1: who has no account gets one. */
  makes_accounts: number
  default_role: SsoRole
  /** How long a session lasts that began with it. */
  session_hours: number
  /** When a whole sign-in worked with the settings of now; null: not since they were changed. */
  tested_ms: Optional<number>
  /** JSON: what the provider told in the last test. */
  test_result: Optional<string>
  last_sign_in_ms: Optional<number>
  last_failure_ms: Optional<number>
  /** A word of `SSO_FAILURES`, and what was said; for owners. */
  last_failure: Optional<string>
  created_by: Fixed<string>
  created_ms: Fixed<number>
  updated_ms: number
}

export type SsoDomainTable = {
  org_id: Fixed<number>
  /** Lower case. */
  domain: Fixed<string>
  /** Stands in the TXT record that proves it. */
  token: Fixed<string>
  /** Null: nobody has proved that it is the organization's; nothing follows from it. */
  verified_ms: Optional<number>
  /** `dns`, or who confirmed it: an operator of the installation. */
  verified_by: Optional<string>
  created_ms: Fixed<number>
}

export type SsoGroupTable = {
  id: Generated<number>
  connection_id: Fixed<number>
  /** As the provider writes it, letter by letter. */
  group_name: Fixed<string>
  /** Null: it leads to no role. */
  role: Fixed<SsoRole | null>
  /** Null: it leads to no team. */
  team_id: Fixed<number | null>
}

/** Whom the provider calls so. By its own id for the person, never by the address, which may be given to somebody else. */
export type SsoIdentityTable = {
  connection_id: Fixed<number>
  subject: Fixed<string>
  user_id: Fixed<string>
  created_ms: Fixed<number>
  last_ms: number
}

/** A session that began with a provider: it opens that organization alone, and no longer than `until_ms`. */
export type SsoSessionTable = { session_id: Fixed<string>; org_id: Fixed<number>; until_ms: number }

/** Who a SAML provider said it is, until the browser that asked comes for it. Lives a minute, is taken once. */
export type SsoTicketTable = {
  ticket_hash: Fixed<string>
  connection_id: Fixed<number>
  /** JSON, sealed. */
  person: Fixed<string>
  until_ms: Fixed<number>
}

export const SSO: readonly string[] = [
  `CREATE TABLE sso_connection (id integer PRIMARY KEY AUTOINCREMENT,
    org_id integer NOT NULL UNIQUE REFERENCES organization (id) ON DELETE CASCADE, kind text NOT NULL, name text NOT NULL,
    settings text NOT NULL, secret text NOT NULL, is_on integer NOT NULL, is_required integer NOT NULL,
    makes_accounts integer NOT NULL, default_role text NOT NULL, session_hours integer NOT NULL, tested_ms integer,
    test_result text, last_sign_in_ms integer, last_failure_ms integer, last_failure text, created_by text NOT NULL,
    created_ms integer NOT NULL, updated_ms integer NOT NULL)`,
  `CREATE TABLE sso_domain (org_id integer NOT NULL REFERENCES organization (id) ON DELETE CASCADE, domain text NOT NULL,
    token text NOT NULL, verified_ms integer, verified_by text, created_ms integer NOT NULL,
    PRIMARY KEY (org_id, domain)) WITHOUT ROWID`,
  'CREATE INDEX sso_domain_by_name ON sso_domain (domain)',
  `CREATE TABLE sso_group (id integer PRIMARY KEY AUTOINCREMENT,
    connection_id integer NOT NULL REFERENCES sso_connection (id) ON DELETE CASCADE, group_name text NOT NULL, role text,
    team_id integer REFERENCES team (id) ON DELETE CASCADE)`,
  'CREATE INDEX sso_group_by_connection ON sso_group (connection_id, group_name)',
  'CREATE INDEX sso_group_by_team ON sso_group (team_id)',
  `CREATE TABLE sso_identity (connection_id integer NOT NULL REFERENCES sso_connection (id) ON DELETE CASCADE,
    subject text NOT NULL, user_id text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE, created_ms integer NOT NULL,
    last_ms integer NOT NULL, PRIMARY KEY (connection_id, subject)) WITHOUT ROWID`,
  'CREATE UNIQUE INDEX sso_identity_by_user ON sso_identity (user_id, connection_id)',
  `CREATE TABLE sso_session (session_id text NOT NULL PRIMARY KEY REFERENCES "session" (id) ON DELETE CASCADE,
    org_id integer NOT NULL REFERENCES organization (id) ON DELETE CASCADE, until_ms integer NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE sso_ticket (ticket_hash text NOT NULL PRIMARY KEY,
    connection_id integer NOT NULL REFERENCES sso_connection (id) ON DELETE CASCADE, person text NOT NULL,
    until_ms integer NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE sso_used (key_hash text NOT NULL PRIMARY KEY, until_ms integer NOT NULL) WITHOUT ROWID`,
]
