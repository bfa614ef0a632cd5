/**
 * Where the rows of chosen events are that somebody deleted; who did, when and for how long they may have them back stands in
 * their line of `recently_deleted`. JSON is text.
 */
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>

export type EventDeletionTables = { event_deletion: EventDeletionTable }

/**
 * What becomes of their rows next: `hides`: they go from `events` to `deleted_events`; `hidden`: they wait there; `restores`: they
 * go back. Hidden ones whose line is gone go for good, with what hangs on them.
 */
export type EventDeletionState = 'hides' | 'hidden' | 'restores'

export type EventDeletionTable = {
  /** That of the line, which goes first: when they are restored, and when their day is over. */
  id: Fixed<number>
  project_id: Fixed<number>
  /** JSON: ids of the issues that they were of. */
  issues: Fixed<string>
  state: EventDeletionState
  /** JSON: which rows, see `packages/pipeline/src/moves/deleted-events.ts`. */
  items: string
  /** 1: the rows are where they go, and are only to be deleted where they were. */
  is_copied: Generated<number>
  /** Why it goes on later, for people; empty: no trouble. */
  trouble: Generated<string>
}

export const EVENT_DELETIONS: readonly string[] = [
  `CREATE TABLE event_deletion (id integer PRIMARY KEY,
    project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE, issues text NOT NULL, state text NOT NULL,
    items text NOT NULL, is_copied integer NOT NULL DEFAULT 0, trouble text NOT NULL DEFAULT '')`,
  'CREATE INDEX event_deletion_by_project ON event_deletion (project_id, id)',
]
