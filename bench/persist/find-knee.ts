/** The highest rate that is kept up with, and a soak a little below it. */
import type { Generator } from '../load/start-generator.ts'
import { idPrefix } from '../load/template.ts'
import { type Interval, type LoadedSystem, runInterval } from './interval.ts'

export type KneePlan = {
  readonly payloads: string
  readonly intervalMs: number
  readonly soakMs: number
  readonly graceMs?: number | undefined
  readonly probeMs?: number
  readonly say: (text: string) => void
}

export type Knee = {
  /** Rate of the last interval that was kept up with before two in a row were not. */
  readonly kneePerSec: number
  /** At 90 % of the knee; the rate goes down by a tenth until one is kept up with. */
  readonly soak: Interval
}

const USUAL_PROBE_MS = 5_000
const PROBE_CONNECTIONS = 64
// The probe sends as fast as it can and then lets the rest drain: about what can be sustained.
const FIRST_SHARE = 0.6
const LAST_FIRST_SHARE = 0.1
const STEP_SHARE = 0.1
const CLOSE_STEPS = 8
const MAX_INTERVALS = 24
const SOAK_SHARE = 0.9
const MAX_SOAKS = 2

export async function findKnee(system: LoadedSystem, generator: Generator, plan: KneePlan): Promise<Knee> {
  const probePerSec = await probe(system, generator, plan)
  plan.say(`closed loop: ${probePerSec.toFixed(0)} events/s from the first request to the last event`)
  const kneePerSec = await ramp(system, generator, plan, probePerSec)
  return { kneePerSec, soak: await soak(system, generator, plan, kneePerSec * SOAK_SHARE) }
}

async function ramp(
  system: LoadedSystem,
  generator: Generator,
  { payloads, intervalMs, graceMs, say }: KneePlan,
  probePerSec: number,
): Promise<number> {
  for (let firstShare = FIRST_SHARE; firstShare > LAST_FIRST_SHARE; firstShare /= 2) {
    let kneePerSec = 0
    let failing = 0
    let share = firstShare
    for (let step = 0; step < MAX_INTERVALS && failing < 2; step++) {
      const ratePerSec = Math.round(probePerSec * share)
      const interval = await runInterval(system, generator, {
        payloads,
        ratePerSec,
        durationMs: intervalMs,
        graceMs,
      })
      say(describe(interval))
      if (interval.verdict === 'kept up') {
        kneePerSec = ratePerSec
        failing = 0
      } else failing++
      // Far above what the probe found, which was slow because the system had just begun.
      share += step < CLOSE_STEPS ? STEP_SHARE : share * STEP_SHARE
    }
    if (kneePerSec > 0) return kneePerSec
    // The machine is busier than it was during the probe: from further down.
  }
  throw new Error('no rate was kept up with: is the machine busy with something else?')
}

async function soak(
  system: LoadedSystem,
  generator: Generator,
  { payloads, soakMs, graceMs, say }: KneePlan,
  firstRatePerSec: number,
): Promise<Interval> {
  let ratePerSec = Math.round(firstRatePerSec)
  for (let attempt = 1; ; attempt++) {
    const interval = await runInterval(system, generator, {
      payloads,
      ratePerSec,
      durationMs: soakMs,
      graceMs,
    })
    say(`soak: ${describe(interval)}`)
    if (interval.verdict === 'kept up' || attempt === MAX_SOAKS) return interval
    ratePerSec = Math.round(ratePerSec * SOAK_SHARE)
  }
}

async function probe(
  system: LoadedSystem,
  generator: Generator,
  { payloads, probeMs = USUAL_PROBE_MS }: KneePlan,
): Promise<number> {
  const before = await system.queryable()
  const startMs = Date.now()
  const { ok } = await generator.run({
    target: system.target,
    payloads,
    connections: PROBE_CONNECTIONS,
    durationMs: probeMs,
    ratePerSec: undefined,
    idPrefix: idPrefix(),
    firstCounter: 0,
  })
  const endMs = await system.untilQueryable(before + ok)
  return (ok / (endMs - startMs)) * 1000
}

function describe({ ratePerSec, verdict, persistedPerSec, sent }: Interval): string {
  const { p50, p99 } = sent.latencyMs
  return `${ratePerSec}/s: ${verdict}, ${persistedPerSec.toFixed(0)} persisted/s, accepted in ${p50.toFixed(1)} / ${p99.toFixed(1)} ms (p50 / p99)`
}
