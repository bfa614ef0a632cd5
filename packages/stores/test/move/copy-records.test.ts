/** A row in every table of the records, whichever there are, goes to PostgreSQL as it is. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { silentLogger } from '@sonde/base'
import pg from 'pg'
import {
  createDatabase,
  createMigratedDatabase,
  type TestDatabase,
} from '../../../../tests/harness/servers/postgres-databases.ts'
import { checkRecordsTarget, copyRecords } from '../../src/move/copy-records.ts'
import { recordTables } from '../../src/move/record-tables.ts'
import { openRecords } from '../../src/records/open-records.ts'
import { connectionOf } from '../../src/records/postgres/pool.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const ODD_TEXT = `é\n\t"\\{}', 𝒳 NULL`
const LAST_ISSUE_ID = 4_711
type Row = Readonly<Record<string, unknown>>

describe('records that move', () => {
  const file = join(temporaryFolder(), 'records.sqlite')
  let target: TestDatabase
  const copy = (mark: string, url = target.url) =>
    copyRecords({ file, url, mark, logger: silentLogger, onRows: () => undefined })

  before(async () => {
    await (await openRecords({ file }, { logger: silentLogger })).close()
    fillEveryTable(file)
    target = await createDatabase()
  })
  after(() => target.drop())

  it('are, in every table, the same rows', async () => {
    const compared = await copy('one')
    const database = new DatabaseSync(file, { readOnly: true })
    const client = await connected(target.url)
    const stored = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
       AND relname <> 'schema_migration' ORDER BY 1`,
    )
    const names = stored.rows.map(({ name }) => name)
    assert.deepEqual(
      names,
      recordTables(database)
        .map(({ name }) => name)
        .toSorted(),
    )
    assert.deepEqual(compared.map(({ what }) => what).toSorted(), names)
    for (const name of names) {
      const from = database
        .prepare(`SELECT * FROM "${name}"`)
        .all()
        .map((row) => ({ ...row }))
      const to = (await client.query<Row>(`SELECT * FROM "${name}"`)).rows
      assert.ok(from.length > 0, `${name} is empty: nothing is shown`)
      assert.deepEqual(sorted(to.filter(({ name: setting }) => setting !== 'moved_by')), sorted(from), name)
    }
    database.close()
    const added = await client.query<{ id: number }>(
      `INSERT INTO issue (project_id, short_number, type, level, title, culprit, platform, metadata, logger,
        is_unhandled, first_seen_ms, last_seen_ms, event_count, first_release, last_release, last_event_id, created_ms)
       VALUES ((SELECT min(id) FROM project), 9, '', '', '', '', '', '', '', 0, 0, 0, 0, '', '', '', 0) RETURNING id`,
    )
    assert.equal(added.rows[0]?.id, LAST_ISSUE_ID + 1, 'an id that was given is never given again')
    const epoch = 'SELECT value FROM key_epoch'
    const before = (await client.query<{ value: number }>(epoch)).rows[0]?.value
    await client.query('UPDATE project_key SET is_active = 0')
    assert.notEqual((await client.query<{ value: number }>(epoch)).rows[0]?.value, before, 'triggers work')
    await client.query('DELETE FROM issue WHERE short_number = 9')
    await client.end()
  })

  it('are known again as those of the same move, and not copied twice', async () => {
    assert.equal(await checkRecordsTarget({ url: target.url, mark: 'one', logger: silentLogger }), 'moved')
    assert.deepEqual(
      (await copy('one')).filter(({ from, to }) => from !== to),
      [],
    )
  })

  it('are refused by a database that has rows of another Sonde', async () => {
    await assert.rejects(copy('two'), /is not empty: "account" has rows/)
  })

  it('are refused by a database that a later version has used', async () => {
    const database = await createMigratedDatabase()
    const client = await connected(database.url)
    await client.query(`INSERT INTO schema_migration (name, applied_ms) VALUES ('9999-later', 0)`)
    await assert.rejects(copy('one', database.url), /a later version of Sonde has used this database/)
    await client.end()
    await database.drop()
  })

  it('are all there or none: what fails leaves the database empty', async () => {
    const database = await createMigratedDatabase()
    const client = await connected(database.url)
    await client.query('ALTER TABLE setting ADD CONSTRAINT small CHECK (length(value) < 2)')
    await assert.rejects(copy('one', database.url), /violates check constraint/)
    await client.query('ALTER TABLE setting DROP CONSTRAINT small')
    assert.equal(await checkRecordsTarget({ url: database.url, mark: 'one', logger: silentLogger }), 'empty')
    await client.end()
    await database.drop()
  })
})

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client(connectionOf(url))
  await client.connect()
  return client
}

const sorted = (rows: readonly Row[]): readonly string[] =>
  rows.map((row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))).toSorted()

/** References are those of the parent's row; everything else is told apart by its column. */
function fillEveryTable(path: string): void {
  const database = new DatabaseSync(path)
  for (const { name } of recordTables(database)) {
    const references = new Map(
      database
        .prepare('SELECT "from", "table", "to" FROM pragma_foreign_key_list(?)')
        .all(name)
        .map((key) => [String(key['from']), { table: String(key['table']), column: String(key['to']) }]),
    )
    const columns = database.prepare('SELECT name, type FROM pragma_table_info(?)').all(name)
    const values = columns.map(({ name: column, type }) => {
      const parent = references.get(String(column))
      if (parent)
        return database.prepare(`SELECT "${parent.column}" AS v FROM "${parent.table}"`).get()?.['v'] ?? null
      if (name === 'issue' && column === 'id') return LAST_ISSUE_ID
      if (column === 'id' && String(type).toLowerCase() === 'integer') return 1
      return String(type).toLowerCase() === 'integer'
        ? 1_763_900_000_123
        : `${name}.${String(column)} ${ODD_TEXT}`
    })
    database
      .prepare(
        `INSERT OR IGNORE INTO "${name}" (${columns.map((c) => `"${String(c['name'])}"`).join(', ')})
         VALUES (${values.map(() => '?').join(', ')})`,
      )
      .run(...values)
  }
  database.close()
}
