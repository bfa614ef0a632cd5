/** What the next start of this version would do to the stores, found without changing any of them. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { silentLogger, systemClock } from '@sonde/base'
import type { EngineConfig } from '../open-engines.ts'
import { MIGRATIONS as RECORDS } from '../records/migrations.ts'
import { storedColumns } from '../telemetry/migrate.ts'
import { MIGRATIONS as TELEMETRY } from '../telemetry/migrations.ts'
import type { ServerQuery } from '../telemetry/server/await-server.ts'
import { TABLES, TELEMETRY_TABLES } from '../telemetry/tables/tables.ts'
import { freeBytesOf, RESERVE_BYTES, type SpaceNeed } from './free-space.ts'
import { readEmbeddedSchema } from './read-embedded-steps.ts'
import { appliedSteps, isSameDisk, recordsNeed } from './records-need.ts'
import { fillBytes, RECORDS_COSTS, TELEMETRY_FILLS } from './step-costs.ts'

export type StorePlan = {
  readonly store: 'records' | 'telemetry'
  /** Of SQLite and chDB what this version brings; of a server what it says of itself. */
  readonly engine: string
  /** The last step of its schema; empty for one that is still to be made. */
  readonly schema: string
  readonly steps: readonly string[]
  /** Those of its steps that this version does not know: a later one wrote it. */
  readonly later: readonly string[]
  /** Undefined on servers, whose disks are not this machine's. */
  readonly space: SpaceNeed | undefined
  /** How long a start waits. */
  readonly seconds: number
  /** When the last backup that succeeded ended, where the records say so. */
  readonly lastBackupMs?: number
  /** What goes on afterwards, while Sonde runs. */
  readonly background: readonly string[]
}

type Step = { readonly name: string }
const MS_PER_STEP = 20
/** A copy is written and checked at this rate on a slow disk. */
const COPIED_BYTES_PER_MS = 100_000

/** Throws `SondeError` for a server that does not answer or that is too old. */
export async function planUpgrade({ records, telemetry }: EngineConfig): Promise<readonly StorePlan[]> {
  const plan = 'url' in records ? await planPostgres(records.url) : planSqlite(records.file)
  const other = 'url' in telemetry ? await planClickHouse(telemetry.url) : await planEmbedded(telemetry.dir)
  const isShared = 'file' in records && 'dir' in telemetry && isSameDisk(records.file, telemetry.dir)
  return [plan, isShared ? besides(other, plan.space?.neededBytes ?? 0) : other]
}

/** A start looks for the room of both before it changes either. */
function besides(plan: StorePlan, recordsBytes: number): StorePlan {
  const { space } = plan
  if (!space || space.neededBytes === 0) return plan
  return { ...plan, space: { ...space, neededBytes: space.neededBytes + recordsBytes } }
}

/** Of the steps that read or write rows of before. */
const rowsMs = (steps: readonly string[], rowsOf: (table: string) => number): number =>
  steps
    .flatMap((step) => RECORDS_COSTS[step] ?? [])
    .reduce((sum, { table, msPerMillionRows }) => sum + (rowsOf(table) / 1e6) * msPerMillionRows, 0)

function compare(known: readonly Step[], applied: readonly string[]) {
  const names = known.map(({ name }) => name)
  return {
    schema: names.findLast((name) => applied.includes(name)) ?? '',
    steps: names.filter((name) => !applied.includes(name)),
    later: applied.filter((name) => !names.includes(name)).toSorted(),
  }
}

function planSqlite(file: string): StorePlan {
  const engine = `SQLite ${process.versions['sqlite'] ?? ''}`
  const store = 'records'
  if (!existsSync(file))
    return { store, engine, ...compare(RECORDS, []), space: undefined, seconds: 1, background: [] }
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const compared = compare(RECORDS, appliedSteps(database))
    const neededBytes = recordsNeed(database, compared.steps)
    const space = { neededBytes, freeBytes: freeBytesOf(dirname(file)) }
    // The highest id is found at once; counting would read the whole table.
    const rowsOf = (table: string): number => {
      const exists = database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(table)
      return exists ? Number(database.prepare(`SELECT max(rowid) AS n FROM "${table}"`).get()?.['n'] ?? 0) : 0
    }
    const copyMs = compared.steps.length === 0 ? 0 : neededBytes / COPIED_BYTES_PER_MS
    const seconds = (compared.steps.length * MS_PER_STEP + copyMs + rowsMs(compared.steps, rowsOf)) / 1000
    const lastBackupMs = lastBackup(database)
    return {
      store,
      engine,
      ...compared,
      space,
      seconds,
      background: [],
      ...(lastBackupMs !== undefined && { lastBackupMs }),
    }
  } finally {
    database.close()
  }
}

/** Undefined: there was none, or the version that wrote these records knows of none. */
function lastBackup(database: DatabaseSync): number | undefined {
  if (!database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'backup_run'`).get()) return undefined
  const at = database
    .prepare(`SELECT max(finished_ms) AS at FROM backup_run WHERE kind = 'create' AND trouble = ''`)
    .get()?.['at']
  return typeof at === 'number' ? at : undefined
}

async function planEmbedded(dir: string): Promise<StorePlan> {
  const found = await readEmbeddedSchema(dir)
  const store = 'telemetry'
  const engine = 'ClickHouse, embedded'
  if (found === undefined)
    return { store, engine, ...compare(TELEMETRY, []), space: undefined, seconds: 1, background: [] }
  const compared = compare(TELEMETRY, found.steps)
  const fills = compared.steps.flatMap((step) => TELEMETRY_FILLS[step] ?? [])
  const steps = [...compared.steps, ...found.missing.map((name) => `add ${name}`)]
  const neededBytes =
    steps.length === 0
      ? 0
      : RESERVE_BYTES + fillBytes(compared.steps, (table) => folderBytes(found.folderOf(table)))
  return {
    store,
    engine,
    ...compared,
    steps,
    space: { neededBytes, freeBytes: freeBytesOf(dir) },
    seconds: (steps.length * MS_PER_STEP) / 1000,
    background: [...new Set(fills)].map((table) => `columns of ${table} are filled for rows of before`),
  }
}

/** Of a folder whose files may go meanwhile. */
function folderBytes(dir: string | undefined): number {
  if (dir === undefined || !existsSync(dir)) return 0
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' })
  return files.reduce(
    (sum, file) => sum + (statSync(join(dir, file), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}

async function planPostgres(url: string): Promise<StorePlan> {
  const { readPostgresSteps } = await import('../records/postgres/migrate-postgres.ts')
  const { version, steps, rows } = await readPostgresSteps(url)
  const compared = compare(RECORDS, steps)
  const ofRows = rowsMs(compared.steps, (table) => rows.get(table) ?? 0)
  const seconds = (compared.steps.length * MS_PER_STEP + ofRows) / 1000
  return {
    store: 'records',
    engine: `PostgreSQL ${version}`,
    ...compared,
    space: undefined,
    seconds,
    background: [],
  }
}

const SERVER_WAIT_MS = 2_000

async function planClickHouse(url: string): Promise<StorePlan> {
  const { awaitServer } = await import('../telemetry/server/await-server.ts')
  const { connect } = await import('../telemetry/server/connection.ts')
  const server = connect(url, {})
  try {
    await awaitServer({
      query: server.query,
      url,
      clock: systemClock,
      logger: silentLogger,
      waitMs: SERVER_WAIT_MS,
    })
    const [about] = await server.query<{ version: string; hasSteps: number }>(
      `SELECT version() AS version, toUInt8(count()) AS hasSteps FROM system.tables
       WHERE database = currentDatabase() AND name = 'schema_migration'`,
    )
    const rows = about?.hasSteps
      ? await server.query<{ name: string }>('SELECT DISTINCT name FROM schema_migration')
      : []
    const compared = compare(
      TELEMETRY,
      rows.map(({ name }) => name),
    )
    const fills = compared.steps.flatMap((step) => TELEMETRY_FILLS[step] ?? [])
    const added = about?.hasSteps ? await missingOf(server.query) : []
    const steps = [...compared.steps, ...added.map((name) => `add ${name}`)]
    return {
      store: 'telemetry',
      engine: `ClickHouse ${about?.version ?? ''}`,
      ...compared,
      steps,
      space: undefined,
      seconds: (steps.length * MS_PER_STEP) / 1000,
      background: [...new Set(fills)].map((table) => `columns of ${table} are filled for rows of before`),
    }
  } finally {
    await server.close()
  }
}

/** Tables, and columns as `table.column`, that this version has and the server has not. */
async function missingOf(query: ServerQuery): Promise<readonly string[]> {
  const stored = await storedColumns({ query })
  return TELEMETRY_TABLES.flatMap((table) => {
    const columns = stored.get(table)
    if (!columns) return [table]
    return TABLES[table].columns.flatMap(({ name }) => (columns.has(name) ? [] : [`${table}.${name}`]))
  })
}
