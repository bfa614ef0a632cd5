/**
 * How alike two issues are, 0 to 1: the weighted mean of four parts. A part that neither side can answer (no exception
 * type, no stack that is kept) is left out, so that it speaks neither for nor against.
 *
 * | part      | weight | 1 means                                                              |
 * | message   | 0.35   | the same words, without numbers, ids and addresses (Jaccard)         |
 * | functions | 0.30   | the same functions of the application in the stack (Jaccard)         |
 * | type      | 0.20   | the same exception type                                              |
 * | place     | 0.15   | the same culprit, or the same function and file as the one that threw |
 */
import { overlap } from './message-words.ts'

export type Traits = {
  readonly words: ReadonlySet<string>
  /** Empty: none. */
  readonly type: string
  /** Empty: unknown. */
  readonly culprit: string
  /** `file:function`; empty when either is unknown. */
  readonly place: string
  /** Of the newest event's stack; undefined: not read, or no event is kept. */
  readonly functions: ReadonlySet<string> | undefined
}

export type Likeness = {
  readonly score: number
  /** For people, like "same function"; empty when nothing is alike. */
  readonly reason: string
}

const WEIGHTS = { message: 0.35, functions: 0.3, type: 0.2, place: 0.15 } as const
type Parts = Readonly<Record<keyof typeof WEIGHTS, number | undefined>>

export function likeness(a: Traits, b: Traits): Likeness {
  const parts: Parts = {
    message: overlap(a.words, b.words),
    functions: a.functions && b.functions && overlap(a.functions, b.functions),
    type: a.type === '' && b.type === '' ? undefined : Number(a.type === b.type),
    place: placeOf(a, b),
  }
  let sum = 0
  let weights = 0
  for (const [name, weight] of Object.entries(WEIGHTS)) {
    const part = parts[name as keyof Parts]
    if (part === undefined) continue
    sum += part * weight
    weights += weight
  }
  return { score: weights === 0 ? 0 : sum / weights, reason: reasonOf(parts) }
}

function placeOf(a: Traits, b: Traits): number | undefined {
  if ((a.culprit === '' && a.place === '') || (b.culprit === '' && b.place === '')) return undefined
  return Number((a.culprit !== '' && a.culprit === b.culprit) || (a.place !== '' && a.place === b.place))
}

/** The strongest thing to say first; a person checks it at one look. */
function reasonOf({ message = 0, functions = 0, type = 0, place = 0 }: Parts): string {
  const where =
    functions >= 0.8
      ? 'same call path'
      : place === 1
        ? 'same function'
        : functions >= 0.3
          ? 'shared functions'
          : ''
  const what =
    message === 1
      ? type === 1
        ? 'same type and message'
        : 'same message'
      : message >= 0.5
        ? type === 1
          ? 'same type and similar message'
          : 'similar message'
        : type === 1
          ? 'same type'
          : ''
  return [what, where].filter((text) => text !== '').join(', ')
}
