/** What happens to the log when servers die: what was acknowledged is there, once. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { UnavailableError } from '@sonde/base'
import { readCount, texts } from '@sonde/log/conformance'
import { inspectNats, openNatsWriter } from '@sonde/log/nats'
import { type NatsServers, startNats } from '../../harness/servers/nats.ts'
import { numbersIn, startAppending } from './appender.ts'
import { startCuttingProxy } from './cutting-proxy.ts'
import { storedMessages, temporaryNatsLog } from './temporary-nats-log.ts'
import { until } from './until.ts'

function assertAllOnce(found: readonly number[], acknowledged: readonly number[]): void {
  assert.equal(new Set(found).size, found.length, 'a record is there twice')
  const there = new Set(found)
  assert.deepEqual(
    acknowledged.filter((number) => !there.has(number)),
    [],
    'acknowledged, and not there',
  )
}

describe('one NATS server', () => {
  let servers: NatsServers
  before(async () => {
    servers = await startNats()
  })
  after(() => servers?.stop())

  it('that is killed under load and starts again has all that was acknowledged, once', async () => {
    const log = await temporaryNatsLog(servers.url)
    const [node] = servers.nodes
    const appender = startAppending(log.writer)
    await appender.more(200)
    for (let kill = 0; kill < 3; kill++) {
      await node?.kill()
      await node?.start()
      await appender.more(200)
    }
    await appender.stop()
    assertAllOnce(await numbersIn(log.reader, await log.readers.end(0)), appender.acknowledged)
    await log.dispose()
  })

  it('that stays away makes appends fail within their time; later ones work', async () => {
    const log = await temporaryNatsLog(servers.url, { appendMs: 500 })
    const [node] = servers.nodes
    await node?.kill()
    const beganMs = performance.now()
    await assert.rejects(log.writer.append(Buffer.from('lost')), UnavailableError)
    assert.ok(performance.now() - beganMs < 2_000)
    assert.equal(log.writer.stats().accepting, false)
    const waiting = log.reader.read(0, { maxRecords: 1, maxBytes: 1 }, AbortSignal.timeout(20_000))
    await node?.start()
    for (;;)
      try {
        await log.writer.append(Buffer.from('later'))
        break
      } catch (error) {
        assert.ok(error instanceof UnavailableError)
      }
    assert.ok(log.writer.stats().accepting)
    assert.ok(texts(await waiting).some((text) => text === 'later' || text === 'lost'))
    await log.dispose()
  })

  it('whose acknowledgement is lost gets the record again, and keeps it once', async () => {
    const log = await temporaryNatsLog(servers.url)
    const proxy = await startCuttingProxy(servers.url)
    const writer = await openNatsWriter({ ...log.options, url: proxy.url })
    proxy.cutAfter('published twice')
    await writer.append(Buffer.from('published twice'))
    await writer.append(Buffer.from('next'))
    assert.equal(proxy.cuts(), 1)
    assert.deepEqual(texts(await readCount(log.reader, 0, 2)), ['published twice', 'next'])
    assert.equal((await storedMessages(log.options))['log_0'], 2)
    await writer.close()
    await proxy.close()
    await log.dispose()
  })
})

describe('three NATS servers with three copies', () => {
  let servers: NatsServers
  before(async () => {
    servers = await startNats(3)
  })
  after(() => servers?.stop())

  it('take records while any one of them is gone, and lose and double none', async () => {
    // Nothing is refused, however long a busy machine takes to choose a new leader.
    const log = await temporaryNatsLog(servers.url, { replicas: 3, partitions: 1, appendMs: 60_000 })
    const appender = startAppending(log.writer)
    await appender.more(100)
    for (const node of servers.nodes) {
      await node.kill()
      await appender.more(100)
      await node.start()
      // Two at a time are no majority: the next goes once this one has caught up.
      await appender.more(100)
      await until(
        async () => (await inspectNats(log.options)).partitions.every(({ behind }) => behind === 0),
        'it has caught up',
      )
    }
    await appender.stop()
    assert.deepEqual(appender.refused, [])
    assertAllOnce(await numbersIn(log.reader, await log.readers.end(0)), appender.acknowledged)
    await log.dispose()
  })
})
