/** Where each call lies in a flame graph: shares of the width, the heaviest first. Pure. */
import type { ProfileTree } from '@sonde/queries'

export type Box = {
  readonly node: number
  readonly depth: number
  /** 0 to 1. */
  readonly from: number
  readonly to: number
}

/** `zoomed`: the node that takes the whole width, its callers above it; -1: all. */
export function boxesOf({ nodes, totalMs }: ProfileTree, zoomed: number): readonly Box[] {
  const children = new Map<number, number[]>()
  nodes.forEach(({ parent }, at) => {
    const list = children.get(parent)
    if (list) list.push(at)
    else children.set(parent, [at])
  })
  const root = nodes[zoomed]
  const boxes: Box[] = []
  for (let at = root ? root.parent : -1; at >= 0; at = nodes[at]!.parent)
    boxes.unshift({ node: at, depth: 0, from: 0, to: 1 })
  boxes.forEach((box, depth) => (boxes[depth] = { ...box, depth }))
  const whole = root ? root.totalMs : totalMs
  if (!(whole > 0)) return boxes
  type Step = { readonly list: readonly number[]; readonly depth: number; readonly from: number }
  const steps: Step[] = [{ list: root ? [zoomed] : (children.get(-1) ?? []), depth: boxes.length, from: 0 }]
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    let { from } = step
    for (const node of step.list.toSorted((a, b) => nodes[b]!.totalMs - nodes[a]!.totalMs || a - b)) {
      const to = from + nodes[node]!.totalMs / whole
      boxes.push({ node, depth: step.depth, from, to })
      const below = children.get(node)
      if (below) steps.push({ list: below, depth: step.depth + 1, from })
      from = to
    }
  }
  return boxes
}
