import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { listSegments } from '../../src/embedded/segments.ts'
import { temporaryLog } from './temporary-log.ts'

const bytesOf = (text: string): Uint8Array => Buffer.from(text)

void describe('a log that is rolled', () => {
  void test('loses what is consumed, and nothing else', async () => {
    const log = await temporaryLog()
    const limit = { maxRecords: 10, maxBytes: 2 ** 20 }
    const { signal } = new AbortController()
    await log.writer.append(bytesOf('before'))
    const [before] = await log.reader.read(0, limit, signal)
    const [from] = await Promise.all([log.writer.roll?.(), log.writer.append(bytesOf('meanwhile'))])
    await log.writer.append(bytesOf('after'))
    // What nobody has consumed stays, in whichever segment it is.
    assert.equal((await listSegments(log.dir)).length, 2)
    await log.reader.commit(before?.next ?? 0)
    const rest = await log.reader.read(before?.next ?? 0, limit, signal)
    assert.deepEqual(
      rest.map((record) => Buffer.from(record.bytes).toString()),
      ['meanwhile', 'after'],
    )
    await log.reader.commit(rest.at(-1)?.next ?? 0)
    assert.deepEqual(await listSegments(log.dir), [from])
    await log.dispose()
  })

  void test('stays as it is when nothing lies in its segment', async () => {
    const log = await temporaryLog()
    const [start] = await listSegments(log.dir)
    assert.equal(await log.writer.roll?.(), start)
    await log.writer.append(bytesOf('one'))
    const { signal } = new AbortController()
    const [one] = await log.reader.read(0, { maxRecords: 1, maxBytes: 100 }, signal)
    await log.reader.commit(one?.next ?? 0)
    const from = await log.writer.roll?.()
    assert.notEqual(from, start)
    // Committed to the end of the old segment: the position itself says that nothing of it is needed.
    await log.reader.depth()
    assert.deepEqual(await listSegments(log.dir), [from])
    await log.dispose()
  })
})
