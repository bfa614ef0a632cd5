/** Who is asked to come into an organization and has not come yet. Times are Unix milliseconds. */
import type { ColumnType, Generated } from 'kysely'
import type { Role } from './roles.ts'

type Fixed<T> = ColumnType<T, T, never>

export type InvitationTables = {
  invitation: InvitationTable
  /** The teams that the person will be in. */
  invitation_team: { invitation_id: Fixed<number>; team_id: Fixed<number> }
}

export type InvitationTable = {
  id: Generated<number>
  org_id: Fixed<number>
  /** In lower case; the account that takes it must have it. Null: for whoever has the link. */
  email: Fixed<string | null>
  role: Fixed<Role>
  /** SHA-256 of what is in the link, in hex. */
  token_hash: string
  /** 1: nobody but the reader of that address got the link. 0: whoever asked got it, to pass it on. */
  is_mailed: number
  /** `actorOf` who asked. */
  invited_by: Fixed<string>
  created_ms: Fixed<number>
  /** When the link was last made: a new one takes its place. */
  sent_ms: number
  expires_ms: number
  /** So many people may come by it; then it is gone. */
  max_uses: Fixed<number>
  uses: Generated<number>
}

export const INVITATIONS: readonly string[] = [
  `CREATE TABLE invitation (id integer PRIMARY KEY AUTOINCREMENT,
    org_id integer NOT NULL REFERENCES organization (id) ON DELETE CASCADE, email text, role text NOT NULL,
    token_hash text NOT NULL UNIQUE, is_mailed integer NOT NULL, invited_by text NOT NULL, created_ms integer NOT NULL, sent_ms integer NOT NULL,
    expires_ms integer NOT NULL, max_uses integer NOT NULL, uses integer NOT NULL DEFAULT 0, UNIQUE (org_id, email))`,
  'CREATE INDEX invitation_by_end ON invitation (expires_ms)',
  `CREATE TABLE invitation_team (invitation_id integer NOT NULL REFERENCES invitation (id) ON DELETE CASCADE,
    team_id integer NOT NULL REFERENCES team (id) ON DELETE CASCADE, PRIMARY KEY (invitation_id, team_id)) WITHOUT ROWID`,
]
