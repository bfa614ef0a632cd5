/** Chosen events that somebody deleted and may have back for a day. Times are Unix milliseconds, JSON is text. */
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>

export type EventDeletionTables = { event_deletion: EventDeletionTable }

/**
 * What becomes of their rows next: `hides`: they go from `events` to `deleted_events`; `hidden`: they wait there; `restores`: they
 * go back; `purges`: they go for good, with what hangs on them.
 */
export type EventDeletionState = 'hides' | 'hidden' | 'restores' | 'purges'

export type EventDeletionTable = {
  id: Generated<number>
  project_id: Fixed<number>
  /** Where the first of them was. */
  issue_id: Fixed<number>
  state: EventDeletionState
  /** JSON: which rows, see `packages/pipeline/src/moves/deleted-events.ts`. */
  items: string
  /** 1: the rows are where they go, and are only to be deleted where they were. */
  is_copied: Generated<number>
  /** `actorOf` who deleted them. */
  actor: Fixed<string>
  /** With those that a spike left out. */
  count: Fixed<number>
  deleted_ms: Fixed<number>
  /** From then on nobody has them back. */
  purge_ms: Fixed<number>
  /** Why it goes on later, for people; empty: no trouble. */
  trouble: Generated<string>
}

export const EVENT_DELETIONS: readonly string[] = [
  `CREATE TABLE event_deletion (id integer PRIMARY KEY AUTOINCREMENT,
    project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE, issue_id integer NOT NULL, state text NOT NULL,
    items text NOT NULL, is_copied integer NOT NULL DEFAULT 0, actor text NOT NULL, count integer NOT NULL, deleted_ms integer NOT NULL,
    purge_ms integer NOT NULL, trouble text NOT NULL DEFAULT '')`,
  'CREATE INDEX event_deletion_by_project ON event_deletion (project_id, id)',
  'CREATE INDEX event_deletion_due ON event_deletion (purge_ms)',
]
