/** Brings the telemetry schema up to date at start. Repeating it, or interrupting it anywhere, does no harm. */
import type { Clock, Logger } from '@sonde/base'
import { AGE_COLUMNS, MIGRATIONS, type TelemetryMigration } from './migrations.ts'
import { TELEMETRY_TABLES, type Telemetry } from './telemetry.ts'

type Engine = Pick<Telemetry, 'command' | 'query'>
type Needs = { readonly clock: Clock; readonly logger: Logger; readonly retentionDays: number }

export async function migrateTelemetry(
  engine: Engine,
  { clock, logger, retentionDays }: Needs,
  migrations: readonly TelemetryMigration[] = MIGRATIONS,
): Promise<void> {
  await engine.command(
    `CREATE TABLE IF NOT EXISTS schema_migration (name String, applied_ms UInt64)
     ENGINE = MergeTree ORDER BY name SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`,
  )
  const rows = await engine.query<{ name: string }>('SELECT DISTINCT name FROM schema_migration')
  const applied = new Set(rows.map((row) => row.name))
  for (const migration of migrations) {
    if (applied.has(migration.name)) continue
    for (const statement of migration.statements) await engine.command(statement)
    await engine.command('INSERT INTO schema_migration VALUES ({name:String}, {at:UInt64})', {
      name: migration.name,
      at: clock.nowMs(),
    })
    logger.info({ migration: migration.name }, 'telemetry schema changed')
  }
  await setRetention(engine, retentionDays)
}

/**
 * Only the rule changes; old parts are not rewritten for it (`materialize_ttl_after_modify = 0`), they take the new
 * rule with their next merge.
 */
async function setRetention(engine: Engine, days: number): Promise<void> {
  const tables = await engine.query<{ name: string; create_table_query: string }>(
    'SELECT name, create_table_query FROM system.tables WHERE database = currentDatabase() AND name IN {names:Array(String)}',
    { names: [...TELEMETRY_TABLES] },
  )
  for (const name of TELEMETRY_TABLES) {
    const rule = `TTL toDateTime(${AGE_COLUMNS[name]}) + toIntervalDay(${days})`
    if (tables.find((table) => table.name === name)?.create_table_query.includes(rule)) continue
    await engine.command(`ALTER TABLE ${name} MODIFY ${rule} SETTINGS materialize_ttl_after_modify = 0`)
  }
}
