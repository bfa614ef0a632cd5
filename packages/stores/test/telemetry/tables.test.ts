/** The lists of columns, and the stores that are made from them or came to them. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { silentLogger, systemClock } from '@sonde/base'
import { openEmbedded } from '../../src/telemetry/embedded/open-embedded.ts'
import { applyMigrations, migrateTelemetry } from '../../src/telemetry/migrate.ts'
import { MIGRATIONS } from '../../src/telemetry/migrations.ts'
import { fieldOf, rowEncoder } from '../../src/telemetry/tables/column.ts'
import { TABLES, TELEMETRY_TABLES } from '../../src/telemetry/tables/tables.ts'
import type { Telemetry } from '../../src/telemetry/telemetry.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const needs = { clock: systemClock, logger: silentLogger, retentionDays: 90 }
let engine: Telemetry

async function empty(): Promise<void> {
  for (const table of [...TELEMETRY_TABLES, 'schema_migration'])
    await engine.command(`DROP TABLE IF EXISTS ${table} SYNC`)
}

const columns = () =>
  engine.query(
    `SELECT * EXCEPT (data_compressed_bytes, data_uncompressed_bytes, marks_bytes) FROM system.columns
     WHERE database = currentDatabase() AND table IN {names:Array(String)} ORDER BY table, position`,
    { names: TELEMETRY_TABLES },
  )
const definitions = () =>
  engine.query(
    `SELECT name, create_table_query FROM system.tables
     WHERE database = currentDatabase() AND name IN {names:Array(String)} ORDER BY name`,
    { names: TELEMETRY_TABLES },
  )

// Whichever of the migrations a store had, the statements are the same and in the same order: a few stand for all.
const EARLIER = [1, 6, 10, MIGRATIONS.length]

describe('tables', () => {
  before(async () => {
    engine = await openEmbedded(join(temporaryFolder(), 'telemetry'), 512 * 1024 * 1024)
  })

  after(() => engine.close())

  test('a store of an earlier version comes to the schema that the lists give', async () => {
    await empty()
    await migrateTelemetry(engine, needs)
    const fresh = { columns: await columns(), definitions: await definitions() }
    for (const had of EARLIER) {
      await empty()
      await applyMigrations(engine, needs, MIGRATIONS.slice(0, had))
      await migrateTelemetry(engine, needs)
      assert.deepEqual(await columns(), fresh.columns, `after ${MIGRATIONS[had - 1]?.name}`)
      assert.deepEqual(await definitions(), fresh.definitions, `after ${MIGRATIONS[had - 1]?.name}`)
    }
  })

  test('a column that a list has and the store has not is added, in its place', async () => {
    await empty()
    await migrateTelemetry(engine, needs)
    const before = await columns()
    await engine.command('ALTER TABLE navigations DROP COLUMN waiting_for')
    await engine.command('ALTER TABLE vitals DROP COLUMN source, DROP COLUMN element')
    await migrateTelemetry(engine, needs)
    assert.deepEqual(await columns(), before)
  })

  test('a table that the store has not is made', async () => {
    await empty()
    await migrateTelemetry(engine, needs)
    const before = await definitions()
    await engine.command('DROP TABLE prefetches SYNC')
    await migrateTelemetry(engine, needs)
    assert.deepEqual(await definitions(), before)
  })

  test('a row is written in the order of the list, without what the engine or the commit adds', () => {
    const encode = rowEncoder([
      { name: 'issue_id', type: 'UInt64', isCommitted: true },
      { name: 'received', type: "DateTime64(3, 'UTC')" },
      { name: 'is_final', type: 'UInt8' },
      { name: 'cache_age_ms', type: 'Nullable(Float64)' },
      { name: 'to_route', type: 'LowCardinality(String)', field: 'target' },
      { name: 'version', type: 'UInt64', materialized: 'toUInt64(received)' },
    ])
    assert.equal(
      encode({ receivedMs: 1_790_000_000_123, isFinal: true, target: '/a\tb' }),
      '1790000000.123\t1\t\\N\t/a\\tb',
    )
  })

  test('a table names a column once, and a field once unless its columns share one', () => {
    for (const { name, columns: list } of Object.values(TABLES)) {
      const names = list.map((column) => column.name)
      assert.deepEqual(names, [...new Set(names)], name)
      const fields = list.filter(({ name: column }) => column !== 'numbers').map(fieldOf)
      assert.deepEqual(fields, [...new Set(fields)], name)
    }
  })
})
