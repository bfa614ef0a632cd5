/** What `sonde doctor` says: is each part well, what waits, and what became of everything received. */
import type { OperatorProcess, OutcomeCount } from '@sonde/queries'

const PART_STATES = ['ok', 'degraded', 'down', 'stopped'] as const
export type PartState = (typeof PART_STATES)[number]

export type PartReport = {
  readonly name: string
  readonly state: PartState
  /** One sentence; where the state is not `ok`, with the next step. */
  readonly detail: string
}

export type DoctorReport = {
  readonly version: string
  /** The worst state of any part. */
  readonly state: PartState
  readonly parts: readonly PartReport[]
  /** What waits between the answer to an SDK and the screen. */
  readonly log: { readonly depthBytes: number; readonly keptBytes: number; readonly oldestAgeMs: number }
  /** None where nothing runs, or where the system does not tell. */
  readonly processes: readonly OperatorProcess[]
  readonly deadLetters: number
  /** Over the last 24 hours. */
  readonly outcomes: readonly OutcomeCount[]
}

export function worstState(parts: readonly PartReport[]): PartState {
  const rank = (state: PartState): number => PART_STATES.indexOf(state)
  return parts.reduce<PartState>((worst, part) => (rank(part.state) > rank(worst) ? part.state : worst), 'ok')
}
