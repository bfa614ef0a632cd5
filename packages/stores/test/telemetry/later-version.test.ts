import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { silentLogger, SondeError, systemClock } from '@sonde/base'
import { openEmbedded } from '../../src/telemetry/embedded/open-embedded.ts'
import { applyMigrations, migrateTelemetry } from '../../src/telemetry/migrate.ts'
import type { Telemetry } from '../../src/telemetry/telemetry.ts'
import { temporaryFolder } from '../temporary-folder.ts'

test('telemetry of a later version, and an upgrade that has no room, are refused in words', async () => {
  const engine = await openEmbedded(join(temporaryFolder(), 'telemetry'), 512 * 1024 * 1024)
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
})

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
  const on = (freeBytes: number) => ({
    query: engine.query,
    command: engine.command,
    disk: { dir: '/data/telemetry', freeBytes: () => freeBytes },
  })
  await assert.rejects(
    migrateTelemetry(on(1_000_000), needs),
    /needs 64 MB of free disk, and \/data\/telemetry has 1 MB/,
  )
  assert.equal((await steps()).length, all.length - 1)
  await migrateTelemetry(on(1_000_000_000), needs)
  assert.deepEqual(await steps(), all)
}
