/** Stored events that are read again because a source map came late, and the issues that became one by it. */
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>

export type ReprocessingTables = { repair: ReprocessingTable; issue_redirect: IssueRedirectTable }

const REPROCESSING_CAUSES = ['upload', 'asked'] as const
export type ReprocessingCause = (typeof REPROCESSING_CAUSES)[number]

/** One upload's reprocessing. Written in the transaction that makes the files known, so that none is forgotten. */
export type ReprocessingTable = {
  id: Generated<number>
  org_id: Fixed<number>
  cause: Fixed<ReprocessingCause>
  /** `actorOf` who uploaded or asked. */
  actor: Fixed<string>
  /** JSON `ReprocessingTarget`: which events may be touched by it. */
  target: Fixed<string>
  requested_ms: Fixed<number>
  started_ms: number | null
  finished_ms: number | null
  /** JSON: where to go on after a stop; empty: from the beginning. */
  cursor: Generated<string>
  /** Events that may be different with the files, as counted when it began; null: not begun. */
  total_count: number | null
  /** Events that were looked at, that are different now, and that have another issue now. */
  seen_count: Generated<number>
  changed_count: Generated<number>
  moved_count: Generated<number>
  /** Issues that became part of another. */
  merged_count: Generated<number>
  /** Why it goes on later, for people; empty: no trouble. */
  trouble: Generated<string>
}

export type ReprocessingTarget = {
  /** Lower case with hyphens. */
  readonly debugIds: readonly string[]
  readonly projectIds: readonly number[]
  /** Events of this release that are not readable; undefined: only those with one of the debug ids. */
  readonly release?: string
  /** Every event of the projects, which the scrubbing rules of today are applied to; nothing else is read anew. */
  readonly scrub?: true
}

/** An issue that became part of another: its address and its number lead there. */
export type IssueRedirectTable = {
  from_issue_id: Fixed<number>
  project_id: Fixed<number>
  short_number: Fixed<number>
  into_issue_id: number
  at_ms: Fixed<number>
}

export const REPROCESSING: readonly string[] = [
  `CREATE TABLE repair (id integer PRIMARY KEY AUTOINCREMENT,
    org_id integer NOT NULL REFERENCES organization (id) ON DELETE CASCADE, cause text NOT NULL, actor text NOT NULL,
    target text NOT NULL, requested_ms integer NOT NULL, started_ms integer, finished_ms integer,
    cursor text NOT NULL DEFAULT '', total_count integer, seen_count integer NOT NULL DEFAULT 0, changed_count integer NOT NULL DEFAULT 0,
    moved_count integer NOT NULL DEFAULT 0, merged_count integer NOT NULL DEFAULT 0, trouble text NOT NULL DEFAULT '')`,
  'CREATE INDEX repair_by_org ON repair (org_id, id)',
  'CREATE INDEX repair_open ON repair (id) WHERE finished_ms IS NULL',
  `CREATE TABLE issue_redirect (from_issue_id integer PRIMARY KEY,
    project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE, short_number integer NOT NULL,
    into_issue_id integer NOT NULL REFERENCES issue (id) ON DELETE CASCADE, at_ms integer NOT NULL,
    UNIQUE (project_id, short_number))`,
  'CREATE INDEX issue_redirect_into ON issue_redirect (into_issue_id)',
]

/** Which process runs a background job. */
export type JobTables = { job_lease: JobLeaseTable }

type JobLeaseTable = {
  /** The job. */
  name: ColumnType<string, string, never>
  owner: string
  /** From here on any process may take it. */
  expires_ms: number
}

export const JOB_LEASES: readonly string[] = [
  'CREATE TABLE job_lease (name text NOT NULL PRIMARY KEY, owner text NOT NULL, expires_ms integer NOT NULL)',
]
