/**
 * Which issue people want fingerprints to lead to: issues that they merged, events that follow to another issue, what is
 * deleted, and what is discarded for good. docs/decisions/0047-merged-by-people.md. Times are Unix milliseconds, JSON is text.
 */
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>

export type MoveTables = {
  issue_merge: IssueMergeTable
  issue_merge_base: IssueMergeBaseTable
  issue_move: IssueMoveTable
  issue_deletion: IssueDeletionTable
  discarded_hash: DiscardedHashTable
}

/**
 * An issue that a person merged into another. Its own row stays as it was, with no events (lists leave out such issues), and a
 * row of `issue_redirect` leads from it: so it can be given back.
 */
export type IssueMergeTable = {
  issue_id: Fixed<number>
  project_id: Fixed<number>
  into_issue_id: number
  actor: Fixed<string>
  at_ms: Fixed<number>
  /** Events that it counted and that retention had removed: they are not told from others by a fingerprint. */
  removed_count: number
  /** JSON: fingerprints that it brought. */
  hashes: string
  /** JSON `GivenThings`: what the other issue got with it. */
  gave: Fixed<string>
}

/** Of an issue that others were merged into: what it would be without them. */
export type IssueMergeBaseTable = {
  issue_id: Fixed<number>
  /** JSON: its times, releases and name of before the first of them. Empty: a part of it was split off since. */
  figures: string
  /** JSON `DecisionBase`: what people decided about it without them, and what merging made of that. */
  decision: string
  decided: string
}

/** Events of an issue that follow their fingerprints to another. */
export type IssueMoveTable = {
  id: Generated<number>
  project_id: Fixed<number>
  /** Which issue's events are looked at, and where most of them go: no references, an issue may go before its events. */
  from_issue_id: Fixed<number>
  into_issue_id: Fixed<number>
  /** JSON: of events with one of these. Empty: of all. */
  hashes: Fixed<string>
  total_count: Fixed<number>
  moved_count: Generated<number>
  requested_ms: Fixed<number>
  finished_ms: number | null
  /** Why it goes on later, for people; empty: no trouble. */
  trouble: Generated<string>
}

/** Issues that are gone from the records, whose events are still to be removed. */
export type IssueDeletionTable = {
  id: Generated<number>
  project_id: Fixed<number>
  /** JSON: their ids. */
  issues: Fixed<string>
  requested_ms: Fixed<number>
  finished_ms: number | null
}

/** Events with this fingerprint are dropped. */
export type DiscardedHashTable = {
  project_id: Fixed<number>
  hash: Fixed<string>
  /** Of the issue that it was of, as it was called. */
  short_number: Fixed<number>
  title: Fixed<string>
  actor: Fixed<string>
  at_ms: Fixed<number>
  /** Events that were dropped since, and when the last of them was received. */
  dropped_count: number
  last_ms: ColumnType<number | null, number | null | undefined, number | null>
}

export const MOVES: readonly string[] = [
  `CREATE TABLE issue_merge (issue_id integer PRIMARY KEY REFERENCES issue (id) ON DELETE CASCADE,
    project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE,
    into_issue_id integer NOT NULL REFERENCES issue (id) ON DELETE CASCADE, actor text NOT NULL, at_ms integer NOT NULL,
    removed_count integer NOT NULL, hashes text NOT NULL, gave text NOT NULL)`,
  'CREATE INDEX issue_merge_into ON issue_merge (into_issue_id)',
  'CREATE INDEX issue_merge_by_project ON issue_merge (project_id)',
  `CREATE TABLE issue_merge_base (issue_id integer PRIMARY KEY REFERENCES issue (id) ON DELETE CASCADE,
    figures text NOT NULL, decision text NOT NULL, decided text NOT NULL)`,
  `CREATE TABLE issue_move (id integer PRIMARY KEY AUTOINCREMENT,
    project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE, from_issue_id integer NOT NULL,
    into_issue_id integer NOT NULL, hashes text NOT NULL, total_count integer NOT NULL,
    moved_count integer NOT NULL DEFAULT 0, requested_ms integer NOT NULL, finished_ms integer,
    trouble text NOT NULL DEFAULT '')`,
  'CREATE INDEX issue_move_open ON issue_move (project_id, id) WHERE finished_ms IS NULL',
  `CREATE TABLE issue_deletion (id integer PRIMARY KEY AUTOINCREMENT,
    project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE, issues text NOT NULL,
    requested_ms integer NOT NULL, finished_ms integer)`,
  'CREATE INDEX issue_deletion_open ON issue_deletion (id) WHERE finished_ms IS NULL',
  `CREATE TABLE discarded_hash (project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE,
    hash text NOT NULL, short_number integer NOT NULL, title text NOT NULL, actor text NOT NULL, at_ms integer NOT NULL,
    dropped_count integer NOT NULL DEFAULT 0, last_ms integer, PRIMARY KEY (project_id, hash)) WITHOUT ROWID`,
]
