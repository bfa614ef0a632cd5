/** Brings the records up to date at start. Safe when two processes start at once and when cut anywhere. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { type Logger, SondeError } from '@sonde/base'
import { refuseLater } from '../refuse-later.ts'
import { freeBytesOf, requireSpace } from '../upgrade/free-space.ts'
import { appliedSteps, recordsNeed } from '../upgrade/records-need.ts'
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

/*
 * Before the records are migrated: those of a later Sonde are refused, those of an earlier one are copied beside them.
 * Only the records: telemetry takes most of the disk, and its migrations only add to it (docs/operate/upgrade.md).
 */
/** An upgrade that went wrong is noticed before the second one after it. */
const KEPT_COPIES = 2

/** Throws `SondeError` when a later Sonde wrote the file, or when there is no room for the copy. */
export function prepareUpgrade(
  database: DatabaseSync,
  file: string,
  logger: Logger,
  migrations: readonly RecordsMigration[] = MIGRATIONS,
  free: (dir: string) => number = freeBytesOf,
): void {
  const applied = appliedSteps(database)
  refuseLater('records', applied, migrations)
  const missing = migrations.flatMap(({ name }) => (applied.includes(name) ? [] : [name]))
  const [next] = missing
  if (next === undefined || applied.length === 0) return
  requireSpace(
    'records',
    { neededBytes: recordsNeed(database, missing), freeBytes: free(dirname(file)) },
    file,
  )
  const copy = copyRecords(database, file, `records-before-${next}.sqlite`)
  logger.info({ copy }, 'the records were copied before they are upgraded')
}

/** Other processes may read and write meanwhile; the copy is of one moment. Returns its path. */
function copyRecords(database: DatabaseSync, file: string, name: string): string {
  const dir = join(dirname(file), 'backups')
  const copy = join(dir, name)
  const unfinished = `${copy}.${process.pid}`
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    database.prepare('VACUUM INTO ?').run(unfinished)
    renameSync(unfinished, copy)
  } catch (cause) {
    if (existsSync(unfinished)) rmSync(unfinished)
    throw new SondeError('unavailable', `copy the records before the upgrade: ${(cause as Error).message}`, {
      operation: 'copy the records before the upgrade',
      subject: copy,
      cause,
      hint: `nothing was upgraded; make room for a second ${file} on its disk, and start again`,
    })
  }
  const copies = readdirSync(dir).filter((one) => /^records-before-.*\.sqlite$/.test(one))
  for (const old of copies.sort().slice(0, -KEPT_COPIES)) rmSync(join(dir, old))
  return copy
}
