/** A profile as it is stored: places of code, the tree of stacks, and which of them was seen when in which thread. */

export type ProfileFrame = {
  /** Name of the function; native code without symbols has its address. */
  readonly name: string
  readonly file: string
  readonly line: number
  readonly column: number
  readonly module: string
  readonly inApp: boolean
  /** Why a name is a minified one: a word of `FRAME_PROBLEMS`, or empty. */
  readonly problem: string
}

export type Profile = {
  readonly frames: readonly ProfileFrame[]
  /** Of node `i` its parent and its frame at `2 * i`; a parent comes before its children, -1 is none. */
  readonly nodes: readonly number[]
  /** Three numbers each, ordered by time: microseconds since the start, node (-1: idle), index of the thread. */
  readonly samples: readonly number[]
  readonly threads: readonly { readonly id: string; readonly name: string }[]
  readonly startMs: number
  readonly durationMs: number
  readonly remark: string
}

/** The text of the column `body`: lists instead of objects, which are a third of the size. */
export function bodyOf(profile: Profile): string {
  const { frames, nodes, samples, threads } = profile
  return JSON.stringify({
    frames: frames.map(({ name, file, line, column, module, inApp, problem }) => [
      name,
      file,
      line,
      column,
      module,
      inApp ? 1 : 0,
      problem,
    ]),
    nodes,
    samples,
    weights: [...weightsOf(profile)],
    threads: threads.map(({ id, name }) => [id, name]),
  })
}

/** Longer than this nobody waits between two samples: then the thread, or the whole machine, did not run. */
const MAX_GAP_US = 1_000_000
/** What one sample stands for that has no other of its thread: SDKs take a hundred a second. */
const USUAL_US = 10_000

/** Microseconds that each sample stands for: until the next one of its thread. */
export function weightsOf({ samples }: Profile): Float64Array {
  const weights = new Float64Array(samples.length / 3)
  const next = new Map<number, { atUs: number; weight: number }>()
  for (let at = weights.length - 1; at >= 0; at--) {
    const atUs = samples[3 * at]!
    const thread = samples[3 * at + 2]!
    const later = next.get(thread)
    const weight = later === undefined ? USUAL_US : Math.min(MAX_GAP_US, later.atUs - atUs)
    weights[at] = weight
    next.set(thread, { atUs, weight })
  }
  return weights
}
