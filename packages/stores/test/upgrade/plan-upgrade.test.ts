import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { silentLogger } from '@sonde/base'
import { migrateRecords, prepareUpgrade } from '../../src/records/migrate.ts'
import { MIGRATIONS } from '../../src/records/migrations.ts'
import { openSqlite } from '../../src/records/sqlite/open-sqlite.ts'
import { planUpgrade } from '../../src/upgrade/plan-upgrade.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const EARLIER = MIGRATIONS.slice(0, 40)

test('an upgrade of the records that has no room is refused with the numbers, before anything is written', () => {
  const folder = temporaryFolder()
  const file = join(folder, 'records.sqlite')
  const database = openSqlite(file)
  migrateRecords(database, silentLogger, EARLIER)
  assert.throws(
    () => prepareUpgrade(database, file, silentLogger, MIGRATIONS, () => 3_000_000),
    /upgrade the records: needs \d+ MB of free disk, and .*records\.sqlite has 3 MB/,
  )
  assert.equal(existsSync(join(folder, 'backups')), false)
  prepareUpgrade(database, file, silentLogger, MIGRATIONS, () => 1_000_000_000)
  assert.equal(existsSync(join(folder, 'backups', `records-before-${MIGRATIONS[40]?.name}.sqlite`)), true)
  database.close()
})

test('the plan names the steps that are missing, and those of a later version, while somebody writes', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'records.sqlite')
  const database = openSqlite(file)
  migrateRecords(database, silentLogger, EARLIER)
  database.exec('BEGIN IMMEDIATE')
  const config = {
    records: { file },
    telemetry: { dir: join(folder, 'telemetry') },
    blobs: { dir: join(folder, 'blobs') },
    log: { dir: join(folder, 'log') },
  }
  const [records, telemetry] = await planUpgrade(config)
  assert.ok(records)
  assert.equal(records.schema, EARLIER.at(-1)?.name)
  assert.deepEqual(
    records.steps,
    MIGRATIONS.slice(40).map(({ name }) => name),
  )
  assert.deepEqual(records.later, [])
  assert.ok(records.space && records.space.neededBytes > 64_000_000 && records.space.freeBytes > 0)
  assert.equal(records.lastBackupMs, undefined)
  // No folder, and none was made.
  assert.equal(telemetry?.schema, '')
  assert.equal(existsSync(config.telemetry.dir), false)
  database.exec(`INSERT INTO schema_migration VALUES ('9999-later', 0); COMMIT`)
  assert.deepEqual((await planUpgrade(config))[0]?.later, ['9999-later'])
  database.exec(`CREATE TABLE backup_run (kind text, trouble text, finished_ms integer);
    INSERT INTO backup_run VALUES ('create', '', 7), ('create', 'no room', 9), ('verify', '', 8)`)
  assert.equal((await planUpgrade(config))[0]?.lastBackupMs, 7)
  database.close()
})
