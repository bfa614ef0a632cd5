/** Works off the `repair` table: at the start, when it is woken, and now and then. One repair at a time, the oldest first. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock, Logger } from '@sonde/base'
import { type RunningJob, startJob } from '@sonde/jobs'
import type { Records, Telemetry } from '@sonde/stores'
import type { Pipeline } from '../start-pipeline.ts'
import { createPace } from './pace.ts'
import { createGatherer } from './gather-events.ts'
import { noteTrouble, openRepairs } from './repair-row.ts'
import type { RepairChange, StepEnd } from './repair-needs.ts'
import { repairStep } from './repair-step.ts'
import type { RepairStep } from './repair-steps.ts'

export type RepairsOptions = {
  readonly records: Records
  readonly telemetry: Pick<Telemetry, 'insert' | 'query' | 'deleteRows'>
  readonly clock: Clock
  readonly logger: Logger
  readonly pipeline: Pick<Pipeline, 'between' | 'state' | 'redigest'>
  /** Once what was changed can be queried. */
  readonly onChange?: (change: RepairChange) => void
  /** Only tests of crashes need it. */
  readonly afterStep?: (step: RepairStep) => void | Promise<void>
}

// The command line asks for repairs too, and cannot wake this one. A look is one row of a small index.
const LOOK_EVERY_MS = 5_000
const WAIT_MS = 100
const AT_ONCE = 100

/** `wake` is for `CommandDeps.onArtifacts`. */
export function startRepairs(options: RepairsOptions): RunningJob {
  const { records } = options
  const gather = createGatherer()
  return startJob(options, {
    name: 'reprocessing',
    lookEveryMs: LOOK_EVERY_MS,
    hasWork: async () => (await openRepairs(records, 1)).length > 0,
    async run(signal) {
      const step = stepOf(options, gather, signal)
      const open = await openRepairs(records, AT_ONCE)
      // After an error none of the later ones begins: rows of the one that failed may be replaced in part.
      for (const id of open)
        try {
          while (!signal.aborted && (await step(id)) !== 'done');
        } catch (error) {
          if (signal.aborted) return 'done'
          const message = error instanceof Error ? error.message : String(error)
          await noteTrouble(records, id, message.slice(0, 500)).catch(() => undefined)
          throw error
        }
      return open.length < AT_ONCE ? 'done' : { againInMs: 0 }
    },
  })
}

function stepOf(options: RepairsOptions, gather: ReturnType<typeof createGatherer>, signal: AbortSignal) {
  const { pipeline } = options
  const pause = async (ms: number): Promise<void> => {
    await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
  }
  const pace = createPace(() => pipeline.state().records, pause)
  const needs = {
    ...options,
    redigest: pipeline.redigest,
    gather,
    pace,
    onChange: options.onChange ?? (() => undefined),
    afterStep: options.afterStep ?? (() => undefined),
    signal,
  }
  return async (id: number): Promise<StepEnd> => {
    pace.begin()
    const end = await repairStep(needs, id)
    if (end === 'waits') await pause(WAIT_MS)
    if (end === 'more') await pace.rest()
    return end
  }
}
