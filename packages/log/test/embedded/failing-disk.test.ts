import assert from 'node:assert/strict'
import { cp } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { UnavailableError } from '@sonde/base'
import { readCount, texts } from '../../src/conformance.ts'
import { failingDisk } from './failing-disk.ts'
import { temporaryDir, temporaryLog, type TemporaryLog } from './temporary-log.ts'

const limit = { maxRecords: 100, maxBytes: 1e9 }

async function everything(log: TemporaryLog): Promise<string[]> {
  return texts(
    await log.reader.read(
      0,
      { ...limit, to: log.writer.stats().durablePosition },
      new AbortController().signal,
    ),
  )
}

/** Several appends that share one group; all must be refused in the way that ingest turns into a 503. */
async function refused(log: TemporaryLog, bodies: readonly string[]): Promise<void> {
  const results = await Promise.allSettled(bodies.map((body) => log.writer.append(Buffer.from(body))))
  for (const result of results) {
    assert.ok(result.status === 'rejected' && result.reason instanceof UnavailableError)
    assert.ok(result.reason.retryAfterSec > 0)
    assert.ok(result.reason.hint)
  }
}

void describe('a disk that fails', () => {
  void test('a write that fails half way is refused, cut off, and the log goes on by itself', async () => {
    const disk = failingDisk()
    const log = await temporaryLog({
      openFile: disk.openFile,
      onCorruption: () => assert.fail('nothing was damaged'),
    })
    await log.writer.append(Buffer.from('before'))
    disk.fails.writev = 'ENOSPC'
    // Whole records get down: they would validate if nobody cut them.
    disk.partialBytes = 70
    await refused(log, ['lost 1', 'lost 2', 'lost 3'])
    await refused(log, ['lost 4'])
    delete disk.fails.writev
    await log.writer.append(Buffer.from('after'))
    assert.deepEqual(await everything(log), ['before', 'after'])
    assert.equal(log.writer.stats().refused, 4)
    assert.equal(log.writer.stats().waitingBytes, 0)
    const reopened = await log.reopen()
    assert.deepEqual(await everything(reopened), ['before', 'after'])
    await reopened.dispose()
  })

  void test('after a failed sync the bytes count as lost, whatever the next sync says', async () => {
    const disk = failingDisk()
    const log = await temporaryLog({
      openFile: disk.openFile,
      onCorruption: () => assert.fail('nothing was damaged'),
    })
    await log.writer.append(Buffer.from('before'))
    disk.fails.datasync = 'EIO'
    disk.fails.truncate = 'EIO' // so the refused bytes stay in the file, valid checksums and all
    await refused(log, ['lost 1', 'lost 2'])
    delete disk.fails.datasync
    await log.writer.append(Buffer.from('after'))
    assert.deepEqual(await everything(log), ['before', 'after'])
    delete disk.fails.truncate
    await log.writer.append(Buffer.from('and on'))
    const reopened = await log.reopen()
    assert.deepEqual(await everything(reopened), ['before', 'after', 'and on'])
    await reopened.dispose()
  })

  for (const cutting of ['works', 'fails'] as const) {
    void test(`refused bytes do not come back after a kill, when cutting them ${cutting}`, async () => {
      const disk = failingDisk()
      const log = await temporaryLog({ openFile: disk.openFile })
      await log.writer.append(Buffer.from('before'))
      disk.fails[cutting === 'works' ? 'writev' : 'datasync'] = 'EIO'
      disk.partialBytes = 30
      if (cutting === 'fails') disk.fails.truncate = 'EIO'
      await refused(log, ['lost'])
      // What a killed process leaves: the files as they are now.
      const dir = await temporaryDir()
      await cp(log.dir, dir, { recursive: true })
      const restarted = await temporaryLog({ dir })
      await restarted.writer.append(Buffer.from('after'))
      assert.deepEqual(await everything(restarted), ['before', 'after'])
      await restarted.dispose()
      disk.fails = {}
      await log.dispose()
    })
  }

  void test('a segment that cannot be created refuses appends, and works once it can', async () => {
    const disk = failingDisk()
    const log = await temporaryLog({ openFile: disk.openFile, segmentBytes: 200 })
    await log.writer.append(Buffer.from('a'.repeat(100)))
    disk.fails.open = 'ENOSPC'
    await refused(log, ['b'.repeat(100)])
    delete disk.fails.open
    await log.writer.append(Buffer.from('c'.repeat(100)))
    assert.deepEqual(await everything(log), ['a'.repeat(100), 'c'.repeat(100)])
    await log.dispose()
  })

  void test('a disk that became read-only is told by its name, and the log goes on once it is remounted', async () => {
    const disk = failingDisk()
    const log = await temporaryLog({ openFile: disk.openFile })
    await log.writer.append(Buffer.from('before'))
    disk.fails = { open: 'EROFS', writev: 'EROFS', datasync: 'EROFS', truncate: 'EROFS' }
    for (const body of ['lost 1', 'lost 2']) {
      await assert.rejects(log.writer.append(Buffer.from(body)), (error: unknown) => {
        assert.ok(error instanceof UnavailableError)
        assert.match(error.hint ?? '', /remount/)
        return error.retryAfterSec > 0
      })
      assert.equal(log.writer.stats().accepting, false)
    }
    disk.fails = {}
    await log.writer.append(Buffer.from('after'))
    assert.equal(log.writer.stats().accepting, true)
    assert.deepEqual(await everything(log), ['before', 'after'])
    const reopened = await log.reopen()
    assert.deepEqual(await everything(reopened), ['before', 'after'])
    await reopened.dispose()
  })

  void test('a slow disk makes large groups, holds a bounded number of bytes, and loses nothing that it took', async () => {
    const disk = failingDisk()
    const maxWaitingBytes = 40_000
    const log = await temporaryLog({ openFile: disk.openFile, maxWaitingBytes })
    disk.syncMs = 20
    const taken: string[] = []
    let most = 0
    const results = Array.from({ length: 200 }, async (_, at) => {
      // Spread over some turns of the loop, as requests come.
      for (let turn = 0; turn < at; turn++) await new Promise((resolve) => setImmediate(resolve))
      const body = String(at).padEnd(1_000)
      const appended = log.writer.append(Buffer.from(body))
      most = Math.max(most, log.writer.stats().waitingBytes)
      await appended.then(
        () => taken.push(body),
        (error: unknown) => assert.ok(error instanceof UnavailableError && error.retryAfterSec > 0),
      )
    })
    await Promise.all(results)
    assert.ok(most <= maxWaitingBytes, `${most} bytes waited`)
    const { records, groups, refused, waitingBytes } = log.writer.stats()
    assert.deepEqual([records, refused, waitingBytes], [taken.length, 200 - taken.length, 0])
    assert.ok(groups < records, `${groups} groups of ${records} records`)
    const { next } = (await readCount(log.reader, 0, taken.length)).at(-1)!
    assert.equal(next, log.writer.stats().durablePosition)
    assert.deepEqual(texts(await readCount(log.reader, 0, taken.length)).toSorted(), taken.toSorted())
    await log.dispose()
  })

  void test('a reader never sees bytes that were written and not synced', async () => {
    const disk = failingDisk()
    const log = await temporaryLog({ openFile: disk.openFile })
    await log.writer.append(Buffer.from('before'))
    const [first] = await readCount(log.reader, 0, 1)
    disk.fails.datasync = 'EIO'
    disk.fails.truncate = 'EIO'
    await refused(log, ['written, never synced'])
    assert.deepEqual(await log.reader.read(first!.next, limit, AbortSignal.timeout(150)), [])
    disk.fails = {}
    await log.dispose()
  })
})
