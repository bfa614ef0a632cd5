import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { temporaryLog } from './temporary-log.ts'

// Some milliseconds are usual: what is near this came by the poll.
const POLL_MS = 2_000
const limit = { maxRecords: 10, maxBytes: 1e6 }

void test('a waiting reader has a record by the watch and not by the poll', async () => {
  const log = await temporaryLog({ pollMs: POLL_MS })
  await log.writer.append(Buffer.from('first')) // so that the watched file exists
  const signal = AbortSignal.timeout(10_000)
  let position = (await log.reader.read(0, limit, signal)).at(-1)!.next
  const tookMs: number[] = []
  for (let round = 0; round < 50; round++) {
    const waiting = log.reader.read(position, limit, signal)
    // The watch is set up by then.
    await turn()
    const startMs = performance.now()
    await log.writer.append(Buffer.from('x'))
    position = (await waiting).at(-1)!.next
    tookMs.push(performance.now() - startMs)
  }
  const median = tookMs.toSorted((a, b) => a - b)[25]!
  assert.ok(median < POLL_MS / 4, `median ${median} ms`)
  await log.dispose()
})

void test('a waiting reader uses no processor', async () => {
  const log = await temporaryLog()
  const waiting = log.reader.read(0, limit, AbortSignal.timeout(500))
  const before = process.cpuUsage()
  await waiting
  const { user, system } = process.cpuUsage(before)
  assert.ok(user + system < 250_000, `${user + system} of 500,000 µs`)
  await log.dispose()
})
