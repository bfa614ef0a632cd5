/** Guarantee G4 of the log on a disk that is really full: a tmpfs of one megabyte. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { silentLogger, UnavailableError } from '@sonde/base'
import { type LogWriter, type LogReader, openLogReader, openLogWriter } from '@sonde/log'

const BODY_BYTES = 10_000

async function withSmallDisk(context: TestContext, run: (dir: string) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'sonde-log-full-'))
  try {
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', dir], { stdio: 'pipe' })
    } catch (error) {
      context.skip(
        `needs the right to mount a tmpfs (Linux, root): ${(error as Error).message.split('\n')[0]}`,
      )
      return
    }
    try {
      await run(dir)
    } finally {
      // Lazily: a failed assertion leaves files open, and must not leave a mount behind as well.
      execFileSync('umount', ['-l', dir])
    }
  } finally {
    await rm(dir, { recursive: true })
  }
}

/** Appends numbered records until the disk is full; the numbers that were acknowledged. */
async function fill(writer: LogWriter, first: number): Promise<number[]> {
  const taken: number[] = []
  for (let number = first; ; number++) {
    try {
      await writer.append(body(number))
      taken.push(number)
    } catch (error) {
      assert.ok(error instanceof UnavailableError)
      assert.match(error.hint ?? '', /Free space/)
      assert.ok(error.retryAfterSec > 0)
      return taken
    }
  }
}

function body(number: number): Buffer {
  return Buffer.from(String(number).padEnd(BODY_BYTES, '.'))
}

async function numbers(reader: LogReader, to: number): Promise<{ numbers: number[]; next: number }> {
  const records = await reader.read(
    await reader.committed(),
    { maxRecords: 1000, maxBytes: 1e9, to },
    AbortSignal.timeout(5000),
  )
  for (const { bytes } of records) assert.equal(bytes.length, BODY_BYTES)
  return {
    numbers: records.map(({ bytes }) => Number(Buffer.from(bytes).toString().split('.')[0])),
    next: records.at(-1)?.next ?? to,
  }
}

void test('a full disk refuses appends, and freed space heals the log without a restart', async (context) => {
  await withSmallDisk(context, async (dir) => {
    const options = { dir: join(dir, 'log'), logger: silentLogger }
    const writer = await openLogWriter(options)
    const reader = await openLogReader({
      ...options,
      onCorruption: () => assert.fail('something was half written'),
    })
    const ballast = join(dir, 'ballast')
    await writeFile(ballast, Buffer.alloc(300_000))
    const before = await fill(writer, 0)
    assert.ok(before.length > 20, `${before.length} records`)
    // Several at once, so that a group of records fails as one.
    const more = await Promise.allSettled([101, 102, 103, 104].map((number) => writer.append(body(number))))
    assert.ok(
      more.every((result) => result.status === 'rejected' && result.reason instanceof UnavailableError),
    )
    await rm(ballast)
    await writer.append(body(200))
    await writer.append(body(201))
    const found = await numbers(reader, writer.stats().durablePosition)
    assert.deepEqual(found.numbers, [...before, 200, 201])
    await writer.close()
    await reader.close()
    const restarted = await openLogReader(options)
    assert.deepEqual((await numbers(restarted, found.next)).numbers, [...before, 200, 201])
    await restarted.close()
  })
})

void test('a disk that the log itself filled heals as soon as the records are consumed', async (context) => {
  await withSmallDisk(context, async (dir) => {
    // The default segment is far larger than the disk: what is consumed must become space all the same.
    const options = { dir: join(dir, 'log'), logger: silentLogger }
    const writer = await openLogWriter(options)
    const reader = await openLogReader({
      ...options,
      onCorruption: () => assert.fail('something was half written'),
    })
    for (let round = 0; round < 3; round++) {
      const taken = await fill(writer, round * 1000)
      assert.ok(taken.length > 20, `${taken.length} records in round ${round}`)
      const found = await numbers(reader, writer.stats().durablePosition)
      assert.deepEqual(found.numbers, taken)
      await reader.commit(found.next)
      assert.deepEqual(await reader.depth(), { bytes: 0, oldestMs: undefined })
    }
    await writer.close()
    await reader.close()
  })
})
