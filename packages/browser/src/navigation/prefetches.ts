/**
 * What was fetched ahead, what it cost, and whether anybody needed it. Routers tell each fetch; a navigation asks
 * for its own. Counts per route are sent when the page is hidden, and at once where there are very many.
 */
import { PREFETCH_OP, PREFETCH_PREFIX, type PrefetchState } from '@sonde/protocol/navigation'
import { observeEntries } from '../page/observe-entries.ts'
import { randomHex } from '../random-hex.ts'
import type { Navigations } from './navigations.ts'
import type { NavigationFacts } from './timeline.ts'

export type Prefetches = {
  /**
   * A fetch ahead begins; call what it returns when it has ended. Keys are the router's own. `url`: the address of its request,
   * where that is known; else whatever the page loads meanwhile is its.
   */
  issue(key: string, route: string, url?: string): (staleAfterMs?: number) => void
  /** One that has ended, by the browser's timing of it. */
  add(key: string, route: string, timing: Timing): void
  /** What fetching ahead did for a navigation that began then, by default now; it is used up by this. */
  use(key: string, atMs?: number): NavigationFacts
}

/** `deliveryType`: `cache` when nothing went over the network; Chromium and Firefox. */
export type Timing = Pick<PerformanceResourceTiming, 'startTime' | 'responseEnd' | 'transferSize'> & {
  readonly deliveryType?: string
}

type Fetch = {
  readonly counts: Counts
  readonly startMs: number
  endMs?: number
  staleAfterMs: number
  bytes: number
  state?: PrefetchState
  /** Addresses of its requests, where it has told them. */
  readonly urls: Set<string> | undefined
}
type Counts = Record<
  Exclude<PrefetchState, 'wasted' | 'none'> | 'issued' | 'saved' | 'requests' | 'bytes',
  number
> & {
  readonly id: string
  readonly startMs: number
  readonly route: string
  isReported: boolean
  /** Of `bytes`, those that a navigation showed. */
  shownBytes: number
}

// Links that came into view and are never followed: the oldest are forgotten, their counts stay.
const MAX_KNOWN = 200
// Two tabs that fetch everything again and again are seen while they do it; of others no hiding of the page has so many.
const MANY_ISSUED = 50
// Data and code; pictures of the page that is shown come in meanwhile.
const LOADS = /^(fetch|xmlhttprequest|script|link|css|other)$/

/** Undefined while it is under way. */
const ageOf = ({ endMs = Infinity }: Fetch, atMs = performance.now()): number | undefined =>
  endMs > atMs ? undefined : atMs - endMs

export function createPrefetches(navigations: Navigations, router: string): Prefetches {
  const { client, current, write } = navigations
  const known = new Map<string, Fetch>()
  const routes = new Map<string, Counts>()
  const changed = new Set<Counts>()

  /** What was reported has its time: what comes later is counted anew, so that a tab of hours says when it fetched. */
  const countsOf = (route: string): Counts => {
    let counts = routes.get(route)
    if (!counts || counts.isReported) {
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
      const startMs = performance.now()
      counts = { id: randomHex(8), startMs, route, isReported: false, ...numbers }
      routes.set(route, counts)
    }
    return counts
  }

  const load = (fetch: Fetch, { transferSize, deliveryType }: Timing): void => {
    const { counts, state } = fetch
    changed.add(counts)
    if (deliveryType !== 'cache') counts.requests++
    counts.bytes += transferSize
    fetch.bytes += transferSize
    if (isShown(state)) counts.shownBytes += transferSize
  }

  /** Unless it has told its requests, a load belongs to the fetch ahead that began last before it and had not ended. */
  const read = (entries: PerformanceEntryList): void => {
    for (const entry of entries as PerformanceResourceTiming[]) {
      const { startTime, initiatorType, name } = entry
      const fetch = [...known.values()].findLast(({ startMs, endMs = Infinity, urls }) =>
        urls ? urls.has(name) : startMs <= startTime && startTime <= endMs,
      )
      // What a navigation asks for itself is its own.
      if (!fetch || !LOADS.test(initiatorType)) continue
      if (startTime < (current()?.startMs ?? Infinity)) load(fetch, entry)
    }
  }
  const readHeldBack = observeEntries(['resource'], read)

  const report = (counts: Counts): void => {
    const { id, startMs, route, isReported: _, shownBytes, ...numbers } = counts
    const { issued, used, late, stale, bytes } = numbers
    counts.isReported = true
    changed.delete(counts)
    write({
      traceId: client.trace.traceId,
      spanId: id,
      op: PREFETCH_OP,
      prefix: PREFETCH_PREFIX,
      name: route,
      startMs,
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
  client.on('hide', () => {
    readHeldBack()
    for (const counts of changed) report(counts)
  })

  const open = (key: string, route: string, startMs: number, urls?: Set<string>): Fetch => {
    const counts = countsOf(route)
    const fetch: Fetch = { counts, startMs, staleAfterMs: Infinity, bytes: 0, urls }
    known.delete(key)
    known.set(key, fetch)
    if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!)
    changed.add(counts)
    if (++counts.issued >= MANY_ISSUED) report(counts)
    return fetch
  }

  return {
    issue(key, route, url) {
      const before = known.get(key)
      // Routers are asked again for each link and each hover, and fetch nothing while they have it. A request is one all the
      // same: another part of the page, or, after the first has ended, the same again.
      const isAgain = url && before?.endMs !== undefined && before.urls?.has(url)
      if (before && !isAgain && !before.state && (ageOf(before) ?? -1) < before.staleAfterMs) {
        if (url) before.urls?.add(url)
        return () => {}
      }
      const fetch = open(
        key,
        route,
        performance.now(),
        url ? new Set(isAgain ? before?.urls : []).add(url) : undefined,
      )
      return (staleAfterMs = Infinity) => {
        fetch.endMs = performance.now()
        fetch.staleAfterMs = staleAfterMs
      }
    },
    add(key, route, timing) {
      const fetch = open(key, route, timing.startTime, new Set())
      fetch.endMs = timing.responseEnd
      load(fetch, timing)
    },
    use(key, atMs = performance.now()) {
      const fetch = known.get(key)
      if (!fetch || fetch.state) return { prefetch: 'none' }
      const { counts, startMs, endMs, staleAfterMs, bytes } = fetch
      const leadMs = ageOf(fetch, atMs)
      const prefetch = leadMs === undefined ? 'late' : leadMs >= staleAfterMs ? 'stale' : 'used'
      fetch.state = prefetch
      changed.add(counts)
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
