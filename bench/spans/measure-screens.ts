/** Server time of each screen over one loaded folder: cold after a start with nothing in memory, then warm. */
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { backPidOf } from '../../tests/harness/processes.ts'
import { type RunningSonde, startSonde, WITHOUT_SPIKE_LIMITS } from '../../tests/harness/start-sonde.ts'
import { cpuMsOf, type Memory, memoryOf } from '../machine/processes.ts'
import { type PageClient, signedInClient } from '../screens/page-client.ts'
import type { Screen } from '../screens/screen-list.ts'
import { spanScreens } from './span-screens.ts'

export type ScreenTimes = {
  readonly name: string
  /** Milliseconds: the median of the cold requests, and of the warm ones. */
  readonly coldMs: number
  readonly warmP50Ms: number
  readonly warmP95Ms: number
  /** Processor time of the back for a warm request: says more than times where the machine is not idle. */
  readonly cpuMs: number
  readonly bytes: number
}
export type Measured = { readonly screens: readonly ScreenTimes[]; readonly memory: Memory | undefined }
export type Measuring = { readonly only: string; readonly requests: number; readonly coldRounds: number }

const WARM_UP = 3
const SETTLE_MS = 2_000

export async function measureScreens(
  dataDir: string,
  { only, requests, coldRounds }: Measuring,
  say: (text: string) => void,
): Promise<Measured> {
  const cold = new Map<string, number[]>()
  for (let round = 0; round < coldRounds; round++) {
    await dropFromMemory(dataDir)
    await withSonde(dataDir, async (client) => {
      const screens = await screensOf(client, only)
      // Another first one each time: it reads what all of them need.
      const first = Math.floor((screens.length * round) / coldRounds)
      for (const { name, path } of [...screens.slice(first), ...screens.slice(0, first)])
        cold.set(name, [...(cold.get(name) ?? []), (await client.ask(path, 'data')).tookMs])
    })
  }
  return withSonde(dataDir, async (client, running) => {
    const back = backPidOf(running.child.pid ?? 0) ?? 0
    let memory: Memory | undefined
    const screens: ScreenTimes[] = []
    for (const { name, path } of await screensOf(client, only)) {
      for (let at = 0; at < WARM_UP; at++) await client.ask(path, 'data')
      const cpuBefore = cpuMsOf(back) ?? Number.NaN
      const took: number[] = []
      let bytes = 0
      for (let at = 0; at < requests; at++) {
        const asked = await client.ask(path, 'data')
        took.push(asked.tookMs)
        bytes = asked.bytes
      }
      const cpuMs = ((cpuMsOf(back) ?? Number.NaN) - cpuBefore) / requests
      const now = memoryOf(back)
      if (now && now.rssBytes > (memory?.rssBytes ?? 0)) memory = now
      const times = {
        coldMs: at(cold.get(name) ?? [], 0.5),
        warmP50Ms: at(took, 0.5),
        warmP95Ms: at(took, 0.95),
      }
      say(
        `${name}: cold ${times.coldMs.toFixed(0)}, warm p50 ${times.warmP50Ms.toFixed(0)}, p95 ${times.warmP95Ms.toFixed(0)}, processor ${cpuMs.toFixed(0)} ms`,
      )
      screens.push({ name, ...times, cpuMs, bytes })
    }
    return { screens, memory }
  })
}

function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

async function withSonde<Result>(
  dataDir: string,
  run: (client: PageClient, running: RunningSonde) => Promise<Result>,
): Promise<Result> {
  const running = await startSonde({ dataDir, env: WITHOUT_SPIKE_LIMITS })
  try {
    await sleep(SETTLE_MS)
    const client = await signedInClient(running.url)
    const result = await run(client, running)
    client.close()
    await running.stop()
    return result
  } finally {
    running.child.kill('SIGKILL')
  }
}

type Transactions = { readonly traces: readonly { readonly traceId: string }[] }
type Issues = { readonly page: { readonly rows: readonly { readonly shortId: string }[] } }

async function screensOf(client: PageClient, only: string): Promise<readonly Screen[]> {
  const { traces } = await client.read<Transactions>(
    '/acme/shop/performance/transaction?op=pageload&name=%2F',
  )
  const { page } = await client.read<Issues>('/acme/api/issues?sort=freq')
  const [trace, issue] = [traces[0]?.traceId, page.rows[0]?.shortId]
  if (trace === undefined || issue === undefined) throw new Error('there is no trace, or no issue, to open')
  return spanScreens({ trace, issue }).filter(({ name }) => name.includes(only))
}

/** What the system keeps of the files' pages; of other programs' files it keeps it. */
async function dropFromMemory(dataDir: string): Promise<void> {
  const script = `import os, sys
for folder, _, files in os.walk(sys.argv[1]):
    for name in files:
        file = os.open(os.path.join(folder, name), os.O_RDONLY)
        os.fsync(file)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(file)`
  await promisify(execFile)('python3', ['-c', script, dataDir])
}
