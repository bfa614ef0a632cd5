/** What happens to a Sonde, by name, while half the knee goes on coming in. What cannot be done from outside: docs/operate/reliability.md. */
import { setTimeout as sleep } from 'node:timers/promises'
import { idPrefix } from '../../bench/load/template.ts'
import { pythonLikeEnvelopes } from '../../bench/payloads/python-like.ts'
import { backPidOf, killNow } from '../harness/processes.ts'
import type { LoadPlace } from './load-place.ts'
import { makeMemoryGroup } from './memory-group.ts'
import type { AttackPlan, Check, Scenario } from './scenario.ts'

const CONNECTIONS = 16
const READY_WITHIN_MS = 60_000
const STORED_WITHIN_MS = 1_800_000
/** From "just came up, still repeating what the last one left" to "in full swing". */
const SHORTEST_LIFE_MS = 50
const LONGEST_LIFE_MS = 2_500

type Harm = (place: LoadPlace, plan: AttackPlan) => Promise<readonly Check[]>

/** What is sent meanwhile is held to more than the outcomes: all that was taken is stored once. */
const under =
  (harm: Harm): Scenario['attack'] =>
  async (place, plan) => {
    const { attacker, target } = place
    const before = await place.stored()
    await attacker.load('fault', pythonLikeEnvelopes(), target)
    const job = attacker.start({
      target,
      payloads: 'fault',
      connections: CONNECTIONS,
      ratePerSec: Math.round(plan.kneePerSec / 2),
      durationMs: STORED_WITHIN_MS,
      timeoutMs: 30_000,
      idPrefix: idPrefix(),
      firstCounter: 0,
    })
    const checks = await harm(place, plan).finally(() => job.abort())
    const counts = await job.result
    // Those without an answer may have been taken.
    const most = counts.ok + counts.failed + counts.timedOut
    const endMs = performance.now() + STORED_WITHIN_MS
    const look = (): Promise<number> => place.stored().catch(() => before)
    let stored = (await look()) - before
    while (stored < counts.ok && performance.now() < endMs) {
      await sleep(250)
      stored = (await look()) - before
    }
    const detail = `${stored} stored of ${counts.ok} taken`
    plan.say(`  ${[...checks.map((check) => check.detail), detail].join('; ')}`)
    const all = { name: 'stored once', ok: stored >= counts.ok && stored <= most, detail }
    return { counts, isCounted: true, checks: [...checks, all] }
  }

/** Seconds that it took. */
async function ready({ running }: LoadPlace): Promise<number> {
  const sinceMs = performance.now()
  const isReady = async (): Promise<boolean> => (await fetch(`${running.url}/readyz`)).status === 200
  while (!(await isReady())) {
    if (performance.now() - sinceMs > READY_WITHIN_MS) throw new Error(`not ready\n${running.log()}`)
    await sleep(20)
  }
  return (performance.now() - sinceMs) / 1_000
}

const killBack =
  (times: number): Harm =>
  async (place, { share }) => {
    const frontPid = place.running.child.pid ?? 0
    const kills = Math.max(2, Math.round(times * share))
    const seconds: number[] = []
    for (let at = 0; at < kills; at++) {
      await sleep(SHORTEST_LIFE_MS + Math.random() * (LONGEST_LIFE_MS - SHORTEST_LIFE_MS) * share)
      const pid = backPidOf(frontPid)
      if (pid !== undefined) await killNow(pid)
      seconds.push(await ready(place))
    }
    const detail = `ready after each of ${kills} kills, at the latest after ${Math.max(...seconds).toFixed(1)} s`
    return [{ name: 'ready again', ok: seconds.length === kills, detail }]
  }

const MB = 1_000_000

/** The back is started within the limit; after the time of the plan there is none any more. */
const limitMemory =
  (limitMb: number): Harm =>
  async (place, { forMs }) => {
    const frontPid = place.running.child.pid ?? 0
    const group = makeMemoryGroup(limitMb * MB)
    let kills = 0
    let mostMb = 0
    try {
      group.add(frontPid)
      const pid = backPidOf(frontPid)
      if (pid !== undefined) await killNow(pid)
      await ready(place)
      const endMs = performance.now() + forMs
      while (performance.now() < endMs) {
        mostMb = Math.max(mostMb, Math.round((place.rss()?.backBytes ?? 0) / MB))
        await sleep(250)
      }
      kills = group.kills()
    } finally {
      await group.end()
    }
    const seconds = await ready(place)
    const detail = `killed by the kernel ${kills} times within ${limitMb} MB (the back had up to ${mostMb}), ready ${seconds.toFixed(1)} s after the limit went`
    return [{ name: 'limit hit', ok: kills > 0, detail }]
  }

export const FAULTS: readonly Scenario[] = [
  {
    name: 'back-killed-20',
    what: 'the back is killed 20 times, each time soon after it is ready',
    attack: under(killBack(20)),
  },
  {
    name: 'memory-limit',
    what: 'a cgroup gives the back 300 MB, less than it needs under load',
    attack: under(limitMemory(300)),
  },
]
