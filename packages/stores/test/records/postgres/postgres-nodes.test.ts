import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { silentLogger } from '@sonde/base'
import {
  createMigratedDatabase,
  type TestDatabase,
} from '../../../../../tests/harness/servers/postgres-databases.ts'
import { openNodeRegistry, runningNodes } from '../../../src/records/node-registry.ts'
import type { NodeRow } from '../../../src/records/node-tables.ts'
import { openRecords } from '../../../src/records/open-records.ts'

const node = (name: string, run: string, seenMs: number): NodeRow => ({
  name,
  run,
  host: 'a',
  back_pid: null,
  version: '1.0.0',
  roles: '["ingest"]',
  state: 'ready',
  started_ms: 1,
  seen_ms: seenMs,
  figures: '{}',
})

describe('the nodes of records in PostgreSQL', () => {
  let database: TestDatabase
  before(async () => {
    database = await createMigratedDatabase()
  })
  after(() => database.drop())

  it('say that they run, go when they leave, and are forgotten when they have been silent for long', async () => {
    const registry = await openNodeRegistry(database)
    const { db, close } = await openRecords(database, { logger: silentLogger })
    assert.ok(registry)
    await registry.announce(node('a:1', 'first', 1_000_000), 0)
    await registry.announce(node('a:2', 'other', 1_010_000), 0)
    await registry.announce({ ...node('a:1', 'second', 1_020_000), back_pid: 7 }, 0)
    const rows = () =>
      db.selectFrom('node').select(['name', 'run', 'back_pid', 'seen_ms']).orderBy('name').execute()
    assert.deepEqual(await rows(), [
      { name: 'a:1', run: 'second', back_pid: 7, seen_ms: 1_020_000 },
      { name: 'a:2', run: 'other', back_pid: null, seen_ms: 1_010_000 },
    ])
    assert.deepEqual(
      (await runningNodes(db, 1_030_001)).map(({ name }) => name),
      ['a:1'],
    )
    // The start before the one that has the name now.
    await registry.leave({ name: 'a:1', run: 'first' })
    await registry.announce(node('a:3', 'third', 1_030_000), 1_015_000)
    assert.deepEqual(
      (await rows()).map(({ name }) => name),
      ['a:1', 'a:3'],
    )
    await registry.leave({ name: 'a:1', run: 'second' })
    await registry.leave({ name: 'a:1', run: 'second' })
    assert.deepEqual(
      (await rows()).map(({ name }) => name),
      ['a:3'],
    )
    await registry.close()
    await close()
  })

  it('are not kept in a file, which one start has to itself', async () => {
    assert.equal(await openNodeRegistry({ file: 'records.sqlite' }), undefined)
  })
})
