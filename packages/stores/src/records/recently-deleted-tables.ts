/**
 * What people deleted and may have back for a day. Nothing of it has moved: a row here hides it, and taking the row away shows
 * it again. Times are Unix milliseconds. docs/decisions/0088-deleting-hides-for-a-day.md
 */
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>

export type RecentlyDeletedTables = {
  recently_deleted: RecentlyDeletedTable
  hidden_organization: { org_id: Fixed<number>; deleted_id: Fixed<number> }
  hidden_project: { project_id: Fixed<number>; deleted_id: Fixed<number> }
  hidden_issue: { issue_id: Fixed<number>; deleted_id: Fixed<number> }
  hidden_hash: HiddenHashTable
}

/** `issues`, `events`: one or many of a project. */
const DELETED_KINDS = ['issues', 'events', 'project', 'organization'] as const
export type DeletedKind = (typeof DELETED_KINDS)[number]

/** Names and titles are not copied: they are read from the rows that are hidden. */
export type RecentlyDeletedTable = {
  id: Generated<number>
  kind: Fixed<DeletedKind>
  org_id: Fixed<number>
  /** Null: a whole organization. */
  project_id: Fixed<number | null>
  /** `actorOf` who deleted it. */
  actor: Fixed<string>
  /** How many it is: of issues and events their number (with those that a spike left out), of an organization its projects. */
  count: Fixed<number>
  deleted_ms: Fixed<number>
  /** From then on nobody has it back, and the sweep removes it. */
  purge_ms: number
}

/** Fingerprints of hidden issues: none of them leads to its issue, so that the next event makes a new one. */
export type HiddenHashTable = {
  issue_id: Fixed<number>
  hash: Fixed<string>
  project_id: Fixed<number>
  deleted_id: Fixed<number>
}

const bump = 'UPDATE key_epoch SET value = value + 1;'
const OF_DELETED = 'deleted_id integer NOT NULL REFERENCES recently_deleted (id) ON DELETE CASCADE'

export const RECENTLY_DELETED: readonly string[] = [
  `CREATE TABLE recently_deleted (id integer PRIMARY KEY AUTOINCREMENT, kind text NOT NULL,
    org_id integer NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    project_id integer REFERENCES project (id) ON DELETE CASCADE, actor text NOT NULL, count integer NOT NULL,
    deleted_ms integer NOT NULL, purge_ms integer NOT NULL)`,
  'CREATE INDEX recently_deleted_by_org ON recently_deleted (org_id, id)',
  'CREATE INDEX recently_deleted_by_project ON recently_deleted (project_id)',
  'CREATE INDEX recently_deleted_due ON recently_deleted (purge_ms)',
  `CREATE TABLE hidden_organization (
    org_id integer PRIMARY KEY REFERENCES organization (id) ON DELETE CASCADE, ${OF_DELETED})`,
  'CREATE INDEX hidden_organization_of ON hidden_organization (deleted_id)',
  `CREATE TABLE hidden_project (
    project_id integer PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE, ${OF_DELETED})`,
  'CREATE INDEX hidden_project_of ON hidden_project (deleted_id)',
  `CREATE TABLE hidden_issue (
    issue_id integer PRIMARY KEY REFERENCES issue (id) ON DELETE CASCADE, ${OF_DELETED})`,
  'CREATE INDEX hidden_issue_of ON hidden_issue (deleted_id)',
  `CREATE TABLE hidden_hash (issue_id integer NOT NULL REFERENCES issue (id) ON DELETE CASCADE, hash text NOT NULL,
    project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE, ${OF_DELETED},
    PRIMARY KEY (issue_id, hash)) WITHOUT ROWID`,
  'CREATE INDEX hidden_hash_of ON hidden_hash (deleted_id)',
  'CREATE INDEX hidden_hash_by_project ON hidden_hash (project_id)',
  // Keys of a hidden project are none: whoever keeps a list of keys reads it again.
  `CREATE TRIGGER key_epoch_hidden_insert AFTER INSERT ON hidden_project BEGIN ${bump} END`,
  `CREATE TRIGGER key_epoch_hidden_delete AFTER DELETE ON hidden_project BEGIN ${bump} END`,
]
