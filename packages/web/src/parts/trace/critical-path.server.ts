/** The critical path of a trace, from the end of its longest root backwards, and its uninstrumented gaps. Pure. */
import type { PlacedSpan } from './place-spans.server.ts'

/** A time in which the critical path runs through this span and none of its children. Unix milliseconds. */
export type CriticalStretch = { readonly node: PlacedSpan; readonly fromMs: number; readonly toMs: number }

/** Senders round times. */
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
  readonly criticalMs: number
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
    const criticalMs = (known?.criticalMs ?? 0) + toMs - fromMs
    shares.set(key, { op, name, service: node.service, criticalMs, spans: nodes.size, nodes })
  }
  return [...shares.values()]
    .filter(({ criticalMs }) => criticalMs > 0)
    .toSorted((a, b) => b.criticalMs - a.criticalMs)
    .slice(0, most)
    .map(({ nodes: _nodes, ...share }) => share)
}

/** A time in which a span ran and no child span did: application code, or code without instrumentation. */
type TraceGap = {
  readonly node: PlacedSpan
  readonly fromMs: number
  readonly toMs: number
  /** A root of a service without a single span below it: its instrumentation is missing, not slow. */
  readonly isBare: boolean
}

/** Shorter ones explain nothing; neither does a small part of a long trace. */
const MIN_MS = 10
const MIN_PART = 0.05
/** The largest; a trace with more is all gaps. */
const MAX_GAPS = 200

/** By length, longest first. `lengthMs`: of the whole trace. */
export function traceGaps(roots: readonly PlacedSpan[], lengthMs: number): TraceGap[] {
  const leastMs = Math.max(MIN_MS, lengthMs * MIN_PART)
  const gaps: TraceGap[] = []
  const open = [...roots]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { children, span } = node
    if (span.durationMs >= leastMs && (children.length > 0 || span.isSegment)) {
      const isBare = children.length === 0
      for (const [fromMs, toMs] of uncovered(node))
        if (toMs - fromMs >= leastMs) gaps.push({ node, fromMs, toMs, isBare })
    }
    for (const child of children) open.push(child)
  }
  return gaps.toSorted((a, b) => b.toMs - b.fromMs - (a.toMs - a.fromMs)).slice(0, MAX_GAPS)
}

function uncovered({ children, startMs, endMs }: PlacedSpan): (readonly [number, number])[] {
  const holes: (readonly [number, number])[] = []
  let coveredMs = startMs
  for (const child of children) {
    if (child.startMs >= endMs) break
    if (child.startMs > coveredMs) holes.push([coveredMs, child.startMs])
    coveredMs = Math.max(coveredMs, child.endMs)
  }
  if (coveredMs < endMs) holes.push([coveredMs, endMs])
  return holes
}
