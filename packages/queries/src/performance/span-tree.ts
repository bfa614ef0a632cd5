/** Spans as a tree, whatever their parents say: a missing parent makes a root, and a cycle is cut at one place. */
import type { TraceSpan } from './trace.ts'

export type SpanNode = { readonly span: TraceSpan; readonly children: SpanNode[] }

/** Roots and children by start. Every span is in it once; of equal ids the first has the children. */
export function spanTree(spans: readonly TraceSpan[]): SpanNode[] {
  const nodes = spans.map((span): SpanNode => ({ span, children: [] }))
  const byId = new Map<string, SpanNode>()
  for (const node of nodes) if (!byId.has(node.span.spanId)) byId.set(node.span.spanId, node)
  const parentOf = (node: SpanNode): SpanNode | undefined => {
    const parent = byId.get(node.span.parentSpanId)
    return parent === node ? undefined : parent
  }
  const cut = cycleStarts(nodes, parentOf)
  const roots: SpanNode[] = []
  for (const node of nodes) {
    const parent = cut.has(node) ? undefined : parentOf(node)
    if (parent === undefined) roots.push(node)
    else parent.children.push(node)
  }
  return roots
}

/** One node of every cycle. Each node is walked over once, so that a chain of 50,000 costs no more than a bush. */
function cycleStarts(
  nodes: readonly SpanNode[],
  parentOf: (node: SpanNode) => SpanNode | undefined,
): ReadonlySet<SpanNode> {
  const starts = new Set<SpanNode>()
  const walkOf = new Map<SpanNode, number>()
  for (const [walk, node] of nodes.entries()) {
    let at: SpanNode | undefined = node
    while (at !== undefined && !walkOf.has(at)) {
      walkOf.set(at, walk)
      at = parentOf(at)
    }
    // Only a node of this very walk closes a circle; one of an earlier walk leads to a root.
    if (at !== undefined && walkOf.get(at) === walk) starts.add(at)
  }
  return starts
}
