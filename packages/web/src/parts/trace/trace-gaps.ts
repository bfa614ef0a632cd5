/** Times in which a span ran and nothing below it did: own code, or code that nobody measures. Pure. */
import type { PlacedSpan } from './place-spans.ts'

export type TraceGap = {
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
