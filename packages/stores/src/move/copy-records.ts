/**
 * The records of a SQLite file into an empty database of PostgreSQL: every table, ids and all, in one transaction. Whoever is
 * cut off leaves the database as it was. Values are the same in both engines (docs/decisions/0031-records-on-postgresql.md).
 */
import { DatabaseSync } from 'node:sqlite'
import { type Logger, SondeError } from '@sonde/base'
import pg from 'pg'
import { migratePostgres } from '../records/postgres/migrate-postgres.ts'
import { connectionOf } from '../records/postgres/pool.ts'
import { postgresError, shownUrl } from '../records/postgres/postgres-errors.ts'
import type { Compared } from './compared.ts'
import { lastIds, type RecordTable, recordTables, tablesFilledByMigrations } from './record-tables.ts'

export type CopyRecords = {
  readonly file: string
  readonly url: string
  /** Kept in the database with the rows: so it is known again as this copy's. */
  readonly mark: string
  readonly logger: Logger
  readonly onRows: (table: string, rows: number) => void
}

const OPERATION = 'move the records'
const MARK = 'moved_by'
const BATCH = { rows: 2_000, chars: 4 * 1024 * 1024 } as const

/** Throws `SondeError`: `conflict` for a database that has rows of another Sonde. Makes its tables. */
export async function checkRecordsTarget({
  url,
  mark,
  logger,
}: Pick<CopyRecords, 'url' | 'mark' | 'logger'>): Promise<'empty' | 'moved'> {
  await migratePostgres(url, logger)
  return connected(url, (client) => look(client, url, mark))
}

/** What is already there by the same mark is compared and not copied again. */
export async function copyRecords(copy: CopyRecords): Promise<readonly Compared[]> {
  const { file, url, mark, logger, onRows } = copy
  await migratePostgres(url, logger)
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    // One state of all tables.
    database.exec('BEGIN')
    const tables = recordTables(database)
    return await connected(url, async (client) => {
      await client.query('BEGIN')
      if ((await look(client, url, mark)) === 'empty') {
        for (const table of tables) await copyTable(database, client, table, onRows)
        await setIds(client, tables, lastIds(database))
        await client.query('INSERT INTO setting (name, value) VALUES ($1, $2)', [MARK, mark])
      }
      const compared = await compare(database, client, tables)
      const different = compared.filter(({ from, to }) => from !== to)
      if (different.length > 0) {
        await client.query('ROLLBACK')
        return compared
      }
      await client.query('COMMIT')
      return compared
    })
  } finally {
    database.close()
  }
}

async function connected<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(connectionOf(url))
  // Without a listener a connection that breaks would end the process; the statement under way fails too.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    throw postgresError(error, url, OPERATION)
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function look(client: pg.Client, url: string, mark: string): Promise<'empty' | 'moved'> {
  const known = await client.query<{ value: string }>('SELECT value FROM setting WHERE name = $1', [MARK])
  if (known.rows[0]?.value === mark) return 'moved'
  const filled = tablesFilledByMigrations()
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname <> 'schema_migration'
     ORDER BY relname`,
  )
  for (const { name } of rows) {
    if (filled.has(name)) continue
    const some = await client.query(`SELECT 1 FROM "${name}" LIMIT 1`)
    if (some.rows.length > 0)
      throw new SondeError('conflict', `${OPERATION}: ${shownUrl(url)} is not empty: "${name}" has rows`, {
        operation: OPERATION,
        subject: shownUrl(url),
        hint: 'make a new database, or drop this one and make it anew if nobody needs what is in it',
      })
  }
  return 'empty'
}

async function copyTable(
  database: DatabaseSync,
  client: pg.Client,
  { name, columns }: RecordTable,
  onRows: CopyRecords['onRows'],
): Promise<void> {
  const types = await typesOf(client, name)
  const lists = columns.map((_, at) => `$${at + 1}::${types.get(columns[at] ?? '')}[]`)
  const names = columns.map((column) => `"${column}"`).join(', ')
  const insert = `INSERT INTO "${name}" (${names}) SELECT * FROM unnest(${lists.join(', ')})`
  const missing = columns.filter((column) => !types.has(column))
  if (missing.length > 0) throw new Error(`the database has no column ${name}.${missing.join(', ')}`)
  // What a trigger would add is a row of its own here, and copied as such.
  await client.query(`ALTER TABLE "${name}" DISABLE TRIGGER USER`)
  await client.query(`DELETE FROM "${name}"`)
  let batch: unknown[][] = columns.map(() => [])
  let [rows, chars] = [0, 0]
  const send = async (): Promise<void> => {
    if (rows === 0) return
    await client.query(insert, batch)
    onRows(name, rows)
    batch = columns.map(() => [])
    rows = 0
    chars = 0
  }
  const statement = database.prepare(`SELECT ${names} FROM "${name}"`)
  statement.setReadBigInts(true)
  for (const row of statement.iterate()) {
    for (const [at, column] of columns.entries()) {
      const value = postgresText(row[column])
      batch[at]?.push(value)
      if (typeof value === 'string') chars += value.length
    }
    rows++
    if (rows >= BATCH.rows || chars >= BATCH.chars) await send()
  }
  await send()
  await client.query(`ALTER TABLE "${name}" ENABLE TRIGGER USER`)
}

const NUL = /\0/g
/** A text there has no NUL (docs/decisions/0031-records-on-postgresql.md). */
const postgresText = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll(NUL, '\uFFFD') : value

async function typesOf(client: pg.Client, table: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
    [`"${table}"`],
  )
  return new Map(rows.map(({ name, type }) => [name, type]))
}

/** The next id is one that never was: ids stand in DSNs, addresses and telemetry, also those of rows that are gone. */
async function setIds(
  client: pg.Client,
  tables: readonly RecordTable[],
  last: ReadonlyMap<string, number>,
): Promise<void> {
  const { rows } = await client.query<{ name: string; column: string }>(
    `SELECT c.relname AS name, a.attname AS column FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE a.attidentity <> '' AND c.relnamespace = current_schema()::regnamespace`,
  )
  for (const { name, column } of rows) {
    const id = last.get(name) ?? 0
    if (id > 0 && tables.some((table) => table.name === name))
      await client.query(`SELECT setval(pg_get_serial_sequence($1, $2), $3)`, [`"${name}"`, column, id])
  }
}

async function compare(
  database: DatabaseSync,
  client: pg.Client,
  tables: readonly RecordTable[],
): Promise<readonly Compared[]> {
  const compared: Compared[] = []
  for (const { name } of tables.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const count = `SELECT count(*) AS n FROM "${name}"`
    const from = Number(database.prepare(count).get()?.['n'])
    const { rows } = await client.query<{ n: number }>(count)
    // The mark is a row that only the copy has.
    const to = Number(rows[0]?.n) - (name === 'setting' ? 1 : 0)
    compared.push({ what: name, part: '', from, to })
  }
  return compared
}
