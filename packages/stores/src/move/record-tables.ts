/**
 * Which tables the records have, as SQLite itself says it: a table of a later migration is copied without anybody adding it
 * to a list.
 */
import { DatabaseSync } from 'node:sqlite'
import { silentLogger } from '@sonde/base'
import { migrateRecords } from '../records/migrate.ts'

export type RecordTable = {
  readonly name: string
  readonly columns: readonly string[]
}

/** Parents before those that refer to them. What SQLite keeps for itself and its index of texts is none of them. */
export function recordTables(database: DatabaseSync): readonly RecordTable[] {
  const names = texts(
    database,
    `SELECT name AS text FROM pragma_table_list
     WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'schema_migration' ORDER BY name`,
  )
  const waiting = new Map(
    names.map((name) => [
      name,
      texts(
        database,
        `SELECT DISTINCT "table" AS text FROM pragma_foreign_key_list(?) WHERE "table" <> ?`,
        name,
        name,
      ),
    ]),
  )
  const ordered: RecordTable[] = []
  while (waiting.size > 0) {
    const free = [...waiting].filter(([, parents]) => parents.every((parent) => !waiting.has(parent)))
    if (free.length === 0) throw new Error(`tables refer to each other: ${[...waiting.keys()].join(', ')}`)
    for (const [name] of free) {
      waiting.delete(name)
      ordered.push({
        name,
        columns: texts(database, 'SELECT name AS text FROM pragma_table_info(?) ORDER BY cid', name),
      })
    }
  }
  return ordered
}

/** Tables that have rows as soon as the schema is made: counters that triggers raise. */
export function tablesFilledByMigrations(): ReadonlySet<string> {
  const fresh = new DatabaseSync(':memory:')
  try {
    migrateRecords(fresh, silentLogger)
    const tables = recordTables(fresh).filter(
      ({ name }) => fresh.prepare(`SELECT 1 FROM "${name}" LIMIT 1`).get() !== undefined,
    )
    return new Set(tables.map(({ name }) => name))
  } finally {
    fresh.close()
  }
}

/** Of each table whose ids are given once only: the last one that was. */
export function lastIds(database: DatabaseSync): ReadonlyMap<string, number> {
  const rows = database.prepare('SELECT name, seq FROM sqlite_sequence').all()
  return new Map(rows.map(({ name, seq }) => [String(name), Number(seq)]))
}

function texts(database: DatabaseSync, sql: string, ...parameters: readonly string[]): readonly string[] {
  return database
    .prepare(sql)
    .all(...parameters)
    .map(({ text }) => String(text))
}
