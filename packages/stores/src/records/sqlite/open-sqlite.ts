/** Opens the records file so that several processes (back, front, CLI) can use it at once. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { createBoundedMap, SondeError } from '@sonde/base'
import {
  CompiledQuery,
  type Dialect,
  type Driver,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely'

// Statements block the event loop, so this is also the longest stall; writers hold the lock for milliseconds.
const BUSY_TIMEOUT_MS = 5000

/** Throws `SondeError`, kind `unavailable`, when the file cannot be opened or is none of ours. */
export function openSqlite(file: string): DatabaseSync {
  let database: DatabaseSync | undefined
  try {
    mkdirSync(dirname(file), { recursive: true })
    database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true })
    // Readers never wait for the writer, nor it for them.
    database.exec('PRAGMA journal_mode = WAL')
    // NORMAL would flush only at checkpoints: after a power cut the last transactions could be gone while the log
    // segments that they consumed are deleted already. FULL flushes each commit (guarantee G2).
    database.exec('PRAGMA synchronous = FULL')
    // What is deleted is written over with zeros: an erased person is in no left page either.
    database.exec('PRAGMA secure_delete = ON')
    // Temporary tables and sorts stay off the disk; 8 MiB of pages instead of 2.
    database.exec('PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8192')
    // `nowMs` of `expressions.ts`.
    database.function('now_ms', { useBigIntArguments: false }, () => BigInt(Date.now()))
    return database
  } catch (cause) {
    database?.close()
    const hint = isDamaged(cause)
      ? DAMAGED_HINT
      : 'the file and its folder must be writable by this user and on a local disk (not NFS)'
    throw notOpened(file, (cause as Error).message, hint, cause)
  }
}

// https://sqlite.org/rescode.html: SQLITE_CORRUPT, SQLITE_NOTADB
const isDamaged = (error: unknown): boolean =>
  [11, 26].includes(((error as { errcode?: number }).errcode ?? 0) & 0xff)

const DAMAGED_HINT =
  'the file is damaged: check its disk, and restore the records from a backup (the last copy before an upgrade is in `backups` beside it); events that were acknowledged wait in the log meanwhile'

const notOpened = (file: string, message: string, hint: string, cause?: unknown): SondeError =>
  new SondeError('unavailable', `open the records: ${message} (${file})`, {
    operation: 'open the records',
    subject: file,
    hint,
    ...(cause !== undefined && { cause }),
  })

// A tenth of a second for 100 MB that are in memory, and as long as the disk reads them otherwise. What is larger than this
// would delay each start by seconds; there a damaged page fails what reads it.
const MAX_CHECKED_BYTES = 512 * 1024 * 1024

/**
 * Throws as `openSqlite` does when a page of the file is not what was written: better no start than rows that are written
 * into a broken tree. https://sqlite.org/pragma.html#pragma_quick_check
 */
export function checkSqlite(database: DatabaseSync, file: string): void {
  const size = 'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()'
  try {
    if (Number(database.prepare(size).get()?.['bytes'] ?? 0) > MAX_CHECKED_BYTES) return
    const found = database.prepare('PRAGMA quick_check(1)').all()
    const [problem] = found.map((row) => String(row['quick_check']))
    if (problem === 'ok') return
    throw notOpened(file, problem ?? 'it cannot be checked', DAMAGED_HINT)
  } catch (error) {
    if (error instanceof SondeError || !isDamaged(error)) throw error
    throw notOpened(file, (error as Error).message, DAMAGED_HINT, error)
  }
}

/**
 * Commits of other connections, and rows that this one changed. A transaction that has not ended counts already, and whoever asks
 * for its rows waits for its end. https://sqlite.org/pragma.html#pragma_data_version
 */
export function sqliteVersion(database: DatabaseSync): () => string {
  const statement = database.prepare(
    'SELECT data_version AS others, total_changes() AS own FROM pragma_data_version',
  )
  return () => {
    const row = statement.get()
    return `${String(row?.['others'])} ${String(row?.['own'])}`
  }
}

/**
 * Kysely on `node:sqlite`. Kysely's own SQLite parts do the work (its driver hands the one connection to one caller at
 * a time, a transaction keeps it to its end); this file adapts the statement API and how a transaction begins.
 */
export function sqliteDialect(database: DatabaseSync): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => immediateDriver(database),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/**
 * `begin immediate` takes the write lock first. With a plain `begin`, a transaction that reads and then writes fails
 * at once, whatever `busy_timeout` says, when another process wrote in between
 * (https://sqlite.org/isolation.html, SQLITE_BUSY_SNAPSHOT).
 */
function immediateDriver(database: DatabaseSync): Driver {
  const driver = new SqliteDriver({
    database: { close: () => database.close(), prepare: createStatementCache(database) },
  })
  driver.beginTransaction = async (connection) => {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
  return driver
}

// Kysely prepares per execution; parsing costs more than most of our statements. Lists of varying length
// (`in (?, ?, …)`) make new texts, so the cache is bounded.
const MAX_STATEMENTS = 300

function createStatementCache(database: DatabaseSync): (sql: string) => SqliteStatement {
  const cache = createBoundedMap<string, SqliteStatement>(MAX_STATEMENTS)
  return (sql) => {
    const known = cache.get(sql)
    if (known) return known
    const statement = adapt(database.prepare(sql))
    // A statement that changes the schema is used once, and the column list of cached ones must stay true.
    if (/^\s*(?:create|alter|drop)\b/i.test(sql)) cache.clear()
    else cache.set(sql, statement)
    return statement
  }
}

function adapt(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...parameters.map(sqliteValue)).map(plain),
    run: (parameters) => statement.run(...parameters.map(sqliteValue)),
    *iterate(parameters) {
      for (const row of statement.iterate(...parameters.map(sqliteValue))) yield plain(row)
    },
  }
}

/** `node:sqlite` makes rows without a prototype; equality in tests and some serialisers tell them apart. */
const plain = <Row extends object>(row: Row): Row => ({ ...row })

/** What other drivers accept and `node:sqlite` refuses. */
function sqliteValue(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value === undefined) return null
  return value as SQLInputValue
}
