import assert from 'node:assert/strict'
import { copyFile, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { silentLogger } from '@sonde/base'
import * as fc from 'fast-check'
import { readCount, texts } from '../../src/conformance.ts'
import type { Corruption } from '../../src/embedded/collect.ts'
import { decodeSegmentHeader, RECORD_MARKER, segmentName } from '../../src/embedded/format.ts'
import { inspectLog, type LogFile, openLogReader } from '../../src/embedded/index.ts'
import { scan } from '../../src/embedded/scan.ts'
import type { LogReader, LogRecord } from '../../src/log.ts'
import { temporaryDir, temporaryLog, type TemporaryLog } from './temporary-log.ts'

// Client-made bodies may look like heads: markers inside must not confuse the search.
const MARKERS = Buffer.concat(Array.from({ length: 200 }, () => RECORD_MARKER)).toString('latin1')
const BODIES = ['alpha', '', MARKERS, 'd'.repeat(2000), 'echo', '', 'golf']

void describe('damage inside the log', () => {
  let dir: string
  let image: Buffer
  let records: LogRecord[]
  before(async () => {
    const log = await temporaryLog()
    for (const body of BODIES) await log.writer.append(Buffer.from(body, 'latin1'))
    records = await readCount(log.reader, 0, BODIES.length)
    await log.writer.close()
    await log.reader.close()
    dir = log.dir
    image = await readFile(join(dir, segmentName(0)))
  })
  after(() => rm(dir, { recursive: true }))

  /** Opens a copy whose segment is `bytes`, with its own published position. */
  const reading = async (
    bytes: Buffer,
    use: (reader: LogReader, corruptions: Corruption[]) => Promise<void>,
  ): Promise<void> => {
    const copy = await temporaryDir()
    await copyFile(join(dir, 'durable'), join(copy, 'durable'))
    await writeFile(join(copy, segmentName(0)), bytes)
    const corruptions: Corruption[] = []
    const reader = await openLogReader({
      dir: copy,
      logger: silentLogger,
      onCorruption: (corruption) => corruptions.push(corruption),
    })
    try {
      await use(reader, corruptions)
    } finally {
      await reader.close()
      await rm(copy, { recursive: true })
    }
  }
  const end = (): number => records.at(-1)!.next
  const readAll = (reader: LogReader): Promise<LogRecord[]> =>
    reader.read(0, { maxRecords: 100, maxBytes: 1e9, to: end() }, new AbortController().signal)

  void test('one flipped bit anywhere costs at most the record it is in, and is reported once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(image.length - 1), fc.nat(7), async (at, bit) => {
        const bytes = Buffer.from(image)
        bytes[at]! ^= 1 << bit
        await reading(bytes, async (reader, corruptions) => {
          const expected = records.filter((record) => at < record.position || at >= record.next)
          // Twice: reading again neither changes the answer nor reports again.
          assert.deepEqual(await readAll(reader), await readAll(reader))
          assert.deepEqual(await readAll(reader), expected)
          assert.equal(corruptions.length, records.length - expected.length)
          for (const { position, bytes: lost } of corruptions)
            assert.ok(position <= at && at < position + lost)
        })
      }),
      { numRuns: 150 },
    )
  })

  void test('whatever is overwritten, the untouched records behind it come back and reading ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(image.length - 1),
        fc.uint8Array({ minLength: 1, maxLength: 400 }),
        async (at, noise) => {
          const bytes = Buffer.from(image)
          const until = Math.min(bytes.length, at + noise.length)
          bytes.set(noise.subarray(0, until - at), at)
          // Both copies of the header gone: the segment is unreadable as a whole.
          const headless = at < 32 && until > 32
          await reading(bytes, async (reader) => {
            const found = await readAll(reader)
            const untouched = records.filter((record) => until <= record.position || at >= record.next)
            if (headless) assert.ok(found.length === 0 || found.length >= untouched.length)
            else
              assert.deepEqual(
                found.filter((record) => untouched.some((u) => u.position === record.position)),
                untouched,
              )
            for (const record of found) {
              const original = records.find((candidate) => candidate.position === record.position)
              assert.deepEqual(record, original)
            }
          })
        },
      ),
      { numRuns: 150 },
    )
  })

  void test('a segment without a readable header is skipped, and the next one is read', async () => {
    const log = await temporaryLog({ segmentBytes: 200 })
    await log.writer.append(Buffer.from('a'.repeat(150)))
    await log.writer.append(Buffer.from('b'.repeat(150)))
    const path = join(log.dir, segmentName(0))
    const bytes = await readFile(path)
    await writeFile(path, bytes.fill(0, 0, 64))
    assert.deepEqual(texts(await readCount(log.reader, 0, 1)), ['b'.repeat(150)])
    await log.dispose()
  })

  void test('what is damaged is remembered and its segment kept, also once the rest was consumed', async () => {
    const log = await temporaryLog({ segmentBytes: 200, clock: { nowMs: () => 1_700_000_000_000 } })
    for (const letter of ['a', 'b', 'c']) await log.writer.append(Buffer.from(letter.repeat(150)))
    const path = join(log.dir, segmentName(0))
    const bytes = await readFile(path)
    bytes[100]! ^= 1
    await writeFile(path, bytes)
    const expected = { position: 64, bytes: 174, segment: segmentName(0), foundMs: 1_700_000_000_000 }
    const kept = join(log.dir, 'damaged', segmentName(0))
    const read = async (from: TemporaryLog): Promise<void> => {
      const records = await readCount(from.reader, 0, 2)
      assert.deepEqual(texts(records), ['b'.repeat(150), 'c'.repeat(150)])
      await from.reader.commit(records[0]!.position)
    }
    await read(log)
    assert.deepEqual(await readFile(kept), bytes)
    assert.deepEqual((await inspectLog(log.dir)).damaged, [expected])
    await assert.rejects(readFile(path), { code: 'ENOENT' })
    // Once more, as after a kill before the checkpoint was written: the same stretch is not counted twice.
    await writeFile(path, bytes)
    const again = await log.reopen()
    await read(again)
    assert.deepEqual((await inspectLog(log.dir)).damaged, [expected])
    await rm(join(log.dir, 'damaged'), { recursive: true })
    assert.deepEqual((await inspectLog(log.dir)).damaged, [])
    await again.dispose()
  })

  void test('a segment that somebody deleted is skipped, and the next one is read', async () => {
    const log = await temporaryLog({ segmentBytes: 200 })
    for (const letter of ['a', 'b', 'c']) await log.writer.append(Buffer.from(letter.repeat(150)))
    const [first] = await readCount(log.reader, 0, 1)
    await rm(join(log.dir, segmentName(first!.next)))
    assert.equal((await readCount(log.reader, first!.next, 1))[0]!.bytes[0], 'c'.charCodeAt(0))
    await log.dispose()
  })

  void test('a sector that the disk cannot read costs the records in it', async () => {
    const bodies = Array.from({ length: 40 }, (_, index) => String(index).padEnd(1000))
    const log = await temporaryLog()
    for (const body of bodies) await log.writer.append(Buffer.from(body))
    const all = await readCount(log.reader, 0, bodies.length)
    const handle = await open(join(log.dir, segmentName(0)))
    const bad = { from: 12_288, to: 16_384 }
    const file = {
      read: async (buffer: Buffer, at: number, length: number, position: number) => {
        if (position < bad.to && position + length > bad.from)
          throw Object.assign(new Error('i/o'), { code: 'EIO' })
        return handle.read(buffer, at, length, position)
      },
    } as Pick<LogFile, 'read'>
    const header = decodeSegmentHeader(await readFile(join(log.dir, segmentName(0))))
    assert.ok(typeof header === 'object' && 'salt' in header)
    const segment = { file, start: 0, salt: header.salt, end: all.at(-1)!.next }
    const found: number[] = []
    for (let position = 64; position < segment.end;) {
      const scanned = await scan(segment, position, Infinity)
      found.push(...scanned.records.map((record) => record.position))
      position = scanned.next
    }
    assert.deepEqual(
      found,
      all
        .filter((record) => record.next <= bad.from || record.position >= bad.to)
        .map((record) => record.position),
    )
    await handle.close()
    await log.dispose()
  })

  void test('the writer keeps acknowledged records behind a flipped bit in the last segment', async () => {
    const bytes = Buffer.from(image)
    bytes[records[1]!.position + 5]! ^= 4
    const copy = await temporaryDir()
    await mkdir(copy, { recursive: true })
    await writeFile(join(copy, segmentName(0)), bytes)
    const log = await temporaryLog({ dir: copy })
    await log.writer.append(Buffer.from('after'))
    const found = await readCount(log.reader, 0, BODIES.length)
    assert.deepEqual(found.slice(0, -1), [records[0], ...records.slice(2)])
    assert.deepEqual(texts(found.slice(-1)), ['after'])
    await log.dispose()
  })
})
