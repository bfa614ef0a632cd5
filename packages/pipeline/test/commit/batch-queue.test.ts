import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { LogRecord } from '@sonde/log'
import { type BatchEntry, createBatchQueue, freeBatch } from '../../src/commit/batch-queue.ts'

const GAP_MS = 150
const limits = { maxRecords: 4, maxBytes: 1_000, minGapMs: GAP_MS }

function entry(position: number): BatchEntry {
  const next = position + 10
  return {
    record: { position, next, bytes: new Uint8Array(10) },
    processed: { position, next, events: [], rows: [], attachments: [], outcomes: [], dead: [] },
  }
}

/** A queue whose time passes only by `pass`. */
function steppedQueue(context: TestContext) {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  let nowMs = 1_000
  const queue = createBatchQueue(limits, () => nowMs)
  return {
    queue,
    pass(ms: number): void {
      nowMs += ms
      context.mock.timers.tick(ms)
    },
  }
}

/** Says whether it has resolved, once everything that could resolve it has run. */
async function isThere(taking: Promise<unknown>): Promise<boolean> {
  let there = false
  void taking.then(() => (there = true))
  await turn()
  return there
}

void describe('the queue between reading and committing', () => {
  test('gives the first record after a quiet moment at once', async (t) => {
    const { queue } = steppedQueue(t)
    queue.push([entry(0)])
    assert.equal((await queue.take(0))?.entries.length, 1)
  })

  test('lets records that follow closely gather for one batch', async (t) => {
    const { queue, pass } = steppedQueue(t)
    queue.push([entry(0)])
    await queue.take(0)
    queue.push([entry(10)])
    const taking = queue.take(0)
    await turn()
    pass(GAP_MS / 3)
    queue.push([entry(20)])
    assert.equal(await isThere(taking), false)
    pass(GAP_MS)
    assert.equal((await taking)?.entries.length, 2)
  })

  test('does not wait when the next batch is full', async (t) => {
    const { queue } = steppedQueue(t)
    queue.push([entry(0)])
    await queue.take(0)
    const taking = queue.take(0)
    queue.push([entry(10), entry(20), entry(30), entry(40)])
    assert.equal((await taking)?.entries.length, 4)
  })

  test('ends all waiting when it is closed', async (t) => {
    const { queue } = steppedQueue(t)
    queue.push([entry(0)])
    await queue.take(0)
    queue.push([entry(10)])
    const taking = queue.take(0)
    queue.close()
    assert.equal(await taking, undefined)
  })
})

void describe('a batch that is committed', () => {
  test('gives back the memory of its records by their reader, and of rows that threads packed itself', () => {
    const packed = new Uint8Array(new ArrayBuffer(100), 10, 20)
    const of = (position: number, row: string | Uint8Array): BatchEntry => {
      const { record, processed } = entry(position)
      const event = { row } as BatchEntry['processed']['events'][number]
      const item = { rows: { spans: row } } as BatchEntry['processed']['rows'][number]
      return { record, processed: { ...processed, events: [event], rows: [item] } }
    }
    const freed: number[] = []
    const log = {
      free(records: readonly LogRecord[]) {
        for (const { position } of records) freed.push(position)
      },
    }
    freeBatch(log, { entries: [of(0, packed), of(10, 'text')] })
    assert.deepEqual(freed, [0, 10])
    assert.equal(packed.buffer.detached, true)
  })
})
