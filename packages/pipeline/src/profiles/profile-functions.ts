/** How much of a profile each function took: the rows of `profile_functions`. Linear in frames, nodes and samples. */
import { type Profile, weightsOf } from './profile.ts'

export type FunctionTime = {
  readonly function: string
  readonly file: string
  readonly inApp: boolean
  selfMs: number
  totalMs: number
  samples: number
}

/** Of each profile so many are kept, those with the most time of their own. */
const MAX_FUNCTIONS = 100

/** `threadId`: only this thread is the transaction's; empty counts all. */
export function functionsOf(profile: Profile, threadId: string): readonly FunctionTime[] {
  const { frames, nodes, samples, threads } = profile
  const only = threadId === '' ? -1 : threads.findIndex(({ id }) => id === threadId)
  const weights = weightsOf(profile)
  const selfUs = new Float64Array(nodes.length / 2)
  const seen = new Uint32Array(nodes.length / 2)
  for (let at = 0; at < weights.length; at++) {
    const node = samples[3 * at + 1]!
    if (node < 0 || (only >= 0 && samples[3 * at + 2] !== only)) continue
    selfUs[node]! += weights[at]!
    seen[node]! += 1
  }
  const totalUs = Float64Array.from(selfUs)
  for (let node = totalUs.length - 1; node >= 0; node--) {
    const parent = nodes[2 * node]!
    if (parent >= 0) totalUs[parent]! += totalUs[node]!
  }
  const functions: FunctionTime[] = []
  const byName = new Map<string, number>()
  const functionOfFrame = frames.map(({ name, file, module, inApp }) => {
    const where = module === '' ? file : module
    const key = `${name}\n${where}`
    const known = byName.get(key)
    if (known !== undefined) return known
    const made = functions.push({ function: name, file: where, inApp, selfMs: 0, totalMs: 0, samples: 0 }) - 1
    byName.set(key, made)
    return made
  })
  eachRootOfFunction(nodes, functionOfFrame, (node, isOutermost) => {
    const time = functions[functionOfFrame[nodes[2 * node + 1]!]!]!
    time.selfMs += selfUs[node]! / 1000
    time.samples += seen[node]!
    if (isOutermost) time.totalMs += totalUs[node]! / 1000
  })
  return functions
    .filter(({ totalMs }) => totalMs > 0)
    .toSorted((a, b) => b.selfMs - a.selfMs || b.totalMs - a.totalMs)
    .slice(0, MAX_FUNCTIONS)
}

/** Depth first, so that a function that calls itself is known to be on the way. */
function eachRootOfFunction(
  nodes: readonly number[],
  functionOfFrame: readonly number[],
  visit: (node: number, isOutermost: boolean) => void,
): void {
  const count = nodes.length / 2
  const firstChild = new Int32Array(count).fill(-1)
  const nextSibling = new Int32Array(count).fill(-1)
  const stack: number[] = []
  for (let node = count - 1; node >= 0; node--) {
    const parent = nodes[2 * node]!
    if (parent < 0) stack.push(node)
    else {
      nextSibling[node] = firstChild[parent]!
      firstChild[parent] = node
    }
  }
  const active = new Uint32Array(functionOfFrame.length)
  while (stack.length > 0) {
    const entry = stack.pop()!
    if (entry < 0) {
      active[functionOfFrame[nodes[2 * (-entry - 1) + 1]!]!]! -= 1
      continue
    }
    const fn = functionOfFrame[nodes[2 * entry + 1]!]!
    visit(entry, active[fn] === 0)
    active[fn]! += 1
    stack.push(-entry - 1)
    for (let child = firstChild[entry]!; child >= 0; child = nextSibling[child]!) stack.push(child)
  }
}
