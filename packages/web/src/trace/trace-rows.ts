/** A trace as the lines of its waterfall: children below their parent, with where each lies in time. Pure. */
import type { SpanNode as TreeNode, Trace, TraceSpan } from '@sonde/queries'

type SpanNode = TreeNode<TraceSpan>

export type TraceRow = {
  readonly id: string
  readonly depth: number
  readonly name: string
  readonly op: string
  /** Milliseconds after the trace's begin. */
  readonly startMs: number
  readonly durationMs: number
  readonly project: string
  readonly isFailed: boolean
  /** What the trace waited for: shortening it shortens the whole. */
  readonly isCritical: boolean
  readonly errors: number
  /** How many lines below it are its own. */
  readonly below: number
}

export type TraceRows = {
  readonly beginMs: number
  readonly lengthMs: number
  readonly rows: readonly TraceRow[]
}

const OK: ReadonlySet<string> = new Set(['', 'ok', 'unknown', 'cancelled'])

export function traceRows({ spans, errors, projects }: Trace, roots: readonly SpanNode[]): TraceRows {
  const beginMs = spans.reduce((least, { startMs }) => Math.min(least, startMs), Infinity)
  const endMs = spans.reduce((last, { startMs, durationMs }) => Math.max(last, startMs + durationMs), 0)
  const critical = criticalSpans(roots)
  const errorsBySpan = Map.groupBy(errors, ({ spanId }) => spanId)
  const rows: { -readonly [Key in keyof TraceRow]: TraceRow[Key] }[] = []
  const open = roots.map((node) => ({ node, depth: 0 })).toReversed()
  // The lines that are still open, to count what lies below each.
  const path: number[] = []
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next
    const { span } = node
    while (path.length > depth) path.pop()
    for (const at of path) (rows[at] ?? { below: 0 }).below++
    path.push(rows.length)
    rows.push({
      id: span.spanId,
      depth,
      name: span.name || span.segmentName,
      op: span.op,
      startMs: span.startMs - beginMs,
      durationMs: span.durationMs,
      project: projects.get(span.projectId)?.slug ?? '',
      isFailed: !OK.has(span.status),
      isCritical: critical.has(node),
      errors: errorsBySpan.get(span.spanId)?.length ?? 0,
      below: 0,
    })
    for (const child of node.children.toReversed()) open.push({ node: child, depth: depth + 1 })
  }
  return { beginMs, lengthMs: Math.max(1, endMs - beginMs), rows }
}

/**
 * From the end of the longest root backwards: the child that ended last was waited for, then the one that ended last before
 * that one began, and within each of them the same.
 */
function criticalSpans(roots: readonly SpanNode[]): ReadonlySet<SpanNode> {
  const critical = new Set<SpanNode>()
  const longest = roots.reduce<SpanNode | undefined>(
    (best, root) => (best === undefined || root.span.durationMs > best.span.durationMs ? root : best),
    undefined,
  )
  const open = longest ? [longest] : []
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    critical.add(node)
    let untilMs = endOf(node)
    for (const child of node.children.toSorted((a, b) => endOf(b) - endOf(a))) {
      // A child that outlives its parent was not waited for, or only until the parent's end.
      if (child.span.startMs >= untilMs || child.span.durationMs === 0) continue
      if (endOf(child) > untilMs + 1) continue
      open.push(child)
      untilMs = child.span.startMs
    }
  }
  return critical
}

const endOf = ({ span }: SpanNode): number => span.startMs + span.durationMs
