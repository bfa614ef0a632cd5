/** A shard of telemetry that is away holds up its own projects alone: partitions of the log follow the shards. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { silentLogger as logger, systemClock as clock } from '@sonde/base'
import { encodeIntakeHead } from '@sonde/log'
import { type Pipeline, startSharedPipeline } from '@sonde/pipeline'
import { type Blobs, openTelemetry, type Telemetry } from '@sonde/stores'
import { startOutcomeCounter } from '../../../packages/ingest/src/validate/outcome-counter.ts'
import { errorEnvelope, eventIdOf } from '../../../packages/pipeline/test/commit/harness.ts'
import { openTestBlobs, openTestRecords } from '../../harness/engines.ts'
import { startClickHouse, type TestServers, whyNoClickHouse } from '../../harness/servers/clickhouse.ts'
import { type NatsServers, startNats } from '../../harness/servers/nats.ts'
import { type NatsLogs, temporaryNatsLog } from './temporary-nats-log.ts'
import { until } from './until.ts'

// No multiple of the shards: by its number alone a partition would have projects of both.
const PARTITIONS = 5
const PROJECTS = [1, 2, 3, 4, 5, 6]
const onFirst = PROJECTS.filter((id) => id % 2 === 0)
const onSecond = PROJECTS.filter((id) => id % 2 === 1)
const SHOWN_WITHIN_MS = 5_000

describe('a log whose partitions follow two shards', { skip: whyNoClickHouse() ?? false }, () => {
  let nats: NatsServers
  let servers: TestServers
  let stores: Awaited<ReturnType<typeof openTestRecords>>
  let blobs: Blobs
  let telemetry: Telemetry
  let log: NatsLogs
  let pipeline: Pipeline
  const sent = new Map<number, number>()
  let next = 1

  const send = async (projects: readonly number[], count: number): Promise<void> => {
    const appends = Array.from({ length: count }, () => projects).flatMap((ids) =>
      ids.map((projectId) => {
        const id = next++
        const eventId = eventIdOf(id)
        const meta = { v: 1, kind: 'envelope', receivedMs: Date.now(), projectId, keyId: 1, eventId } as const
        sent.set(projectId, (sent.get(projectId) ?? 0) + 1)
        return log.writer.append(encodeIntakeHead(meta), Buffer.from(errorEnvelope(id)), projectId)
      }),
    )
    await Promise.all(appends)
  }
  const count = async (what: string, table: string, projectId: number): Promise<number> => {
    const sql = `SELECT ${what} AS n FROM ${table} WHERE project_id = {project:UInt32}`
    return Number((await telemetry.query<{ n: number }>(sql, { project: projectId }))[0]?.n)
  }
  const counted = async (projectId: number): Promise<number> => {
    const issues = await stores.records
      .selectFrom('issue')
      .select('event_count')
      .where('project_id', '=', projectId)
      .execute()
    return issues.reduce((sum, issue) => sum + issue.event_count, 0)
  }
  const shown = (projects: readonly number[], what: string, withinMs: number): Promise<void> =>
    until(
      async () => {
        for (const id of projects) {
          const own = sent.get(id) ?? 0
          if ((await counted(id)) < own || (await count('count()', 'events', id)) < own) return false
        }
        return true
      },
      what,
      withinMs,
    )

  before(async () => {
    ;[nats, servers, stores] = await Promise.all([
      startNats(),
      startClickHouse({ shards: 2 }),
      openTestRecords(),
    ])
    telemetry = await openTelemetry(await servers.place('followed'), { logger })
    blobs = await openTestBlobs(stores.dir)
    log = await temporaryNatsLog(nats.url, { partitions: PARTITIONS, lookMs: 20 })
    const org = { slug: 'a', name: 'a', created_ms: 0 }
    const { id: orgId } = await stores.records
      .insertInto('organization')
      .values(org)
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const id of PROJECTS)
      await stores.records
        .insertInto('project')
        .values({ id, org_id: orgId, slug: `p${id}`, name: 'p', platform: 'node', created_ms: 0 })
        .execute()
  })
  after(async () => {
    await pipeline?.stop()
    await log?.dispose()
    await telemetry?.close()
    await stores?.close()
    await Promise.all([nats?.stop(), servers?.stop()])
  })

  it('stores what an older writer placed by the number alone', async () => {
    assert.equal(log.writer.partitionOf?.(6), 1)
    await send(PROJECTS, 3)
    const { shardWeights = [] } = telemetry
    assert.deepEqual(shardWeights, [1, 1])
    await log.readers.placeBy?.(shardWeights)
    await until(() => log.writer.partitionOf?.(6) === 2, 'the writer knows of the shards')
    await send(PROJECTS, 3)
    pipeline = startSharedPipeline({
      logs: log.readers,
      records: stores.records,
      telemetry,
      blobs,
      clock,
      logger,
      shards: shardWeights.length,
      workers: { threads: 0 },
    })
    await shown(PROJECTS, 'all is stored', 20_000)
  })

  for (const [how, leave, comeBack] of [
    ['stopped', () => servers.shards[1]?.stop(), () => servers.shards[1]?.start()],
    // Connections to it are taken, and nothing is answered.
    [
      'frozen',
      () => servers.shards[1]?.process()?.kill('SIGSTOP'),
      () => servers.shards[1]?.process()?.kill('SIGCONT'),
    ],
  ] as const)
    it(`while one is ${how} what is sent to projects of the other is shown within seconds, and the rest afterwards, once`, async (context) => {
      await leave()
      const outcomes = startOutcomeCounter(log.writer, clock, logger, 20)
      for (const projectId of PROJECTS)
        outcomes.add({ projectId, keyId: 1 }, 'error', 'rate_limited', 'key_quota', 1)
      let slowestMs = 0
      for (let burst = 0; burst < 3; burst++) {
        const sentMs = performance.now()
        await send(PROJECTS, 5)
        await shown(onFirst, 'the events of the living shard are stored', 20_000)
        slowestMs = Math.max(slowestMs, performance.now() - sentMs)
      }
      context.diagnostic(`shown within ${Math.round(slowestMs)} ms`)
      assert.ok(slowestMs < SHOWN_WITHIN_MS)
      await outcomes.stop()
      const refused = (projectId: number) =>
        count(`sumIf(quantity, outcome = 'rate_limited')`, 'outcomes', projectId)
      await until(async () => (await refused(2)) > 0, 'so are outcomes')
      for (const id of onSecond) assert.ok((await counted(id)) < (sent.get(id) ?? 0))

      await comeBack()
      await shown(onSecond, 'what waited is stored', 40_000)
      await until(() => pipeline.state().trouble === undefined, 'all is well')
      for (const id of PROJECTS) {
        const own = sent.get(id)
        assert.equal(await count('count()', 'events', id), own)
        assert.equal(await count('uniqExact(event_id)', 'events', id), own)
        assert.equal(await counted(id), own)
        assert.equal(await count(`sumIf(quantity, outcome = 'accepted')`, 'outcomes', id), own)
      }
    })
})
