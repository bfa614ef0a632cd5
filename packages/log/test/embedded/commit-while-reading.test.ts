import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { temporaryLog } from './temporary-log.ts'

const RECORDS = 1_500

void describe('a reader that commits while it reads', () => {
  void test('skips nothing when segments are deleted under it', async () => {
    // Two records to a segment: each commit leaves segments behind, as the pipeline's does once in 64 MiB.
    const log = await temporaryLog({ segmentBytes: 2_600 })
    const body = Buffer.alloc(1_000)
    const write = async (): Promise<void> => {
      for (let number = 0; number < RECORDS; number++) {
        body.writeUInt32LE(number)
        const appended = log.writer.append(Buffer.from(body))
        if (number % 3 === 0) await appended
      }
    }
    const seen: number[] = []
    const commits: Promise<void>[] = []
    const read = async (): Promise<void> => {
      const signal = AbortSignal.timeout(20_000)
      for (let position = 0; seen.length < RECORDS && !signal.aborted;) {
        const records = await log.reader.read(position, { maxRecords: 5, maxBytes: 2 ** 20 }, signal)
        for (const { bytes } of records) seen.push(Buffer.from(bytes).readUInt32LE(0))
        position = records.at(-1)?.next ?? position
        commits.push(log.reader.commit(position))
        if (seen.at(-1) === RECORDS - 1) break
      }
    }
    await Promise.all([write(), read()])
    await Promise.all(commits)
    assert.deepEqual(
      seen,
      Array.from({ length: RECORDS }, (_, number) => number),
    )
    await log.dispose()
  })
})
