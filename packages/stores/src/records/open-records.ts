/** Opens the relational records: SQLite in a file, or PostgreSQL. */
import type { Logger } from '@sonde/base'
import { Kysely } from 'kysely'
import { migrateRecords, prepareUpgrade } from './migrate.ts'
import { SCHEMA } from './migrations.ts'
import type { OpenRecords, RecordsPlace } from './records-engine.ts'
import type { RecordsSchema } from './schema.ts'
import { checkSqlite, openSqlite, sqliteDialect, sqliteVersion } from './sqlite/open-sqlite.ts'

export type RecordsOptions = {
  readonly logger: Logger
  /** Of a file: looks at all of it first, and refuses one that is damaged. For a start, not for each command. */
  readonly isChecked?: boolean
}

/** Migrates before it resolves. Throws `SondeError` with a hint when the file or the database cannot be used. */
export async function openRecords(
  place: RecordsPlace,
  { logger, isChecked = false }: RecordsOptions,
): Promise<OpenRecords> {
  if ('url' in place) return (await import('./postgres/open-postgres.ts')).openPostgres(place.url, logger)
  return openFile(place.file, logger, isChecked)
}

function openFile(file: string, logger: Logger, isChecked: boolean): OpenRecords {
  const sqlite = openSqlite(file)
  try {
    if (isChecked) checkSqlite(sqlite, file)
    prepareUpgrade(sqlite, file, logger)
    migrateRecords(sqlite, logger)
  } catch (error) {
    sqlite.close()
    throw error
  }
  const db = new Kysely<RecordsSchema>({ dialect: sqliteDialect(sqlite) })
  const version = sqliteVersion(sqlite)
  let closing: Promise<void> | undefined
  return {
    db,
    engine: { name: 'SQLite', version: process.versions['sqlite'] ?? '', place: file, schema: SCHEMA },
    version,
    sizeBytes: async () => Number(sqlite.prepare(SIZE).get()?.['bytes'] ?? 0),
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

const SIZE = 'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()'
