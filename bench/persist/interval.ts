/** One stretch of load at a fixed rate, and whether what is measured kept up with it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Generator } from '../load/start-generator.ts'
import type { LoadResult } from '../load/tally.ts'
import { idPrefix, type Target } from '../load/template.ts'

/** What is measured: a Sonde, or a peer of it. */
export type LoadedSystem = {
  readonly target: Target
  /** Events that can be queried. */
  queryable(): Promise<number>
  /** Waits until that many can be queried; returns when they could. Fails when nothing moves any more. */
  untilQueryable(events: number): Promise<number>
  /** Processor time of all its processes; NaN where the system does not say. */
  cpuMs(): number
}

export type IntervalLoad = {
  readonly payloads: string
  readonly ratePerSec: number
  readonly durationMs: number
  readonly kinds?: number
  /** How long after its end all of its events may still be on their way. */
  readonly graceMs?: number | undefined
}

export type IntervalVerdict = 'kept up' | 'fell behind' | 'refused' | 'sender too slow'

export type Interval = {
  readonly ratePerSec: number
  readonly verdict: IntervalVerdict
  /** Events that could be queried at its end and not at its beginning, for each second. */
  readonly persistedPerSec: number
  /** Of all processes, until the last event could be queried. */
  readonly cpuMicrosPerEvent: number
  readonly sent: LoadResult
}

/**
 * The peer's intervals last 60 s and a second of grace; these are shorter, so what they tolerate is less: with 90 %
 * after 6 s and one of grace, a rate of 1.3 times what is persisted would still pass.
 */
const MIN_OK = 0.9
const MIN_PERSISTED = 0.97
const MAX_BAD = 0.01
const MAX_LAG_P99_MS = 250
/** A batch is on its way for so long even when nothing waits. */
const USUAL_GRACE_MS = 250
const CONNECTIONS = 256

export async function runInterval(
  system: LoadedSystem,
  generator: Generator,
  { graceMs = USUAL_GRACE_MS, ...load }: IntervalLoad,
): Promise<Interval> {
  const before = await system.queryable()
  const cpuBeforeMs = system.cpuMs()
  const startMs = performance.now()
  const sent = await generator.run({
    ...load,
    target: system.target,
    connections: CONNECTIONS,
    idPrefix: idPrefix(),
    firstCounter: 0,
  })
  await sleep(graceMs)
  const persisted = (await system.queryable()) - before
  const persistedPerSec = (persisted / (performance.now() - startMs)) * 1000
  await system.untilQueryable(before + sent.ok)
  const cpuMicrosPerEvent = ((system.cpuMs() - cpuBeforeMs) / sent.ok) * 1000
  return {
    ratePerSec: load.ratePerSec,
    verdict: judge(sent, persisted),
    persistedPerSec,
    cpuMicrosPerEvent,
    sent,
  }
}

function judge(sent: LoadResult, persisted: number): IntervalVerdict {
  if (sent.lagMs.p99 > MAX_LAG_P99_MS) return 'sender too slow'
  const bad = sent.scheduled - sent.ok
  if (sent.ok < MIN_OK * sent.scheduled || bad > MAX_BAD * sent.scheduled) return 'refused'
  return persisted >= MIN_PERSISTED * sent.ok ? 'kept up' : 'fell behind'
}
