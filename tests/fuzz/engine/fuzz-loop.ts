/** Changes inputs, runs them, keeps those that reach new code, and tells of those that show a defect. */
import { mutateBytes } from '../mutators/bytes.ts'
import { type Coverage, startCoverage } from './coverage.ts'
import type { Find, Judge } from './judge.ts'
import { minimise } from './minimise.ts'
import { packed } from './packed-input.ts'
import type { Random } from './random.ts'
import { DEFAULT_MAX_BYTES, type Target } from './target.ts'

export type LoopEvents = {
  /** Before each run: what hangs or ends the thread is known by it. */
  readonly onInput: (input: Buffer) => void
  readonly onFind: (find: Find, input: Buffer) => void
  readonly onProgress: (progress: Progress) => void
}
export type Progress = { readonly inputs: number; readonly corpus: number; readonly pieces: number }

// Reading the counters costs as much as some ten runs.
const BATCH = 64
const MAX_CORPUS = 3_000
// More than these tell nobody anything.
const MAX_FINDS = 20

/** Until `isOver`. The same seed gives the same inputs, as long as the code runs the same way. */
export async function fuzzLoop(
  target: Target,
  judge: Judge,
  random: Random,
  isOver: () => boolean,
  events: LoopEvents,
  startWith: readonly Buffer[] = [],
): Promise<void> {
  const maxBytes = target.maxBytes ?? DEFAULT_MAX_BYTES
  const corpus = [...target.seeds(), ...startWith]
  const known = new Set<string>()
  let inputs = 0
  const coverage = target.isRemote ? undefined : startCoverage()
  const run = async (input: Buffer): Promise<void> => {
    inputs++
    events.onInput(input)
    const find = await judge(input)
    events.onProgress({ inputs, corpus: corpus.length, pieces: coverage?.pieces() ?? 0 })
    if (!find || known.has(find.signature)) return
    known.add(find.signature)
    events.onFind(find, await smallest(input, find, judge, events))
  }
  const keep = (input: Buffer): void => {
    if (corpus.length < MAX_CORPUS) corpus.push(input)
    else corpus[random.int(corpus.length)] = input
  }
  try {
    for (const seed of corpus) await run(seed)
    coverage?.take()
    while (!isOver() && known.size < MAX_FINDS) {
      const batch = Array.from({ length: target.isRemote ? 1 : BATCH }, () =>
        next(target, corpus, random, maxBytes),
      )
      for (const input of batch) {
        if (isOver()) break
        await run(input)
      }
      if (coverage && coverage.take() > 0) await keepNew(batch, coverage, run, keep)
    }
  } finally {
    coverage?.stop()
  }
}

/** New inputs are worth more than old ones: they are taken as often as all others together. */
function next(target: Target, corpus: readonly Buffer[], random: Random, maxBytes: number): Buffer {
  const recent = Math.max(0, corpus.length - 50)
  const input =
    corpus[random.oneIn(2) ? random.int(corpus.length) : recent + random.int(corpus.length - recent)]!
  const other = random.pick(corpus)
  const words = target.words ?? []
  try {
    if (!target.mutate || random.oneIn(3)) return mutateBytes(input, random, other, words, maxBytes)
    const changed = target.mutate(input, random, other)
    if (random.oneIn(6)) return mutateBytes(changed, random, other, words, maxBytes)
    return changed.subarray(0, maxBytes)
  } catch (cause) {
    throw new Error(`the mutator failed; its inputs were ${packed(input)} and ${packed(other)}`, { cause })
  }
}

/** The counters say that one of these reached something new, and not which: halves are run again until it is known. */
async function keepNew(
  inputs: readonly Buffer[],
  coverage: Coverage,
  run: (input: Buffer) => Promise<unknown>,
  keep: (input: Buffer) => void,
): Promise<void> {
  const [only] = inputs
  if (only && inputs.length === 1) return keep(only)
  coverage.forgetLast()
  const middle = inputs.length >> 1
  for (const half of [inputs.slice(0, middle), inputs.slice(middle)]) {
    for (const input of half) await run(input)
    if (coverage.take() > 0) await keepNew(half, coverage, run, keep)
  }
}

async function smallest(input: Buffer, find: Find, judge: Judge, events: LoopEvents): Promise<Buffer> {
  // Shorter ones are faster: nothing would be left.
  if (find.signature === 'slow') return input
  return minimise(input, async (shorter) => {
    events.onInput(shorter)
    return (await judge(shorter))?.signature === find.signature
  })
}
