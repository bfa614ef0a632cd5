/** Runs one scenario: quiet, attacked, and quiet again, while projects that behave go on; and holds it to what is promised. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningJob } from '../../bench/load/start-generator.ts'
import type { LoadCounts, LoadResult } from '../../bench/load/tally.ts'
import type { LoadPlace } from './load-place.ts'
import type { AttackPlan, Check, Scenario } from './scenario.ts'

type Plan = AttackPlan & {
  /** How long the projects that behave are measured alone. */
  readonly quietMs: number
  /** How long it is looked, time after time, whether all is as before. */
  readonly probeMs: number
}

export type Measured = {
  readonly scenario: string
  readonly what: string
  readonly forMs: number
  readonly attack: LoadCounts
  readonly behaved: {
    readonly sent: number
    readonly missing: number
    readonly quietMs: { readonly p50: number; readonly p99: number }
    readonly attackedMs: { readonly p50: number; readonly p99: number }
  }
  readonly rssMb: { readonly front: number; readonly back: number; readonly both: number }
  /** From the end of the attack until latency and lag are as before. */
  readonly normalAfterSec: number
  /** Those that fail are of what is promised always. */
  readonly invariants: readonly Check[]
  /** Those that fail may be the machine's. */
  readonly budgets: readonly Check[]
}

const BEHAVED_SHARE = 0.05
const BEHAVED_LEAST_PER_SEC = 18
/** Of each: below what spike sampling leaves alone, 600 a minute. */
const BEHAVED_MOST_PER_SEC = 8
const BEHAVED_CONNECTIONS = 9
const RSS_BUDGET_MB = 900
const MAX_SLOWER = 2
const NORMAL_WITHIN_SEC = 30
const GIVE_UP_AFTER_SEC = 180
// They are written every second, and with their batch.
const SETTLED_AFTER_MS = 4_000
/** What the log took beyond the knee is worked off first: that is not lost. */
const DRAINED_WITHIN_SEC = 1_800
const LITTLE_LAG_SEC = 2

export async function measure(scenario: Scenario, place: LoadPlace, plan: Plan): Promise<Measured> {
  const { behaved } = place
  const ratePerSec = Math.min(
    Math.max(BEHAVED_LEAST_PER_SEC, Math.round(plan.kneePerSec * BEHAVED_SHARE)),
    BEHAVED_MOST_PER_SEC * behaved.targets.length,
  )
  const before = await place.outcomes()
  let sent = 0
  let answered = 0
  let unanswered = 0
  const untimed: string[] = []
  const start = (durationMs: number): RunningJob => startBehaving(place, ratePerSec, durationMs)
  const took = (result: LoadResult): LoadResult => {
    sent += result.ok
    answered += result.ok + result.refused + result.wrong
    unanswered += result.failed + result.timedOut
    if (result.untimed > 0) untimed.push(`${result.untimed} of projects that behave`)
    behaved.nextCounter += result.scheduled
    return result
  }
  const quiet = took(await start(plan.quietMs).result)
  plan.say(`${scenario.name}: quiet, p99 ${quiet.latencyMs.p99.toFixed(1)} ms; now ${scenario.what}`)

  const peak = watchMemory(place)
  const along = start(plan.forMs * 10 + 600_000)
  const { counts: attack, isCounted, checks } = await scenario.attack(place, plan)
  along.abort()
  const attacked = took(await along.result)
  const endedMs = performance.now()
  const isNormal = async (): Promise<boolean> => {
    const probe = took(await start(plan.probeMs).result)
    const isQuick = probe.latencyMs.p99 <= Math.max(quiet.latencyMs.p99 * MAX_SLOWER, 50)
    return isQuick && probe.ok === probe.scheduled && (await place.lagSec()) < LITTLE_LAG_SEC
  }
  while (!(await isNormal()) && performance.now() - endedMs < GIVE_UP_AFTER_SEC * 1_000) await sleep(50)
  const normalAfterSec = (performance.now() - endedMs - plan.probeMs) / 1_000
  const rssMb = peak.stop()
  const missing = await behaved.missing(DRAINED_WITHIN_SEC * 1_000)

  const least = answered + attack.ok + attack.refused + attack.wrong
  const most = least + unanswered + attack.failed + attack.timedOut
  // Of what has no exact number too the last is waited for: the next scenario would count it.
  const wanted = isCounted ? { least, most } : { least: answered, most: Infinity }
  const settled = (await outcomesOf(place, before, wanted)) - before
  const counted = isCounted ? settled : least
  if (attack.untimed > 0) untimed.push(`${attack.untimed} of the attack`)
  const ratio = attacked.latencyMs.p99 / Math.max(1, quiet.latencyMs.p99)
  return {
    scenario: scenario.name,
    what: scenario.what,
    forMs: plan.forMs,
    attack,
    behaved: { sent, missing, quietMs: quiet.latencyMs, attackedMs: attacked.latencyMs },
    rssMb,
    normalAfterSec: Math.max(0, normalAfterSec),
    invariants: [
      { name: 'nothing lost', ok: missing === 0, detail: `${missing} of ${sent} are missing or too many` },
      { name: 'Retry-After', ok: untimed.length === 0, detail: untimed.join(', ') || 'on every 429 and 503' },
      {
        name: 'outcomes',
        ok: counted >= least && counted <= most,
        detail: `${counted} counted, ${least} answered${most > least ? ` and ${most - least} unanswered` : ''}`,
      },
      ...checks,
    ],
    budgets: [
      { name: 'memory', ok: rssMb.both <= RSS_BUDGET_MB, detail: `${rssMb.both} of ${RSS_BUDGET_MB} MB` },
      { name: 'latency', ok: ratio <= MAX_SLOWER, detail: `p99 ${ratio.toFixed(1)} × as long` },
      {
        name: 'normal again',
        ok: normalAfterSec <= NORMAL_WITHIN_SEC,
        detail: `after ${normalAfterSec.toFixed(1)} s`,
      },
    ],
  }
}

function startBehaving({ behaved }: LoadPlace, ratePerSec: number, durationMs: number): RunningJob {
  const { generator, targets, acknowledged, idPrefix, nextCounter } = behaved
  const [target] = targets
  if (!target) throw new Error('no project behaves')
  return generator.start({
    target,
    payloads: 'behaved',
    connections: BEHAVED_CONNECTIONS,
    ratePerSec,
    durationMs,
    timeoutMs: 30_000,
    idPrefix,
    firstCounter: nextCounter,
    reportEvery: 1,
    onAccepted(accepted) {
      // Requests have the templates in turn, and templates the targets: both as the generator deals them.
      for (const [counter] of accepted) {
        const project = ((counter - nextCounter) % TEMPLATES) % targets.length
        acknowledged[project] = (acknowledged[project] ?? 0) + 1
      }
    },
  })
}

const TEMPLATES = 100

type Answers = { readonly least: number; readonly most: number }

/**
 * They are written every few seconds, and with the batch that they are of. Those of requests without an answer may come or not:
 * no more come when nothing came for a while, and the next scenario does not find them among its own.
 */
async function outcomesOf(place: LoadPlace, before: number, { least, most }: Answers): Promise<number> {
  const endMs = performance.now() + GIVE_UP_AFTER_SEC * 1_000
  let last = { count: before, sinceMs: performance.now() }
  for (;;) {
    const count = await place.outcomes()
    const nowMs = performance.now()
    if (count !== last.count) last = { count, sinceMs: nowMs }
    const isComplete = count - before >= most
    const isSettled = count - before >= least && nowMs - last.sinceMs > SETTLED_AFTER_MS
    if (isComplete || isSettled || nowMs > endMs) return count
    await sleep(200)
  }
}

const MB = 1_000_000

function watchMemory(place: LoadPlace): { stop(): Measured['rssMb'] } {
  const peak = { front: 0, back: 0, both: 0 }
  const look = (): void => {
    const rss = place.rss()
    if (!rss) return
    const { frontBytes, backBytes } = rss
    peak.front = Math.max(peak.front, Math.round(frontBytes / MB))
    peak.back = Math.max(peak.back, Math.round(backBytes / MB))
    peak.both = Math.max(peak.both, Math.round((frontBytes + backBytes) / MB))
  }
  look()
  const timer = setInterval(look, 1_000)
  return {
    stop() {
      clearInterval(timer)
      look()
      return peak
    },
  }
}
