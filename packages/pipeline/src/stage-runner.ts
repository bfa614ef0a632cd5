/** Runs named stages one after the other, times each, and stops at the first that drops. */
import type { ItemOutcome } from '@sonde/protocol/outcome'
import { isLacking, type Lacking } from './maps/file-asks.ts'

export type DropOutcome = Exclude<ItemOutcome, { readonly outcome: 'accepted' | 'client_discard' }>

/** A stage's other answer: the item ends here, with this outcome. `detail` is for people, never counted by. */
export type Dropped = { readonly dropped: DropOutcome; readonly detail?: string }
/** An outcome by its two words; a reason that does not belong to the outcome does not compile. */
export function drop<O extends DropOutcome['outcome']>(
  outcome: O,
  reason: Extract<DropOutcome, { readonly outcome: O }>['reason'],
  detail?: string,
): Dropped {
  const dropped = { outcome, reason } as DropOutcome
  return detail === undefined ? { dropped } : { dropped, detail }
}

/** `More`: what else it may answer, which ends the chain too (`Lacking`: it is to be run again). */
export type Stage<In extends object, Out extends object, More extends object = never> = {
  readonly name: string
  /** Pure. Throwing means a defect of ours: the item becomes a dead letter. */
  run(input: In): Out | Dropped | More
}

/** Milliseconds spent per stage, and how often it ran; added up by the caller. */
export type StageTimes = Map<string, { ms: number; runs: number }>

export type Chain<In extends object, Out extends object, More extends object = never> = {
  readonly names: readonly string[]
  run(input: In, times: StageTimes): Out | Dropped | More
}

/** Each stage takes what the one before it gives: a wrong order does not compile. */
export function chain<
  A extends object,
  B extends object,
  C extends object,
  D extends object,
  E extends object,
  F extends object,
>(...stages: readonly [Stage<A, B>, Stage<B, C>, Stage<C, D>, Stage<D, E>, Stage<E, F>]): Chain<A, F>
export function chain<
  A extends object,
  B extends object,
  C extends object,
  D extends object,
  E extends object,
  F extends object,
  G extends object,
>(
  ...stages: readonly [Stage<A, B>, Stage<B, C>, Stage<C, D>, Stage<D, E>, Stage<E, F>, Stage<F, G>]
): Chain<A, G>
export function chain<
  A extends object,
  B extends object,
  C extends object,
  D extends object,
  E extends object,
  F extends object,
  G extends object,
  H extends object,
>(
  ...stages: readonly [
    Stage<A, B>,
    Stage<B, C>,
    Stage<C, D>,
    Stage<D, E>,
    Stage<E, F, Lacking>,
    Stage<F, G>,
    Stage<G, H>,
  ]
): Chain<A, H, Lacking>
export function chain(...stages: readonly unknown[]): Chain<object, object, Lacking> {
  const list = stages as readonly Stage<object, object, Lacking>[]
  return {
    names: list.map((stage) => stage.name),
    run(input, times) {
      let value: object = input
      let before = performance.now()
      for (const stage of list) {
        value = stage.run(value)
        const after = performance.now()
        addTime(times, stage.name, after - before)
        if (isDropped(value) || isLacking(value)) return value
        before = after
      }
      return value
    },
  }
}

export function isDropped(value: object): value is Dropped {
  return 'dropped' in value
}

function addTime(times: StageTimes, name: string, ms: number): void {
  const sum = times.get(name)
  if (sum === undefined) times.set(name, { ms, runs: 1 })
  else {
    sum.ms += ms
    sum.runs++
  }
}
