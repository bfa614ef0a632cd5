/** How long and how much is kept of each kind of data, and what there is of it. Times are Unix milliseconds. docs/operate/retention.md */
import type { ColumnType } from 'kysely'
import type { StorageKind } from '../storage/kinds.ts'

type Fixed<T> = ColumnType<T, T, never>

export type StorageTables = {
  retention_rule: RetentionRuleTable
  storage_day: StorageDayTable
  disk_day: DiskDayTable
  storage_state: StorageStateTable
}

export type RetentionRuleTable = {
  project_id: Fixed<number>
  kind: Fixed<StorageKind>
  /** Null: as long as the installation keeps it. */
  keep_days: number | null
  /** Null: no limit. */
  max_bytes: number | null
}

/** What a project has of a kind that was received on a day (UTC), as it was last measured. */
export type StorageDayTable = {
  project_id: Fixed<number>
  kind: Fixed<StorageKind>
  day_ms: Fixed<number>
  rows: number
  bytes: number
  /** The most that it ever was: what the day brought. */
  most_bytes: number
}

/** How full a disk was at the end of a day. */
export type DiskDayTable = {
  /** The host whose data folder lies there. */
  place: Fixed<string>
  day_ms: Fixed<number>
  used_bytes: number
  size_bytes: number
}

/** Small things that jobs remember: JSON. */
export type StorageStateTable = {
  name: Fixed<string>
  value: string
  at_ms: number
}

export const STORAGE: readonly string[] = [
  `CREATE TABLE retention_rule (project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE,
    kind text NOT NULL, keep_days integer, max_bytes integer, PRIMARY KEY (project_id, kind)) WITHOUT ROWID`,
  `CREATE TABLE storage_day (project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE,
    kind text NOT NULL, day_ms integer NOT NULL, rows integer NOT NULL, bytes integer NOT NULL,
    most_bytes integer NOT NULL, PRIMARY KEY (project_id, kind, day_ms)) WITHOUT ROWID`,
  'CREATE INDEX storage_day_by_day ON storage_day (day_ms)',
  `CREATE TABLE disk_day (place text NOT NULL, day_ms integer NOT NULL, used_bytes integer NOT NULL,
    size_bytes integer NOT NULL, PRIMARY KEY (place, day_ms)) WITHOUT ROWID`,
  `CREATE TABLE storage_state (name text NOT NULL PRIMARY KEY, value text NOT NULL, at_ms integer NOT NULL)
    WITHOUT ROWID`,
]
