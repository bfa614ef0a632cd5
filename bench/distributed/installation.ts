/** A Sonde under load, in one start or in one for each role: where to send, what was stored, what it spent. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { CreatedProject } from '../../tests/harness/api-client.ts'
import {
  type RunningSonde,
  sondeJson,
  startSonde,
  temporaryDataDir,
  WITHOUT_SPIKE_LIMITS,
} from '../../tests/harness/start-sonde.ts'
import { envelopesOf, type Target } from '../load/template.ts'
import { childTimes } from '../machine/process-tree.ts'
import { ENGINES, startEngineServers } from './engine-servers.ts'

export type Spent = ReadonlyMap<string, number>
export type Stored = { readonly records: number; readonly batches: number }
export type Installation = {
  readonly name: string
  /** Of different projects, which lie in all partitions of the log. */
  readonly targets: readonly Target[]
  /** Log records and batches that were stored since the starts of the pipeline that run. */
  stored(): Promise<Stored>
  /** Returns when so many more than `before` are stored and can be queried. Fails when nothing moves any more. */
  untilStored(before: Stored, records: number): Promise<void>
  /** Processor time in milliseconds since the start, by part: what has the name of an engine is a server's. */
  spent(): Spent
  stop(): Promise<void>
}
export type Distributed = Installation & {
  /** Starts or stops pipelines until there are so many, and waits until they share the partitions. */
  pipelines(count: number): Promise<void>
}

const PROJECTS = 8
const LOOK_EVERY_MS = 100
const STUCK_AFTER_MS = 60_000

export async function startEmbedded(): Promise<Installation> {
  const data = temporaryDataDir()
  const running = await startSonde({ dataDir: data.dir, env: WITHOUT_SPIKE_LIMITS })
  const parts = new Map([[running, 'all roles']])
  return {
    name: 'embedded',
    ...watched(parts, []),
    targets: targetsOf(running, {}, running.port),
    async stop() {
      await ended(running)
      data.remove()
    },
  }
}

/** `partitions`: of the log, a divisor of the number of projects. */
export async function startDistributed(partitions: number): Promise<Distributed> {
  const servers = await startEngineServers(partitions)
  const folders: ReturnType<typeof temporaryDataDir>[] = []
  const parts = new Map<RunningSonde, string>()
  const start = async (roles: string, part: string): Promise<RunningSonde> => {
    const data = temporaryDataDir()
    folders.push(data)
    const env = { ...WITHOUT_SPIKE_LIMITS, ...servers.env, SONDE_ROLES: roles }
    const running = await startSonde({ dataDir: data.dir, env })
    parts.set(running, part)
    return running
  }
  const web = await start('web,maintain', 'web, maintain')
  const pipelines = [await start('pipeline', 'pipeline')]
  const ingest = await start('ingest', 'ingest')
  const targets = targetsOf(web, servers.env, ingest.port)
  const watch = watched(parts, ENGINES)
  return {
    name: 'distributed',
    ...watch,
    targets,
    async pipelines(count) {
      while (pipelines.length > count) {
        const last = pipelines.pop()
        if (!last) break
        await ended(last)
        parts.delete(last)
      }
      while (pipelines.length < count) pipelines.push(await start('pipeline', 'pipeline'))
      const fair = partitions / count
      await until('the pipelines share the partitions', async () =>
        (await Promise.all(pipelines.map(partitionsOf))).every((held) => held === fair),
      )
    },
    async stop() {
      for (const running of [ingest, ...pipelines, web]) await ended(running)
      await servers.stop()
      for (const folder of folders) folder.remove()
    },
  }
}

function targetsOf({ dataDir }: RunningSonde, env: NodeJS.ProcessEnv, port: number): Target[] {
  return Array.from({ length: PROJECTS }, (_, at) => {
    const create = ['project', 'create', `acme/shop-${at + 1}`, '--platform', 'python']
    return envelopesOf(port, sondeJson<CreatedProject>(dataDir, create, env))
  })
}

function watched(
  parts: ReadonlyMap<RunningSonde, string>,
  engines: typeof ENGINES,
): Pick<Installation, 'stored' | 'untilStored' | 'spent'> {
  const stored = async (): Promise<Stored> => {
    const texts = await Promise.all([...parts.keys()].map(metricsOf))
    const sum = (name: string): number => texts.reduce((all, text) => all + figureIn(text, name), 0)
    return {
      records: sum('sonde_pipeline_records_total'),
      batches: sum('sonde_pipeline_commit_seconds_count'),
    }
  }
  return {
    stored,
    async untilStored(before, records) {
      await until(`${records} records are stored`, async () => {
        const now = (await stored()).records - before.records
        return now >= records ? true : now
      })
    },
    spent() {
      const spent = new Map<string, number>()
      for (const { pid, command, cpuMs } of childTimes(process.pid)) {
        const own = [...parts].find(([running]) => running.child.pid === pid)?.[1]
        const name = own ?? engines.find((engine) => engine.command.test(command))?.name
        if (name !== undefined) spent.set(name, (spent.get(name) ?? 0) + cpuMs)
      }
      return spent
    },
  }
}

const metricsOf = async ({ url }: RunningSonde): Promise<string> => (await fetch(`${url}/metrics`)).text()
const figureIn = (text: string, name: string): number =>
  Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? 0)
const partitionsOf = async (running: RunningSonde): Promise<number> =>
  figureIn(await metricsOf(running), 'sonde_pipeline_partitions')

/** `look` returns true, or anything whose change shows that it goes on. */
async function until(what: string, look: () => Promise<boolean | number>): Promise<void> {
  let seen: boolean | number = false
  let movedMs = Date.now()
  for (;;) {
    const now = await look()
    if (now === true) return
    if (now !== seen) movedMs = Date.now()
    if (Date.now() - movedMs > STUCK_AFTER_MS) throw new Error(`waited in vain until ${what}: ${now}`)
    seen = now
    await sleep(LOOK_EVERY_MS)
  }
}

async function ended(running: RunningSonde): Promise<void> {
  const code = await running.stop()
  if (code !== 0) throw new Error(`Sonde ended with ${code}\n${running.log()}`)
}
