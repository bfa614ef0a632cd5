/** Which spans of a large trace are shown, each with the way to it: those that explain most. Pure. */
import type { PlacedSpan } from './place-spans.ts'

/** How many of the spans below one that is shown are not, by the span under which they are left out. */
export type LeftOut = ReadonlyMap<PlacedSpan, number>
export type ChosenSpans = { readonly isShown: (node: PlacedSpan) => boolean; readonly leftOut: LeftOut }

/**
 * Roots, then each of `first` in turn (what failed, what was waited for), then what took longest; each with all its
 * ancestors, as long as they fit. At most `most` are shown.
 */
export function chooseSpans(
  roots: readonly PlacedSpan[],
  first: readonly ReadonlySet<PlacedSpan>[],
  most: number,
): ChosenSpans {
  const all = inOrder(roots)
  if (all.length <= most) return { isShown: () => true, leftOut: new Map() }
  const shown = new Set<PlacedSpan>()
  // A chain whose deepest spans are the longest would be walked again and again.
  let steps = all.length * STEPS_A_SPAN
  const take = (node: PlacedSpan): void => {
    const way: PlacedSpan[] = []
    for (let at: PlacedSpan | undefined = node; at && !shown.has(at); at = at.parent) {
      way.push(at)
      if (--steps < 0 || shown.size + way.length > most) return
    }
    for (const one of way) shown.add(one)
  }
  for (const nodes of [roots, ...first, all]) {
    for (const node of [...nodes].toSorted((a, b) => b.span.durationMs - a.span.durationMs)) {
      if (shown.size >= most || steps < 0) break
      take(node)
    }
  }
  for (const node of all)
    if (shown.size < most && (node.parent === undefined || shown.has(node.parent))) shown.add(node)
  return { isShown: (node) => shown.has(node), leftOut: countLeftOut(all, shown) }
}

const STEPS_A_SPAN = 20

/** `all`: parents first, so that what was left out above a span is known already. */
function countLeftOut(all: readonly PlacedSpan[], shown: ReadonlySet<PlacedSpan>): LeftOut {
  const leftOut = new Map<PlacedSpan, number>()
  const aboves = new Map<PlacedSpan, PlacedSpan>()
  for (const node of all) {
    if (shown.has(node) || !node.parent) continue
    const above = shown.has(node.parent) ? node.parent : aboves.get(node.parent)
    if (!above) continue
    aboves.set(node, above)
    leftOut.set(above, (leftOut.get(above) ?? 0) + 1)
  }
  return leftOut
}

/** Parents before their children, children by start. */
export function inOrder(roots: readonly PlacedSpan[]): PlacedSpan[] {
  const order: PlacedSpan[] = []
  const open = roots.toReversed()
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    order.push(node)
    for (let at = node.children.length - 1; at >= 0; at--) {
      const child = node.children[at]
      if (child) open.push(child)
    }
  }
  return order
}
