/** What an attack is told, and what it tells. */
import type { LoadCounts } from '../../bench/load/tally.ts'
import type { LoadPlace } from './load-place.ts'

export type AttackPlan = {
  readonly forMs: number
  /** Errors a second that this machine stores. */
  readonly kneePerSec: number
  /** 1: as the scenario is named; the smoke test does less of each. */
  readonly share: number
  readonly say: (text: string) => void
}

export type Check = { readonly name: string; readonly ok: boolean; readonly detail: string }
export type Attacked = {
  readonly counts: LoadCounts
  /** Each of `counts` is a request of one item, so that outcomes can be added up. */
  readonly isCounted: boolean
  readonly checks: readonly Check[]
}

export type Scenario = {
  readonly name: string
  readonly what: string
  attack(place: LoadPlace, plan: AttackPlan): Promise<Attacked>
}

export const NO_COUNTS: LoadCounts = {
  scheduled: 0,
  ok: 0,
  refused: 0,
  untimed: 0,
  wrong: 0,
  failed: 0,
  timedOut: 0,
  dropped: 0,
}
