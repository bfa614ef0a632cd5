/**
 * What was fetched ahead, what it cost, and whether anybody needed it. Routers tell each fetch; a navigation asks
 * for its own. Counts per route are sent when the page is hidden, always since the page was loaded.
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

type Fetch = {
  readonly counts: Counts
  readonly startMs: number
  endMs?: number
  staleAfterMs: number
  bytes: number
  state?: PrefetchState
}
type Counts = Record<
  Exclude<PrefetchState, 'wasted' | 'none'> | 'issued' | 'saved' | 'requests' | 'bytes',
  number
> & {
  readonly id: string
  isChanged: boolean
  /** Of `bytes`, those that a navigation showed. */
  shownBytes: number
}

// Links that came into view and are never followed: the oldest are forgotten, their counts stay.
const MAX_KNOWN = 200
// Data and code; pictures of the page that is shown come in meanwhile.
const LOADS = /^(fetch|xmlhttprequest|script|link|css|other)$/

/** Undefined while it is under way. */
const ageOf = ({ endMs }: Fetch): number | undefined =>
  endMs === undefined ? undefined : performance.now() - endMs

export function createPrefetches(navigations: Navigations, router: string): Prefetches {
  const { client, current, write } = navigations
  const known = new Map<string, Fetch>()
  const routes = new Map<string, Counts>()

  const countsOf = (route: string): Counts => {
    let counts = routes.get(route)
    if (!counts) {
      const numbers = {
        issued: 0,
        used: 0,
        late: 0,
        stale: 0,
        saved: 0,
        requests: 0,
        bytes: 0,
        shownBytes: 0,
      }
      routes.set(route, (counts = { id: randomHex(8), isChanged: true, ...numbers }))
    }
    return counts
  }

  /** A load belongs to the fetch ahead that began last before it and had not ended: routers name no requests. */
  const read = (entries: PerformanceEntryList): void => {
    for (const { startTime, initiatorType, transferSize } of entries as PerformanceResourceTiming[]) {
      const fetch = [...known.values()].findLast(
        ({ startMs, endMs = Infinity }) => startMs <= startTime && startTime <= endMs,
      )
      // What a navigation asks for itself is its own.
      if (!fetch || startTime >= (current()?.startMs ?? Infinity) || !LOADS.test(initiatorType)) continue
      const { counts, state } = fetch
      counts.isChanged = true
      counts.requests++
      counts.bytes += transferSize
      fetch.bytes += transferSize
      if (isShown(state)) counts.shownBytes += transferSize
    }
  }
  const observer = new PerformanceObserver((list) => read(list.getEntries()))
  observer.observe({ type: 'resource' })

  client.on('hide', () => {
    read(observer.takeRecords())
    for (const [route, counts] of routes) {
      const { id, isChanged, shownBytes, ...numbers } = counts
      if (!isChanged) continue
      counts.isChanged = false
      const { issued, used, late, stale, bytes } = numbers
      write({
        traceId: client.trace.traceId,
        spanId: id,
        op: PREFETCH_OP,
        prefix: PREFETCH_PREFIX,
        name: route,
        startMs: 0,
        endMs: performance.now(),
        attributes: {
          route,
          router,
          ...numbers,
          wasted: issued - used - late - stale,
          wasted_bytes: bytes - shownBytes,
        },
      })
    }
  })

  return {
    issue(key, route) {
      const before = known.get(key)
      // Routers are asked again for each link and each hover, and fetch nothing while they have it.
      if (before && !before.state && (ageOf(before) ?? -1) < before.staleAfterMs) return () => {}
      const counts = countsOf(route)
      const fetch: Fetch = { counts, startMs: performance.now(), staleAfterMs: Infinity, bytes: 0 }
      known.delete(key)
      known.set(key, fetch)
      if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!)
      counts.isChanged = true
      counts.issued++
      return (staleAfterMs = Infinity) => {
        fetch.endMs = performance.now()
        fetch.staleAfterMs = staleAfterMs
      }
    },
    use(key) {
      const fetch = known.get(key)
      if (!fetch || fetch.state) return { prefetch: 'none' }
      const { counts, startMs, endMs, staleAfterMs, bytes } = fetch
      const leadMs = ageOf(fetch)
      const prefetch = leadMs === undefined ? 'late' : leadMs >= staleAfterMs ? 'stale' : 'used'
      fetch.state = prefetch
      counts.isChanged = true
      counts[prefetch]++
      if (isShown(prefetch)) {
        counts.saved += Math.round((endMs ?? performance.now()) - startMs)
        counts.shownBytes += bytes
      }
      return leadMs === undefined ? { prefetch } : { prefetch, prefetch_lead: Math.round(leadMs) }
    },
  }
}

const isShown = (state: PrefetchState | undefined): boolean => state === 'used' || state === 'late'
