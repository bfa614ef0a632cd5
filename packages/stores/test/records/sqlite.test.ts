import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { silentLogger, SondeError } from '@sonde/base'
import { sql } from 'kysely'
import { testRecords } from '../../src/records/conformance.ts'
import { openKeySource } from '../../src/records/key-source.ts'
import { migrateRecords } from '../../src/records/migrate.ts'
import { openRecords } from '../../src/records/open-records.ts'
import { runScript } from '../run-script.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const file = join(temporaryFolder(), 'conformance', 'records.db')
testRecords('sqlite', {
  open: () => openRecords({ file }, { logger: silentLogger }),
  openKeys: () => openKeySource({ file }),
})

const ADD_MANY = `
  import { openRecords } from '../src/records/open-records.ts'
  import { writeTransaction } from '../src/records/write-transaction.ts'
  import { silentLogger } from '@sonde/base'
  const { db, close } = await openRecords({ file: process.argv[1] }, { logger: silentLogger })
  for (let at = 0; at < 40; at++) {
    await writeTransaction(db, async (tx) => {
      const row = await tx.selectFrom('setting').select('value').where('name', '=', 'n').executeTakeFirst()
      const value = String(Number(row?.value ?? 0) + 1)
      await tx.insertInto('setting').values({ name: 'n', value }).onConflict((on) => on.column('name').doUpdateSet({ value })).execute()
    })
  }
  await close()`

test('processes that start at once migrate once and lose no update to each other', async () => {
  const path = join(temporaryFolder(), 'records.db')
  const runs = await Promise.all([1, 2, 3].map(() => runScript(ADD_MANY, [path])))
  assert.deepEqual(
    runs.map((run) => run.code),
    [0, 0, 0],
  )
  const { db, close } = await openRecords({ file: path }, { logger: silentLogger })
  const row = await db.selectFrom('setting').select('value').executeTakeFirstOrThrow()
  assert.equal(row.value, '120')
  await close()
})

test('a migration that fails half way changes nothing, and the next start finishes it', () => {
  const database = new DatabaseSync(':memory:')
  const broken = { name: 'x', statements: ['CREATE TABLE one (a)', 'CREATE TABLE one (a)'] }
  assert.throws(
    () => migrateRecords(database, silentLogger, [broken]),
    (error) => error instanceof SondeError && error.subject === 'x' && error.hint !== undefined,
  )
  migrateRecords(database, silentLogger, [{ name: 'x', statements: ['CREATE TABLE one (a)'] }])
  assert.equal(database.prepare('SELECT count(*) AS n FROM schema_migration').get()?.['n'], 1)
  database.close()
})

test('each commit is flushed and other processes may read meanwhile', async () => {
  const path = join(temporaryFolder(), 'records.db')
  const { db, close } = await openRecords({ file: path }, { logger: silentLogger })
  const pragma = async (name: string): Promise<unknown> =>
    (await sql<Record<string, unknown>>`PRAGMA ${sql.raw(name)}`.execute(db)).rows[0]?.[name]
  assert.equal(await pragma('journal_mode'), 'wal')
  assert.equal(await pragma('synchronous'), 2)
  assert.equal(await pragma('foreign_keys'), 1)
  await close()
})

test('the issues list and the hash look-up use their index and need no sort', async () => {
  const path = join(temporaryFolder(), 'records.db')
  const { close } = await openRecords({ file: path }, { logger: silentLogger })
  const sqlite = new DatabaseSync(path)
  const plan = (sql: string): string =>
    sqlite
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map((row) => String(row['detail']))
      .join('\n')
  const order = 'ORDER BY last_seen_ms DESC, id DESC LIMIT 25'
  assert.match(plan(`SELECT * FROM issue WHERE project_id = 1 ${order}`), /issue_by_last_seen/)
  const byStatus = plan(`SELECT * FROM issue WHERE project_id = 1 AND status = 'unresolved' ${order}`)
  assert.match(byStatus, /issue_by_status/)
  assert.doesNotMatch(byStatus, /TEMP B-TREE/)
  assert.match(plan("SELECT issue_id FROM issue_hash WHERE project_id = 1 AND hash = 'x'"), /PRIMARY KEY/)
  sqlite.close()
  await close()
})

test('a file that is no database is refused with the next step', async () => {
  const path = join(temporaryFolder(), 'records.db')
  writeFileSync(path, 'not a database, and long enough to be looked at '.repeat(50))
  await assert.rejects(openRecords({ file: path }, { logger: silentLogger }), (error) => {
    assert.ok(error instanceof SondeError)
    assert.equal(error.kind, 'unavailable')
    return error.subject === path && error.hint !== undefined
  })
})
