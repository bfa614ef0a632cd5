/** A built Sonde with one project, as the parts of the bench look at it. */
import { setTimeout as sleep } from 'node:timers/promises'
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
import type { Target } from './load/template.ts'
import { cpuMsOf, type Memory, memoryOf } from './machine/processes.ts'

export type MeasuredSonde = {
  readonly running: RunningSonde
  readonly project: CreatedProject
  readonly api: ApiClient
  readonly target: Target
  /** Events that `/api/0` counts: each of them can be queried. */
  queryable(): Promise<number>
  /** Waits until that many can be queried; returns when they could. Fails when nothing moves any more. */
  untilQueryable(events: number): Promise<number>
  /** Of front and back; undefined where the system does not say. */
  memory(): { readonly front: Memory; readonly back: Memory } | undefined
  /** Processor time of front and back since they began; NaN where the system does not say. */
  cpuMs(): number
  /** Stops Sonde; its data folder stays until `remove`. */
  stop(): Promise<void>
  remove(): void
}

const STUCK_AFTER_MS = 20_000
const LOOK_EVERY_MS = 100

export async function startMeasuredSonde(): Promise<MeasuredSonde> {
  const data = temporaryDataDir()
  const running = await startSonde({ dataDir: data.dir, env: WITHOUT_SPIKE_LIMITS })
  const project = createProject(running, 'acme/shop')
  await storeAll(running, project)
  const api = apiClient(running)
  const queryable = (): Promise<number> => countedEvents(api, project)
  return {
    running,
    project,
    api,
    target: {
      host: '127.0.0.1',
      port: running.port,
      path: `/api/${project.id}/envelope/`,
      publicKey: project.publicKey,
    },
    queryable,
    async untilQueryable(events) {
      let seen = -1
      let movedMs = Date.now()
      for (;;) {
        const now = await queryable()
        if (now >= events) return Date.now()
        if (now !== seen) movedMs = Date.now()
        if (Date.now() - movedMs > STUCK_AFTER_MS)
          throw new Error(`${now} of ${events} events can be queried, and no more come\n${running.log()}`)
        seen = now
        await sleep(LOOK_EVERY_MS)
      }
    },
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
