/**
 * What was fetched ahead, and whether anybody needed it. Routers tell each fetch; a navigation asks for
 * its own. Counts per route are sent when the page is hidden, always since the page was loaded.
 */
import { PREFETCH_OP, PREFETCH_PREFIX, type PrefetchState } from '@sonde/protocol/navigation'
import { randomHex } from '../random-hex.ts'
import type { Navigations } from './navigations.ts'
import type { NavigationFacts } from './timeline.ts'

export type Prefetches = {
  /** A fetch ahead begins; call what it returns when it has ended. Keys are the router's own. */
  issue(key: string, route: string): (staleAfterMs?: number) => void
  /** What fetching ahead did for a navigation; it is used up by this. */
  use(key: string): NavigationFacts
}

type Fetch = { readonly route: string; readonly startMs: number; endMs?: number; staleAfterMs: number }
type Counts = Record<Exclude<PrefetchState, 'wasted' | 'none'> | 'issued' | 'saved', number>

// Links that came into view and are never followed: the oldest are forgotten, their counts stay.
const MAX_OPEN = 200

/** Undefined while it is under way. */
const ageOf = ({ endMs }: Fetch): number | undefined =>
  endMs === undefined ? undefined : performance.now() - endMs

export function createPrefetches(navigations: Navigations, router: string): Prefetches {
  const { client, write } = navigations
  const open = new Map<string, Fetch>()
  const routes = new Map<string, Counts & { readonly id: string; isChanged: boolean }>()

  const countsOf = (route: string) => {
    const known = routes.get(route)
    if (known) {
      known.isChanged = true
      return known
    }
    const counts = { id: randomHex(8), isChanged: true, issued: 0, used: 0, late: 0, stale: 0, saved: 0 }
    routes.set(route, counts)
    return counts
  }

  client.on('hide', () => {
    for (const [route, counts] of routes) {
      const { id, isChanged, ...numbers } = counts
      if (!isChanged) continue
      counts.isChanged = false
      const { issued, used, late, stale } = numbers
      write({
        traceId: client.trace.traceId,
        spanId: id,
        op: PREFETCH_OP,
        prefix: PREFETCH_PREFIX,
        name: route,
        startMs: 0,
        endMs: performance.now(),
        attributes: { route, router, ...numbers, wasted: issued - used - late - stale },
      })
    }
  })

  return {
    issue(key, route) {
      const known = open.get(key)
      // Routers are asked again for each link and each hover, and fetch nothing while they have it.
      if (known && (ageOf(known) ?? -1) < known.staleAfterMs) return () => {}
      const fetch: Fetch = { route, startMs: performance.now(), staleAfterMs: Infinity }
      open.delete(key)
      open.set(key, fetch)
      if (open.size > MAX_OPEN) open.delete(open.keys().next().value!)
      countsOf(route).issued++
      return (staleAfterMs = Infinity) => {
        fetch.endMs = performance.now()
        fetch.staleAfterMs = staleAfterMs
      }
    },
    use(key) {
      const fetch = open.get(key)
      if (!fetch) return { prefetch: 'none' }
      open.delete(key)
      const { route, startMs, endMs, staleAfterMs } = fetch
      const leadMs = ageOf(fetch)
      const prefetch = leadMs === undefined ? 'late' : leadMs >= staleAfterMs ? 'stale' : 'used'
      const counts = countsOf(route)
      counts[prefetch]++
      if (prefetch !== 'stale') counts.saved += Math.round((endMs ?? performance.now()) - startMs)
      return leadMs === undefined ? { prefetch } : { prefetch, prefetch_lead: Math.round(leadMs) }
    },
  }
}
