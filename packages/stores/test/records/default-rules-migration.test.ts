/** Projects from before there were alerts get the rule that new ones begin with, once. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, it } from 'node:test'
import { silentLogger } from '@sonde/base'
import pg from 'pg'
import { createDatabase, type TestDatabase } from '../../../../tests/harness/servers/postgres-databases.ts'
import { migrateRecords } from '../../src/records/migrate.ts'
import { MIGRATIONS } from '../../src/records/migrations.ts'
import { migratePostgres } from '../../src/records/postgres/migrate-postgres.ts'

type Row = Record<string, unknown>
type Engine = {
  readonly migrate: (migrations?: typeof MIGRATIONS) => Promise<void>
  readonly run: (sql: string) => Promise<readonly Row[]>
}

const before = (name: string): typeof MIGRATIONS =>
  MIGRATIONS.slice(
    0,
    MIGRATIONS.findIndex((each) => each.name === name),
  )

async function check({ migrate, run }: Engine): Promise<void> {
  await migrate(before('0028-alerts'))
  await run("INSERT INTO organization (id, slug, name, created_ms) VALUES (1, 'acme', 'Acme', 0)")
  const project = (id: number, createdMs: number) =>
    run(
      `INSERT INTO project (id, org_id, slug, name, platform, created_ms) VALUES (${id}, 1, 'p${id}', 'P', 'node', ${createdMs})`,
    )
  await project(1, 1_000)
  await project(2, 2_000)
  await migrate(before('0034-default-rules'))
  // Made since: somebody deleted its rule, or gave the old one another.
  await project(3, Date.now() + 60_000)
  await run(
    `INSERT INTO alert_rule (project_id, kind, name, value, origin, created_by, created_ms, updated_ms)
     VALUES (2, 'metric', 'Own', '{}', '', 'user:x', 0, 0)`,
  )
  await migrate()
  const rules = () =>
    run('SELECT project_id, name, origin, is_enabled, value FROM alert_rule ORDER BY project_id')
  const [made, own, ...more] = await rules()
  assert.deepEqual([own?.['name'], more], ['Own', []])
  assert.deepEqual(
    [Number(made?.['project_id']), made?.['name'], made?.['origin'], Number(made?.['is_enabled'])],
    [1, 'New and returning issues', 'default', 1],
  )
  assert.deepEqual(JSON.parse(String(made?.['value'])), {
    triggers: [{ type: 'new' }, { type: 'regressed' }],
    search: '',
    actions: [{ type: 'members' }],
    coolDownMinutes: 30,
  })
  await run('DELETE FROM alert_rule')
  await migrate()
  assert.deepEqual(await rules(), [], 'what somebody deleted does not come back')
}

describe('default rules of projects from before there were alerts', () => {
  let database: TestDatabase | undefined
  after(() => database?.drop())

  it('are made once in SQLite', async () => {
    const sqlite = new DatabaseSync(':memory:')
    await check({
      migrate: async (migrations) => migrateRecords(sqlite, silentLogger, migrations),
      run: async (sql) => sqlite.prepare(sql).all(),
    })
    sqlite.close()
  })

  it('are made once in PostgreSQL', async () => {
    database = await createDatabase()
    const { url } = database
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await check({
      migrate: async (migrations) => {
        await migratePostgres(url, silentLogger, migrations)
      },
      run: async (sql) => (await client.query<Row>(sql)).rows,
    })
    await client.end()
  })
})
