import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { silentLogger, UnavailableError } from '@sonde/base'
import { readCount } from '../../src/conformance.ts'
import { segmentStart } from '../../src/embedded/format.ts'
import { inspectLog, openLogReader, openLogWriter } from '../../src/embedded/index.ts'
import { temporaryDir, temporaryLog } from './temporary-log.ts'

const kilobyte = Buffer.alloc(1000, 1)

async function segmentCount(dir: string): Promise<number> {
  return (await readdir(dir)).filter((name) => segmentStart(name) !== undefined).length
}

void describe('limits of the embedded log', () => {
  void test('more waiting bytes than allowed are refused at once, the others are kept', async () => {
    const log = await temporaryLog({ maxWaitingBytes: 10 * 1024 })
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => log.writer.append(kilobyte)))
    const refused = results.filter((result) => result.status === 'rejected')
    assert.equal(refused.length, 40)
    for (const { reason } of refused) assert.ok(reason instanceof UnavailableError)
    await readCount(log.reader, 0, 10)
    await log.writer.append(kilobyte)
    assert.deepEqual(log.writer.stats().waitingBytes, 0)
    assert.equal(log.writer.stats().records, 11)
    await log.dispose()
  })

  void test('one record larger than what may wait is taken when nothing else waits', async () => {
    const log = await temporaryLog({ maxWaitingBytes: 100 })
    await log.writer.append(kilobyte)
    assert.equal((await readCount(log.reader, 0, 1))[0]!.bytes.length, 1000)
    await log.dispose()
  })

  void test('a log that holds its limit refuses, and takes records again once some were consumed', async () => {
    const log = await temporaryLog({ segmentBytes: 5_000, maxLogBytes: 20_000 })
    let taken = 0
    await assert.rejects(async () => {
      for (;;) {
        await log.writer.append(kilobyte)
        taken++
      }
    }, UnavailableError)
    assert.ok(taken >= 16 && taken <= 19, `${taken} records`)
    const records = await readCount(log.reader, 0, taken)
    await log.reader.commit(records.at(-1)!.next)
    await log.writer.append(kilobyte)
    assert.equal((await readCount(log.reader, await log.reader.committed(), 1)).length, 1)
    await log.dispose()
  })

  void test('one huge consumed segment never blocks the appends that would free it', async () => {
    const log = await temporaryLog({ maxLogBytes: 4_000 })
    await log.writer.append(Buffer.alloc(3_990))
    await log.reader.commit((await readCount(log.reader, 0, 1))[0]!.next)
    for (let round = 0; round < 5; round++) {
      await log.writer.append(kilobyte)
      const [record] = await readCount(log.reader, await log.reader.committed(), 1)
      await log.reader.commit(record!.next)
    }
    await log.dispose()
  })

  void test('records larger than a segment get one of their own', async () => {
    const log = await temporaryLog({ segmentBytes: 500 })
    const sizes = [10, 3000, 20, 700_000, 30]
    for (const size of sizes) await log.writer.append(Buffer.alloc(size, size % 251))
    const records = await readCount(log.reader, 0, sizes.length)
    assert.deepEqual(
      records.map((record) => record.bytes.length),
      sizes,
    )
    assert.equal(await segmentCount(log.dir), 5)
    await log.dispose()
  })

  void test('a commit deletes whole consumed segments and never the one being written', async () => {
    const log = await temporaryLog({ segmentBytes: 1_100 })
    for (let index = 0; index < 5; index++) await log.writer.append(kilobyte)
    const records = await readCount(log.reader, 0, 5)
    assert.equal(await segmentCount(log.dir), 5)
    await log.reader.commit(records[2]!.position)
    assert.equal(await segmentCount(log.dir), 3)
    await log.reader.commit(records[4]!.next)
    assert.equal(await segmentCount(log.dir), 1)
    await log.writer.append(kilobyte)
    assert.ok((await readCount(log.reader, await log.reader.committed(), 1))[0]!.position >= records[4]!.next)
    assert.equal(await segmentCount(log.dir), 1)
    await log.dispose()
  })

  void test('a second writer or consumer is refused with what to do, and may come once the first has gone', async () => {
    const log = await temporaryLog()
    await log.writer.append(kilobyte)
    const options = { dir: log.dir, logger: silentLogger }
    await assert.rejects(openLogWriter(options), {
      kind: 'conflict',
      message: new RegExp(`process ${process.pid}`),
    })
    await assert.rejects(openLogReader(options), { kind: 'conflict', message: /already has a consumer/ })
    const again = await log.reopen()
    await again.writer.append(kilobyte)
    await again.dispose()
  })

  void test('inspection tells depth, segments and positions without a lock, also where Sonde never ran', async () => {
    const dir = await temporaryDir()
    const nothing = { segments: [], keptBytes: 0, durable: undefined, committed: 0, lastWriter: undefined }
    assert.deepEqual(await inspectLog(`${dir}/missing`), {
      ...nothing,
      depth: { bytes: 0, oldestMs: undefined },
      damaged: [],
    })
    const log = await temporaryLog({ dir, segmentBytes: 1_100 })
    for (let index = 0; index < 3; index++) await log.writer.append(kilobyte)
    const records = await readCount(log.reader, 0, 3)
    await log.reader.commit(records[0]!.next)
    const seen = await inspectLog(dir)
    assert.equal(seen.segments.length, 2)
    assert.equal(seen.keptBytes, 2 * (64 + 24 + 1000))
    assert.equal(seen.durable, records[2]!.next)
    assert.equal(seen.committed, records[0]!.next)
    assert.deepEqual(seen.depth, await log.reader.depth())
    assert.equal(seen.depth.bytes, 2 * (24 + 1000))
    assert.equal(seen.lastWriter?.pid, process.pid)
    await log.dispose()
  })
})
