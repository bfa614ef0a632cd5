import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { silentLogger, SondeError, systemClock } from '@sonde/base'
import { openEmbedded } from '../../src/telemetry/embedded/open-embedded.ts'
import { applyMigrations, migrateTelemetry } from '../../src/telemetry/migrate.ts'
import { temporaryFolder } from '../temporary-folder.ts'

test('telemetry of a later version is refused in words', async () => {
  const engine = await openEmbedded(join(temporaryFolder(), 'telemetry'), 512 * 1024 * 1024)
  after(() => engine.close())
  const needs = { clock: systemClock, logger: silentLogger, retentionDays: 90 }
  await migrateTelemetry(engine, needs)
  await applyMigrations(engine, needs, [{ name: '9999-later', statements: [] }])
  await assert.rejects(migrateTelemetry(engine, needs), (error) => {
    assert.ok(error instanceof SondeError && error.kind === 'config')
    return /a later version of Sonde has used this folder: the schema of its telemetry has the step 9999-later/.test(
      error.message,
    )
  })
})
