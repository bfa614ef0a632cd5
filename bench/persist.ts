/**
 * Figures 2, 3 and 4, of one Sonde: events that can be queried per second, how soon they can be, and what that needs
 * of memory. The load generator and Sonde share all processors.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { startGenerator } from './load/start-generator.ts'
import { type MeasuredSonde, startMeasuredSonde } from './measured-sonde.ts'
import { memoryFigures, watchMemory } from './memory.ts'
import { pythonLikeEnvelopes } from './payloads/python-like.ts'
import { sdkEnvelopes } from './payloads/sdk-envelopes.ts'
import { findKnee, type Knee } from './persist/find-knee.ts'
import type { Figure } from './report/figure.ts'
import { visibleAfter } from './visible.ts'

const SETTLE_MS = 3_000
const SDK_ENVELOPES = 500

export async function persist(say: (text: string) => void): Promise<Figure[]> {
  return [...(await synthetic(say)), ...(await realSdk(say))]
}

async function synthetic(say: (text: string) => void): Promise<Figure[]> {
  return withSonde(pythonLikeEnvelopes(), async (sonde, generator) => {
    await sleep(SETTLE_MS)
    const idle = sonde.memory()
    const watch = watchMemory(sonde)
    const knee = await findKnee(sonde, generator, {
      payloads: 'events',
      intervalMs: 6_000,
      soakMs: 15_000,
      say,
    })
    const atKnee = watch.stop()
    const visible = await visibleAfter(sonde, generator, 'events', knee.kneePerSec / 2)
    return [...kneeFigures('3,026 B', knee), ...visible, ...memoryFigures(idle, atKnee)]
  })
}

async function realSdk(say: (text: string) => void): Promise<Figure[]> {
  return withSonde(await sdkEnvelopes(SDK_ENVELOPES), async (sonde, generator) =>
    kneeFigures(
      'SDK 6.7 kB',
      await findKnee(sonde, generator, { payloads: 'events', intervalMs: 4_000, soakMs: 8_000, say }),
    ),
  )
}

type Run = (sonde: MeasuredSonde, generator: ReturnType<typeof startGenerator>) => Promise<Figure[]>

async function withSonde(envelopes: readonly string[], run: Run): Promise<Figure[]> {
  const sonde = await startMeasuredSonde()
  const generator = startGenerator()
  try {
    await generator.load('events', envelopes, sonde.target)
    const figures = await run(sonde, generator)
    await sonde.stop()
    return figures
  } finally {
    sonde.running.child.kill('SIGKILL')
    generator.stop()
    sonde.remove()
  }
}

function kneeFigures(payload: string, { kneePerSec, soak }: Knee): Figure[] {
  const part = 'persist'
  const kept = soak.verdict === 'kept up' ? '' : ` (${soak.verdict}!)`
  return [
    {
      part,
      name: `errors persisted, ${payload}, soak${kept}`,
      value: soak.persistedPerSec,
      unit: '/s',
      against: { name: 'knee', value: kneePerSec },
    },
    {
      part,
      name: `processor time per event, ${payload}, front + back`,
      value: soak.cpuMicrosPerEvent,
      unit: 'µs',
    },
    { part, name: `accepted during it, ${payload}, p50`, value: soak.sent.latencyMs.p50, unit: 'ms' },
    { part, name: `accepted during it, ${payload}, p99`, value: soak.sent.latencyMs.p99, unit: 'ms' },
  ]
}
