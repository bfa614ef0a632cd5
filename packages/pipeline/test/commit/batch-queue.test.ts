import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BatchEntry, type BatchQueue, createBatchQueue } from '../../src/commit/batch-queue.ts'

const GAP_MS = 150
const limits = { maxRecords: 4, maxBytes: 1_000, minGapMs: GAP_MS }

function entry(position: number): BatchEntry {
  const next = position + 10
  return {
    record: { position, next, bytes: new Uint8Array(10) },
    processed: { position, next, events: [], spans: [], attachments: [], outcomes: [], dead: [] },
  }
}

/** How many entries the next batch has, and how long it let wait. */
async function takeTimed(queue: BatchQueue): Promise<{ count: number; tookMs: number }> {
  const startMs = performance.now()
  const batch = await queue.take(0)
  return { count: batch?.entries.length ?? -1, tookMs: performance.now() - startMs }
}

void describe('the queue between reading and committing', () => {
  test('gives the first record after a quiet moment at once', async () => {
    const queue = createBatchQueue(limits)
    queue.push([entry(0)])
    const { count, tookMs } = await takeTimed(queue)
    assert.equal(count, 1)
    assert.ok(tookMs < GAP_MS / 2, `${tookMs} ms`)
  })

  test('lets records that follow closely gather for one batch', async () => {
    const queue = createBatchQueue(limits)
    queue.push([entry(0)])
    await queue.take(0)
    queue.push([entry(10)])
    const taking = takeTimed(queue)
    await sleep(GAP_MS / 3)
    queue.push([entry(20)])
    const { count, tookMs } = await taking
    assert.equal(count, 2)
    assert.ok(tookMs > GAP_MS * 0.8, `${tookMs} ms`)
  })

  test('does not wait when the next batch is full', async () => {
    const queue = createBatchQueue(limits)
    queue.push([entry(0)])
    await queue.take(0)
    const taking = takeTimed(queue)
    queue.push([entry(10), entry(20), entry(30), entry(40)])
    const { count, tookMs } = await taking
    assert.equal(count, 4)
    assert.ok(tookMs < GAP_MS / 2, `${tookMs} ms`)
  })

  test('ends all waiting when it is closed', async () => {
    const queue = createBatchQueue(limits)
    queue.push([entry(0)])
    await queue.take(0)
    queue.push([entry(10)])
    const taking = takeTimed(queue)
    queue.close()
    const { count, tookMs } = await taking
    assert.equal(count, -1)
    assert.ok(tookMs < GAP_MS / 2, `${tookMs} ms`)
  })
})
