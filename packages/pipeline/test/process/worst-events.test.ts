/** No event holds its worker thread for long: a thread that does is ended, and its event is a dead letter. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeIntakeRecord, type EnvelopeMeta } from '@sonde/log'
import { createEnvelope, serializeEnvelope } from '@sonde/protocol/envelope'
import { processRecord } from '../../src/process/process-record.ts'
import { DEFAULT_PROCESSING_SETTINGS } from '../../src/process/settings-history.ts'
import { HOSTILE_EVENTS, type HostileEvent } from './hostile-events.ts'

// A quarter of what an event may have. What takes the square of its length would take sixteen times as long as the largest.
const BYTES = 256 * 1024
// Of the processor: about 20 here, 150 at most. A thread is ended after 5,000, for four times as much.
const WITHIN_MS = 1_000
const TRIES = 3
const META: EnvelopeMeta = { v: 1, kind: 'envelope', receivedMs: 1_790_000_000_000, projectId: 3, keyId: 4 }

function busyMs({ type, make }: HostileEvent): number {
  const payload = Buffer.from(JSON.stringify(make(BYTES)))
  const body = serializeEnvelope(createEnvelope({}, [{ header: { type }, payload }]))
  const bytes = encodeIntakeRecord(META, body)
  const before = process.threadCpuUsage()
  const { dead, events, rows, outcomes } = processRecord(
    { position: 5, next: 9, bytes },
    DEFAULT_PROCESSING_SETTINGS,
  )
  const { user, system } = process.threadCpuUsage(before)
  assert.deepEqual(dead, [])
  assert.ok(events.length + rows.length + outcomes.length > 0, 'it ended in nothing')
  return (user + system) / 1_000
}

for (const event of HOSTILE_EVENTS)
  test(event.name, () => {
    let took = busyMs(event)
    for (let tries = 1; tries < TRIES && took >= WITHIN_MS; tries++) took = busyMs(event)
    assert.ok(took < WITHIN_MS, `${took} ms`)
  })
