/** Brings the records up to date at start. Safe when two processes start at once and when cut anywhere. */
import type { DatabaseSync } from 'node:sqlite'
import { type Logger, SondeError } from '@sonde/base'
import { MIGRATIONS, type RecordsMigration } from './migrations.ts'

export function migrateRecords(
  database: DatabaseSync,
  logger: Logger,
  migrations: readonly RecordsMigration[] = MIGRATIONS,
): void {
  database.exec(
    'CREATE TABLE IF NOT EXISTS schema_migration (name text NOT NULL PRIMARY KEY, applied_ms integer NOT NULL)',
  )
  const isFresh = database.prepare('SELECT 1 FROM schema_migration').get() === undefined
  for (const migration of migrations) {
    // The write lock first, the question second: of two starting processes one waits and then finds it done.
    database.exec('BEGIN IMMEDIATE')
    try {
      const done = database.prepare('SELECT 1 FROM schema_migration WHERE name = ?').get(migration.name)
      if (!done) {
        for (const statement of migration.statements) database.exec(statement)
        database
          .prepare('INSERT INTO schema_migration (name, applied_ms) VALUES (?, ?)')
          .run(migration.name, Date.now())
        if (!isFresh) logger.info({ migration: migration.name }, 'records schema changed')
      }
      database.exec('COMMIT')
    } catch (cause) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw new SondeError('internal', `migrate the records: ${(cause as Error).message}`, {
        operation: 'migrate the records',
        subject: migration.name,
        cause,
        hint: 'nothing was changed by this step; restore the file or report this message',
      })
    }
  }
  if (isFresh) logger.info({ steps: migrations.length }, 'records schema made')
}
