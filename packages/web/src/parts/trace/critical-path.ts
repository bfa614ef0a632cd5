/** What a trace waited for, from the end of its longest root backwards. Pure. */
import type { PlacedSpan } from './place-spans.ts'

/** A time in which the trace waited for this span and for nothing below it. Unix milliseconds. */
export type CriticalStretch = { readonly node: PlacedSpan; readonly fromMs: number; readonly toMs: number }

/** Times are rounded by those who send them. */
const ROUNDING_MS = 1

/**
 * The child that ended last was waited for, then the one that ended last before that one began, and within each of them
 * the same. A child that outlives its parent was not waited for. Stretches do not overlap and fill the longest root.
 */
export function criticalPath(roots: readonly PlacedSpan[]): CriticalStretch[] {
  const longest = roots.reduce<PlacedSpan | undefined>(
    (best, root) => (best === undefined || root.span.durationMs > best.span.durationMs ? root : best),
    undefined,
  )
  if (longest === undefined) return []
  const stretches: CriticalStretch[] = []
  const open: { readonly node: PlacedSpan; readonly fromMs: number; readonly untilMs: number }[] = [
    { node: longest, fromMs: longest.startMs, untilMs: longest.endMs },
  ]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, fromMs, untilMs } = next
    let atMs = untilMs
    const before = stretches.length
    for (const child of node.children.toSorted((a, b) => b.endMs - a.endMs)) {
      const { startMs, endMs } = child
      if (startMs >= atMs || startMs < fromMs - ROUNDING_MS || endMs > atMs + ROUNDING_MS) continue
      if (endMs <= startMs || endMs <= fromMs) continue
      if (endMs < atMs) stretches.push({ node, fromMs: endMs, toMs: atMs })
      const childFromMs = Math.max(startMs, fromMs)
      open.push({ node: child, fromMs: childFromMs, untilMs: Math.min(endMs, atMs) })
      atMs = childFromMs
    }
    if (atMs > fromMs || stretches.length === before) stretches.push({ node, fromMs, toMs: atMs })
  }
  return stretches
}

export type CriticalShare = {
  readonly op: string
  readonly name: string
  readonly service: number
  /** How long the trace waited for such spans and for nothing below them. */
  readonly waitedMs: number
  readonly spans: number
}

/** Spans of one name together, those that were waited for longest first. */
export function criticalShares(stretches: readonly CriticalStretch[], most: number): CriticalShare[] {
  const shares = new Map<string, CriticalShare & { readonly nodes: Set<PlacedSpan> }>()
  for (const { node, fromMs, toMs } of stretches) {
    const { op, name } = node.span
    const key = `${node.service} ${op} ${name}`
    const known = shares.get(key)
    const nodes = (known?.nodes ?? new Set()).add(node)
    const waitedMs = (known?.waitedMs ?? 0) + toMs - fromMs
    shares.set(key, { op, name, service: node.service, waitedMs, spans: nodes.size, nodes })
  }
  return [...shares.values()]
    .filter(({ waitedMs }) => waitedMs > 0)
    .toSorted((a, b) => b.waitedMs - a.waitedMs)
    .slice(0, most)
    .map(({ nodes: _nodes, ...share }) => share)
}
