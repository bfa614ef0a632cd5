/**
 * What every engine of the log must do, as tests against the interfaces alone: nobody above the log can tell
 * the engines apart. Run by each engine's own test file.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { UnavailableError } from '@sonde/base'
import type { LogReader, LogRecord, LogWriter } from './log.ts'

export type OpenLog = {
  readonly writer: LogWriter
  readonly reader: LogReader
  /** Closes both ends and opens the same log again, as after a restart. */
  reopen(): Promise<OpenLog>
  /** Closes both ends and removes the log. */
  dispose(): Promise<void>
}

const ALL = { maxRecords: 10_000, maxBytes: 1e9 }
const never = new AbortController().signal

export function logConformance(name: string, open: () => Promise<OpenLog>): void {
  const withLog = (title: string, run: (log: OpenLog) => Promise<void>): void => {
    void test(title, async () => {
      let current = await open()
      const reopen = async (): Promise<OpenLog> => {
        const reopened = await current.reopen()
        current = reopened
        return { ...reopened, reopen }
      }
      try {
        await run({ ...current, reopen })
      } finally {
        await current.dispose()
      }
    })
  }

  void describe(`the ${name} log`, () => {
    withLog(
      'reads what was appended, byte for byte and in the order of the calls',
      async ({ writer, reader }) => {
        const bodies = [
          Buffer.from('one'),
          Buffer.alloc(0),
          Buffer.from([0, 255, 10, 13, 0]),
          Buffer.alloc(300_000, 7),
        ]
        await Promise.all(bodies.map((body) => writer.append(body)))
        const records = await readCount(reader, 0, bodies.length)
        assert.deepEqual(
          records.map((record) => Buffer.from(record.bytes)),
          bodies,
        )
      },
    )

    withLog(
      'hands out increasing positions, and `next` never reaches beyond the next record',
      async (log) => {
        await appendAll(log.writer, ['a', 'b', 'c', 'd'])
        const records = await readCount(log.reader, 0, 4)
        for (const [index, record] of records.entries()) {
          assert.ok(record.next > record.position)
          const following = records[index + 1]
          if (following) assert.ok(following.position >= record.next)
        }
      },
    )

    withLog('takes a record in two pieces, of which either may be empty', async ({ writer, reader }) => {
      const pieces = [
        ['head ', 'body'],
        ['', 'body'],
        ['head', ''],
        ['', ''],
      ] as const
      await Promise.all(pieces.map(([head, body]) => writer.append(Buffer.from(head), Buffer.from(body))))
      assert.deepEqual(texts(await readCount(reader, 0, 4)), ['head body', 'body', 'head', ''])
    })

    withLog('gives the same records when the same place is read twice', async ({ writer, reader }) => {
      await appendAll(writer, ['a', 'b', 'c'])
      const records = await readCount(reader, 0, 3)
      assert.deepEqual(await readCount(reader, 0, 3), records)
      assert.deepEqual(texts(await readCount(reader, records[0]?.next ?? -1, 2)), ['b', 'c'])
    })

    withLog('keeps what is in it when a reader frees what it read', async ({ writer, reader }) => {
      await appendAll(writer, ['a', 'b', 'c'])
      const freed = await readCount(reader, 0, 2)
      reader.free?.(freed)
      assert.deepEqual(texts(await readCount(reader, 0, 3)), ['a', 'b', 'c'])
      const left = reader.free ? [0, 0] : [1, 1]
      assert.deepEqual(
        freed.map(({ bytes }) => bytes.length),
        left,
      )
    })

    withLog('stops at maxRecords', async ({ writer, reader }) => {
      await appendAll(writer, ['a', 'b', 'c'])
      await readCount(reader, 0, 3)
      assert.deepEqual(texts(await reader.read(0, { maxRecords: 2, maxBytes: 1e9 }, never)), ['a', 'b'])
    })

    withLog('stops before maxBytes, but gives one record that is larger', async ({ writer, reader }) => {
      await appendAll(writer, ['aaaa', 'bbbb', 'cccc'])
      await readCount(reader, 0, 3)
      assert.deepEqual(texts(await reader.read(0, { maxRecords: 10, maxBytes: 8 }, never)), ['aaaa', 'bbbb'])
      assert.deepEqual(texts(await reader.read(0, { maxRecords: 10, maxBytes: 1 }, never)), ['aaaa'])
    })

    withLog('reads a former batch again exactly, also when more came after it', async (log) => {
      await appendAll(log.writer, ['a', 'b'])
      const batch = await readCount(log.reader, 0, 2)
      await appendAll(log.writer, ['c', 'd'])
      await readCount(log.reader, 0, 4)
      const { reader } = await log.reopen()
      const to = batch[1]?.next ?? -1
      assert.deepEqual(await reader.read(batch[0]?.position ?? -1, { ...ALL, to }, never), batch)
      assert.deepEqual(await reader.read(to, { ...ALL, to }, never), [])
    })

    withLog('waits for a record and wakes up for it', async ({ writer, reader }) => {
      const waiting = reader.read(0, ALL, never)
      await writer.append(Buffer.from('late'))
      assert.deepEqual(texts(await waiting), ['late'])
    })

    withLog('gives nothing when the wait is aborted, before or while it waits', async ({ reader }) => {
      assert.deepEqual(await reader.read(0, ALL, AbortSignal.abort()), [])
      assert.deepEqual(await reader.read(0, ALL, AbortSignal.timeout(20)), [])
    })

    withLog('keeps records and the commit over a restart', async (log) => {
      await appendAll(log.writer, ['a', 'b', 'c'])
      const [first] = await readCount(log.reader, 0, 3)
      assert.equal(await log.reader.committed(), 0)
      await log.reader.commit(first?.next ?? -1)
      const { writer, reader } = await log.reopen()
      assert.equal(await reader.committed(), first?.next)
      await appendAll(writer, ['d'])
      assert.deepEqual(texts(await readCount(reader, await reader.committed(), 3)), ['b', 'c', 'd'])
    })

    withLog('never moves the commit back, and may be told the same twice', async ({ writer, reader }) => {
      await appendAll(writer, ['a', 'b'])
      const [first, second] = await readCount(reader, 0, 2)
      await reader.commit(second?.next ?? -1)
      await reader.commit(second?.next ?? -1)
      await reader.commit(first?.next ?? -1)
      assert.equal(await reader.committed(), second?.next)
    })

    withLog('counts what waits behind the commit, and since when', async ({ writer, reader }) => {
      assert.deepEqual(await reader.depth(), { bytes: 0, oldestMs: undefined })
      const beforeMs = Date.now()
      await appendAll(writer, ['x'.repeat(1000), 'y'.repeat(1000)])
      const records = await readCount(reader, 0, 2)
      const depth = await reader.depth()
      assert.ok(depth.bytes >= 2000 && depth.bytes < 4000, `${depth.bytes} bytes`)
      assert.ok(depth.oldestMs !== undefined && depth.oldestMs >= beforeMs && depth.oldestMs <= Date.now())
      await reader.commit(records[1]?.next ?? -1)
      assert.deepEqual(await reader.depth(), { bytes: 0, oldestMs: undefined })
    })

    withLog(
      'takes many appends at once without losing, doubling or reordering one',
      async ({ writer, reader }) => {
        const sent = Array.from({ length: 500 }, (_, index) => `record ${index}`)
        await appendAll(writer, sent)
        assert.deepEqual(texts(await readCount(reader, 0, sent.length)), sent)
      },
    )

    withLog('close lets waiting appends finish, and then refuses', async ({ writer, reader }) => {
      const pending = writer.append(Buffer.from('in time'))
      await writer.close()
      await pending
      await assert.rejects(writer.append(Buffer.from('too late')), UnavailableError)
      assert.deepEqual(texts(await readCount(reader, 0, 1)), ['in time'])
    })

    withLog('a read that waits ends without records when the reader closes', async ({ reader }) => {
      const waiting = reader.read(0, ALL, never)
      await reader.close()
      assert.deepEqual(await waiting, [])
      await assert.rejects(reader.read(0, ALL, never))
    })
  })
}

async function appendAll(writer: LogWriter, bodies: readonly string[]): Promise<void> {
  await Promise.all(bodies.map((body) => writer.append(Buffer.from(body))))
}

/** Reads on until `count` records came; an engine may hand out fewer at a time. */
export async function readCount(reader: LogReader, from: number, count: number): Promise<LogRecord[]> {
  const records: LogRecord[] = []
  const signal = AbortSignal.timeout(10_000)
  while (records.length < count) {
    const limit = { ...ALL, maxRecords: count - records.length }
    const more = await reader.read(records.at(-1)?.next ?? from, limit, signal)
    if (more.length === 0) throw new Error(`${records.length} of ${count} records came within 10 s`)
    records.push(...more)
  }
  return records
}

export function texts(records: readonly LogRecord[]): string[] {
  return records.map((record) => Buffer.from(record.bytes).toString())
}
