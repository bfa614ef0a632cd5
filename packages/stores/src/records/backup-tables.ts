/** What was done with backups, so that people can be told when the last one was made and whether it can be restored. */
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>

export type BackupTables = { backup_run: BackupRunTable }

export type BackupRunKind = 'create' | 'verify' | 'prune'

/** Times are Unix milliseconds. The last few hundred are kept. */
export type BackupRunTable = {
  id: Generated<number>
  kind: Fixed<BackupRunKind>
  /** Where the backups lie, for people. */
  target: Fixed<string>
  started_ms: Fixed<number>
  /** Null: it runs, or its process ended. */
  finished_ms: number | null
  /** Why it failed, for people; empty: it did not. */
  trouble: Generated<string>
  /** Of the backup; empty: there is none. */
  backup_id: Generated<string>
  /** JSON: what else is to be said of it. */
  detail: Generated<string>
}

export const BACKUP_RUNS: readonly string[] = [
  `CREATE TABLE backup_run (id integer PRIMARY KEY AUTOINCREMENT, kind text NOT NULL, target text NOT NULL,
    started_ms integer NOT NULL, finished_ms integer, trouble text NOT NULL DEFAULT '',
    backup_id text NOT NULL DEFAULT '', detail text NOT NULL DEFAULT '')`,
  'CREATE INDEX backup_run_by_kind ON backup_run (kind, started_ms)',
]
