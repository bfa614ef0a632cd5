import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type NetworkBus, silentLogger } from '@sonde/base'
import { busConformance, settled } from '@sonde/base/bus-conformance'
import pg from 'pg'
import { createDatabase, type TestDatabase } from '../../../../../tests/harness/servers/postgres-databases.ts'
import { openPostgresBus } from '../../../src/records/postgres/postgres-bus.ts'

async function until(isSo: () => boolean): Promise<void> {
  for (const endMs = Date.now() + 20_000; !isSo(); await sleep(5))
    assert.ok(Date.now() < endMs, 'waited in vain')
}

busConformance('over LISTEN and NOTIFY', async () => {
  const database = await createDatabase()
  const nodes = [
    openPostgresBus(database.url, silentLogger),
    openPostgresBus(database.url, silentLogger),
  ] as const
  return {
    nodes,
    async close() {
      for (const bus of nodes) await bus.close()
      await database.drop()
    },
  }
})

describe('the bus over PostgreSQL', () => {
  const open: NetworkBus[] = []
  const databases: TestDatabase[] = []
  after(async () => {
    for (const bus of open) await bus.close()
    for (const database of databases) await database.drop()
  })
  const newDatabase = async (): Promise<string> => {
    const database = await createDatabase()
    databases.push(database)
    return database.url
  }
  const openBus = (url: string): NetworkBus => {
    const bus = openPostgresBus(url, silentLogger)
    open.push(bus)
    return bus
  }
  const ask = async (url: string, ...statements: readonly string[]): Promise<void> => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }

  it('carries nothing to another schema of the same database', async () => {
    const url = await newDatabase()
    await ask(url, 'CREATE SCHEMA other')
    const elsewhere = `${url}?options=-csearch_path%3Dother`
    const [a, b] = [openBus(url), openBus(url)]
    const [stranger, beside] = [openBus(elsewhere), openBus(elsewhere)]
    const heard: string[] = []
    stranger.subscribe('setting.changed', ({ name }) => heard.push(name))
    await settled(beside, stranger)
    await settled(a, b)
    a.publish('setting.changed', { name: 'own' })
    await settled(a, b)
    await settled(beside, stranger)
    assert.deepEqual(heard, [])
  })

  it('hands on nothing that is no message, nor one whose beginning was missed', async () => {
    const url = await newDatabase()
    const [a, b] = [openBus(url), openBus(url)]
    const heard: string[] = []
    b.subscribe('setting.changed', ({ name }) => heard.push(name))
    await settled(a, b)
    const channel = `(SELECT DISTINCT 'sonde_bus_' || left(encode(sha256(current_schema()::bytea), 'hex'), 16))`
    const text = '{"name":"half"}'
    for (const payload of [
      '',
      'x',
      `0000000a 1 1 2 setting.changed\n${text}`,
      `0000000a 2 0 9999 setting.changed\n${text}`,
      `0000000a 3 1 1 setting.changed\n${text}`,
      `0000000a 4 0 1 setting.unknown\n${text}`,
      '0000000a 5 0 1 setting.changed\n{"name":7}',
      '0000000a 6 0 2 setting.changed\n{"name":',
      '0000000a 6 1 2 setting.changed\n"whole"}',
    ])
      await ask(url, `SELECT pg_notify(${channel}, '${payload}')`)
    await until(() => heard.length > 0)
    await settled(a, b)
    assert.deepEqual(heard, ['whole'])
  })

  it('connects again when the server ended its connection, and tells so', async () => {
    const url = await newDatabase()
    const [a, b] = [openBus(url), openBus(url)]
    const heard: string[] = []
    b.subscribe('setting.changed', ({ name }) => heard.push(name))
    await settled(a, b)
    let back = 0
    b.onConnect(() => back++)
    await ask(
      url,
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    )
    await until(() => !a.isConnected() && !b.isConnected())
    a.publish('setting.changed', { name: 'while away' })
    await until(() => back === 1 && a.isConnected())
    await settled(a, b)
    a.publish('setting.changed', { name: 'again' })
    await until(() => heard.length > 0)
    assert.deepEqual(heard, ['again'])
  })
})
