/** Opens the relational records. The only place that chooses between the engines. */
import type { DatabaseSync } from 'node:sqlite'
import type { Logger } from '@sonde/base'
import { Kysely } from 'kysely'
import { migrateRecords } from './migrate.ts'
import { refusedRecordsUrl, type RecordsPlace } from './records-place.ts'
import { prepareUpgrade } from './prepare-upgrade.ts'
import type { Records, RecordsSchema } from './schema.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'
import { sqliteDialect } from './sqlite/sqlite-dialect.ts'

export type OpenRecords = {
  /**
   * One transaction at a time in this process; it takes the write lock when it begins, and everybody else's `db` waits
   * for its end; see `writeTransaction`.
   * better-auth gets this too (`database: { db, type: 'sqlite' }`).
   */
  readonly db: Records
  /** The same connection, past the queue: for `PRAGMA`s, backup and diagnosis, never for writes. */
  readonly sqlite: DatabaseSync
  readonly close: () => Promise<void>
}

/** Migrates before it resolves. Throws `SondeError` with a hint when the file cannot be used. */
export async function openRecords(
  place: RecordsPlace,
  { logger }: { readonly logger: Logger },
): Promise<OpenRecords> {
  if ('url' in place) throw refusedRecordsUrl()
  const sqlite = openSqlite(place.file)
  try {
    prepareUpgrade(sqlite, place.file, logger)
    migrateRecords(sqlite, logger)
  } catch (error) {
    sqlite.close()
    throw error
  }
  const db = new Kysely<RecordsSchema>({ dialect: sqliteDialect(sqlite) })
  let closing: Promise<void> | undefined
  return {
    db,
    sqlite,
    close() {
      closing ??= db.destroy().finally(() => {
        if (sqlite.isOpen) sqlite.close()
      })
      return closing
    },
  }
}
