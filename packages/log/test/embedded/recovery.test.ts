import assert from 'node:assert/strict'
import { copyFile, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { silentLogger } from '@sonde/base'
import { readCount, texts } from '../../src/conformance.ts'
import { segmentName } from '../../src/embedded/format.ts'
import { openLogReader } from '../../src/embedded/index.ts'
import { temporaryDir, temporaryLog } from './temporary-log.ts'

const BODIES = ['first', '', 'x'.repeat(300), '', 'fifth']
const neverAborts = new AbortController().signal
const FIRST_SEGMENT = segmentName(0)

/** A log of `bodies` in one segment, closed; where each record ends. */
async function written(bodies: readonly string[]): Promise<{ dir: string; ends: number[] }> {
  const log = await temporaryLog()
  for (const body of bodies) await log.writer.append(Buffer.from(body))
  const ends = (await readCount(log.reader, 0, bodies.length)).map((record) => record.next)
  await log.writer.close()
  await log.reader.close()
  return { dir: log.dir, ends }
}

void describe('recovery of a torn tail', () => {
  void test('a cut at any byte gives back exactly the whole records before it, and appends go on', async () => {
    const { dir, ends } = await written(BODIES)
    const source = join(dir, FIRST_SEGMENT)
    const { size } = await stat(source)
    assert.equal(size, ends.at(-1))
    for (let cut = 0; cut <= size; cut++) {
      // Only the segment: after a power loss the published position is gone or old.
      const copy = join(dir, `cut-${cut}`)
      await mkdir(copy)
      await copyFile(source, join(copy, FIRST_SEGMENT))
      await truncate(join(copy, FIRST_SEGMENT), cut)
      const log = await temporaryLog({
        dir: copy,
        onCorruption: () => assert.fail('a torn tail is no damage'),
      })
      await log.writer.append(Buffer.from('after'))
      const whole = BODIES.filter((_, index) => (ends[index] ?? Infinity) <= cut)
      assert.deepEqual(
        texts(await readCount(log.reader, 0, whole.length + 1)),
        [...whole, 'after'],
        `cut at ${cut}`,
      )
      const { bytes } = await log.reader.depth()
      assert.equal(
        bytes,
        [...whole, 'after'].reduce((sum, body) => sum + 24 + body.length, 0),
      )
      await log.dispose()
    }
    await rm(dir, { recursive: true })
  })

  void test('a cut inside a record of many megabytes costs that record only', async () => {
    const { dir, ends } = await written(['small', 'L'.repeat(5_000_000), 'behind'])
    for (const cut of [ends[0]! + 24, ends[0]! + 300_000, ends[1]! - 1]) {
      const copy = join(dir, `cut-${cut}`)
      await mkdir(copy)
      await copyFile(join(dir, FIRST_SEGMENT), join(copy, FIRST_SEGMENT))
      await truncate(join(copy, FIRST_SEGMENT), cut)
      const log = await temporaryLog({ dir: copy })
      await log.writer.append(Buffer.from('after'))
      assert.deepEqual(texts(await readCount(log.reader, 0, 2)), ['small', 'after'])
      await log.dispose()
    }
    await rm(dir, { recursive: true })
  })

  void test('what follows the tail (zeros, old records of the same segment moved) never validates', async () => {
    const { dir, ends } = await written(['first', 'second'])
    const path = join(dir, FIRST_SEGMENT)
    const bytes = await readFile(path)
    // A whole record, copied to where the next would be: right checksum, wrong position.
    const moved = bytes.subarray(ends[0])
    await writeFile(path, Buffer.concat([bytes, moved, Buffer.alloc(700)]))
    const log = await temporaryLog({ dir })
    assert.equal((await stat(path)).size, ends[1], 'the tail is cut off the file')
    await log.writer.append(Buffer.from('third'))
    assert.deepEqual(texts(await readCount(log.reader, 0, 3)), ['first', 'second', 'third'])
    assert.equal((await log.reader.read(ends[1]!, { maxRecords: 9, maxBytes: 1e9 }, neverAborts)).length, 1)
    await log.dispose()
  })

  void test('positions that were durable are not given out again when a disk lost them', async () => {
    const { dir, ends } = await written(['first', 'second'])
    await truncate(join(dir, FIRST_SEGMENT), ends[0])
    const lost: number[] = []
    const log = await temporaryLog({ dir, onCorruption: ({ bytes }) => lost.push(bytes) })
    await log.writer.append(Buffer.from('third'))
    const [first, third] = await readCount(log.reader, 0, 2)
    assert.deepEqual(texts([first!, third!]), ['first', 'third'])
    assert.ok(third!.position >= ends[1]!)
    assert.deepEqual(lost, [ends[1]! - ends[0]!])
    await log.dispose()
  })

  void test('a draft of a segment that a dead writer left is removed', async () => {
    const { dir } = await written(['first'])
    await writeFile(join(dir, `${segmentName(999)}.tmp`), 'half')
    const log = await temporaryLog({ dir })
    assert.deepEqual(
      (await readdir(dir)).filter((name) => name.endsWith('.tmp')),
      [],
    )
    await log.dispose()
  })

  void test('a log of a newer format is refused rather than skipped, by both ends', async () => {
    const { dir } = await written(['first'])
    const path = join(dir, FIRST_SEGMENT)
    const bytes = await readFile(path)
    bytes.writeUInt32LE(2, 8)
    bytes.writeUInt32LE(2, 32 + 8)
    await writeFile(path, bytes)
    await assert.rejects(temporaryLog({ dir }), /log format 2; this Sonde reads 1/)
    const reader = await openLogReader({ dir, logger: silentLogger })
    const limit = { maxRecords: 1, maxBytes: 1 }
    await assert.rejects(reader.read(0, limit, neverAborts), /log format 2; this Sonde reads 1/)
    await reader.close()
    await rm(dir, { recursive: true })
  })

  void test('a folder that is missing is a new log', async () => {
    const parent = await temporaryDir()
    const log = await temporaryLog({ dir: join(parent, 'not', 'there') })
    await log.writer.append(Buffer.from('first'))
    assert.deepEqual(texts(await readCount(log.reader, 0, 1)), ['first'])
    await log.dispose()
    await rm(parent, { recursive: true })
  })
})
