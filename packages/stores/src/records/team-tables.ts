/**
 * Teams: groups of members of one organization, and the projects they work on; and what members see of projects that none
 * of their teams has. Times are Unix milliseconds.
 */
import type { ColumnType, Generated } from 'kysely'
import type { Role } from './roles.ts'

type Fixed<T> = ColumnType<T, T, never>

export type TeamTables = {
  team: TeamTable
  /** Who is in it. Only members of its organization: who is removed from that is removed here. */
  team_member: { team_id: Fixed<number>; user_id: Fixed<string>; created_ms: Fixed<number> }
  team_project: TeamProjectTable
  /** Another number after everything that can end or narrow what somebody may read. */
  access_epoch: { id: Fixed<number>; value: number }
}

/** Columns of `organization`. */
export type MembersSeeColumn = {
  /** Which projects members and viewers see; owners and admins see all. */
  members_see: ColumnType<MembersSee, MembersSee | undefined, MembersSee>
}

/** `teams`: only those that one of their teams has. */
export const MEMBERS_SEE = ['all', 'teams'] as const
export type MembersSee = (typeof MEMBERS_SEE)[number]

export type TeamTable = {
  id: Generated<number>
  org_id: Fixed<number>
  slug: string
  name: string
  created_ms: Fixed<number>
}

/** `role`: what members of the team are in this project, where the organization made them less. Never `owner`. */
export type TeamProjectTable = {
  team_id: Fixed<number>
  project_id: Fixed<number>
  role: Exclude<Role, 'owner'>
}

export const TEAMS: readonly string[] = [
  `CREATE TABLE team (id integer PRIMARY KEY AUTOINCREMENT,
    org_id integer NOT NULL REFERENCES organization (id) ON DELETE CASCADE, slug text NOT NULL, name text NOT NULL,
    created_ms integer NOT NULL, UNIQUE (org_id, slug))`,
  `CREATE TABLE team_member (team_id integer NOT NULL REFERENCES team (id) ON DELETE CASCADE,
    user_id text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE, created_ms integer NOT NULL,
    PRIMARY KEY (team_id, user_id)) WITHOUT ROWID`,
  'CREATE INDEX team_member_by_user ON team_member (user_id, team_id)',
  `CREATE TABLE team_project (team_id integer NOT NULL REFERENCES team (id) ON DELETE CASCADE,
    project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE, role text NOT NULL,
    PRIMARY KEY (team_id, project_id)) WITHOUT ROWID`,
  'CREATE INDEX team_project_by_project ON team_project (project_id, team_id)',
]

const bump = 'UPDATE access_epoch SET value = value + 1;'
const bumpAfter = (name: string, event: string): string =>
  `CREATE TRIGGER access_epoch_${name} AFTER ${event} BEGIN ${bump} END`

/**
 * By triggers, so that nothing that takes access away can forget it, on whichever node or command line. What only gives
 * access is noticed at the next request, except the tables of teams: they decide what a stream that is open tells.
 */
export const PROJECT_ACCESS: readonly string[] = [
  `ALTER TABLE organization ADD COLUMN members_see text NOT NULL DEFAULT 'all'`,
  'CREATE TABLE access_epoch (id integer PRIMARY KEY CHECK (id = 1), value integer NOT NULL)',
  'INSERT INTO access_epoch (id, value) VALUES (1, 1)',
  bumpAfter('session', 'DELETE ON session'),
  bumpAfter('token', 'DELETE ON api_token'),
  bumpAfter('token_scopes', 'UPDATE OF scopes, expires_ms ON api_token'),
  bumpAfter('person', 'UPDATE OF "disabledMs" ON "user"'),
  bumpAfter('member', 'DELETE ON member'),
  bumpAfter('member_role', 'UPDATE OF role ON member'),
  bumpAfter('organization', 'UPDATE OF members_see ON organization'),
  bumpAfter('team_member_insert', 'INSERT ON team_member'),
  bumpAfter('team_member_delete', 'DELETE ON team_member'),
  bumpAfter('team_project_insert', 'INSERT ON team_project'),
  bumpAfter('team_project_update', 'UPDATE ON team_project'),
  bumpAfter('team_project_delete', 'DELETE ON team_project'),
]
