/** A Sonde under load: projects that behave, one that is attacked, and what is read of the processes meanwhile. */
import { readdirSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { startGenerator, type Generator } from '../../bench/load/start-generator.ts'
import { envelopesOf, idPrefix, type Target } from '../../bench/load/template.ts'
import { pythonLikeEnvelopes } from '../../bench/payloads/python-like.ts'
import { type ApiClient, apiClient, type CreatedProject, createProject } from '../harness/api-client.ts'
import { backPidOf } from '../harness/processes.ts'
import { type RunningSonde, sondeJson, startSonde, temporaryDataDir } from '../harness/start-sonde.ts'
import { countedEvents } from '../harness/stored-events.ts'

export type LoadPlace = {
  readonly running: RunningSonde
  readonly api: ApiClient
  /** The one that is attacked. */
  readonly target: Target
  /** Events of that one, as its issues count them. */
  stored(): Promise<number>
  readonly attacker: Generator
  readonly behaved: Behaved
  rss(): { readonly frontBytes: number; readonly backBytes: number } | undefined
  handles(): number
  /** One without labels, as it is now; NaN: there is none of this name. */
  metric(name: string): Promise<number>
  /** Seconds between now and the oldest record that waits. */
  lagSec(): Promise<number>
  /** Requests and items of errors by how they ended, of the whole installation. */
  outcomes(): Promise<number>
  close(): Promise<void>
}

/** Projects that send little, all the time, and want every event of it back. */
type Behaved = {
  readonly generator: Generator
  readonly targets: readonly Target[]
  /** By project; grows as answers come. */
  readonly acknowledged: number[]
  readonly idPrefix: string
  nextCounter: number
  /** How many of those that were acknowledged are not stored, or stored too often; waits for what is on its way. */
  missing(withinMs: number): Promise<number>
}

/** `env`: settings other than those that a start has by itself. */
export async function openLoadPlace(behavedCount: number, env: NodeJS.ProcessEnv = {}): Promise<LoadPlace> {
  const data = temporaryDataDir()
  const running = await startSonde({ dataDir: data.dir, env })
  const projects: CreatedProject[] = []
  for (let at = 0; at <= behavedCount; at++) {
    const project = createProject(running, `acme/${at === 0 ? 'attacked' : `behaved-${at}`}`)
    projects.push(project)
  }
  await storeEverything(running, projects)
  const api = apiClient(running)
  const [attacked, ...others] = projects.map((project) => envelopesOf(running.port, project))
  const attacker = startGenerator()
  const behaved = await startBehaved(api, others, projects.slice(1))
  const frontPid = running.child.pid ?? 0
  const metric = async (name: string): Promise<number> => {
    const text = await (await fetch(`${running.url}/metrics`)).text()
    return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? Number.NaN)
  }
  return {
    running,
    api,
    target: attacked as Target,
    stored: () => countedEvents(api, projects[0] as CreatedProject),
    attacker,
    behaved,
    rss() {
      const [frontBytes, backBytes] = [rssOf(frontPid), rssOf(backPidOf(frontPid) ?? 0)]
      return frontBytes === undefined || backBytes === undefined ? undefined : { frontBytes, backBytes }
    },
    handles: () => handlesOf(frontPid) + handlesOf(backPidOf(frontPid) ?? 0),
    metric,
    lagSec: () => metric('sonde_log_lag_seconds'),
    async outcomes() {
      const { outcomes } = await askDoctor(join(running.dataDir, 'internal.sock'))
      return outcomes
        .filter(({ category }) => category === 'error' || category === 'default')
        .reduce((sum, { quantity }) => sum + quantity, 0)
    },
    async close() {
      attacker.stop()
      behaved.generator.stop()
      await running.stop()
      data.remove()
    },
  }
}

/** As `storeAll`, with one token for all of them: a process for each project takes long. */
async function storeEverything(running: RunningSonde, projects: readonly CreatedProject[]): Promise<void> {
  const args = ['token', 'create', '--name', 'load', '--scopes', 'project:write']
  const { token } = sondeJson<{ token: string }>(running.dataDir, args, running.env)
  for (const { org, project } of projects) {
    const answer = await fetch(`${running.url}/api/0/projects/${org}/${project}/noise/rules/`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ fullPerDay: 0 }),
    })
    if (answer.status !== 200) throw new Error(`the rules of noise answer ${answer.status}`)
  }
}

async function startBehaved(
  api: ApiClient,
  targets: readonly Target[],
  projects: readonly CreatedProject[],
): Promise<Behaved> {
  const generator = startGenerator()
  await generator.load('behaved', pythonLikeEnvelopes(), ...targets)
  const acknowledged = targets.map(() => 0)
  const wrong = async (): Promise<number> => {
    const stored = await Promise.all(projects.map((project) => countedEvents(api, project)))
    return stored.reduce((sum, count, at) => sum + Math.abs(count - (acknowledged[at] ?? 0)), 0)
  }
  return {
    generator,
    targets,
    acknowledged,
    idPrefix: idPrefix(),
    nextCounter: 0,
    async missing(withinMs) {
      const endMs = Date.now() + withinMs
      for (;;) {
        // The screens may be refusing as well, for a while.
        const now = await wrong().catch(() => Number.POSITIVE_INFINITY)
        if (now === 0 || Date.now() > endMs) return now
        await sleep(250)
      }
    },
  }
}

type Doctor = { readonly outcomes: readonly { readonly category: string; readonly quantity: number }[] }

/** As the command line does, without a process for each question: those would be load as well. */
function askDoctor(socketPath: string): Promise<Doctor> {
  return new Promise((resolve, reject) => {
    get({ socketPath, path: '/-/doctor' }, (answer) => {
      json(answer).then((report) => resolve(report as Doctor), reject)
    }).on('error', reject)
  })
}

function rssOf(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}

function handlesOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}
