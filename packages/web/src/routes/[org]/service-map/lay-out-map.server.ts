/** Where the nodes and lines of the service map stand: layers from left to right, by dagre. Here, so that no browser loads it. */
import dagre from '@dagrejs/dagre'
import type { ServiceMap } from '@sonde/queries'

export type Point = { readonly x: number; readonly y: number }
export type MapPicture = {
  readonly width: number
  readonly height: number
  /** By the id of the node: its middle. */
  readonly places: Readonly<Record<string, Point>>
  /** In the order of the edges. */
  readonly lines: readonly (readonly Point[])[]
}

const NODE_WIDTH = 212
const NODE_HEIGHT = 52

// What is drawn is bounded by the query; more edges would only be black.
const MAX_DRAWN = 400

export function layOutMap({ nodes, edges }: Pick<ServiceMap, 'nodes' | 'edges'>): MapPicture {
  const graph = new dagre.graphlib.Graph()
  graph.setGraph({ rankdir: 'LR', nodesep: 18, ranksep: 96, marginx: 12, marginy: 12 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { id } of nodes) graph.setNode(id, { width: NODE_WIDTH, height: NODE_HEIGHT })
  const drawn = edges.slice(0, MAX_DRAWN)
  for (const { from, to } of drawn) graph.setEdge(from, to)
  dagre.layout(graph)
  const { width = 0, height = 0 } = graph.graph()
  return {
    width: Number.isFinite(width) ? Math.ceil(width) : 0,
    height: Number.isFinite(height) ? Math.ceil(height) : 0,
    places: Object.fromEntries(nodes.map(({ id }) => [id, rounded(graph.node(id))])),
    lines: drawn.map(({ from, to }) => (graph.edge(from, to).points ?? []).map(rounded)),
  }
}

const rounded = ({ x, y }: { readonly x?: number; readonly y?: number }): Point => ({
  x: Math.round(x ?? 0),
  y: Math.round(y ?? 0),
})
