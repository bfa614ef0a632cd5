/** Exports of organizations, and when they are made. Times are Unix milliseconds. docs/operate/export.md */
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>

export type ExportTables = { export_run: ExportRunTable; export_plan: ExportPlanTable }

/** `waits`: not begun, or tried again later. */
export type ExportState = 'waits' | 'runs' | 'done' | 'failed' | 'cancelled'

export type ExportRunTable = {
  id: Generated<number>
  org_id: Fixed<number>
  /** `actorOf` who asked; of the schedule `schedule`. */
  actor: Fixed<string>
  /** A folder or bucket that was named on the command line; empty: where the machine's settings say. */
  place: Fixed<string>
  /** Below the place, without a slash at its end; empty: the place itself. */
  folder: Fixed<string>
  state: Generated<ExportState>
  requested_ms: Fixed<number>
  /** What was received later is not in it. Null: not begun. */
  until_ms: number | null
  finished_ms: number | null
  /** JSON `ExportProgress`. */
  progress: Generated<string>
  tries: Generated<number>
  next_try_ms: number
  /** Why it goes on later or failed, for people; empty: no trouble. */
  trouble: Generated<string>
  /** When the schedule deleted its files. */
  removed_ms: number | null
}

/** No row: exports are made when somebody asks. */
export type ExportPlanTable = {
  org_id: Fixed<number>
  /** JSON `ExportPlan`. */
  value: string
}

export const EXPORTS: readonly string[] = [
  `CREATE TABLE export_run (id integer PRIMARY KEY AUTOINCREMENT,
    org_id integer NOT NULL REFERENCES organization (id) ON DELETE CASCADE, actor text NOT NULL, place text NOT NULL,
    folder text NOT NULL, state text NOT NULL DEFAULT 'waits', requested_ms integer NOT NULL, until_ms integer,
    finished_ms integer, progress text NOT NULL DEFAULT '{}', tries integer NOT NULL DEFAULT 0,
    next_try_ms integer NOT NULL, trouble text NOT NULL DEFAULT '', removed_ms integer)`,
  'CREATE INDEX export_run_by_org ON export_run (org_id, id)',
  'CREATE INDEX export_run_open ON export_run (id) WHERE finished_ms IS NULL',
  `CREATE TABLE export_plan (org_id integer PRIMARY KEY REFERENCES organization (id) ON DELETE CASCADE,
    value text NOT NULL)`,
]
