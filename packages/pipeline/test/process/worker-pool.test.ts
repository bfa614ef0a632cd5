/** Worker threads: same results as without them, and no record takes another with it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { silentLogger as logger } from '@sonde/base'
import { encodeIntakeRecord, type LogRecord } from '@sonde/log'
import type { ProcessedRecord } from '../../src/process/processed.ts'
import { startWorkerPool } from '../../src/process/worker-pool.ts'

const POISON = new URL('./poison-worker.ts', import.meta.url)

function recordsOf(messages: readonly string[]): LogRecord[] {
  return messages.map((message, at) => {
    const eventId = at.toString(16).padStart(32, '0')
    const body = `{"event_id":"${eventId}"}\n{"type":"event"}\n${JSON.stringify({ message })}\n`
    const meta = {
      v: 1,
      kind: 'envelope',
      receivedMs: 1_790_000_000_000,
      projectId: 3,
      keyId: 4,
      eventId,
    } as const
    return { position: at * 100, next: at * 100 + 100, bytes: encodeIntakeRecord(meta, Buffer.from(body)) }
  })
}

/** Rows cross threads as bytes. */
const withTextRows = (processed: readonly ProcessedRecord[]): ProcessedRecord[] =>
  processed.map((record) => ({
    ...record,
    events: record.events.map((event) => ({ ...event, row: Buffer.from(event.row).toString() })),
  }))

describe('the digest pool', () => {
  it('gives what the same thread gives, in the order of the records', async () => {
    const records = recordsOf(Array.from({ length: 300 }, (_, at) => `message ${at}`))
    const inline = startWorkerPool({ threads: 0 }, { logger })
    const runs: number[] = []
    const onTimes = (times: ReadonlyMap<string, { runs: number }>) => runs.push(times.get('parse')?.runs ?? 0)
    const threads = startWorkerPool({ threads: 2 }, { logger, onTimes })
    assert.deepEqual(
      withTextRows(await threads.process(records)),
      withTextRows(await inline.process(records)),
    )
    assert.equal(
      runs.reduce((a, b) => a + b, 0),
      300,
    )
    await threads.close()
  })

  for (const [poison, reason, recordTimeoutMs] of [
    ['please hang', 'digest_timeout', 700],
    ['please crash', 'digest_crash', 20_000],
    ['please eat', 'digest_crash', 20_000],
  ] as const) {
    it(`gives up the one record that says "${poison}"`, async () => {
      const pool = startWorkerPool(
        { threads: 1, entry: POISON, recordTimeoutMs, maxHeapMib: 128 },
        { logger },
      )
      const messages = Array.from({ length: 20 }, (_, at) => (at === 7 ? poison : `fine ${at}`))
      const processed = await pool.process(recordsOf(messages))
      assert.deepEqual(
        processed.map((record) => record.position),
        recordsOf(messages).map((record) => record.position),
      )
      for (const [at, record] of processed.entries()) {
        assert.equal(record.events.length, at === 7 ? 0 : 1)
        assert.deepEqual(
          record.dead.map((dead) => [dead.reason, dead.projectId]),
          at === 7 ? [[reason, 3]] : [],
        )
      }
      assert.equal(pool.failures(), 2)
      const again = await pool.process(recordsOf(['fine']))
      assert.equal(again[0]?.events.length, 1)
      await pool.close()
    })
  }

  it('ends a thread that has nothing to do, and starts another for the next record', async (t) => {
    const workers: Worker[] = []
    const onWorker = (worker: Worker): number => workers.push(worker)
    process.on('worker', onWorker)
    t.after(() => process.off('worker', onWorker))
    const pool = startWorkerPool({ threads: 1, idleMs: 50 }, { logger })
    for (const threads of [1, 2]) {
      const [processed] = await pool.process(recordsOf(['fine']))
      assert.equal(processed?.events.length, 1)
      assert.equal(workers.length, threads)
      const endMs = performance.now() + 10_000
      // -1: it ended.
      while (workers.at(-1)?.threadId !== -1) {
        assert.ok(performance.now() < endMs, 'the thread goes on')
        await sleep(20)
      }
    }
    assert.equal(pool.failures(), 0)
    await pool.close()
  })

  it('keeps a thread that has something to do', async () => {
    const pool = startWorkerPool({ threads: 1, idleMs: 1 }, { logger })
    const processed = await pool.process(recordsOf(Array.from({ length: 2_000 }, (_, at) => `message ${at}`)))
    assert.equal(processed.filter(({ events }) => events.length === 1).length, 2_000)
    assert.equal(pool.failures(), 0)
    await pool.close()
  })

  it('says so when no thread can be started', async () => {
    const pool = startWorkerPool({ threads: 1, entry: new URL('./missing.ts', import.meta.url) }, { logger })
    await assert.rejects(pool.process(recordsOf(['fine'])), /no worker thread can be started/)
    await pool.close()
  })
})
