/**
 * What source maps cost the pipeline, on a log, stores and threads of its own: an event of 30 frames whose map is in the
 * cache, the first one that needs a map of 10 MB, and how many events a second are stored with maps and without.
 */
import { buildBigApp } from './maps/big-app.ts'
import { type Cold, type MapsHarness, openMapsHarness } from './maps/maps-harness.ts'
import { atLeast, atMost, type Figure, median } from './report/figure.ts'

const MANY_FRAMES = 30
/** What an error of a single-page application has. */
const USUAL_FRAMES = 12
const EVENTS = 1_500
const ROUNDS = 5
const COLD_ROUNDS = 5

export async function maps(say: (text: string) => void): Promise<Figure[]> {
  say('builds an application with a map of 10 MB')
  const app = await buildBigApp()
  const harness = await openMapsHarness(app)
  try {
    const cold: Cold[] = []
    for (let round = 0; round < COLD_ROUNDS; round++) cold.push(await harness.cold())
    const coldMs = median(cold.map(({ tookMs }) => tookMs))
    const coldCpuMs = median(cold.map(({ cpuMs }) => cpuMs))
    say(`cold: ${coldMs.toFixed(0)} ms, ${coldCpuMs.toFixed(0)} ms of processor time`)
    const megabytes = (Buffer.byteLength(app.map) / 1e6).toFixed(1)
    const many = await throughput(harness, MANY_FRAMES, say)
    const usual = await throughput(harness, USUAL_FRAMES, say)
    return [
      {
        part: 'maps',
        name: `an event of ${MANY_FRAMES} frames, map in the cache: its time on the thread`,
        value: many.stageMs,
        unit: 'ms',
        budget: atMost(1, many.stageMs, '1 ms'),
      },
      {
        part: 'maps',
        name: `the first position in a map of ${megabytes} MB, from the disk: processor time`,
        value: coldCpuMs,
        unit: 'ms',
        against: { name: 'by the clock', value: coldMs },
        budget: atMost(400, coldCpuMs, '400 ms'),
      },
      stored(usual, USUAL_FRAMES, atLeast(0.6, usual.ratio, '60 %')),
      stored(many, MANY_FRAMES, atLeast(0.7, many.ratio, '70 %')),
      ...[usual, many].map((measured, at): Figure => ({
        part: 'maps',
        name: `processor time of one of ${at === 0 ? USUAL_FRAMES : MANY_FRAMES} frames, with maps`,
        value: measured.withCpuMs,
        unit: 'ms',
        against: { name: 'without', value: measured.withoutCpuMs },
      })),
    ]
  } finally {
    await harness.close()
  }
}

function stored(
  { withPerSec, withoutPerSec }: Throughput,
  frames: number,
  budget: NonNullable<Figure['budget']>,
): Figure {
  return {
    part: 'maps',
    name: `events of ${frames} frames stored, with maps`,
    value: withPerSec,
    unit: '/s',
    against: { name: 'without', value: withoutPerSec },
    budget,
  }
}

type Throughput = Awaited<ReturnType<typeof throughput>>

/** Both in turn, so that whatever else the machine does weighs on both. */
async function throughput(harness: MapsHarness, frames: number, say: (text: string) => void) {
  for (const kind of ['with', 'without'] as const) await harness.store(kind, frames, EVENTS / 5)
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const without = await harness.store('without', frames, EVENTS)
    const mapped = await harness.store('with', frames, EVENTS)
    rounds.push({ without, mapped })
    say(`${frames} frames: ${without.perSec.toFixed(0)}/s without, ${mapped.perSec.toFixed(0)}/s with maps`)
  }
  return {
    ratio: median(rounds.map(({ without, mapped }) => mapped.perSec / without.perSec)),
    withPerSec: median(rounds.map(({ mapped }) => mapped.perSec)),
    withoutPerSec: median(rounds.map(({ without }) => without.perSec)),
    withCpuMs: median(rounds.map(({ mapped }) => mapped.cpuMs)),
    withoutCpuMs: median(rounds.map(({ without }) => without.cpuMs)),
    stageMs: median(rounds.map(({ mapped }) => mapped.symbolicateMs)),
  }
}
