/** The log on one real NATS server: the contract that every log keeps, and what only this one has. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ConfigError, silentLogger, UnavailableError } from '@sonde/base'
import { logConformance, readCount, texts } from '@sonde/log/conformance'
import { openNatsReaders, openNatsWriter } from '@sonde/log/nats'
import * as fc from 'fast-check'
import { logModel } from '../../../packages/log/test/log-model.ts'
import { type NatsServers, startNats } from '../../harness/servers/nats.ts'
import { type NatsLogs, storedMessages, temporaryNatsLog } from './temporary-nats-log.ts'
import { until } from './until.ts'

const MIB = 2 ** 20

describe('the log on NATS', () => {
  let servers: NatsServers
  let logs: NatsLogs | undefined
  const open = async (
    ...more: Parameters<typeof temporaryNatsLog> extends [string, ...infer Rest] ? Rest : never
  ) => {
    logs = await temporaryNatsLog(servers.url, ...more)
    return logs
  }
  const dispose = async (): Promise<void> => {
    await logs?.dispose()
    logs = undefined
  }
  before(async () => {
    servers = await startNats()
  })
  after(() => servers?.stop())

  logConformance('NATS', () => temporaryNatsLog(servers.url))

  it('any sequence of appends, reads, commits and restarts reads back what was appended', async () => {
    const model = logModel(() =>
      temporaryNatsLog(servers.url, { onCorruption: () => assert.fail('nothing was damaged') }),
    )
    await fc.assert(model, { numRuns: 8 })
  })

  it('keeps all records of a project in one partition, and those of others elsewhere', async () => {
    const { writer, readers } = await open({ partitions: 3 })
    await Promise.all(
      [4, 5, 6, 7, 8, 9, 4].map((project) => writer.append(Buffer.from(`of ${project}`), undefined, project)),
    )
    const found = await Promise.all(
      readers.readers.map(async (reader) => texts(await readCount(reader, 0, 2))),
    )
    assert.deepEqual(found, [
      ['of 6', 'of 9'],
      ['of 4', 'of 7'],
      ['of 5', 'of 8'],
    ])
    assert.deepEqual(texts(await readCount(readers.readers[1]!, 0, 3)), ['of 4', 'of 7', 'of 4'])
    assert.deepEqual(
      readers.readers.map(({ partition }) => partition),
      [0, 1, 2],
    )
    await dispose()
  })

  it('takes records that are larger than a message, in their place, and deletes their bytes with the commit', async () => {
    const { writer, reader, options } = await open()
    const large = Buffer.alloc(5 * MIB + 3, 'large')
    await writer.append(Buffer.from('before'))
    await writer.append(large.subarray(0, 10), large.subarray(10))
    await writer.append(Buffer.from('after'))
    const records = await readCount(reader, 0, 3)
    assert.ok(Buffer.from(records[1]?.bytes ?? []).equals(large))
    assert.deepEqual(texts([records[0]!, records[2]!]), ['before', 'after'])
    assert.deepEqual(await reader.read(0, { maxRecords: 9, maxBytes: 100 }, AbortSignal.timeout(5_000)), [
      records[0],
    ])
    assert.deepEqual(await storedMessages(options), { log_0: 3, pieces: 7 })
    await reader.commit(records[2]?.next ?? 0)
    assert.deepEqual(await storedMessages(options), { log_0: 0, pieces: 0 })
    await dispose()
  })

  it('sweeps the bytes of records that were never appended or were consumed by another process', async () => {
    const log = await open()
    await log.writer.append(Buffer.alloc(2 * MIB))
    const [record] = await readCount(log.reader, 0, 1)
    const nowMs = Date.now()
    const clock = { nowMs: () => nowMs + 3_600_000 }
    const other = await openNatsReaders({ ...log.options, clock })
    await other.readers[0]?.commit(record?.next ?? 0)
    await until(async () => (await storedMessages(log.options))['pieces'] === 0, 'they are swept')
    assert.deepEqual(await storedMessages(log.options), { log_0: 0, pieces: 0 })
    await other.close()
    await dispose()
  })

  it('refuses appends while it is full, and takes them once the consumer has freed some', async () => {
    const { writer, reader } = await open({ maxBytes: 2 * MIB })
    const body = Buffer.alloc(300_000)
    let taken = 0
    const fill = async (): Promise<never> => {
      for (;;) {
        await writer.append(body)
        taken++
      }
    }
    await assert.rejects(fill(), (error) => error instanceof UnavailableError && error.retryAfterSec > 0)
    assert.ok(taken >= 5 && taken <= 7, `${taken} taken`)
    assert.equal(writer.stats().accepting, false)
    const records = await readCount(reader, 0, taken)
    await reader.commit(records[2]?.next ?? 0)
    await writer.append(Buffer.from('again'))
    assert.equal(writer.stats().accepting, true)
    assert.equal(texts(await readCount(reader, records.at(-1)?.next ?? 0, 1))[0], 'again')
    await dispose()
  })

  it('has a fixed number of partitions: another number is refused with the next step', async () => {
    const { options } = await open({ partitions: 2 })
    await assert.rejects(
      openNatsWriter({ ...options, partitions: 3 }),
      (error) =>
        error instanceof ConfigError &&
        error.subject === 'SONDE_LOG_PARTITIONS' &&
        error.hint?.includes('SONDE_LOG_PARTITIONS=2') === true,
    )
    await assert.rejects(
      openNatsWriter({ ...options, prefix: 'other', partitions: 1, maxBytes: 2 ** 50 }),
      (error) => error instanceof ConfigError && error.subject === 'SONDE_NATS_MAX_BYTES',
    )
    await dispose()
  })

  it('begins above all positions of the log before it, when its streams were deleted', async () => {
    const first = await open()
    await first.writer.append(Buffer.from('1'))
    const [before] = await readCount(first.reader, 0, 1)
    await first.dispose()
    const again = await open({ prefix: first.options.prefix ?? '' })
    await again.writer.append(Buffer.from('2'))
    const [later] = await readCount(again.reader, before?.next ?? 0, 1)
    assert.ok((later?.position ?? 0) > (before?.position ?? 0))
    assert.ok(Number.isSafeInteger(later?.next))
    await dispose()
  })

  it('begins above a position that is asked for, where another log is ahead of the time', async () => {
    const above = Date.now() * 2_000
    const { writer, reader } = await open({ above })
    await writer.append(Buffer.from('1'))
    const [first] = await readCount(reader, above, 1)
    assert.equal(first?.position, above + 1)
    await dispose()
  })

  it('is unavailable without a server, and the setting that names it is in the hint', async () => {
    await assert.rejects(
      openNatsWriter({ url: 'nats://127.0.0.1:1', logger: silentLogger }),
      (error) => error instanceof UnavailableError && error.hint?.includes('SONDE_NATS_URL') === true,
    )
  })
})
