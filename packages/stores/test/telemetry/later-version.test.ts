import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { silentLogger, SondeError, systemClock } from '@sonde/base'
import { openEngines } from '../../src/open-engines.ts'
import { migrateRecords } from '../../src/records/migrate.ts'
import { MIGRATIONS as RECORDS } from '../../src/records/migrations.ts'
import { openSqlite } from '../../src/records/sqlite/open-sqlite.ts'
import { openEmbedded } from '../../src/telemetry/embedded/open-embedded.ts'
import { applyMigrations, migrateTelemetry } from '../../src/telemetry/migrate.ts'
import type { Telemetry } from '../../src/telemetry/telemetry.ts'
import { temporaryFolder } from '../temporary-folder.ts'

test('telemetry of a later version, and an upgrade that has no room, are refused in words, before the records are upgraded', async () => {
  const folder = temporaryFolder()
  const engine = await openEmbedded(join(folder, 'telemetry'), 512 * 1024 * 1024)
  after(() => engine.close())
  const needs = { clock: systemClock, logger: silentLogger, retentionDays: 90 }
  await migrateTelemetry(engine, needs)
  await refusedForRoom(engine, needs)
  await applyMigrations(engine, needs, [{ name: '9999-later', statements: [] }])
  await assert.rejects(migrateTelemetry(engine, needs), (error) => {
    assert.ok(error instanceof SondeError && error.kind === 'config')
    return /a later version of Sonde has used this folder: the schema of its telemetry has the step 9999-later/.test(
      error.message,
    )
  })
  await engine.close()
  await recordsStayAsTheyAre(folder)
})

async function recordsStayAsTheyAre(folder: string): Promise<void> {
  const file = join(folder, 'records.sqlite')
  const database = openSqlite(file)
  migrateRecords(database, silentLogger, RECORDS.slice(0, 40))
  const config = {
    records: { file },
    telemetry: { dir: join(folder, 'telemetry') },
    blobs: { dir: join(folder, 'blobs') },
    log: { dir: join(folder, 'log') },
  }
  await assert.rejects(
    openEngines(config, ['records', 'telemetry'], { logger: silentLogger }),
    /the schema of its telemetry has the step 9999-later/,
  )
  assert.equal(database.prepare('SELECT count(*) AS n FROM schema_migration').get()?.['n'], 40)
  assert.equal(existsSync(join(folder, 'backups')), false)
  database.close()
}

/** Before its first step; with room it goes on. */
async function refusedForRoom(
  engine: Telemetry,
  needs: Parameters<typeof migrateTelemetry>[1],
): Promise<void> {
  const steps = () =>
    engine.query<{ name: string }>('SELECT DISTINCT name FROM schema_migration ORDER BY name')
  const all = await steps()
  await engine.command(
    `ALTER TABLE schema_migration DELETE WHERE name = '0015-span-links' SETTINGS mutations_sync = 2`,
  )
  const on = (freeBytes: number, besideBytes = 0) => ({
    query: engine.query,
    command: engine.command,
    disk: { dir: '/data/telemetry', freeBytes: () => freeBytes, besideBytes },
  })
  let recordsUpgraded = 0
  const inTurn = {
    ...needs,
    async beforeSteps() {
      recordsUpgraded++
      assert.equal((await steps()).length, all.length - 1)
    },
  }
  await assert.rejects(
    migrateTelemetry(on(1_000_000), inTurn),
    /needs 64 MB of free disk, and \/data\/telemetry has 1 MB/,
  )
  // What the records need on the same disk counts.
  await assert.rejects(
    migrateTelemetry(on(1_000_000_000, 2_000_000_000), inTurn),
    /needs 2\.1 GB of free disk, and \/data\/telemetry has 1\.0 GB/,
  )
  assert.equal(recordsUpgraded, 0)
  assert.equal((await steps()).length, all.length - 1)
  await migrateTelemetry(on(1_000_000_000), inTurn)
  assert.equal(recordsUpgraded, 1)
  assert.deepEqual(await steps(), all)
}
