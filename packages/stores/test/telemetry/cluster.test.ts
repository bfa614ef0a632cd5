/** Two shards: what is repeated, what is missing while one is away, and what becomes of a cluster that grows. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { silentLogger, SondeError } from '@sonde/base'
import { filesWith } from '../../../../tests/harness/raw-search.ts'
import {
  startClickHouse,
  TEST_CLUSTER,
  type TestServers,
  type TestShard,
  whyNoClickHouse,
} from '../../../../tests/harness/servers/clickhouse.ts'
import { SAMPLE } from '../../src/telemetry/conformance.ts'
import { MIGRATIONS } from '../../src/telemetry/migrations.ts'
import { openTelemetry, type TelemetryPlace } from '../../src/telemetry/open-telemetry.ts'
import { encodeEventRow, encodeOutcomeRow, withIssueId } from '../../src/telemetry/rows.ts'
import { clusterStatements } from '../../src/telemetry/server/cluster-statements.ts'
import { createTable } from '../../src/telemetry/tables/table.ts'
import { TABLES } from '../../src/telemetry/tables/tables.ts'
import type { Telemetry } from '../../src/telemetry/telemetry.ts'

// The sharding key is the project's number: of two shards even ones lie on the first, odd ones on the second.
const ON_FIRST = 2
const ON_SECOND = 3
const BOTH = [ON_FIRST, ON_SECOND]

const eventRow = (projectId: number, itemIndex: number, payload = '{}') =>
  withIssueId(encodeEventRow({ ...SAMPLE, projectId, itemIndex, payload }), 7)

describe('two shards', { skip: whyNoClickHouse() ?? false }, () => {
  let servers: TestServers
  let place: TelemetryPlace & { url: string }
  let telemetry: Telemetry
  let second: TestShard
  const open = (more: Partial<TelemetryPlace> = {}): Promise<Telemetry> =>
    openTelemetry({ ...place, ...more }, { logger: silentLogger, waitMs: 0 })
  before(async () => {
    servers = await startClickHouse({ shards: 2 })
    place = await servers.place('sonde')
    telemetry = await open()
    second = servers.shards[1] as TestShard
  })
  after(async () => {
    await telemetry?.close()
    await servers?.stop()
  })
  const counts = async (projects: readonly number[], one = telemetry): Promise<number[]> => {
    const rows = await one.query<{ id: number; n: number }>(
      'SELECT project_id AS id, count() AS n FROM events WHERE project_id IN {projects:Array(UInt32)} GROUP BY id',
      { projects },
    )
    return projects.map((id) => rows.find((row) => row.id === id)?.n ?? 0)
  }
  const unavailable = (error: unknown): boolean => {
    assert.ok(error instanceof SondeError, inspect(error))
    assert.equal(error.kind, 'unavailable')
    assert.match(
      error.message,
      new RegExp(`shard 2 \\(${second.node}\\) of the ClickHouse cluster "${TEST_CLUSTER}"`),
    )
    assert.match(error.hint ?? '', /start it again/)
    return true
  }

  test("a project's rows lie on one shard, and a query about it asks no other", async () => {
    await telemetry.insert(
      'events',
      BOTH.map((id) => eventRow(id + 100, 0)),
      'placed',
    )
    const rows = await telemetry.query(
      `SELECT project_id AS id, _shard_num AS shard FROM events WHERE project_id IN (102, 103) ORDER BY id`,
    )
    assert.deepEqual(rows, [
      { id: 102, shard: 1 },
      { id: 103, shard: 2 },
    ])
  })

  test('a batch that is repeated is dropped on both shards, whichever server takes it', async () => {
    const rows = BOTH.flatMap((id) => [0, 1, 2].map((at) => eventRow(id + 10, at)))
    const throughSecond = await open({ url: new URL('/sonde', second.url).href })
    for (const one of [telemetry, telemetry, throughSecond, throughSecond])
      await one.insert('events', rows, 'repeated')
    await throughSecond.close()
    assert.deepEqual(await counts([12, 13]), [3, 3])
  })

  test('of a batch that one shard has and the other not, each row is there once in the end', async () => {
    const rows = BOTH.flatMap((id) => [0, 1].map((at) => eventRow(id + 20, at)))
    // As when the process was killed after the first shard had taken its share.
    await telemetry.insert('events', rows.slice(0, 2), 'halved')
    assert.deepEqual(await counts([22, 23]), [2, 0])
    for (let time = 0; time < 2; time++) await telemetry.insert('events', rows, 'halved')
    assert.deepEqual(await counts([22, 23]), [2, 2])
  })

  test('a batch of many megabytes is one block for each shard, so its token holds for all of it', async () => {
    const payload = JSON.stringify({ text: 'x'.repeat(40_000) })
    const rows = Array.from({ length: 800 }, (_, at) => eventRow(30 + (at % 2), at, payload))
    for (let time = 0; time < 2; time++) await telemetry.insert('events', rows, 'large')
    assert.deepEqual(await counts([30, 31]), [400, 400])
  })

  test('while a shard is away its inserts and its projects are unavailable by name, others work; then nothing is lost or doubled', async () => {
    const rows = BOTH.flatMap((id) => [0, 1].map((at) => eventRow(id + 40, at)))
    const outcome = {
      atMs: Date.now(),
      keyId: 1,
      category: 'error',
      outcome: 'accepted',
      reason: '',
      quantity: 2,
    }
    const outcomes = BOTH.map((id) => encodeOutcomeRow({ ...outcome, projectId: id + 40 }))
    await telemetry.insert('events', [eventRow(43, 9)], 'before')
    await second.stop()
    for (let time = 0; time < 3; time++) {
      await assert.rejects(telemetry.insert('events', rows, 'away'), unavailable)
      await assert.rejects(telemetry.insert('outcomes', outcomes, 'away'), unavailable)
    }
    await assert.rejects(counts([43]), unavailable)
    await assert.rejects(telemetry.query('SELECT count() FROM events'), unavailable)
    await assert.rejects(telemetry.deleteRows('events', 'project_id = 43', {}), unavailable)
    await telemetry.insert('events', [eventRow(44, 0)], 'alive')
    assert.deepEqual(await counts([44]), [1])
    assert.equal((await telemetry.parts('events')).length > 0, true)
    const described = await telemetry.describe?.()
    assert.deepEqual(
      described?.nodes.map(({ shard, answers }) => [shard, answers]),
      [
        [1, true],
        [2, false],
      ],
    )
    await second.start()
    for (let time = 0; time < 2; time++) {
      await telemetry.insert('events', rows, 'away')
      await telemetry.insert('outcomes', outcomes, 'away')
    }
    assert.deepEqual(await counts([42, 43, 44]), [2, 3, 1])
    const sums = await telemetry.query(
      'SELECT project_id AS id, sum(quantity) AS n FROM outcomes WHERE project_id IN (42, 43) GROUP BY id ORDER BY id',
    )
    assert.deepEqual(sums, [
      { id: 42, n: 2 },
      { id: 43, n: 2 },
    ])
  })

  test('what is erased is in no row and no file of either shard, and other rows stay', async () => {
    const [anna, ben] = [`anna-${randomUUID()}`, `ben-${randomUUID()}`]
    const named = (id: number, at: number, title: string) =>
      withIssueId(encodeEventRow({ ...SAMPLE, projectId: id, itemIndex: at, title, payload: title }), 7)
    const rows = [46, 47].flatMap((id) => [named(id, 0, anna), named(id, 1, ben)])
    await telemetry.insert('events', rows, 'erased')
    /** Of each shard, in its own table. */
    const stored = (title: string): Promise<string[]> =>
      Promise.all(
        servers.shards.map(({ url }) =>
          post(url, `SELECT count() FROM sonde.events_local WHERE title = '${title}'`),
        ),
      )
    assert.deepEqual(await stored(anna), ['1', '1'])
    for (const id of [46, 47])
      await drained(() =>
        telemetry.deleteRows(
          'events',
          'project_id = {id:UInt32} AND title = {title:String}',
          { id, title: anna },
          'with-bytes',
        ),
      )
    assert.deepEqual(await stored(anna), ['0', '0'])
    assert.deepEqual(await stored(ben), ['1', '1'])
    assert.deepEqual(await counts([46, 47]), [1, 1])
    // Nothing is written meanwhile, so the servers by themselves would look for what can go after minutes.
    await drained(() => telemetry.purge('events'))
    const files = (text: string) => servers.shards.map(({ dir }) => filesWith(dir, text).length > 0)
    assert.deepEqual(files(anna), [false, false])
    assert.deepEqual(files(ben), [true, true])
  })

  test('a start with nothing to change works while a shard is away', async () => {
    await second.stop()
    const again = await open()
    assert.deepEqual(await counts([44], again), [1])
    await again.close()
    await second.start()
  })

  test('the servers say their version, shards and free space', async () => {
    const described = await telemetry.describe?.()
    assert.equal(described?.cluster, TEST_CLUSTER)
    assert.match(described?.version ?? '', /^\d+\.\d+\./)
    assert.equal(described?.address, new URL(place.url).origin)
    for (const { answers, freeBytes, sizeBytes, delaySec, isReadOnly } of described?.nodes ?? []) {
      assert.ok(answers && freeBytes > 0 && sizeBytes >= freeBytes)
      assert.ok(delaySec === 0 && !isReadOnly)
    }
  })

  test('a query within a query is answered with the rows of all shards', async () => {
    const traceId = 'd'.repeat(32)
    const rows = [52, 53].map((projectId) =>
      withIssueId(encodeEventRow({ ...SAMPLE, projectId, traceId, title: `of ${projectId}` }), projectId),
    )
    await telemetry.insert('events', rows, 'within')
    const within = await telemetry.query(
      `SELECT count() AS n FROM events WHERE project_id = 52 AND trace_id IN (SELECT trace_id FROM events WHERE project_id = 53)`,
    )
    assert.deepEqual(within, [{ n: 1 }])
    const joined = await telemetry.query(
      `SELECT a.title AS a, b.title AS b FROM events AS a INNER JOIN events AS b ON a.trace_id = b.trace_id
       WHERE a.project_id = 52 AND b.project_id = 53`,
    )
    assert.deepEqual(joined, [{ a: 'of 52', b: 'of 53' }])
  })

  test('rows that were placed when there were fewer shards are found on all of them', async () => {
    const local = await openTelemetry(
      { url: new URL('/sonde', second.url).href, ...shardsOf(place) },
      { logger: silentLogger },
    )
    // Where one shard has everything; then a second one is added.
    for (const { url } of servers.shards)
      await post(
        url,
        `CREATE OR REPLACE TABLE sonde.events AS sonde.events_local
        ENGINE = Distributed('${TEST_CLUSTER}', 'sonde', 'events_local', 1) COMMENT 'shards=1 since=0'`,
      )
    await local.insert('events', [eventRow(60, 0), eventRow(61, 0)], 'few')
    await local.close()
    const grown = await open()
    assert.deepEqual(await counts([60, 61], grown), [1, 1])
    await grown.insert('events', [eventRow(60, 1), eventRow(61, 1)], 'more')
    assert.deepEqual(await counts([60, 61], grown), [2, 2])
    assert.equal(typeof (await grown.describe?.())?.shardsAddedMs, 'number')
    await grown.close()
  })

  test('a server without the tables gets them at the next start', async () => {
    for (const table of ['events', 'events_local']) await post(second.url, `DROP TABLE sonde.${table} SYNC`)
    const again = await open()
    await again.insert('events', [eventRow(71, 0)], 'emptied')
    assert.deepEqual(await counts([71], again), [1])
    await again.close()
  })

  test('every statement that changes tables is one that the engine reads, as replicated tables too', async () => {
    const layout = {
      cluster: 'my-cluster',
      database: 'sonde',
      isReplicated: true,
      comment: 'shards=2 since=0',
    }
    const written = [
      ...Object.values(TABLES).map(createTable),
      ...MIGRATIONS.flatMap(({ statements }) => statements),
      `DELETE FROM events WHERE project_id = 1 SETTINGS lightweight_deletes_sync = 0`,
      'TRUNCATE TABLE events',
      "ALTER TABLE events DROP PARTITION ID 'none'",
      'ALTER TABLE events MODIFY TTL toDateTime(received) + toIntervalDay(90) SETTINGS materialize_ttl_after_modify = 0',
      'CREATE TABLE IF NOT EXISTS schema_migration (name String)\n ENGINE = MergeTree ORDER BY name SETTINGS fsync_after_insert = 1',
    ]
    for (const statement of written)
      for (const text of clusterStatements(statement, layout)) {
        const [row] = await telemetry.query<{ sql: string }>(
          'SELECT formatQuerySingleLine({text:String}) AS sql',
          { text },
        )
        assert.match(row?.sql ?? '', / ON CLUSTER `my-cluster`/)
      }
  })
})

/** Asks again until nothing is left, as an erasure does. */
async function drained(work: () => Promise<number>): Promise<void> {
  const endMs = Date.now() + 60_000
  while ((await work()) > 0) {
    assert.ok(Date.now() < endMs, 'something stays')
    await sleep(100)
  }
}

const shardsOf = (place: TelemetryPlace): Partial<TelemetryPlace> => {
  const { url: _, ...rest } = place as { url: string }
  return rest
}

async function post(url: string, body: string): Promise<string> {
  const response = await fetch(new URL('/', url), { method: 'POST', body })
  const text = await response.text()
  assert.ok(response.ok, text)
  return text.trim()
}
