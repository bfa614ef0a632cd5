/** What a place in a script is to who reads it: a place in the source, or why it is none. */
import type { SourcePosition } from '@sonde/protocol/code-position'
import type { FrameProblem } from '@sonde/protocol/frame-problem'

export type SourcePlace = Extract<SourcePosition, { readonly ok: true }>
export type Unreadable = {
  readonly problem: FrameProblem
  readonly detail: string | undefined
  /** Empty: nobody told. */
  readonly release: string
}

export const placeOf = (answer: SourcePosition | undefined): SourcePlace | undefined =>
  answer?.ok ? answer : undefined

export const unreadableOf = (
  answer: SourcePosition | undefined,
  release: string | undefined,
): Unreadable | undefined =>
  answer === undefined || answer.ok
    ? undefined
    : { problem: answer.problem, detail: answer.detail, release: release ?? '' }
