/** Start and idle memory of this build against another one (`--against DIST`), in turn. */
import { setTimeout as sleep } from 'node:timers/promises'
import { backPidOf } from '../tests/harness/processes.ts'
import { startSonde, temporaryDataDir } from '../tests/harness/start-sonde.ts'
import { childTimes } from './machine/process-tree.ts'
import { type Memory, memoryOf } from './machine/processes.ts'
import { type Figure, median } from './report/figure.ts'

/** After a start the engine merges what the migrations wrote. */
const SETTLE_MS = 5_000
const MB = 1024 * 1024

type Start = {
  readonly seconds: number
  readonly cpuSeconds: number
  readonly front: Memory
  readonly back: Memory
}
type Starts = { readonly first: Start[]; readonly second: Start[] }

export async function startAgainst(
  say: (text: string) => void,
  otherDist: string,
  rounds: number,
): Promise<Figure[]> {
  const own: Starts = { first: [], second: [] }
  const other: Starts = { first: [], second: [] }
  for (let round = 0; round < rounds; round++) {
    const both = [
      { starts: own, dist: undefined },
      { starts: other, dist: otherDist },
    ]
    for (const { starts, dist } of round % 2 === 0 ? both : both.toReversed()) {
      const data = temporaryDataDir()
      try {
        for (const which of ['first', 'second'] as const) {
          const start = await measureStart(data.dir, dist)
          starts[which].push(start)
          say(`${dist ?? 'this build'}, ${which}: ${start.seconds.toFixed(2)} s`)
        }
      } finally {
        data.remove()
      }
    }
  }
  const figure = (name: string, unit: string, of: (starts: Starts) => number[]): Figure => ({
    part: 'start',
    name,
    unit,
    value: median(of(own)),
    against: { name: 'other', value: median(of(other)) },
  })
  const memory = (process: 'front' | 'back', kind: keyof Memory) => (starts: Starts) =>
    starts.second.map((start) => start[process][kind] / MB)
  return [
    figure('first start to ready', 's', ({ first }) => first.map(({ seconds }) => seconds)),
    figure('second start to ready', 's', ({ second }) => second.map(({ seconds }) => seconds)),
    figure('first start: processor time', 's', ({ first }) => first.map(({ cpuSeconds }) => cpuSeconds)),
    figure('second start: processor time', 's', ({ second }) => second.map(({ cpuSeconds }) => cpuSeconds)),
    figure('front: RSS idle', 'MB', memory('front', 'rssBytes')),
    figure('front: private idle', 'MB', memory('front', 'privateBytes')),
    figure('back: RSS idle', 'MB', memory('back', 'rssBytes')),
    figure('back: private idle', 'MB', memory('back', 'privateBytes')),
  ]
}

async function measureStart(dataDir: string, dist: string | undefined): Promise<Start> {
  const startedMs = performance.now()
  const running = await startSonde({ dataDir, ...(dist !== undefined && { dist }) })
  const seconds = (performance.now() - startedMs) / 1000
  const pid = running.child.pid ?? 0
  const cpuSeconds = (childTimes(process.pid).find((child) => child.pid === pid)?.cpuMs ?? Number.NaN) / 1000
  await sleep(SETTLE_MS)
  const front = memoryOf(pid)
  const back = memoryOf(backPidOf(pid) ?? 0)
  await running.stop()
  if (!front || !back) throw new Error('memory is read from /proc, which only Linux has')
  return { seconds, cpuSeconds, front, back }
}
