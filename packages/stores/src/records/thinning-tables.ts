/** What the pipeline knows of issues that come very often: docs/decisions/0075-noise-and-thinned-issues.md. Times are Unix milliseconds. */
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>

export type ThinningTables = {
  issue_day: IssueDayTable
  held_event: HeldEventTable
}

/** Events of an issue that were received on a day (UTC), of issues that come near what is stored whole; only the last days. */
export type IssueDayTable = {
  issue_id: Fixed<number>
  day_ms: Fixed<number>
  received: number
}

/**
 * An event that waits half a minute for others like it, which then count with it. It is counted nowhere until it is stored, so
 * nobody who moves events has to know of it.
 */
export type HeldEventTable = {
  id: Generated<number>
  project_id: Fixed<number>
  /** Hash of what events must have in common to count together. */
  alike: Fixed<string>
  /** The event as the pipeline processed it, JSON, and its row without the id of an issue. */
  event: Fixed<string>
  encoded: Fixed<string>
  /** Others that count with it, and their users: JSON list of numbers. */
  others: number
  users: string
  /** When the first of them was received. */
  first_ms: Fixed<number>
  /** When the last of them happened. */
  last_ms: number
  /** 1: it is on its way into telemetry, and takes no others. */
  is_closed: Generated<number>
}

export const THINNING: readonly string[] = [
  `CREATE TABLE issue_day (issue_id integer NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
    day_ms integer NOT NULL, received integer NOT NULL, PRIMARY KEY (issue_id, day_ms)) WITHOUT ROWID`,
  'CREATE INDEX issue_day_by_day ON issue_day (day_ms)',
  `CREATE TABLE held_event (id integer PRIMARY KEY AUTOINCREMENT,
    project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE, alike text NOT NULL, event text NOT NULL,
    encoded text NOT NULL, others integer NOT NULL, users text NOT NULL, first_ms integer NOT NULL,
    last_ms integer NOT NULL, is_closed integer NOT NULL DEFAULT 0)`,
  'CREATE INDEX held_event_alike ON held_event (alike)',
  'CREATE INDEX held_event_due ON held_event (first_ms)',
]
