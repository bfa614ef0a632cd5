/** What an event costs by thread and by function, of this build and of another one: README.md says how. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { backPidOf } from '../tests/harness/processes.ts'
import { spentByName, threadTimes } from './idle/threads.ts'
import { startGenerator } from './load/start-generator.ts'
import { idPrefix } from './load/template.ts'
import { startMeasuredSonde } from './measured-sonde.ts'
import { ENVELOPE_BYTES, pythonLikeEnvelopes } from './payloads/python-like.ts'
import { type CpuProfile, selfTimes, type Window } from './profile/self-times.ts'

/** As many of them that each size takes some seconds. */
const SIZES = [
  { bytes: ENVELOPE_BYTES, events: 24_000 },
  { bytes: 50_000, events: 3_000 },
] as const
const CONNECTIONS = 32
const SETTLE_MS = 2_000
const LONGEST_MS = 120_000
const TOP = 10
const NAMED_FROM_MICROS = 3

/** By the number that Node gives a process's threads in the name of a profile: 0 is the main one. */
const PROFILED = [
  { process: 'front', thread: 0, title: 'Front, main thread' },
  { process: 'back', thread: 0, title: 'Back, main thread' },
  { process: 'back', thread: 1, title: 'Back, digest thread' },
] as const

/** Microseconds of an event by name. */
type Costs = ReadonlyMap<string, number>
type Build = { readonly threads: Costs; readonly functions: ReadonlyMap<string, Costs> }

/** Tables in Markdown. `otherDist`: a build of another revision. */
export async function profile(say: (text: string) => void, otherDist: string | undefined): Promise<string> {
  const parts: string[] = []
  for (const { bytes, events } of SIZES) {
    const before = otherDist === undefined ? undefined : await measure(otherDist, bytes, events)
    const now = await measure(undefined, bytes, events)
    say(`${bytes} B: measured`)
    parts.push(`### ${bytes.toLocaleString('en')} B`, '')
    parts.push(table('thread', now.threads, before?.threads, [...now.threads.keys()]))
    for (const { title } of PROFILED) {
      const own = now.functions.get(title) ?? new Map()
      parts.push(table(title, own, before?.functions.get(title), [...own.keys()].slice(0, TOP)))
    }
  }
  return parts.join('\n')
}

function table(title: string, now: Costs, before: Costs | undefined, names: readonly string[]): string {
  const micros = (value = 0): string => value.toFixed(1)
  return [
    `| ${title} | ${before ? 'µs an event, other build | ' : ''}µs an event |`,
    `| --- | ${before ? '---: | ' : ''}---: |`,
    ...names.map(
      (name) => `| ${name} | ${before ? `${micros(before.get(name))} | ` : ''}${micros(now.get(name))} |`,
    ),
    '',
  ].join('\n')
}

async function measure(dist: string | undefined, bytes: number, events: number): Promise<Build> {
  // Threads without a profiler, which has a thread of its own; then functions.
  const plain = await flood({ dist, bytes, events, profileDir: undefined })
  const profileDir = mkdtempSync(join(tmpdir(), 'sonde-profile-'))
  try {
    const { pids, window } = await flood({ dist, bytes, events, profileDir })
    const functions = new Map(
      PROFILED.map(({ process, thread, title }) => [
        title,
        perEvent(selfTimes(readProfile(profileDir, pids[process], thread), window), events),
      ]),
    )
    return { threads: plain.threads, functions }
  } finally {
    rmSync(profileDir, { recursive: true, force: true })
  }
}

type Flood = {
  readonly dist: string | undefined
  readonly bytes: number
  readonly events: number
  readonly profileDir: string | undefined
}

/** A third as many events before, so that what is compiled once is compiled. */
async function flood({ dist, bytes, events, profileDir }: Flood) {
  const env = profileDir === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profileDir}` }
  const sonde = await startMeasuredSonde({ dist, env })
  const generator = startGenerator()
  const front = sonde.running.child.pid ?? 0
  const pids = { front, back: backPidOf(front) ?? 0 }
  const send = async (count: number): Promise<void> => {
    const before = await sonde.queryable()
    const { ok } = await generator.run({
      target: sonde.target,
      payloads: 'profiled',
      connections: CONNECTIONS,
      durationMs: LONGEST_MS,
      count,
      ratePerSec: undefined,
      idPrefix: idPrefix(),
      firstCounter: 0,
    })
    await sonde.untilQueryable(before + ok)
  }
  try {
    await generator.load('profiled', pythonLikeEnvelopes({ bytes }), sonde.target)
    await send(Math.ceil(events / 3))
    await sleep(SETTLE_MS)
    const fromMicros = nowMicros()
    const before = { front: threadTimes(pids.front), back: threadTimes(pids.back) }
    await send(events)
    const window: Window = { fromMicros, toMicros: nowMicros() }
    const threads = new Map<string, number>()
    for (const role of ['front', 'back'] as const)
      for (const [name, ms] of spentByName(before[role], threadTimes(pids[role])))
        if ((ms * 1_000) / events >= NAMED_FROM_MICROS) threads.set(`${role}: ${name}`, (ms * 1_000) / events)
    return { pids, window, threads }
  } finally {
    generator.stop()
    await sonde.stop()
    sonde.remove()
  }
}

/** As V8 counts in profiles. */
const nowMicros = (): number => Number(process.hrtime.bigint() / 1_000n)

function readProfile(dir: string, pid: number, thread: number): CpuProfile {
  const name = readdirSync(dir).find((each) => each.includes(`.${pid}.${thread}.`))
  if (name === undefined) throw new Error(`thread ${thread} of process ${pid} wrote no profile`)
  return JSON.parse(readFileSync(join(dir, name), 'utf8')) as CpuProfile
}

const perEvent = (times: ReturnType<typeof selfTimes>, events: number): Costs =>
  new Map(times.map(([name, micros]) => [name, micros / events]))
