/**
 * The route table as the tree that react-router matches. Layouts are pathless and pages carry their
 * whole pattern, so a layout stays mounted while parameters change and no index routes are needed.
 */
import type { LayoutEntry, PageEntry, RouteTable } from './route-table.ts'

export const ROOT_ID = 'root'
/** The route that shows failures; everything an app writes is below it. */
export const BOUNDARY_ID = 'boundary'
/** Matches what no page matches. */
export const UNMATCHED_ID = '*'

export type RouteNode = {
  readonly id: string
  readonly kind: 'root' | 'boundary' | 'layout' | 'page' | 'unmatched'
  readonly path?: string
  readonly children?: RouteNode[]
}

/** The parts of a table that both sides know. */
export type RouteShape = {
  readonly pages: readonly Pick<PageEntry, 'id' | 'pattern' | 'layouts'>[]
  readonly layouts: readonly Pick<LayoutEntry, 'id'>[]
}

export function toRouteTree(table: RouteShape | RouteTable): RouteNode {
  const top: RouteNode[] = []
  for (const page of table.pages) {
    let siblings = top
    for (const layout of page.layouts) siblings = childrenOfLayout(siblings, layout)
    siblings.push({ id: page.id, kind: 'page', path: page.pattern })
  }
  const boundary: RouteNode = {
    id: BOUNDARY_ID,
    kind: 'boundary',
    children: [...top, { id: UNMATCHED_ID, kind: 'unmatched', path: '*' }],
  }
  return { id: ROOT_ID, kind: 'root', children: [boundary] }
}

function childrenOfLayout(siblings: RouteNode[], id: string): RouteNode[] {
  const existing = siblings.find((node) => node.id === id)
  if (existing?.children) return existing.children
  const children: RouteNode[] = []
  siblings.push({ id, kind: 'layout', children })
  return children
}

/** The route template among the ids of a match, if a page matched. */
export function templateOf(routeIds: readonly string[]): string | null {
  const last = routeIds.at(-1)
  return last?.startsWith('/') ? last : null
}
