/** Runs named stages one after the other, times each, and stops at the first that drops. */
import type { ItemOutcome } from '@sonde/protocol/outcome'
import { isMissingFiles, type MissingFiles } from './maps/file-requests.ts'

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

type AnyStage = { readonly name: string; run(input: never): object }
type InputOf<S> = S extends { run(input: infer In): object } ? In : never
type AnswerOf<S> = S extends { run(input: never): infer Answer } ? Answer : never
/** What the next stage is given: a chain ends at the other answers. */
type OutputOf<S> = Exclude<AnswerOf<S>, Dropped | MissingFiles>
type Linked<List extends readonly unknown[]> = List extends readonly [infer First, infer Next, ...infer Rest]
  ? OutputOf<First> extends InputOf<Next>
    ? readonly [First, ...Linked<readonly [Next, ...Rest]>]
    : readonly [First, 'takes what the stage before it does not give']
  : List
type LastOf<List extends readonly unknown[]> = List extends readonly [...unknown[], infer Last] ? Last : never

/** Each stage takes what the one before it gives: a wrong order does not compile. */
export function chain<const List extends readonly [AnyStage, ...AnyStage[]]>(
  stages: List & Linked<List>,
): Chain<
  InputOf<List[0]> & object,
  OutputOf<LastOf<List>> & object,
  Extract<AnswerOf<List[number]>, MissingFiles>
>
export function chain(
  list: readonly Stage<object, object, MissingFiles>[],
): Chain<object, object, MissingFiles> {
  return {
    names: list.map((stage) => stage.name),
    run(input, times) {
      let value: object = input
      let before = performance.now()
      for (const stage of list) {
        value = stage.run(value)
        const after = performance.now()
        addTime(times, stage.name, after - before)
        if (isDropped(value) || isMissingFiles(value)) return value
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
