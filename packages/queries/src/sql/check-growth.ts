/**
 * Functions whose answer is as large as an argument says. The analyzer computes constants while it looks for names, on one
 * row, where the engine never looks at its clock: so how large is read in the parser's tree, before anything computes.
 * Memory and the wall clock of the console hold behind it; this says at once, and in words, what they would say late.
 */
import { SqlRefused } from './sql-refused.ts'
import type { TreeNode } from './tree-node.ts'

/** Of one function. Texts and lists that a person looks at are shorter. */
const MOST = 10_000
/** Of all in one statement, multiplied: each may stand inside another, also by a name that WITH gave it. */
const MOST_TOGETHER = 1_000_000

type Growth = {
  /** Which arguments say it; all where none is named. */
  readonly at?: number
  /** What is inside is repeated; otherwise the answer has this size, whatever is inside. */
  readonly multiplies: boolean
}

const pads: Growth = { at: 1, multiplies: false }
const GROWING: ReadonlyMap<string, Growth> = new Map([
  ['repeat', { at: 1, multiplies: true }],
  ['range', { multiplies: true }],
  ['arraywithconstant', { at: 0, multiplies: true }],
  ['arrayresize', { at: 1, multiplies: true }],
  ['ngrams', { at: 1, multiplies: true }],
  ['space', { at: 0, multiplies: false }],
  ...['leftpad', 'leftpadutf8', 'lpad', 'rightpad', 'rightpadutf8', 'rpad', 'tofixedstring'].map(
    (name) => [name, pads] as const,
  ),
])

export type SizedCall = { readonly name: string; readonly args: readonly TreeNode[] }

/** Throws `SqlRefused`. */
export function checkGrowth(calls: readonly SizedCall[]): void {
  let together = 1
  let padded = 1
  for (const { name, args } of calls) {
    const growth = GROWING.get(name.toLowerCase())
    if (!growth) continue
    const sizes = (growth.at === undefined ? args : args.slice(growth.at, growth.at + 1)).map(sizeOf)
    const size = Math.max(1, ...sizes)
    // Also for NaN, and for a call without the argument.
    if (sizes.length === 0 || !sizes.every((each) => each <= MOST))
      throw new SqlRefused(`${name} needs its size as a number of at most ${MOST.toLocaleString('en')}`, {
        hint: 'Write the number itself.',
      })
    if (growth.multiplies) together *= size
    else padded = Math.max(padded, size)
  }
  if (together * padded > MOST_TOGETHER)
    throw new SqlRefused('together the functions of this statement would make too much', {
      hint: `The sizes they are given, multiplied, are at most ${MOST_TOGETHER.toLocaleString('en')}.`,
    })
}

/** NaN for everything that is no number written out. */
function sizeOf({ kind, value }: TreeNode): number {
  const digits =
    kind === 'Literal' ? /^(?:U?Int\d+|Float64)_(-?[\d.]+(?:e[+-]?\d+)?)$/.exec(value)?.[1] : undefined
  return digits === undefined ? Number.NaN : Math.abs(Number(digits))
}
