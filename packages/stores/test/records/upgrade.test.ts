import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { type Logger, silentLogger, SondeError } from '@sonde/base'
import { migrateRecords, prepareUpgrade } from '../../src/records/migrate.ts'
import { MIGRATIONS } from '../../src/records/migrations.ts'
import { openRecords } from '../../src/records/open-records.ts'
import { openSqlite } from '../../src/records/sqlite/open-sqlite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** Records as the version before made them, with one setting in them. */
function olderRecords(stepsLess = 1): string {
  const file = join(temporaryFolder(), 'records.sqlite')
  const database = openSqlite(file)
  migrateRecords(database, silentLogger, MIGRATIONS.slice(0, -stepsLess))
  database.exec("INSERT INTO setting (name, value) VALUES ('kept', 'yes')")
  database.close()
  return file
}

async function settings(file: string): Promise<unknown> {
  const { db, close } = await openRecords({ file }, { logger: silentLogger })
  const rows = await db.selectFrom('setting').selectAll().execute()
  await close()
  return rows.map((row) => ({ ...row }))
}

const backups = (file: string): string => join(dirname(file), 'backups')

test('records of the version before are upgraded, have what they had, and were copied first', async () => {
  const file = olderRecords()
  assert.deepEqual(await settings(file), [{ name: 'kept', value: 'yes' }])

  const copyName = `records-before-${MIGRATIONS.at(-1)?.name}.sqlite`
  assert.deepEqual(readdirSync(backups(file)), [copyName])
  const copy = new DatabaseSync(join(backups(file), copyName), { readOnly: true })
  const applied = copy.prepare('SELECT name FROM schema_migration').all()
  assert.equal(applied.length, MIGRATIONS.length - 1)
  assert.equal(copy.prepare('SELECT value FROM setting').get()?.['value'], 'yes')
  copy.close()
  assert.equal(statSync(backups(file)).mode & 0o077, 0)

  // The next start has nothing to upgrade.
  const before = readFileSync(join(backups(file), copyName))
  await settings(file)
  assert.deepEqual(readFileSync(join(backups(file), copyName)), before)
})

test('the copies of the last two upgrades stay, older ones go', async () => {
  const file = olderRecords()
  await settings(file)
  const database = openSqlite(file)
  for (const name of ['9001-a', '9002-b']) {
    const migrations = [...MIGRATIONS, { name: '9001-a', statements: [] }, { name: '9002-b', statements: [] }]
    const upTo = migrations.slice(0, migrations.findIndex((one) => one.name === name) + 1)
    prepareUpgrade(database, file, silentLogger, upTo)
    migrateRecords(database, silentLogger, upTo)
  }
  database.close()
  assert.deepEqual(readdirSync(backups(file)).sort(), [
    'records-before-9001-a.sqlite',
    'records-before-9002-b.sqlite',
  ])
})

test('a fresh folder has nothing to copy, and says its schema once', async () => {
  const file = join(temporaryFolder(), 'records.sqlite')
  const lines: string[] = []
  const info = (_: object, line: string): void => void lines.push(line)
  const { close } = await openRecords({ file }, { logger: { ...silentLogger, info } as unknown as Logger })
  await close()
  assert.equal(existsSync(backups(file)), false)
  assert.deepEqual(lines, ['records schema made'])
})

test('records of a later version are refused in words, and nothing is changed', async () => {
  const file = olderRecords()
  const database = openSqlite(file)
  database.exec("INSERT INTO schema_migration (name, applied_ms) VALUES ('9999-later', 1)")
  database.close()
  await assert.rejects(openRecords({ file }, { logger: silentLogger }), (error) => {
    assert.ok(error instanceof SondeError && error.kind === 'config')
    assert.match(
      error.message,
      /^SONDE_DATA_DIR: a later version of Sonde has used this folder: .* 9999-later/,
    )
    assert.match(error.hint ?? '', /Start that version or a newer one/)
    return true
  })
  assert.equal(existsSync(backups(file)), false)
  const after = new DatabaseSync(file, { readOnly: true })
  assert.equal(after.prepare('SELECT count(*) AS n FROM schema_migration').get()?.['n'], MIGRATIONS.length)
  after.close()
})

test('without room for the copy nothing is upgraded', async () => {
  const file = olderRecords()
  // A file where the folder should be: nothing can be written there, whoever runs this.
  writeFileSync(backups(file), '')
  await assert.rejects(openRecords({ file }, { logger: silentLogger }), (error) => {
    assert.ok(error instanceof SondeError && error.kind === 'unavailable')
    return /nothing was upgraded; make room/.test(error.hint ?? '')
  })
  const left = new DatabaseSync(file, { readOnly: true })
  assert.equal(left.prepare('SELECT count(*) AS n FROM schema_migration').get()?.['n'], MIGRATIONS.length - 1)
  left.close()
})
