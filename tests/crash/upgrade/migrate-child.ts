/**
 * Migrates a data folder in a process of its own and prints what the stores are then. `uncut` does it at once, `cut` is broken
 * off before each statement once, and `records:7` or `telemetry:7` ends the process like `kill -9` within the seventh of that store.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { silentLogger, systemClock } from '@sonde/base'
import { migrateRecords } from '../../../packages/stores/src/records/migrate.ts'
import { openSqlite } from '../../../packages/stores/src/records/sqlite/open-sqlite.ts'
import { openEmbedded } from '../../../packages/stores/src/telemetry/embedded/open-embedded.ts'
import { migrateTelemetry } from '../../../packages/stores/src/telemetry/migrate.ts'

const [dataDir = '', how = 'uncut'] = process.argv.slice(2)
const MEMORY_BYTES = 512 * 1024 * 1024
const RETENTION_DAYS = 3_650
/** Starts before this one may have made rows too. */
const BEGAN_MS = Date.now() - 600_000
const logger = silentLogger
const file = join(dataDir, 'records.sqlite')

class Cut extends Error {}

const statements = { records: 0, telemetry: 0 }
/** Telemetry's is on its way when the process ends, the records' is not committed. */
function within<Result>(store: keyof typeof statements, run: () => Result): Result {
  statements[store]++
  const result = run()
  if (`${store}:${statements[store]}` === how) process.kill(process.pid, 'SIGKILL')
  return result
}

await migrateRecordsHere()
const engine = await openEmbedded(join(dataDir, 'telemetry'), MEMORY_BYTES)
await migrateTelemetryHere()
const records = recordsNow()
console.log(JSON.stringify({ statements, records, telemetry: await telemetryNow() }))
await engine.close()

/** Ended before each statement, the database is opened anew: what was not committed is gone. */
async function migrateRecordsHere(): Promise<void> {
  for (let cutBefore = 1; ; cutBefore++) {
    const database = openSqlite(file)
    let executed = 0
    let isCut = false
    const exec = (sql: string): void => {
      isCut ||= how === 'cut' && ++executed === cutBefore
      if (isCut) throw new Cut()
      within('records', () => database.exec(sql))
    }
    const cuttable = new Proxy(database, {
      get: (target, key) => {
        const value: unknown = key === 'exec' ? exec : Reflect.get(target, key)
        return typeof value === 'function' && key !== 'exec' ? value.bind(target) : value
      },
    })
    try {
      migrateRecords(cuttable, logger)
      return
    } catch (error) {
      if (!isCut) throw error
    } finally {
      database.close()
    }
  }
}

async function migrateTelemetryHere(): Promise<void> {
  for (let cutBefore = 1; ; cutBefore++) {
    let commanded = 0
    let isCut = false
    const command: typeof engine.command = (...args) => {
      isCut ||= how === 'cut' && ++commanded === cutBefore
      return isCut ? Promise.reject(new Cut()) : within('telemetry', () => engine.command(...args))
    }
    try {
      const needs = { logger, clock: systemClock, retentionDays: RETENTION_DAYS }
      return await migrateTelemetry({ query: engine.query, command }, needs)
    } catch (error) {
      if (!isCut) throw error
    }
  }
}

/** Without the moments at which a step did something. */
function recordsNow(): object {
  const database = openSqlite(file)
  const schema = database.prepare('SELECT type, name, sql FROM sqlite_master ORDER BY type, name').all()
  const tables = schema.filter(({ type, sql }) => type === 'table' && !String(sql).includes('VIRTUAL'))
  const rows = tables.map(({ name }) => {
    const all = database.prepare(`SELECT * FROM "${String(name)}"`).all()
    const timeless = all.map((row) =>
      Object.entries(row).filter(([column, value]) => !(column.endsWith('_ms') && Number(value) >= BEGAN_MS)),
    )
    return [name, createHash('sha256').update(JSON.stringify(timeless)).digest('hex')]
  })
  database.close()
  return { schema, rows: Object.fromEntries(rows) as object }
}

async function telemetryNow(): Promise<object> {
  // Columns that rows of before are given in the background.
  await settled()
  const tables = await engine.query<{ name: string; sql: string }>(
    `SELECT name, create_table_query AS sql FROM system.tables WHERE database = currentDatabase() ORDER BY name`,
  )
  const rows: Record<string, unknown> = {}
  for (const { name } of tables) {
    const what = name === 'schema_migration' ? 'count(DISTINCT name)' : 'concat(count(), sum(cityHash64(*)))'
    ;[rows[name]] = await engine.query(`SELECT toString(${what}) AS found FROM ${name}`)
  }
  return { tables, rows }
}

async function settled(): Promise<void> {
  for (;;) {
    const [row] = await engine.query<{ n: number }>(
      'SELECT toUInt32(count()) AS n FROM system.mutations WHERE NOT is_done',
    )
    if (row?.n === 0) return
  }
}
