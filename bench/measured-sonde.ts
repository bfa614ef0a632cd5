/** A built Sonde with one project, as the parts of the bench look at it. */
import { type ApiClient, apiClient, type CreatedProject, createProject } from '../tests/harness/api-client.ts'
import { backPidOf } from '../tests/harness/processes.ts'
import {
  type RunningSonde,
  startSonde,
  temporaryDataDir,
  WITHOUT_SPIKE_LIMITS,
} from '../tests/harness/start-sonde.ts'
import { storeAll } from '../tests/harness/store-all.ts'
import { countedEvents } from '../tests/harness/stored-events.ts'
import { envelopesOf } from './load/template.ts'
import { cpuMsOf, type Memory, memoryOf } from './machine/processes.ts'
import type { LoadedSystem } from './persist/interval.ts'
import { waitForEvents } from './persist/wait-for-events.ts'

export type MeasuredSonde = LoadedSystem & {
  readonly running: RunningSonde
  readonly project: CreatedProject
  readonly api: ApiClient
  /** Of front and back; undefined where the system does not say. */
  memory(): { readonly front: Memory; readonly back: Memory } | undefined
  /** Stops Sonde; its data folder stays until `remove`. */
  stop(): Promise<void>
  remove(): void
}

type MeasuredOptions = {
  /** Another build than this one. */
  readonly dist?: string | undefined
  readonly env?: NodeJS.ProcessEnv
}

export async function startMeasuredSonde({ dist, env }: MeasuredOptions = {}): Promise<MeasuredSonde> {
  const data = temporaryDataDir()
  const running = await startSonde({
    dataDir: data.dir,
    env: { ...WITHOUT_SPIKE_LIMITS, ...env },
    ...(dist !== undefined && { dist }),
  })
  const project = createProject(running, 'acme/shop')
  await storeAll(running, project)
  const api = apiClient(running)
  const queryable = (): Promise<number> => countedEvents(api, project)
  return {
    running,
    project,
    api,
    target: envelopesOf(running.port, project),
    queryable,
    untilQueryable: (events) => waitForEvents({ queryable, log: running.log }, events),
    memory() {
      const front = memoryOf(running.child.pid ?? 0)
      const back = memoryOf(backPidOf(running.child.pid ?? 0) ?? 0)
      return front && back && { front, back }
    },
    cpuMs() {
      const front = running.child.pid ?? 0
      return [front, backPidOf(front) ?? 0].reduce((sum, pid) => sum + (cpuMsOf(pid) ?? Number.NaN), 0)
    },
    async stop() {
      const code = await running.stop()
      if (code !== 0) throw new Error(`Sonde ended with ${code}\n${running.log()}`)
    },
    remove: data.remove,
  }
}
