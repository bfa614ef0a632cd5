import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { releaseMemoryWhileIdle } from '../../src/observe/release-memory.ts'

const MB = 1024 * 1024

test('what was held goes back to the system once nothing happens', async (t) => {
  let held: unknown[] | undefined = Array.from({ length: 1_000_000 }, (_, index) => ({ index }))
  assert.ok(held.length > 0)
  const before = getHeapStatistics().total_physical_size
  held = undefined
  t.after(releaseMemoryWhileIdle({ lookEveryMs: 20 }))
  const endMs = performance.now() + 10_000
  while (getHeapStatistics().total_physical_size > before - 16 * MB) {
    assert.ok(performance.now() < endMs, 'the heap stays as large as it was')
    await sleep(50)
  }
})

test('a process that works is left alone', async (t) => {
  let released = 0
  t.after(releaseMemoryWhileIdle({ lookEveryMs: 20, release: () => released++ }))
  const endMs = performance.now() + 400
  while (performance.now() < endMs) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(released, 0)
})

test('it happens again only after a while, and when it is worth it', async (t) => {
  const counts = { often: 0, seldom: 0, worthless: 0 }
  const options = { lookEveryMs: 20, atMostEveryMs: 0, worthBytes: -Infinity }
  t.after(releaseMemoryWhileIdle({ ...options, release: () => counts.often++ }))
  t.after(releaseMemoryWhileIdle({ ...options, atMostEveryMs: 60_000, release: () => counts.seldom++ }))
  t.after(releaseMemoryWhileIdle({ ...options, worthBytes: 8 * MB, release: () => counts.worthless++ }))
  const endMs = performance.now() + 10_000
  while (counts.often < 3) {
    assert.ok(performance.now() < endMs)
    await sleep(20)
  }
  // The first of each counts from nothing.
  assert.deepEqual([counts.seldom, counts.worthless], [1, 1])
})
