/** Brings the telemetry schema up to date at start. Repeating it, or interrupting it anywhere, does no harm. */
import type { Clock, Logger } from '@sonde/base'
import { refuseLater } from '../refuse-later.ts'
import { RESERVE_BYTES, requireSpace } from '../upgrade/free-space.ts'
import { fillBytes } from '../upgrade/step-costs.ts'
import { MIGRATIONS, type TelemetryMigration } from './migrations.ts'
import { columnDefinition } from './tables/column.ts'
import { createTable, type Table } from './tables/table.ts'
import { TABLES, TELEMETRY_TABLES } from './tables/tables.ts'
import type { Telemetry } from './telemetry.ts'

type Engine = Pick<Telemetry, 'command' | 'query'> & {
  /** The table whose rows a telemetry table has; its own by default. */
  readonly rowsOf?: (table: string) => string
  readonly isServer?: boolean
  /** Of the disk that it is on; a server looks after its own. `besideBytes`: what else an upgrade writes there. */
  readonly disk?: { readonly dir: string; readonly freeBytes: () => number; readonly besideBytes?: number }
}
type Needs = {
  readonly clock: Clock
  readonly logger: Logger
  readonly retentionDays: number
  /** Called when nothing more can refuse the upgrade, before its first step. When it throws, nothing is changed. */
  readonly beforeSteps?: (() => Promise<void>) | undefined
}

const SERVER = { setting: 'SONDE_CLICKHOUSE_URL', place: 'database' } as const

/** A new store is made from the lists of columns; one of an earlier version goes through what it has not had yet. */
export async function migrateTelemetry(engine: Engine, needs: Needs): Promise<void> {
  const applied = await appliedMigrations(engine)
  refuseLater('telemetry', [...applied], MIGRATIONS, engine.isServer ? SERVER : undefined)
  const columns = await storedColumns(engine)
  if (columns.size > 0) await requireRoom(engine, applied)
  await needs.beforeSteps?.()
  if (applied.size === 0 && columns.size === 0) await createTables(engine, needs)
  else await applyMigrations(engine, needs)
  await addWhatIsNew(engine, needs)
  await setRetention(engine, needs.retentionDays)
}

/** Before the first step: what is stored stays as it is, and what steps fill in lies beside it. */
async function requireRoom({ query, disk }: Engine, applied: ReadonlySet<string>): Promise<void> {
  const missing = MIGRATIONS.flatMap(({ name }) => (applied.has(name) ? [] : [name]))
  if (disk === undefined || missing.length === 0) return
  const sizes = await query<{ table: string; bytes: number }>(
    `SELECT table, sum(bytes_on_disk) AS bytes FROM system.parts
     WHERE database = currentDatabase() AND active GROUP BY table`,
  )
  const bytesOf = (name: string): number => sizes.find(({ table }) => table === name)?.bytes ?? 0
  const neededBytes = RESERVE_BYTES + fillBytes(missing, bytesOf) + (disk.besideBytes ?? 0)
  requireSpace('telemetry', { neededBytes, freeBytes: disk.freeBytes() }, disk.dir)
}

/** Of `migrations`, those that the store has not had, in their order. */
export async function applyMigrations(
  engine: Engine,
  needs: Pick<Needs, 'clock' | 'logger'>,
  migrations: readonly TelemetryMigration[] = MIGRATIONS,
): Promise<void> {
  const applied = await appliedMigrations(engine)
  for (const migration of migrations) {
    if (applied.has(migration.name)) continue
    for (const statement of migration.statements) await engine.command(statement)
    await remember(engine, needs, [migration.name])
    needs.logger.info({ migration: migration.name }, 'telemetry schema changed')
  }
}

/**
 * Remembered only at the end: after an interruption there are tables and no names, so the migrations run, and find
 * that what they do is done.
 */
async function createTables(engine: Engine, needs: Needs): Promise<void> {
  for (const table of TELEMETRY_TABLES) await engine.command(createTable(TABLES[table]))
  await remember(
    engine,
    needs,
    MIGRATIONS.map(({ name }) => name),
  )
}

/** Tables and columns that the lists have and this store has not. */
async function addWhatIsNew(engine: Engine, { logger }: Needs): Promise<void> {
  const stored = await storedColumns(engine)
  for (const name of TELEMETRY_TABLES) {
    const table: Table = TABLES[name]
    const columns = stored.get(name)
    if (columns === undefined) await engine.command(createTable(table))
    for (const [at, column] of table.columns.entries()) {
      if (columns === undefined || columns.has(column.name)) continue
      const place = at === 0 ? 'FIRST' : `AFTER ${table.columns[at - 1]?.name}`
      await engine.command(
        `ALTER TABLE ${name} ADD COLUMN IF NOT EXISTS ${columnDefinition(column)} ${place}`,
      )
      logger.info({ table: name, column: column.name }, 'telemetry schema changed')
    }
  }
}

export async function storedColumns(
  engine: Pick<Engine, 'query'>,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await engine.query<{ table: string; names: string[] }>(
    `SELECT table, groupArray(name) AS names FROM system.columns
     WHERE database = currentDatabase() AND table IN {names:Array(String)} GROUP BY table`,
    { names: TELEMETRY_TABLES },
  )
  return new Map(rows.map(({ table, names }) => [table, new Set(names)]))
}

async function appliedMigrations(engine: Engine): Promise<ReadonlySet<string>> {
  // Only when it is missing: on a cluster each change of a table waits for every server.
  const [table] = await engine.query<{ n: number }>(
    `SELECT count() AS n FROM system.tables WHERE database = currentDatabase() AND name = 'schema_migration'`,
  )
  if (table?.n === 1) return namesOf(engine)
  await engine.command(
    `CREATE TABLE IF NOT EXISTS schema_migration (name String, applied_ms UInt64)
     ENGINE = MergeTree ORDER BY name SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`,
  )
  return namesOf(engine)
}

async function namesOf({ query }: Engine): Promise<ReadonlySet<string>> {
  const rows = await query<{ name: string }>('SELECT DISTINCT name FROM schema_migration')
  return new Set(rows.map((row) => row.name))
}

const remember = (engine: Engine, { clock }: Pick<Needs, 'clock'>, names: readonly string[]): Promise<void> =>
  engine.command(
    'INSERT INTO schema_migration SELECT arrayJoin({names:Array(String)}) AS name, {at:UInt64} AS applied_ms',
    { names, at: clock.nowMs() },
  )

/**
 * Only the rule changes; old parts are not rewritten for it (`materialize_ttl_after_modify = 0`), they take the new
 * rule with their next merge.
 */
async function setRetention(engine: Engine, days: number): Promise<void> {
  const { rowsOf = (table: string) => table } = engine
  const tables = await engine.query<{ name: string; create_table_query: string }>(
    'SELECT name, create_table_query FROM system.tables WHERE database = currentDatabase() AND name IN {names:Array(String)}',
    { names: TELEMETRY_TABLES.map(rowsOf) },
  )
  for (const name of TELEMETRY_TABLES) {
    const { ageColumn, keepDays = days }: Table = TABLES[name]
    const rule = `TTL toDateTime(${ageColumn}) + toIntervalDay(${Math.min(days, keepDays)})`
    if (tables.find((table) => table.name === rowsOf(name))?.create_table_query.includes(rule)) continue
    await engine.command(`ALTER TABLE ${name} MODIFY ${rule} SETTINGS materialize_ttl_after_modify = 0`)
  }
}
