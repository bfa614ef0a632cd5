/**
 * The calls of two sets of profiles side by side. Times of two sets say nothing beside each other, since one may hold more
 * profiles: what is compared are shares of the time in which anything ran.
 */
import {
  heaviest,
  type MergedCalls,
  mergedCalls,
  onlyNamed,
  type ProfileFunction,
  type ProfileNode,
  type ProfileTree,
  sumOf,
  totalsOf,
} from './profile-tree.ts'

/** Two numbers of the same: before and after. */
export type Pair = { readonly before: number; readonly after: number }

export type DifferenceNode = ProfileNode & {
  /** Shares of all work, 0 to 1, of the call and what it called. */
  readonly share: Pair
}
export type FunctionDifference = {
  readonly function: string
  readonly file: string
  readonly inApp: boolean
  /** Shares of all work, 0 to 1. Recursion counts once. */
  readonly self: Pair
  readonly total: Pair
  /** Samples in the function itself. */
  readonly samples: Pair
  /** So few on both sides together that chance alone would make such a difference. */
  readonly isTooFew: boolean
}
export type ProfileDifference = {
  /** Lengths are the mean of both shares, in thousandths: so what is only on one side is there too. */
  readonly tree: Omit<ProfileTree, 'nodes'> & { readonly nodes: readonly DifferenceNode[] }
  /** The largest differences of self time first. */
  readonly functions: readonly FunctionDifference[]
  /** Samples of both sides, idle ones left out. */
  readonly samples: Pair
  readonly isTooFew: boolean
}

/** A function of fewer samples, or a side of fewer: two standard errors are then wider than the share itself. */
const MIN_FUNCTION_SAMPLES = 20
const MIN_SIDE_SAMPLES = 100
const MAX_FUNCTIONS = 100
/** Of a tree whose total is this long. */
const WHOLE = 1_000

export function profileDifference(before: readonly string[], after: readonly string[]): ProfileDifference {
  const sides = [mergedCalls(before), mergedCalls(after)] as const
  const samples = { before: sumOf(sides[0].selfSamples), after: sumOf(sides[1].selfSamples) }
  const joined = join(sides)
  const selfs = sides.map((side, at) => shares(side, joined.placeOf[at]!, joined.parents.length))
  const totals = selfs.map((self) => totalsOf(joined.parents, self))
  const nodes = joined.parents.map((parent, at): DifferenceNode => {
    const share = { before: totals[0]![at]!, after: totals[1]![at]! }
    return {
      parent,
      fn: joined.fns[at]!,
      selfMs: (WHOLE * (selfs[0]![at]! + selfs[1]![at]!)) / 2,
      totalMs: (WHOLE * (share.before + share.after)) / 2,
      share,
    }
  })
  const shown = heaviest(nodes)
  return {
    tree: {
      ...onlyNamed(joined.functions, shown),
      totalMs: sumOf(nodes.map(({ selfMs }) => selfMs)),
      idleMs: 0,
      threads: [],
      leftOut: nodes.filter(({ totalMs }) => totalMs > 0).length - shown.length,
    },
    functions: functionsOf(joined, sides, selfs),
    samples,
    isTooFew: Math.min(samples.before, samples.after) < MIN_SIDE_SAMPLES,
  }
}

type Joined = {
  readonly functions: readonly ProfileFunction[]
  readonly parents: readonly number[]
  readonly fns: readonly number[]
  /** Of each side: the joined node of each of its nodes. */
  readonly placeOf: readonly (readonly number[])[]
}

/** Nodes of the same functions below the same callers are one. */
function join(sides: readonly MergedCalls[]): Joined {
  const functions: ProfileFunction[] = []
  const functionOf = new Map<string, number>()
  const parents: number[] = []
  const fns: number[] = []
  const childOf = new Map<string, number>()
  const placeOf = sides.map((side) => {
    const own = side.functions.map((fn) => {
      const key = `${fn.name}\n${fn.file}`
      const known = functionOf.get(key)
      if (known !== undefined) return known
      const made = functions.push(fn) - 1
      functionOf.set(key, made)
      return made
    })
    const places: number[] = []
    side.parents.forEach((parent, at) => {
      const above = parent < 0 ? -1 : places[parent]!
      const fn = own[side.fns[at]!]!
      const key = `${above} ${fn}`
      let place = childOf.get(key)
      if (place === undefined) {
        place = parents.push(above) - 1
        fns.push(fn)
        childOf.set(key, place)
      }
      places.push(place)
    })
    return places
  })
  return { functions, parents, fns, placeOf }
}

/** Of each joined node, how much of the side's work was in itself. */
function shares({ selfMs }: MergedCalls, places: readonly number[], count: number): number[] {
  const whole = sumOf(selfMs)
  const found = Array.from({ length: count }, () => 0)
  if (whole > 0) selfMs.forEach((ms, at) => (found[places[at]!]! += ms / whole))
  return found
}

function functionsOf(
  { functions, parents, fns, placeOf }: Joined,
  sides: readonly MergedCalls[],
  selfs: readonly (readonly number[])[],
): readonly FunctionDifference[] {
  const zeros = (): number[] => functions.map(() => 0)
  const self = [zeros(), zeros()]
  const total = [zeros(), zeros()]
  const samples = [zeros(), zeros()]
  const isOutermost = outermost(parents, fns, functions.length)
  for (const side of [0, 1]) {
    const own = selfs[side]!
    totalsOf(parents, own).forEach((share, node) => {
      self[side]![fns[node]!]! += own[node]!
      if (isOutermost[node] === 1) total[side]![fns[node]!]! += share
    })
    sides[side]!.selfSamples.forEach((count, at) => {
      samples[side]![fns[placeOf[side]![at]!]!]! += count
    })
  }
  const pair = ([before, after]: readonly number[][], fn: number): Pair => ({
    before: before![fn]!,
    after: after![fn]!,
  })
  return functions
    .map((about, fn): FunctionDifference => {
      const seen = pair(samples, fn)
      return {
        function: about.name,
        file: about.file,
        inApp: about.inApp,
        self: pair(self, fn),
        total: pair(total, fn),
        samples: seen,
        isTooFew: seen.before + seen.after < MIN_FUNCTION_SAMPLES,
      }
    })
    .filter(({ total: { before, after } }) => before > 0 || after > 0)
    .toSorted((a, b) => Number(a.isTooFew) - Number(b.isTooFew) || sizeOf(b.self) - sizeOf(a.self))
    .slice(0, MAX_FUNCTIONS)
}

const sizeOf = ({ before, after }: Pair): number => Math.abs(after - before)

/** 1: no caller of the node is the same function. Depth first, so that each node is looked at twice. */
function outermost(parents: readonly number[], fns: readonly number[], functions: number): Uint8Array {
  const children = parents.map((): number[] => [])
  const stack: number[] = []
  parents.forEach((parent, at) => (parent < 0 ? stack : children[parent]!).push(at))
  const active = new Uint32Array(functions)
  const found = new Uint8Array(parents.length)
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    if (entry < 0) {
      active[fns[-entry - 1]!]! -= 1
      continue
    }
    const fn = fns[entry]!
    found[entry] = active[fn] === 0 ? 1 : 0
    active[fn]! += 1
    stack.push(-entry - 1, ...children[entry]!)
  }
  return found
}
