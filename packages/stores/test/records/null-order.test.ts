/**
 * SQLite has nulls first, PostgreSQL last: a query that sorts by a column which may be null would answer differently. Where
 * one must, it says what goes first by an expression: `sql\`finished_ms IS NOT NULL\``.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { silentLogger } from '@sonde/base'
import { migrateRecords } from '../../src/records/migrate.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..', '..')
const BY_BUILDER = /\borderBy\(\s*'((\w+)\.)?(\w+)'/g
const BY_TEXT = /\border by ((\w+)\.)?(\w+)\b/gi
const ALIAS = /\b(?:from|join) (\w+) as (\w+)\b/gi

type Columns = ReadonlyMap<string, ReadonlySet<string>>

/** Of all tables the columns that may be null. */
function nullableColumns(): Columns {
  const database = new DatabaseSync(':memory:')
  migrateRecords(database, silentLogger)
  const rows = database
    .prepare(
      `SELECT m.name AS "table", c.name AS "column", c."notnull" = 0 AND c.pk = 0 AS nullable
       FROM sqlite_master AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table'`,
    )
    .all() as { table: string; column: string; nullable: number }[]
  database.close()
  const columnsOf = (own: typeof rows) =>
    own.flatMap(({ column, nullable }) => (nullable === 1 ? [column] : []))
  const byTable = Map.groupBy(rows, ({ table }) => table)
  return new Map([...byTable].map(([table, own]) => [table, new Set(columnsOf(own))]))
}

/** A name without its table's is judged by all tables: where another has a null there, the query names its own. */
function sortedByNull(text: string, columns: Columns): string[] {
  const aliases = new Map([...text.matchAll(ALIAS)].map(([, table = '', alias = '']) => [alias, table]))
  const patterns = text.includes("from 'kysely'") ? [BY_BUILDER, BY_TEXT] : [BY_BUILDER]
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(([found, , name = '', column = '']) => {
      const table = aliases.get(name) ?? name
      const own = columns.has(table) ? [columns.get(table)] : [...columns.values()]
      return own.some((names) => names?.has(column)) ? [found] : []
    }),
  )
}

test('no query of the records sorts by a column that may be null', () => {
  const columns = nullableColumns()
  const files = globSync('packages/*/src/**/*.ts', { cwd: ROOT })
  assert.ok(files.length > 500)
  const found = files.flatMap((file) =>
    sortedByNull(readFileSync(join(ROOT, file), 'utf8'), columns).map((what) => `${file}: ${what}`),
  )
  assert.deepEqual(found, [])
})

test('one that does is found', () => {
  const columns = nullableColumns()
  const of = (text: string) => sortedByNull(text, columns)
  assert.deepEqual(of(`.orderBy('started_ms')`), [`orderBy('started_ms'`])
  assert.deepEqual(of(`.orderBy('repair.finished_ms', 'desc')`), [`orderBy('repair.finished_ms'`])
  assert.deepEqual(of(`.orderBy('deploy.finished_ms').orderBy('id')`), [])
  assert.deepEqual(of(`import { sql } from 'kysely'\nsql\`over (ORDER BY last_used_ms)\``), [
    'ORDER BY last_used_ms',
  ])
  const aliased = (table: string) =>
    of(`import { sql } from 'kysely'\nsql\`FROM ${table} AS l ORDER BY l.started_ms\``)
  assert.deepEqual([aliased('repair'), aliased('cron_run')], [['ORDER BY l.started_ms'], []])
})
