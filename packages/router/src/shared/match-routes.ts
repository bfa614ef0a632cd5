/** Which page an address is of. The same on both sides. */

/** What both sides know of a page: its template, and the ids of the layouts around it, outermost first. */
export type RouteShape = { readonly id: string; readonly layouts: readonly string[] }

export type RouteMatch = {
  /** `/[org]/issues/[issue]`; null when no page matches. */
  readonly template: string | null
  readonly layouts: readonly string[]
  /** Values of the `[name]` segments, percent-decoded. */
  readonly params: Readonly<Record<string, string>>
}

/** Ids of everything that a match renders: the layouts and the page. */
export function idsOf({ template, layouts }: RouteMatch): string[] {
  return template === null ? [] : [...layouts, template]
}

type Candidate = { readonly route: RouteShape; readonly segments: readonly string[] }

const NOTHING: RouteMatch = { template: null, layouts: [], params: {} }

/**
 * Of several pages that match, the one with more static segments wins, then the one that comes first in `routes`, which
 * the route table sorts. Upper and lower case are the same, and slashes at the end do not count.
 */
export function createMatcher(routes: readonly RouteShape[]): (pathname: string) => RouteMatch {
  const byLength = new Map<number, Candidate[]>()
  for (const route of routes) {
    const segments = segmentsOf(route.id)
    const others = byLength.get(segments.length)
    if (others) others.push({ route, segments })
    else byLength.set(segments.length, [{ route, segments }])
  }
  return (pathname) => {
    const parts = decoded(segmentsOf(pathname))
    let best: RouteMatch = NOTHING
    let bestStatic = -1
    for (const { route, segments } of byLength.get(parts.length) ?? []) {
      const params = paramsOf(segments, parts)
      if (!params) continue
      const statics = segments.length - Object.keys(params).length
      if (statics <= bestStatic) continue
      bestStatic = statics
      best = { template: route.id, layouts: route.layouts, params: Object.freeze(params) }
    }
    return best
  }
}

function segmentsOf(path: string): string[] {
  const segments = path.split('/').slice(1)
  while (segments.at(-1) === '') segments.pop()
  return segments
}

/** A path that cannot be decoded is compared as it is. */
function decoded(segments: string[]): string[] {
  try {
    return segments.map(decodeURIComponent)
  } catch {
    return segments
  }
}

function paramsOf(segments: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  for (const [at, segment] of segments.entries()) {
    const part = parts[at] ?? ''
    if (segment.startsWith('[')) {
      if (part === '') return undefined
      params[segment.slice(1, -1)] = part
    } else if (segment.toLowerCase() !== part.toLowerCase()) return undefined
  }
  return params
}
