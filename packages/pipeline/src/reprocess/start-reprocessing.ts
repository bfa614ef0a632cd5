/** Works off the `repair` table: at the start, when it is woken, and now and then. One run at a time, the oldest first. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus, Clock, Logger, Tracer } from '@sonde/base'
import { dueNow, type RecordsWatch, type RunningJob, startJob } from '@sonde/jobs'
import type { Records, Telemetry } from '@sonde/stores'
import type { Pipeline } from '../start-pipeline.ts'
import { createGatherer } from './gather-events.ts'
import { noteError, openReprocessings, type ReprocessingChange, type StepEnd } from './reprocessing-cursor.ts'
import { reprocessingStep, type ReprocessingStep } from './reprocessing-step.ts'

export type ReprocessingOptions = {
  readonly records: Records
  readonly telemetry: Pick<Telemetry, 'insert' | 'query' | 'deleteRows'>
  readonly clock: Clock
  readonly logger: Logger
  readonly bus?: Bus
  readonly watch?: RecordsWatch
  readonly tracer?: Tracer
  readonly pipeline: Pick<Pipeline, 'state' | 'readTo' | 'reprocess'>
  /** Once what was changed can be queried. */
  readonly onChange?: (change: ReprocessingChange) => void
  /** Only tests of crashes need it. */
  readonly afterStep?: (step: ReprocessingStep) => void | Promise<void>
}

// The command line asks for reprocessing too, and cannot wake this one. A look is one row of a small index.
const LOOK_EVERY_MS = 5_000
const WAIT_MS = 100
const AT_ONCE = 100

/** `wake` is for `CommandDeps.onArtifacts`. */
export function startReprocessing(options: ReprocessingOptions): RunningJob {
  const { records } = options
  const gather = createGatherer()
  return startJob(options, {
    name: 'reprocessing',
    lookEveryMs: LOOK_EVERY_MS,
    dueMs: async () => dueNow((await openReprocessings(records, 1)).length > 0),
    async run(signal) {
      const step = stepOf(options, gather, signal)
      const open = await openReprocessings(records, AT_ONCE)
      // After an error none of the later ones begins: rows of the one that failed may be replaced in part.
      for (const id of open)
        try {
          while (!signal.aborted && (await step(id)) !== 'done');
        } catch (error) {
          if (signal.aborted) return 'done'
          const message = error instanceof Error ? error.message : String(error)
          await noteError(records, id, message.slice(0, 500)).catch(() => undefined)
          throw error
        }
      return open.length < AT_ONCE ? 'done' : { againInMs: 0 }
    },
  })
}

function stepOf(
  options: ReprocessingOptions,
  gather: ReturnType<typeof createGatherer>,
  signal: AbortSignal,
) {
  const { pipeline } = options
  const pause = async (ms: number): Promise<void> => {
    await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
  }
  const throttle = createThrottle(() => pipeline.state().records, pause)
  const needs = {
    ...options,
    reprocess: pipeline.reprocess,
    gather,
    throttle,
    onChange: options.onChange ?? (() => undefined),
    afterStep: options.afterStep ?? (() => undefined),
    signal,
  }
  return async (id: number): Promise<StepEnd> => {
    throttle.begin()
    const end = await reprocessingStep(needs, id)
    if (end === 'waits') await pause(WAIT_MS)
    if (end === 'more') await throttle.rest()
    return end
  }
}

// Reprocessing pauses after each piece of work, so that new events are not slowed down.

/** A machine with two cores takes about so many a second when it does nothing else. */
const FULL_SPEED = 1_000
// Nothing arrives: just long enough for others that wait for the engine or the records.
const LEAST_MS = 5
const LONGEST_MS = 10_000
/** At full speed it works an eighth of the time. */
const MOST_RESTS = 7

/** `arrived`: records that the pipeline committed while the work was done. */
export function pauseAfter(workMs: number, arrived: number): number {
  if (arrived === 0 || workMs <= 0) return LEAST_MS
  const perSec = (arrived * 1000) / workMs
  const rests = MOST_RESTS * Math.min(1, perSec / FULL_SPEED)
  return Math.min(LONGEST_MS, Math.max(LEAST_MS, workMs * rests))
}

export type Throttle = {
  /** What was done since the last rest is the piece of work; waiting for something else is none. */
  begin(): void
  rest(): Promise<void>
}

/** `committed`: records that the pipeline has committed, ever. */
export function createThrottle(committed: () => number, pause: (ms: number) => Promise<void>): Throttle {
  let sinceMs = performance.now()
  let before = committed()
  const begin = (): void => {
    sinceMs = performance.now()
    before = committed()
  }
  return {
    begin,
    async rest() {
      await pause(pauseAfter(performance.now() - sinceMs, committed() - before))
      begin()
    },
  }
}
