/** Ingest with its log on a NATS that is full: refusals that say when to come again, for whom they are meant alone. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { KEY, OTHER_PROJECT_KEY, PROJECT } from '../../../packages/ingest/test/support/keys.ts'
import { eventEnvelope, send } from '../../../packages/ingest/test/support/send.ts'
import { startIngest } from '../../../packages/ingest/test/support/start-ingest.ts'
import { type NatsServers, startNats } from '../../harness/servers/nats.ts'
import { temporaryNatsLog } from './temporary-nats-log.ts'

const MIB = 2 ** 20
/** Of `OTHER_PROJECT_KEY`; it lies in the other partition. */
const OTHER_PROJECT = 99

describe('ingest with its log on NATS', () => {
  let servers: NatsServers
  before(async () => {
    servers = await startNats()
  })
  after(() => servers?.stop())

  it('refuses with 503 and a time what has no room, takes what has, and goes on once there is room', async (t) => {
    const log = await temporaryNatsLog(servers.url, { partitions: 2, maxBytes: MIB })
    const server = await startIngest({ wrapLog: () => log.writer })
    t.after(async () => {
      await server.close()
      await log.dispose()
    })
    const body = eventEnvelope(undefined, { message: 'x'.repeat(100_000) })
    const post = (project: number, key: string) =>
      send(server.port, `/api/${project}/envelope/?sentry_key=${key}`, { body })
    let taken = 0
    let answer = await post(PROJECT, KEY)
    for (; answer.status === 200; taken++) answer = await post(PROJECT, KEY)
    assert.ok(taken >= 4 && taken <= 5, `${taken} taken`)
    assert.deepEqual([answer.status, answer.headers['retry-after']], [503, '10'])
    assert.equal(answer.headers['x-sentry-rate-limits'], '10::organization:storage_unavailable')

    // The other partition has room: no load balancer shall take this node out.
    assert.equal((await post(OTHER_PROJECT, OTHER_PROJECT_KEY)).status, 200)
    assert.ok(log.writer.stats().accepting)
    for (let more = 0; more < taken; more++) await post(OTHER_PROJECT, OTHER_PROJECT_KEY)
    assert.equal((await post(OTHER_PROJECT, OTHER_PROJECT_KEY)).status, 503)
    assert.equal((await post(PROJECT, KEY)).status, 503)
    assert.equal(log.writer.stats().accepting, false)

    const reader = log.readers.readers[PROJECT % 2]
    assert.ok(reader)
    await reader.commit(await log.readers.end(PROJECT % 2))
    assert.equal((await post(PROJECT, KEY)).status, 200)
    assert.ok(log.writer.stats().accepting)
  })
})
