import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { ConfigError, type Logger, silentLogger, SondeError, UnavailableError } from '@sonde/base'
import { sql } from 'kysely'
import {
  createDatabase,
  createMigratedDatabase,
  type TestDatabase,
  testServer,
} from '../../../../../tests/harness/servers/postgres-databases.ts'
import { addKey, testRecords } from '../../../src/records/conformance.ts'
import { openKeySource } from '../../../src/records/key-source.ts'
import { openRecords } from '../../../src/records/open-records.ts'
import { migratePostgres } from '../../../src/records/postgres/migrate-postgres.ts'
import { shownUrl } from '../../../src/records/postgres/postgres-errors.ts'
import { writeTransaction } from '../../../src/records/write-transaction.ts'
import { runScript } from '../../run-script.ts'

const logger = silentLogger

describe('records in PostgreSQL do what all records do', async () => {
  // Sorted by a language's rules: ours must not depend on it.
  const { version } = await testServer()
  const icu = version >= 15 ? " LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C'" : ''
  const database = await createDatabase(undefined, `ENCODING 'UTF8' TEMPLATE template0${icu}`)
  testRecords('postgres', {
    open: () => openRecords(database, { logger }),
    openKeys: () => openKeySource(database),
  })
})

const ADD_MANY = `
  import { openRecords } from '../src/records/open-records.ts'
  import { writeTransaction } from '../src/records/write-transaction.ts'
  import { silentLogger } from '@sonde/base'
  const { db, close } = await openRecords({ url: process.argv[1] }, { logger: silentLogger })
  for (let at = 0; at < 40; at++) {
    await writeTransaction(db, async (tx) => {
      const row = await tx.selectFrom('setting').select('value').where('name', '=', 'n').executeTakeFirst()
      const value = String(Number(row?.value ?? 0) + 1)
      await tx.insertInto('setting').values({ name: 'n', value }).onConflict((on) => on.column('name').doUpdateSet({ value })).execute()
    })
  }
  await close()`

describe('a database for records', () => {
  const made: TestDatabase[] = []
  const create = async (options?: string): Promise<TestDatabase> => {
    const database = await createDatabase(undefined, options)
    made.push(database)
    return database
  }
  after(() => Promise.all(made.map((each) => each.drop())))

  it('is migrated once by processes that start at once, and they lose no update to each other', async () => {
    const { url } = await create()
    const runs = await Promise.all([1, 2, 3].map(() => runScript(ADD_MANY, [url])))
    assert.deepEqual(
      runs.map((run) => run.code),
      [0, 0, 0],
    )
    const { db, close } = await openRecords({ url }, { logger })
    const row = await db.selectFrom('setting').select('value').executeTakeFirstOrThrow()
    assert.equal(row.value, '120')
    await close()
  })

  it('keeps what a migration that fails half way found, and the next start finishes it', async () => {
    const { url } = await create()
    const tables = (...statements: string[]) => [{ name: 'x', statements: [], postgres: statements }]
    const issue = 'CREATE TABLE issue (title text, culprit text)'
    await assert.rejects(
      migratePostgres(url, logger, tables(issue, issue)),
      (error) => error instanceof SondeError && error.subject === 'x' && error.hint !== undefined,
    )
    await migratePostgres(url, logger, tables(issue))
  })

  it('is refused when a later version has used it', async () => {
    const { url } = await create()
    const { db, close } = await openRecords({ url }, { logger })
    await sql`insert into schema_migration (name, applied_ms) values ('9999-later', 1)`.execute(db)
    await close()
    await assert.rejects(openRecords({ url }, { logger }), (error) => {
      assert.ok(error instanceof ConfigError)
      assert.match(
        error.message,
        /^SONDE_DATABASE_URL: a later version of Sonde has used this database: .* 9999-later/,
      )
      return true
    })
  })

  it('is refused in words when it is missing, stores other texts, or is not ours to fill', async () => {
    const { url } = await create("ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
    const [missing, other] = [url.replace(/\w+$/, 'nowhere'), await create()]
    const client = await openRecords(other, { logger })
    await sql`create role guest login`.execute(client.db)
    await sql`revoke all on schema public from public`.execute(client.db)
    await client.close()
    const guest = (await create()).url.replace('sonde@', 'guest@')
    for (const [at, words] of [
      [url, /UTF8/],
      [missing, /CREATE DATABASE/],
      [guest, /OWNER TO/],
    ] as const)
      await assert.rejects(openRecords({ url: at }, { logger }), (error) => {
        assert.ok(error instanceof ConfigError, String(error))
        assert.equal(error.subject, 'SONDE_DATABASE_URL')
        return words.test(error.hint ?? '')
      })
  })

  it('has no password in what is shown of it', () => {
    const shown = 'postgres://sonde@db.example:5433/sonde'
    assert.equal(shownUrl('postgres://sonde:s%40cret@db.example:5433/sonde?password=s%40cret'), shown)
    assert.equal(shownUrl('postgres:///sonde?host=/run/postgresql'), 'postgres:///run/postgresql/sonde')
    assert.equal(shownUrl('not a url: secret'), 'the database')
  })
})

describe('records in PostgreSQL', () => {
  let database: TestDatabase
  before(async () => (database = await createMigratedDatabase()))
  after(() => database.drop())

  it('run a transaction again that lost against another, also when the error was wrapped', async () => {
    const { db, close } = await openRecords(database, { logger })
    let runs = 0
    const result = await writeTransaction(db, async () => {
      runs++
      const lost = Object.assign(new Error('lost'), { code: '40001' })
      if (runs < 3) throw new Error('while storing', { cause: lost })
      return runs
    })
    assert.equal(result, 3)
    await assert.rejects(
      writeTransaction(db, async () => {
        runs++
        throw new Error('other')
      }),
      /other/,
    )
    assert.equal(runs, 4)
    await close()
  })

  it('take lists without entries, booleans, no end of numbers, and texts with a NUL', async () => {
    const { db, close } = await openRecords(database, { logger })
    assert.deepEqual(await db.selectFrom('setting').selectAll().where('name', 'in', []).execute(), [])
    await db.insertInto('setting').values({ name: 'nul\0', value: 'a\0b' }).execute()
    const found = await db.selectFrom('setting').select('value').where('name', '=', 'nul\0').execute()
    assert.deepEqual(found, [{ value: 'a\uFFFDb' }])
    const all = db
      .selectFrom('key_epoch')
      .select('id')
      .where('value', '<', Infinity)
      .where('value', '>', -Infinity)
    assert.equal((await all.execute()).length, 1)
    const { is } = (await sql<{ is: unknown }>`select 1 = 1 as is`.execute(db)).rows[0]!
    assert.equal(is, 1)
    await close()
  })

  it('refuse in words a name that is too long for an index', async () => {
    const { db, close } = await openRecords(database, { logger })
    const name = randomBytes(3_000).toString('base64')
    await assert.rejects(
      db.insertInto('setting').values({ name, value: '' }).execute(),
      (error) => error instanceof SondeError && error.kind === 'invalid' && error.hint !== undefined,
    )
    await close()
  })

  it('count what attachments take once for a blob, also of those that come and go together', async () => {
    const { db, close } = await openRecords(database, { logger })
    const projectId = await addKey(db, '7'.repeat(32))
    const file = (blob: string, item_index: number) => ({
      project_id: projectId,
      event_id: 'e',
      name: 'n',
      content_type: '',
      attachment_type: '',
      shown_as: '',
      bytes: 10,
      sha1: '',
      sha256: blob,
      blob,
      log_position: 1,
      item_index,
      created_ms: 1,
    })
    const usage = async () =>
      (
        await db.selectFrom('attachment_usage').select('bytes').where('project_id', '=', projectId).execute()
      )[0]?.bytes
    await db
      .insertInto('attachment')
      .values([file('a', 0), file('a', 1), file('b', 2)])
      .execute()
    assert.equal(await usage(), 20)
    await db.insertInto('attachment').values(file('b', 3)).execute()
    assert.equal(await usage(), 20)
    await db.deleteFrom('attachment').where('item_index', 'in', [1, 2]).execute()
    assert.equal(await usage(), 20)
    await db.deleteFrom('attachment').where('item_index', 'in', [0, 3]).execute()
    assert.equal(await usage(), 0)
    await close()
  })

  it('say where they are, how large, and write their tables anew', async () => {
    const records = await openRecords(database, { logger })
    const { name, version, place } = records.engine
    assert.deepEqual([name, place], ['PostgreSQL', shownUrl(database.url)])
    assert.ok(Number.parseInt(version) >= 14)
    assert.ok((await records.sizeBytes()) > 100_000)
    await records.eraseDeleted()
    await records.close()
    await records.close()
  })
})

describe('a PostgreSQL that stops', () => {
  it('is unavailable in words, and is used again when it is back', async () => {
    const database = await createMigratedDatabase()
    const server = await testServer()
    const warned: object[] = []
    const listening = {
      ...silentLogger,
      warn: (about: object) => void warned.push(about),
    } as unknown as Logger
    const { db, close } = await openRecords(database, { logger: listening })
    const keys = await openKeySource(database)
    await addKey(db, 'a'.repeat(32))
    const before = await keys.read(undefined)
    // Nobody asks anything over this connection when the server ends it.
    const between = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const transaction = writeTransaction(db, async (tx) => {
      await tx.selectFrom('setting').selectAll().execute()
      begun.resolve()
      await between.promise
      return tx.selectFrom('setting').selectAll().execute()
    })
    await begun.promise
    await server.stop()
    between.resolve()
    await assert.rejects(transaction, (error) => {
      assert.ok(error instanceof UnavailableError, String(error))
      return error.missing === 'the database of the records'
    })
    for (const ask of [
      () => db.selectFrom('setting').selectAll().execute(),
      () => keys.read(before?.version),
    ])
      await assert.rejects(ask, (error) => {
        assert.ok(error instanceof SondeError, String(error))
        assert.equal(error.kind, 'unavailable')
        return error.hint !== undefined && !error.message.includes('@127.0.0.1:0')
      })
    await assert.rejects(
      openRecords(database, { logger }),
      (error) => error instanceof SondeError && error.kind === 'unavailable',
    )
    await server.start()
    assert.equal((await db.selectFrom('project').selectAll().execute()).length, 1)
    assert.equal(await keys.read(before?.version), undefined)
    assert.deepEqual([...((await keys.read('another'))?.keys.keys() ?? [])], ['a'.repeat(32)])
    await keys.close()
    await close()
  })
})
