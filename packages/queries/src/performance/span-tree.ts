/** Spans as a tree, whatever their parents say: a missing parent makes a root, and a cycle is cut at one place. */

type Linked = { readonly spanId: string; readonly parentSpanId: string }
export type SpanNode<Span extends Linked> = { readonly span: Span; readonly children: SpanNode<Span>[] }

/** Roots and children in the order given. Every span is in it once; of equal ids the first has the children. Linear. */
export function spanTree<Span extends Linked>(spans: readonly Span[]): SpanNode<Span>[] {
  const nodes = spans.map((span): SpanNode<Span> => ({ span, children: [] }))
  const byId = new Map<string, SpanNode<Span>>()
  for (const node of nodes) if (!byId.has(node.span.spanId)) byId.set(node.span.spanId, node)
  const parentOf = (node: SpanNode<Span>): SpanNode<Span> | undefined => {
    const parent = byId.get(node.span.parentSpanId)
    return parent === node ? undefined : parent
  }
  const cut = cycleStarts(nodes, parentOf)
  const roots: SpanNode<Span>[] = []
  for (const node of nodes) {
    const parent = cut.has(node) ? undefined : parentOf(node)
    if (parent === undefined) roots.push(node)
    else parent.children.push(node)
  }
  return roots
}

/** One node of every cycle. Each node is walked over once, so that a chain of 50,000 costs no more than a bush. */
function cycleStarts<Node>(
  nodes: readonly Node[],
  parentOf: (node: Node) => Node | undefined,
): ReadonlySet<Node> {
  const starts = new Set<Node>()
  const walkOf = new Map<Node, number>()
  for (const [walk, node] of nodes.entries()) {
    let at: Node | undefined = node
    while (at !== undefined && !walkOf.has(at)) {
      walkOf.set(at, walk)
      at = parentOf(at)
    }
    // Only a node of this very walk closes a circle; one of an earlier walk leads to a root.
    if (at !== undefined && walkOf.get(at) === walk) starts.add(at)
  }
  return starts
}
