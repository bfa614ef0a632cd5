/** Public links to issues. Times are Unix milliseconds. */
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>

export type ShareTables = { issue_share: IssueShareTable }

/** One of an issue at a time; those that ended go with their issue. Its columns `views` and `last_view_ms` are not used any more. */
export type IssueShareTable = {
  id: Generated<number>
  issue_id: Fixed<number>
  /** SHA-256 of the token in the link, hex; the token itself is shown once and stored nowhere. */
  token_hash: Fixed<string>
  /** `actorOf` who made it. */
  created_by: Fixed<string>
  created_ms: Fixed<number>
  expires_ms: Fixed<number>
  revoked_ms: number | null
}

export type ShareColumns = {
  /** 0: no issue of the organization can be opened by a public link. */
  allows_public_links: ColumnType<number, number | undefined, number>
}

export const SHARES: readonly string[] = [
  `CREATE TABLE issue_share (id integer PRIMARY KEY AUTOINCREMENT,
    issue_id integer NOT NULL REFERENCES issue (id) ON DELETE CASCADE, token_hash text NOT NULL UNIQUE,
    created_by text NOT NULL, created_ms integer NOT NULL, expires_ms integer NOT NULL, revoked_ms integer,
    views integer NOT NULL DEFAULT 0, last_view_ms integer)`,
  'CREATE INDEX issue_share_by_issue ON issue_share (issue_id, id)',
  'ALTER TABLE organization ADD COLUMN allows_public_links integer NOT NULL DEFAULT 1',
]
