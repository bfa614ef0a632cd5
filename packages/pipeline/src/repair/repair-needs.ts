/** What a repair works with, and what a step of it comes to. */
import type { Clock } from '@sonde/base'
import type { Records, Telemetry } from '@sonde/stores'
import type { Pipeline } from '../start-pipeline.ts'
import type { createGatherer } from './gather-events.ts'
import type { Pace } from './pace.ts'
import type { Redigest } from './redigest.ts'
import type { RepairStep } from './repair-steps.ts'

export type RepairNeeds = {
  readonly records: Records
  readonly telemetry: Pick<Telemetry, 'insert' | 'query' | 'deleteRows'>
  readonly clock: Clock
  readonly redigest: Redigest
  readonly pipeline: Pick<Pipeline, 'between' | 'state'>
  readonly gather: ReturnType<typeof createGatherer>
  readonly pace: Pace
  /** After what was changed can be queried. */
  readonly onChange: (change: RepairChange) => void
  readonly afterStep: (step: RepairStep) => void | Promise<void>
  readonly signal: AbortSignal
}
export type RepairChange = {
  readonly projects: readonly number[]
  readonly issues: readonly number[]
  readonly created: readonly number[]
  readonly regressed: readonly number[]
}
/** `waits`: for the pipeline; to be called again a little later. */
export type StepEnd = 'more' | 'waits' | 'done'
