/** A trace as a tree: https://docs.sentry.io/api/explore/ names no public shape; this is what its clients read. */
import { type SpanNode, spanTree, type Trace, type TraceError, type TraceSpan } from '@sonde/queries'

type Node = SpanNode<TraceSpan>

type ErrorJson = {
  readonly event_id: string
  readonly issue_id: string
  readonly project_id: string
  readonly project_slug: string
  readonly title: string
  readonly level: string
  readonly timestamp: number
  readonly span: string
}

type SpanJson = {
  readonly event_id: string
  readonly event_type: 'span'
  readonly parent_span_id: string | null
  readonly project_id: string
  readonly project_slug: string
  readonly transaction: string
  readonly is_transaction: boolean
  readonly op: string
  readonly description: string
  readonly status: string
  readonly start_timestamp: number
  readonly end_timestamp: number
  readonly duration: number
  readonly children: readonly SpanJson[]
  readonly errors: readonly ErrorJson[]
  readonly occurrences: readonly []
}

/** Roots first; errors whose span is not there stand beside them under `orphan_errors`. */
export function traceJson(trace: Trace) {
  const bySpan = Map.groupBy(trace.errors, ({ spanId }) => spanId)
  const known = new Set(trace.spans.map(({ spanId }) => spanId))
  const slugOf = (projectId: number): string => trace.projects.get(projectId)?.slug ?? ''
  const errorJson = (error: TraceError): ErrorJson => ({
    event_id: error.eventId,
    issue_id: String(error.issueId),
    project_id: String(error.projectId),
    project_slug: slugOf(error.projectId),
    title: error.title,
    level: error.level,
    timestamp: error.timestampMs / 1000,
    span: error.spanId,
  })
  // From the leaves up and without recursion: a chain of spans may be deeper than the stack.
  const done = new Map<Node, SpanJson>()
  const roots = boundDepth(spanTree(trace.spans))
  for (const node of inPostOrder(roots)) {
    const { span } = node
    done.set(node, {
      event_id: span.spanId,
      event_type: 'span',
      parent_span_id: span.parentSpanId || null,
      project_id: String(span.projectId),
      project_slug: slugOf(span.projectId),
      transaction: span.segmentName,
      is_transaction: span.isSegment,
      op: span.op,
      description: span.name,
      status: span.status,
      start_timestamp: span.startMs / 1000,
      end_timestamp: (span.startMs + span.durationMs) / 1000,
      duration: span.durationMs,
      children: node.children.flatMap((child) => done.get(child) ?? []),
      errors: (bySpan.get(span.spanId) ?? []).map(errorJson),
      occurrences: [],
    })
  }
  return {
    transactions: roots.flatMap((root) => done.get(root) ?? []),
    orphan_errors: trace.errors.filter(({ spanId }) => !known.has(spanId)).map(errorJson),
    is_cut: trace.isCut,
    span_count: trace.spanCount,
  }
}

function inPostOrder(roots: readonly Node[]): Node[] {
  const order: Node[] = []
  const open = [...roots]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    order.push(node)
    open.push(...node.children)
  }
  return order.toReversed()
}

// JSON is written and read recursively, here and by clients.
const MAX_DEPTH = 500

/** What lies deeper stands below its ancestor at the last depth, side by side. */
function boundDepth(roots: readonly Node[]): Node[] {
  const out: Node[] = []
  const open = roots.map((node) => ({ node, into: out, depth: 1 })).toReversed()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, into, depth } = next
    const copy: Node = { span: node.span, children: [] }
    into.push(copy)
    const below = depth < MAX_DEPTH ? { into: copy.children, depth: depth + 1 } : { into, depth }
    for (const child of node.children.toReversed()) open.push({ node: child, ...below })
  }
  return out
}
