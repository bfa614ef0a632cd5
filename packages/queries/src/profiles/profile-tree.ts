/**
 * The stacks of one profile, or of several, as one tree: functions of one name and file below the same callers are one
 * node. Linear in what is read; nodes that took the least are left out when there are more than a screen can show.
 */

/** What the pipeline writes (packages/pipeline/src/profiles/profile.ts). */
type Body = {
  readonly frames: readonly (readonly [string, string, number, number, string, 0 | 1, string])[]
  readonly nodes: readonly number[]
  readonly samples: readonly number[]
  readonly weights: readonly number[]
  readonly threads: readonly (readonly [id: string, name: string])[]
}

export type ProfileFunction = {
  readonly name: string
  readonly file: string
  readonly line: number
  readonly inApp: boolean
  /** Why the name is a minified one, or empty. */
  readonly problem: string
}
export type ProfileNode = {
  /** Index among the nodes, always a lower one; -1: none. */
  readonly parent: number
  /** Index among the functions. */
  readonly fn: number
  /** Milliseconds. */
  readonly selfMs: number
  readonly totalMs: number
}
export type ProfileTree = {
  readonly functions: readonly ProfileFunction[]
  readonly nodes: readonly ProfileNode[]
  readonly totalMs: number
  /** Time in which nothing of the threads ran. */
  readonly idleMs: number
  readonly threads: readonly { readonly id: string; readonly name: string; readonly samples: number }[]
  /** Nodes that took the least and are not among these. */
  readonly leftOut: number
}

const MAX_SHOWN = 4_000
const MAX_NODES = 200_000

/** The calls of several texts as one tree, nothing left out but what is beyond `MAX_NODES`. */
export type MergedCalls = {
  readonly functions: readonly ProfileFunction[]
  /** Of each node, by index: its parent, its function, milliseconds and samples in itself. */
  readonly parents: readonly number[]
  readonly fns: readonly number[]
  readonly selfMs: readonly number[]
  readonly selfSamples: readonly number[]
  readonly idleMs: number
  readonly threads: ProfileTree['threads']
  readonly leftOut: number
}

/** `thread`: only samples of this one. */
export function mergedCalls(bodies: readonly string[], thread?: string): MergedCalls {
  const functions: ProfileFunction[] = []
  const functionOf = new Map<string, number>()
  const parents: number[] = []
  const fns: number[] = []
  const selfMs: number[] = []
  const selfSamples: number[] = []
  const childOf = new Map<string, number>()
  const threads = new Map<string, { id: string; name: string; samples: number }>()
  let idleMs = 0
  let leftOut = 0
  for (const text of bodies) {
    const body = JSON.parse(text) as Body
    const own = body.frames.map(([name, file, line, , module, inApp, problem]) => {
      const where = module === '' ? file : module
      const key = `${name}\n${where}`
      const known = functionOf.get(key)
      if (known !== undefined) return known
      const made = functions.push({ name, file: where, line, inApp: inApp === 1, problem }) - 1
      functionOf.set(key, made)
      return made
    })
    const merged: number[] = []
    for (let node = 0; node < body.nodes.length / 2; node++) {
      const parent = body.nodes[2 * node]!
      const above = parent < 0 ? -1 : merged[parent]!
      const fn = own[body.nodes[2 * node + 1]!]!
      const key = `${above} ${fn}`
      let found = childOf.get(key)
      if (found === undefined) {
        if (parents.length >= MAX_NODES) {
          leftOut++
          merged.push(above)
          continue
        }
        found = parents.push(above) - 1
        fns.push(fn)
        selfMs.push(0)
        selfSamples.push(0)
        childOf.set(key, found)
      }
      merged.push(found)
    }
    for (let at = 0; at < body.weights.length; at++) {
      const [id = '', name = ''] = body.threads[body.samples[3 * at + 2]!] ?? []
      const seen = threads.get(id)
      if (seen) seen.samples++
      else threads.set(id, { id, name, samples: 1 })
      if (thread !== undefined && id !== thread) continue
      const node = body.samples[3 * at + 1]!
      const target = node < 0 ? -1 : merged[node]!
      if (target < 0) idleMs += body.weights[at]! / 1000
      else {
        selfMs[target]! += body.weights[at]! / 1000
        selfSamples[target]! += 1
      }
    }
  }
  return {
    functions,
    parents,
    fns,
    selfMs,
    selfSamples,
    idleMs,
    threads: [...threads.values()].toSorted((a, b) => b.samples - a.samples),
    leftOut,
  }
}

/** What each node and all below it have, a parent before its children. */
export function totalsOf(parents: readonly number[], own: readonly number[]): readonly number[] {
  const totals = [...own]
  for (let node = totals.length - 1; node >= 0; node--) {
    const parent = parents[node]!
    if (parent >= 0) totals[parent]! += totals[node]!
  }
  return totals
}

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0)

/** `thread`: only samples of this one. */
export function treeOf(bodies: readonly string[], thread?: string): ProfileTree {
  const { functions, parents, fns, selfMs, idleMs, threads, leftOut } = mergedCalls(bodies, thread)
  const totals = totalsOf(parents, selfMs)
  const list = parents.map((parent, at) => ({
    parent,
    fn: fns[at]!,
    selfMs: selfMs[at]!,
    totalMs: totals[at]!,
  }))
  const shown = heaviest(list)
  return {
    ...onlyNamed(functions, shown),
    totalMs: sumOf(selfMs),
    idleMs,
    threads,
    leftOut: leftOut + list.filter((each) => each.totalMs > 0).length - shown.length,
  }
}

/** A parent took at least as long as its children, so what is left is a tree. */
export function heaviest<Node extends ProfileNode>(nodes: readonly Node[]): readonly Node[] {
  const order = nodes
    .map((_, at) => at)
    .filter((at) => nodes[at]!.totalMs > 0)
    .toSorted((a, b) => nodes[b]!.totalMs - nodes[a]!.totalMs || a - b)
    .slice(0, MAX_SHOWN)
    .toSorted((a, b) => a - b)
  const placeOf = new Map(order.map((at, place) => [at, place]))
  return order.map((at) => ({ ...nodes[at]!, parent: placeOf.get(nodes[at]!.parent) ?? -1 }))
}

export function onlyNamed<Fn, Node extends ProfileNode>(functions: readonly Fn[], nodes: readonly Node[]) {
  const used = [...new Set(nodes.map(({ fn }) => fn))]
  const placeOf = new Map(used.map((fn, place) => [fn, place]))
  return {
    functions: used.map((fn) => functions[fn]!),
    nodes: nodes.map((node) => ({ ...node, fn: placeOf.get(node.fn)! })),
  }
}
