/** One stretch of load at a fixed rate, and whether Sonde kept up with it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Generator } from '../load/start-generator.ts'
import type { LoadResult } from '../load/tally.ts'
import { idPrefix } from '../load/template.ts'
import type { MeasuredSonde } from '../measured-sonde.ts'

export type IntervalVerdict = 'kept up' | 'fell behind' | 'refused' | 'sender too slow'

export type Interval = {
  readonly ratePerSec: number
  readonly verdict: IntervalVerdict
  /** Events that could be queried at its end and not at its beginning, for each second. */
  readonly persistedPerSec: number
  /** Of front and back, until the last event could be queried. */
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
const GRACE_MS = 250
const CONNECTIONS = 256

export async function runInterval(
  sonde: MeasuredSonde,
  generator: Generator,
  load: { readonly payloads: string; readonly ratePerSec: number; readonly durationMs: number },
): Promise<Interval> {
  const before = await sonde.queryable()
  const cpuBeforeMs = sonde.cpuMs()
  const startMs = performance.now()
  const sent = await generator.run({
    ...load,
    target: sonde.target,
    connections: CONNECTIONS,
    idPrefix: idPrefix(),
    firstCounter: 0,
  })
  await sleep(GRACE_MS)
  const persisted = (await sonde.queryable()) - before
  const persistedPerSec = (persisted / (performance.now() - startMs)) * 1000
  await sonde.untilQueryable(before + sent.ok)
  const cpuMicrosPerEvent = ((sonde.cpuMs() - cpuBeforeMs) / sent.ok) * 1000
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
