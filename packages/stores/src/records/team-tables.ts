/** Teams: groups of members of one organization, and the projects they work on. Times are Unix milliseconds. */
import type { ColumnType, Generated } from 'kysely'
import type { Role } from './schema.ts'

type Fixed<T> = ColumnType<T, T, never>

export type TeamTables = {
  team: TeamTable
  /** Who is in it. Only members of its organization: who is removed from that is removed here. */
  team_member: { team_id: Fixed<number>; user_id: Fixed<string>; created_ms: Fixed<number> }
  team_project: TeamProjectTable
}

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
