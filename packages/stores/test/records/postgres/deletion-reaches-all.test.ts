/** Deleting an organization or a person reaches every table that the schema hangs on it, in both engines. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { silentLogger } from '@sonde/base'
import { sql } from 'kysely'
import { createMigratedDatabase } from '../../../../../tests/harness/servers/postgres-databases.ts'
import { openRecords } from '../../../src/records/open-records.ts'
import type { Records } from '../../../src/records/schema.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

type Column = { name: string; type: string; isNeeded: boolean; to: string | undefined; onDelete: string }
type Table = { name: string; columns: readonly Column[] }
type Row = Record<string, unknown>

/** What says whose it is and has no reference, so it stays; and why it may. */
const STAYS = new Map([
  ['artifact_file.org_id', 'it goes with its bundle'],
  ['audit_entry.org_id', 'the audit log outlives what it tells of, for as long as it is kept'],
  [
    'dead_letter.project_id',
    'names a file that is deleted first: by the deletion of the project, or once it is too old',
  ],
  ['deletion.project_id', 'is the work of deleting what is not in the records'],
  ['deletion.org_id', 'is the work of deleting what is not in the records'],
])

const IDS = ['org_id', 'project_id', 'issue_id', 'user_id', 'userId', 'team_id']

describe('deletion', () => {
  it('is thought of wherever a column says whose a row is', async () => {
    const { tables } = await sqliteRecords()
    const without = tables.flatMap(({ name, columns }) =>
      columns
        .filter((column) => IDS.includes(column.name) && !column.to)
        .map((column) => `${name}.${column.name}`),
    )
    assert.deepEqual(without.toSorted(), [...STAYS.keys()].toSorted())
  })

  it('of an organization leaves no row behind whose reference became empty', async () => {
    const { tables } = await sqliteRecords()
    const owned = dependents(tables, 'organization')
    const left = tables.filter(
      ({ name, columns }) => !owned.includes(name) && columns.some(({ to }) => to && owned.includes(to)),
    )
    assert.deepEqual(
      left.map(({ name }) => name),
      [],
    )
  })

  for (const engine of ['sqlite', 'postgres'] as const)
    for (const root of ['organization', 'user'] as const)
      it(`${engine}: of one ${root} leaves nothing of it in any table`, async () => {
        const { file, tables } = await sqliteRecords()
        const database = engine === 'postgres' ? await createMigratedDatabase() : undefined
        const { db, close } = await openRecords(database ? { url: database.url } : { file }, {
          logger: silentLogger,
        })
        try {
          const made = await fill(db, tables)
          const owned = dependents(tables, root)
          assert.ok(owned.length > 20, `${owned.length}`)
          for (const name of owned) assert.equal(await countOf(db, name), 1, `${name} before`)
          await sql`DELETE FROM ${sql.table(root)}`.execute(db)
          for (const name of owned) assert.equal(await countOf(db, name), 0, name)
          const id = made.get(root)?.['id']
          for (const { name, columns } of tables)
            for (const column of columns)
              if (column.to === root)
                assert.deepEqual(
                  (
                    await sql`SELECT 1 FROM ${sql.table(name)} WHERE ${sql.ref(column.name)} = ${id}`.execute(
                      db,
                    )
                  ).rows,
                  [],
                  `${name}.${column.name}`,
                )
        } finally {
          await close()
          await database?.drop()
        }
      })
})

/** Empty, and what is in it. `same-schema.test.ts` proves that PostgreSQL has the same. */
async function sqliteRecords(): Promise<{ file: string; tables: readonly Table[] }> {
  const file = join(temporaryFolder(), 'records.sqlite')
  await (await openRecords({ file }, { logger: silentLogger })).close()
  const database = new DatabaseSync(file, { readOnly: true })
  const ask = (text: string, ...values: string[]) => database.prepare(text).all(...values)
  const names = ask(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'
    AND name NOT LIKE 'issue_text%' ORDER BY name`)
  const tables = names.map(({ name }) => {
    const references = ask('SELECT "from", "table", on_delete FROM pragma_foreign_key_list(?)', String(name))
    return {
      name: String(name),
      columns: ask('SELECT * FROM pragma_table_info(?)', String(name)).map((column): Column => {
        const reference = references.find((each) => each['from'] === column['name'])
        return {
          name: String(column['name']),
          type: String(column['type']).toLowerCase(),
          isNeeded: column['notnull'] === 1 || column['pk'] !== 0,
          to: reference && String(reference['table']),
          onDelete: String(reference?.['on_delete'] ?? ''),
        }
      }),
    }
  })
  database.close()
  return { file, tables }
}

/** Tables whose row goes with one of `root`, through others too. */
function dependents(tables: readonly Table[], root: string): readonly string[] {
  const found = new Set([root])
  for (let size = 0; size !== found.size;) {
    size = found.size
    for (const { name, columns } of tables)
      if (columns.some(({ to, onDelete }) => to && found.has(to) && onDelete === 'CASCADE')) found.add(name)
  }
  return [...found]
}

/** One row in each table, each of its references set; those to itself are none. */
async function fill(db: Records, tables: readonly Table[]): Promise<ReadonlyMap<string, Row>> {
  const made = new Map<string, Row>()
  let left = [...tables]
  while (left.length > 0) {
    const ready = left.filter(({ name, columns }) =>
      columns.every(({ to }) => to === undefined || to === name || made.has(to)),
    )
    assert.ok(ready.length > 0, `references go round in ${left.map(({ name }) => name).join(', ')}`)
    for (const { name, columns } of ready) {
      await sql`DELETE FROM ${sql.table(name)}`.execute(db)
      const row = columns
        .filter(({ isNeeded, to }) => isNeeded || (to !== undefined && to !== name))
        .map((column) => [column.name, valueOf(column)] as const)
      await sql`INSERT INTO ${sql.table(name)} (${sql.join(row.map(([key]) => sql.ref(key)))})
        VALUES (${sql.join(row.map(([, value]) => value))})`.execute(db)
      made.set(name, Object.fromEntries(row))
    }
    left = left.filter(({ name }) => !made.has(name))
  }
  return made
}

/** All keys are 1, or the text of it; a reference may be to a key of another name. */
const valueOf = ({ type }: Column) => (type === 'integer' ? 1 : '1')

async function countOf(db: Records, name: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM ${sql.table(name)}`.execute(db)
  return Number(rows[0]?.n)
}
