/** Databases for tests on one PostgreSQL of this process, which is started with the first of them. */
import { silentLogger } from '@sonde/base'
import { openRecords } from '@sonde/stores'
import pg from 'pg'
import { type PostgresServer, startPostgres } from './postgres.ts'

export type TestDatabase = { readonly url: string; drop(): Promise<void> }

let server: Promise<PostgresServer> | undefined
let admin: Promise<pg.Client> | undefined
let made = 0

export function testServer(): Promise<PostgresServer> {
  server ??= startPostgres()
  return server
}

/** `from`: copied from that one, to which nobody may be connected. Other `options` as of CREATE DATABASE. */
export async function createDatabase(from?: TestDatabase, options = ''): Promise<TestDatabase> {
  const { url } = await testServer()
  const name = `test_${++made}`
  const template = from === undefined ? '' : `TEMPLATE ${nameOf(from)}`
  await ask(`CREATE DATABASE ${name} ${template} ${options}`)
  return {
    url: url.replace(/\/postgres$/, `/${name}`),
    async drop() {
      await ask(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    },
  }
}

let template: Promise<TestDatabase> | undefined

/** With the schema of the records, empty. Migrated once in a process, then copied. */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  template ??= migrate()
  return await createDatabase(await template)
}

async function migrate(): Promise<TestDatabase> {
  const database = await createDatabase()
  await (await openRecords(database, { logger: silentLogger })).close()
  return database
}

const nameOf = ({ url }: TestDatabase): string => new URL(url).pathname.slice(1)

let last: Promise<unknown> = Promise.resolve()

/** One after the other: a database is copied while nobody makes another. */
function ask(sql: string): Promise<unknown> {
  const run = last.then(async () => {
    admin ??= connect()
    await (await admin).query(sql)
  })
  last = run.catch(() => undefined)
  return run
}

async function connect(): Promise<pg.Client> {
  const { url } = await testServer()
  const client = new pg.Client({ connectionString: url })
  // A test may stop the server.
  client.on('error', () => (admin = undefined))
  await client.connect()
  return client
}
