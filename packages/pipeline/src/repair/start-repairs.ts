/** Works off the `repair` table: at the start, when it is woken, and now and then. One repair at a time, the oldest first. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock, Logger } from '@sonde/base'
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
  readonly telemetry: Pick<Telemetry, 'insert' | 'query' | 'command'>
  readonly clock: Clock
  readonly logger: Logger
  readonly pipeline: Pick<Pipeline, 'between' | 'state' | 'redigest'>
  /** Once what was changed can be queried. */
  readonly onChange?: (change: RepairChange) => void
  /** Only tests of crashes need it. */
  readonly afterStep?: (step: RepairStep) => void | Promise<void>
}

export type Repairs = {
  /** Looks now: for `CommandDeps.onArtifacts`. */
  wake(): void
  /** Ends the step in hand; the rest is left to the next start. */
  stop(): Promise<void>
}

// The command line asks for repairs too, and cannot wake this one. A look is one row of a small index.
const LOOK_EVERY_MS = 5_000
const WAIT_MS = 100
const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 60_000
const AT_ONCE = 100

export function startRepairs(options: RepairsOptions): Repairs {
  const { records, logger, pipeline } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let wakeUp = new AbortController()
  const pause = async (ms: number, wakes?: AbortSignal): Promise<void> => {
    const either = wakes ? AbortSignal.any([wakes, signal]) : signal
    await sleep(ms, undefined, { signal: either, ref: false }).catch(() => undefined)
  }
  const pace = createPace(() => pipeline.state().records, pause)
  const needs = {
    ...options,
    redigest: pipeline.redigest,
    gather: createGatherer(),
    pace,
    onChange: options.onChange ?? (() => undefined),
    afterStep: options.afterStep ?? (() => undefined),
    signal,
  }

  const step = async (id: number): Promise<StepEnd> => {
    pace.begin()
    const end = await repairStep(needs, id)
    if (end === 'waits') await pause(WAIT_MS)
    if (end === 'more') await pace.rest()
    return end
  }

  /** False: something is in trouble, and nothing goes on before it does: its rows may be replaced in part. */
  const workOff = async (): Promise<boolean> => {
    for (const id of await openRepairs(records, AT_ONCE)) {
      try {
        while (!signal.aborted && (await step(id)) !== 'done');
      } catch (error) {
        if (signal.aborted) return true
        logger.error({ err: error, repair: id }, 'a repair failed; trying again')
        const message = error instanceof Error ? error.message : String(error)
        await noteTrouble(records, id, message.slice(0, 500)).catch(() => undefined)
        return false
      }
      if (signal.aborted) return true
    }
    return true
  }

  const run = async (): Promise<void> => {
    let failures = 0
    while (!signal.aborted) {
      const { signal: wakes } = wakeUp
      const isWell = await workOff().catch((error: unknown) => {
        logger.error({ err: error }, 'repairs could not be looked for; trying again')
        return false
      })
      failures = isWell ? 0 : failures + 1
      const retryMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 10))
      await pause(isWell ? LOOK_EVERY_MS : retryMs, isWell ? wakes : undefined)
      if (wakes.aborted) wakeUp = new AbortController()
    }
  }
  const running = run()
  return {
    wake: () => wakeUp.abort(),
    async stop() {
      stopping.abort()
      await running
    },
  }
}
