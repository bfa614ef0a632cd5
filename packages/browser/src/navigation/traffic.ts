/**
 * Which requests belong to a navigation. Polling and what else the page fetches by itself goes on around
 * it, and must not change when the navigation is settled, how long its data took and what it weighs.
 */
import { pathTemplate } from '@sonde/protocol/path-template'
import type { PageRequest } from '../types.ts'
import { failureOf, isPageData, type Seen } from './history-verdict.ts'
import { addLoad, type Navigation } from './timeline.ts'

/** `/api/orders/3f2a…/items/17?page=2` → `/api/orders/[id]/items/[id]`: requests that differ by values only. */
export function endpointOf(url: string): string {
  const { origin, host, pathname } = new URL(url, location.href)
  return (origin === location.origin ? '' : host) + pathTemplate(pathname)
}

/** A request this soon after an answer, or after the paint, is taken as its consequence. */
export const FOLLOWS_WITHIN_MS = 50
// Two requests of the same URL outside of navigations, the elder this recent: somebody polls.
const POLLED_WITHIN_MS = 60_000
// The timing of a request may come this long after its answer; without it the record has no bytes.
export const ENTRY_WITHIN_MS = 500
// Streams and long polls are no part of a page's load.
const SETTLED_WITHIN_MS = 10_000
const MAX_KNOWN = 100

export type Traffic = {
  /** From now on requests count for this navigation, and those under way that it owns. */
  begin(navigation: Navigation): void
  request(request: PageRequest): void
  requestEnd(request: PageRequest): void
  resource(entry: PerformanceResourceTiming): void
  settled(navigation: Navigation, run: (settledMs: number | undefined) => void): void
  /** Requests that have not answered yet, for the record of a navigation that hangs. */
  waiting(): readonly PageRequest[]
  /** What failed otherwise while this navigation was under way. */
  fail(failure: Seen['failure']): void
  /** What its requests say of how it ended. */
  seen(): Seen
}

/**
 * `drain` hands over resource timings that the browser has not delivered yet. `isFresh`: somebody has just done something, of
 * which no navigation has come so far.
 */
export function createTraffic(drain: () => void, isFresh = (): boolean => false): Traffic {
  /** Starts outside of navigations: the last two of each URL. */
  const known = new Map<string, readonly [number, number]>()
  let navigation: Navigation | undefined
  let open = new Set<PageRequest>()
  let urls = new Set<string>()
  /** Answered, without a resource timing so far. */
  let untimed = new Set<string>()
  let lastEndMs = 0
  /** Under way, of no navigation so far: a page may ask before it is known that a press is one. */
  const stray = new Set<PageRequest>()
  /** By URL: a later answer heals. */
  let failed = new Map<string, Seen['failure']>()
  let aborted = 0
  let whenSettled: ((settledMs: number | undefined) => void) | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const finish = (settledMs?: number): void => {
    clearTimeout(timer)
    drain()
    const run = whenSettled
    navigation = whenSettled = undefined
    run?.(settledMs)
  }

  const count = (name: 'requests' | 'bytes', more: number): void => {
    const { facts } = navigation!
    facts[name] = (facts[name] ?? 0) + more
  }

  /** Quiet for a moment, it is settled; until then for at most ten seconds. */
  const look = (): void => {
    if (!whenSettled || !navigation || open.size) return
    clearTimeout(timer)
    const settledMs = Math.max(lastEndMs, navigation.endMs ?? 0)
    timer = setTimeout(finish, untimed.size ? ENTRY_WITHIN_MS : FOLLOWS_WITHIN_MS, settledMs)
  }

  const isPolled = (request: PageRequest, sinceMs: number): boolean =>
    (known.get(keyOf(request))?.[0] ?? -POLLED_WITHIN_MS) > sinceMs - POLLED_WITHIN_MS

  const isOf = ({ owns }: Navigation, request: PageRequest, sinceMs: number): boolean =>
    owns?.(request.url) || (request.start >= sinceMs && !isPolled(request, sinceMs))

  const belongs = (request: PageRequest): boolean => {
    const { start } = request
    if (!navigation || !isOf(navigation, request, navigation.startMs)) return false
    // What the page asks now may be of the next one, of which the press is known already.
    if ((navigation.isDraft || navigation.facts.outcome) && isFresh()) return false
    return !whenSettled || start - Math.max(lastEndMs, navigation.endMs ?? 0) <= FOLLOWS_WITHIN_MS
  }

  const take = (request: PageRequest): void => {
    open.add(request)
    urls.add(absolute(request.url))
    count('requests', 1)
  }

  return {
    begin(next) {
      clearTimeout(timer)
      whenSettled = undefined
      const before = open
      navigation = next
      open = new Set()
      urls = new Set()
      untimed = new Set()
      lastEndMs = aborted = 0
      failed = new Map()
      const { intentMs = next.startMs } = next
      for (const request of [...before, ...stray]) {
        if (!isOf(next, request, intentMs)) continue
        stray.delete(request)
        take(request)
      }
    },
    request(request) {
      if (belongs(request)) {
        take(request)
        if (whenSettled) clearTimeout(timer)
        return
      }
      stray.add(request)
      const key = keyOf(request)
      const [, last = -POLLED_WITHIN_MS] = known.get(key) ?? []
      known.delete(key)
      known.set(key, [last, request.start])
      if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!)
    },
    requestEnd(request) {
      stray.delete(request)
      if (!navigation || !open.delete(request)) return
      lastEndMs = request.end ?? lastEndMs
      const failure = failureOf(request)
      if (failure) failed.set(keyOf(request), failure)
      else failed.delete(keyOf(request))
      if ((request.error as Error | undefined)?.name === 'AbortError') aborted++
      untimed.add(absolute(request.url))
      if (!navigation.facts.outcome) addLoad(navigation, 'data', request.start, lastEndMs)
      look()
    },
    resource({ name, initiatorType, startTime, responseEnd, transferSize }) {
      if (!navigation || (startTime < navigation.startMs && !untimed.has(name))) return
      const isCode = /^(script|link|css)$/.test(initiatorType) || /\.m?js($|\?)/.test(name)
      if (!isCode && !urls.has(name)) return
      count('bytes', transferSize)
      // The entry comes later than what it tells; what was loaded after the commit is no part of the wait. `requestEnd`
      // comes with the head of an answer, this with the end of its body.
      const { commitMs = navigation.endMs ?? Infinity } = navigation
      if (responseEnd <= commitMs) addLoad(navigation, isCode ? 'chunk' : 'data', startTime, responseEnd)
      if (untimed.delete(name)) look()
    },
    waiting: () => [...open],
    fail(failure) {
      failed.set('', failure)
    },
    seen() {
      const failures = [...failed.values()]
      return {
        failure: failures.find((one) => one?.outcome === 'errored') ?? failures[0],
        isLoading: [...open].some(isPageData),
        abortedMs: aborted > 0 && aborted === urls.size ? lastEndMs : undefined,
      }
    },
    settled(which, run) {
      if (which !== navigation) return run(undefined)
      whenSettled = run
      look()
      if (open.size) timer = setTimeout(finish, SETTLED_WITHIN_MS)
    },
  }
}

const keyOf = ({ method, url }: PageRequest): string => method + url.replace(/[?#].*/, '')
const absolute = (url: string): string => new URL(url, location.href).href
