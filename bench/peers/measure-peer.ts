/** One round of one system: everything that is compared, in the order in which it disturbs least. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Generator } from '../load/start-generator.ts'
import { startGenerator } from '../load/start-generator.ts'
import { percentiles } from '../load/tally.ts'
import { eventId, idPrefix } from '../load/template.ts'
import type { ProcessUsage } from '../machine/process-tree.ts'
import { sdkEnvelopes } from '../payloads/sdk-envelopes.ts'
import { findKnee } from '../persist/find-knee.ts'
import { measureVisible } from '../visible.ts'
import type { Better, Findings } from './findings.ts'
import { accepted, CONNECTIONS, CPU_TIME, FLOOD_MS, metric, persisted } from './metrics.ts'
import { loadPayloads, MAIN, type Payload, PAYLOADS } from './payloads.ts'
import type { Peer, RunningPeer } from './peer.ts'

const SETTLE_MS = 5_000
/** As the peers that publish their method give, in shorter intervals. */
const KNEE = { intervalMs: 8_000, soakMs: 16_000, graceMs: 1_000, probeMs: 3_000 } as const
const PAGES_MS = 10_000
/** What every rival keeps up with: half the knee of the slowest. */
const SAME_RATE_PER_SEC = 30
const PAGE_EVERY_MS = 400
const KILL_AFTER_MS = 3_000
const DISTINCT = 1_000
const ASKED_AT_ONCE = 8
const QUIET_MS = 5_000
const MB = 1024 * 1024
const PER_EVENTS = 10_000

export type RoundOptions = {
  readonly findings: Findings
  readonly say: (text: string) => void
}

type Round = RoundOptions & {
  readonly peer: Peer
  readonly running: RunningPeer
  readonly generator: Generator
}

export async function measurePeer(peer: Peer, options: RoundOptions): Promise<void> {
  await withRunning(peer, options, async (round) => {
    const { running, generator, say } = round
    await loadPayloads(generator, running.target)
    await sleep(SETTLE_MS)
    memory(round, 'idle')
    const kneePerSec = await knee(round)
    await below(round, 'at half the knee', kneePerSec / 2)
    await below(round, `at ${SAME_RATE_PER_SEC}/s`, SAME_RATE_PER_SEC)
    for (const payload of PAYLOADS) await flood(round, payload)
    await killed(round, kneePerSec)
    say('killed and counted')
  })
  await withRunning(peer, options, storedBytes)
}

async function withRunning(
  peer: Peer,
  options: RoundOptions,
  run: (round: Round) => Promise<void>,
): Promise<void> {
  const running = await peer.start()
  const generator = startGenerator()
  const say = (text: string): void => options.say(`${peer.name}: ${text}`)
  try {
    await run({ ...options, peer, running, generator, say })
  } finally {
    generator.stop()
    await running.remove()
  }
}

function memory({ findings, peer, running }: Round, when: string): void {
  const sum = (key: 'rssBytes' | 'pssBytes'): number =>
    running.usage().reduce((total, usage) => total + usage[key], 0) / MB
  findings.add(peer.name, metric(`RSS ${when}, all processes`, 'MB', 'less'), sum('rssBytes'))
  findings.add(peer.name, metric(`PSS ${when}: shared pages once`, 'MB', 'less'), sum('pssBytes'))
}

async function knee(round: Round): Promise<number> {
  const { findings, peer, running, generator, say } = round
  const before = running.usage()
  const found = await findKnee(running, generator, { payloads: MAIN.name, ...KNEE, say })
  const { sent, persistedPerSec, cpuMicrosPerEvent, verdict } = found.soak
  const add = (name: string, unit: string, better: Better, value: number): void =>
    findings.add(peer.name, metric(name, unit, better), value)
  // What was kept up with could be queried within a second of its end.
  const isKept = verdict === 'kept up'
  add(
    'persisted at the knee, 3,026 B',
    '/s',
    'more',
    isKept ? (sent.ok / sent.tookMs) * 1000 : persistedPerSec,
  )
  findings.add(peer.name, CPU_TIME, (cpuMicrosPerEvent * PER_EVENTS) / 1e6)
  shares(before, running.usage()).forEach(({ role, share }) => add(`of it ${role}`, '%', 'less', share * 100))
  add('persisted/s for each core it took', '', 'more', 1e6 / cpuMicrosPerEvent)
  memory(round, 'at the knee')
  return found.kneePerSec
}

function shares(
  before: readonly ProcessUsage[],
  after: readonly ProcessUsage[],
): { role: string; share: number }[] {
  const spent = after.map(({ role, cpuMs }, at) => ({ role, cpuMs: cpuMs - (before[at]?.cpuMs ?? 0) }))
  const all = spent.reduce((sum, { cpuMs }) => sum + cpuMs, 0)
  return spent.map(({ role, cpuMs }) => ({ role, share: cpuMs / all }))
}

async function below(
  { findings, peer, running, generator, say }: Round,
  when: string,
  ratePerSec: number,
): Promise<void> {
  const { sent, visibleMs } = await measureVisible(running, generator, MAIN.name, ratePerSec)
  say(`visible after ${visibleMs.p50.toFixed(0)} ms at ${ratePerSec.toFixed(0)}/s`)
  const add = (name: string, value: number): void =>
    findings.add(peer.name, metric(name, 'ms', 'less'), value)
  add(`accepted within ${when}, p50`, sent.latencyMs.p50)
  add(`accepted within ${when}, p99`, sent.latencyMs.p99)
  add(`visible after the 200 ${when}, p50`, visibleMs.p50)
  add(`visible after the 200 ${when}, p99`, visibleMs.p99)
  const load = generator.start({
    target: running.target,
    payloads: MAIN.name,
    connections: CONNECTIONS,
    durationMs: PAGES_MS + PAGE_EVERY_MS,
    ratePerSec,
    idPrefix: idPrefix(),
    firstCounter: 0,
  })
  for (const name of ['list', 'issue'] as const) {
    const took: number[] = []
    const endMs = performance.now() + PAGES_MS / 2
    while (performance.now() < endMs) {
      took.push(await running.pages[name]())
      await sleep(PAGE_EVERY_MS)
    }
    add(`page of ${name === 'list' ? 'the issue list' : 'an issue'} ${when}, p50`, percentiles(took).p50)
  }
  await load.result
}

/** As fast as answers come, and then until the last event can be queried. */
async function flood({ findings, peer, running, generator, say }: Round, payload: Payload): Promise<void> {
  const before = await running.queryable()
  const startMs = Date.now()
  const sent = await generator.run({
    target: running.target,
    payloads: payload.name,
    kinds: payload.kinds,
    connections: CONNECTIONS,
    durationMs: FLOOD_MS,
    ratePerSec: undefined,
    idPrefix: idPrefix(),
    firstCounter: 0,
  })
  const endMs = await running.untilQueryable(before + sent.ok)
  const perSec = (sent.ok / (endMs - startMs)) * 1000
  findings.add(peer.name, accepted(payload), (sent.ok / sent.tookMs) * 1000)
  findings.add(peer.name, persisted(payload), perSec)
  say(`${payload.name}: ${perSec.toFixed(0)} persisted/s, ${await running.issues()} issues by now`)
}

async function killed({ findings, peer, running, generator }: Round, ratePerSec: number): Promise<void> {
  const prefix = idPrefix()
  const acknowledged: string[] = []
  const load = generator.start({
    target: running.target,
    payloads: MAIN.name,
    connections: CONNECTIONS,
    durationMs: 10 * KILL_AFTER_MS,
    ratePerSec,
    idPrefix: prefix,
    firstCounter: 0,
    reportEvery: 1,
    onAccepted(some) {
      for (const [counter] of some) acknowledged.push(eventId(prefix, counter))
    },
  })
  await sleep(KILL_AFTER_MS)
  const killing = running.killAndRestart()
  load.abort()
  await load.result
  await killing
  await untilQuiet(running)
  let lost = 0
  for (let at = 0; at < acknowledged.length; at += ASKED_AT_ONCE) {
    const some = acknowledged.slice(at, at + ASKED_AT_ONCE)
    const there = await Promise.all(some.map((id) => running.isVisible(id)))
    lost += there.filter((isThere) => !isThere).length
  }
  findings.add(
    peer.name,
    metric('lost by kill -9 at the knee, of 10,000 acknowledged', '', 'less'),
    (lost / acknowledged.length) * PER_EVENTS,
  )
}

/** Nothing more comes. */
async function untilQuiet(running: RunningPeer): Promise<void> {
  let seen = -1
  for (let sinceMs = performance.now(); performance.now() - sinceMs < QUIET_MS; await sleep(200)) {
    const now = await running.queryable()
    if (now !== seen) sinceMs = performance.now()
    seen = now
  }
}

async function storedBytes({ findings, peer, running, generator }: Round): Promise<void> {
  await generator.load('distinct', await sdkEnvelopes(DISTINCT), running.target)
  const { ok } = await generator.run({
    target: running.target,
    payloads: 'distinct',
    connections: ASKED_AT_ONCE,
    durationMs: 120_000,
    count: DISTINCT,
    ratePerSec: undefined,
    idPrefix: idPrefix(),
    firstCounter: 0,
  })
  await running.untilQueryable(ok)
  await sleep(SETTLE_MS)
  const bytes = await running.stopAndCount()
  findings.add(
    peer.name,
    metric(
      `bytes on disk per event, ${DISTINCT.toLocaleString('en')} different ones of @sentry/node`,
      '',
      'less',
    ),
    bytes / ok,
  )
}
