/** Figure 5: bytes on disk for each event, once stored and merged, against the JSON that was received. */
import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startGenerator } from './load/start-generator.ts'
import { idPrefix } from './load/template.ts'
import { startMeasuredSonde } from './measured-sonde.ts'
import { pythonLikeEnvelopes } from './payloads/python-like.ts'
import { sdkEnvelopes } from './payloads/sdk-envelopes.ts'
import { atMost, type Figure } from './report/figure.ts'
import type { StoredParts } from './stored/count-parts.ts'

/** Each is sent once: no two are equal. */
const DISTINCT = 4_000
// As an SDK's events come: so many a second that each batch has dozens, and background merges have work.
const RATE_PER_SEC = 800
// Merges go on for a while after the last insert.
const SETTLE_MS = 5_000
const CONNECTIONS = 32

export async function stored(): Promise<Figure[]> {
  const distinct = await storedPerEvent(await sdkEnvelopes(DISTINCT))
  const synthetic = await storedPerEvent(pythonLikeEnvelopes())
  return [
    {
      part: 'stored',
      name: `bytes per event, ${DISTINCT.toLocaleString('en')} distinct SDK payloads`,
      value: distinct.bytesPerEvent,
      unit: 'B',
      against: { name: 'received JSON', value: distinct.receivedPerEvent },
      budget: atMost(0.1, distinct.bytesPerEvent / distinct.receivedPerEvent, '10 %'),
    },
    {
      part: 'stored',
      name: 'bytes per event, synthetic 3,026 B',
      value: synthetic.bytesPerEvent,
      unit: 'B',
      against: { name: 'received JSON', value: synthetic.receivedPerEvent },
    },
  ]
}

type PerEvent = { readonly bytesPerEvent: number; readonly receivedPerEvent: number }

async function storedPerEvent(envelopes: readonly string[]): Promise<PerEvent> {
  const sonde = await startMeasuredSonde()
  const generator = startGenerator()
  const { dataDir } = sonde.running
  const records = join(dataDir, 'records.sqlite')
  try {
    const recordsBefore = statSync(records).size
    await generator.load('events', envelopes, sonde.target)
    const { ok } = await generator.run({
      target: sonde.target,
      payloads: 'events',
      connections: CONNECTIONS,
      durationMs: 60_000,
      count: DISTINCT,
      ratePerSec: RATE_PER_SEC,
      idPrefix: idPrefix(),
      firstCounter: 0,
    })
    if (ok !== DISTINCT) throw new Error(`${ok} of ${DISTINCT} were accepted`)
    await sonde.untilQueryable(ok)
    await sleep(SETTLE_MS)
    await sonde.stop()
    const { stdout } = await promisify(execFile)(process.execPath, [
      join(import.meta.dirname, 'stored', 'count-parts.ts'),
      join(dataDir, 'telemetry'),
    ])
    const parts = JSON.parse(stdout) as StoredParts
    const received = envelopes.reduce((sum, envelope) => sum + Buffer.byteLength(envelope), 0)
    return {
      bytesPerEvent: (parts.bytes + statSync(records).size - recordsBefore) / ok,
      receivedPerEvent: received / envelopes.length,
    }
  } finally {
    sonde.running.child.kill('SIGKILL')
    generator.stop()
    sonde.remove()
  }
}
