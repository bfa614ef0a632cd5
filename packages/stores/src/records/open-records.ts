/** Opens the relational records in SQLite. */
import type { Logger } from '@sonde/base'
import { Kysely } from 'kysely'
import { migrateRecords, prepareUpgrade } from './migrate.ts'
import type { Records, RecordsSchema } from './schema.ts'
import { openSqlite, sqliteDialect } from './sqlite/open-sqlite.ts'

export type RecordsFile = { readonly file: string }

export type OpenRecords = {
  /**
   * One transaction at a time in this process; it takes the write lock when it begins, and everybody else's `db` waits
   * for its end; see `writeTransaction`.
   * better-auth gets this too (`database: { db, type: 'sqlite' }`).
   */
  readonly db: Records
  /** Afterwards nothing is on the disk of what was deleted. Copies everything: seconds, while nobody writes. */
  readonly eraseDeleted: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Migrates before it resolves. Throws `SondeError` with a hint when the file cannot be used. */
export async function openRecords(
  { file }: RecordsFile,
  { logger }: { readonly logger: Logger },
): Promise<OpenRecords> {
  const sqlite = openSqlite(file)
  try {
    prepareUpgrade(sqlite, file, logger)
    migrateRecords(sqlite, logger)
  } catch (error) {
    sqlite.close()
    throw error
  }
  const db = new Kysely<RecordsSchema>({ dialect: sqliteDialect(sqlite) })
  let closing: Promise<void> | undefined
  return {
    db,
    async eraseDeleted() {
      // What is deleted stays in free pages, and in the parts of pages that rows have left: the file is written anew.
      sqlite.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
    },
    close() {
      closing ??= db.destroy().finally(() => {
        if (sqlite.isOpen) sqlite.close()
      })
      return closing
    },
  }
}
