/** How much free disk an upgrade of the records needs. */
import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { MIGRATIONS } from '../records/migrations.ts'
import { RESERVE_BYTES } from './free-space.ts'
import { RECORDS_COSTS } from './step-costs.ts'

/** For the copy, and for what steps write that touch rows of before: in the journal, then in the file. */
export function recordsNeed(database: DatabaseSync, steps: readonly string[]): number {
  if (steps.length === 0) return 0
  const size = database.prepare(
    'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
  )
  const bytes = Number(size.get()?.['bytes'] ?? 0)
  const touchesRows = steps.some((step) => RECORDS_COSTS[step] !== undefined)
  return bytes * (touchesRows ? 3 : 1) + RESERVE_BYTES
}

/** Of the disk that `dir` is on: 0 where the records are on another one, are new, or have nothing to be done. */
export function recordsNeedBeside(file: string, dir: string): number {
  if (!isSameDisk(file, dir)) return 0
  try {
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      const applied = appliedSteps(database)
      const missing = MIGRATIONS.flatMap(({ name }) => (applied.includes(name) ? [] : [name]))
      return applied.length === 0 ? 0 : recordsNeed(database, missing)
    } finally {
      database.close()
    }
  } catch {
    // Opening the records says what is wrong with them.
    return 0
  }
}

/** False where one of them is missing. */
export const isSameDisk = (path: string, other: string): boolean =>
  existsSync(path) && existsSync(other) && statSync(path).dev === statSync(other).dev

/** Empty for records that are still to be made. */
export function appliedSteps(database: DatabaseSync): readonly string[] {
  const table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'schema_migration'"
  if (!database.prepare(table).get()) return []
  return database
    .prepare('SELECT name FROM schema_migration')
    .all()
    .map(({ name }) => String(name))
}
