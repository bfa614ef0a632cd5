/**
 * Which requests belong to a navigation. Polling and what else the page fetches by itself goes on around
 * it, and must not change when the navigation is settled, how long its data took and what it weighs.
 */
import type { PageRequest } from '../types.ts'
import { endpointOf } from './endpoint.ts'
import { addLoad, type Navigation } from './timeline.ts'

/** A request this soon after an answer, or after the paint, is taken as its consequence. */
export const FOLLOWS_WITHIN_MS = 50
// Two requests of the same URL outside of navigations, the elder this recent: somebody polls.
const POLLED_WITHIN_MS = 60_000
// Streams and long polls are no part of a page's load.
const SETTLED_WITHIN_MS = 10_000
const MAX_KNOWN = 100

export type Traffic = {
  /** From now on requests count for this navigation. */
  begin(navigation: Navigation): void
  request(request: PageRequest): void
  requestEnd(request: PageRequest): void
  resource(entry: PerformanceResourceTiming): void
  settled(navigation: Navigation, run: (settledMs: number | undefined) => void): void
  /** Endpoints that have not answered yet, for the record of a navigation that hangs. */
  waiting(): string | undefined
}

export type TrafficEnvironment = {
  readonly after: (ms: number, run: () => void) => () => void
  /** Hands over resource timings that the browser has not delivered yet. */
  readonly drain: () => void
}

export function createTraffic({ after, drain }: TrafficEnvironment): Traffic {
  /** Starts outside of navigations: the last two of each URL. */
  const known = new Map<string, readonly [number, number]>()
  let navigation: Navigation | undefined
  let open = new Set<PageRequest>()
  let urls = new Set<string>()
  let lastEndMs = 0
  let whenSettled: ((settledMs: number | undefined) => void) | undefined
  let cancel: (() => void) | undefined

  const finish = (settledMs: number | undefined): void => {
    cancel?.()
    drain()
    const run = whenSettled
    navigation = whenSettled = undefined
    run?.(settledMs)
  }

  /** Quiet for a moment, it is settled; until then for at most ten seconds. */
  const look = (): void => {
    if (!whenSettled || !navigation || open.size) return
    cancel?.()
    const settledMs = Math.max(lastEndMs, navigation.endMs ?? 0)
    cancel = after(FOLLOWS_WITHIN_MS, () => finish(settledMs))
  }

  const belongs = ({ start }: PageRequest, key: string): boolean => {
    if (!navigation) return false
    const elderMs = known.get(key)?.[0] ?? -POLLED_WITHIN_MS
    if (elderMs > navigation.startMs - POLLED_WITHIN_MS) return false
    return !whenSettled || start - Math.max(lastEndMs, navigation.endMs ?? 0) <= FOLLOWS_WITHIN_MS
  }

  return {
    begin(next) {
      cancel?.()
      whenSettled = undefined
      navigation = next
      open = new Set()
      urls = new Set()
      lastEndMs = 0
    },
    request(request) {
      const key = request.method + request.url.replace(/[?#].*/, '')
      if (belongs(request, key)) {
        open.add(request)
        urls.add(absolute(request.url))
        navigation!.requests = (navigation!.requests ?? 0) + 1
        if (whenSettled) cancel?.()
        return
      }
      const [, last = -POLLED_WITHIN_MS] = known.get(key) ?? []
      known.delete(key)
      known.set(key, [last, request.start])
      if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!)
    },
    requestEnd(request) {
      if (!navigation || !open.delete(request)) return
      lastEndMs = request.end ?? lastEndMs
      if (!navigation.outcome) addLoad(navigation, 'data', request.start, lastEndMs)
      look()
    },
    resource({ name, initiatorType, startTime, responseEnd, transferSize }) {
      if (!navigation || startTime < navigation.startMs) return
      const isCode = /^(script|link|css)$/.test(initiatorType) || /\.m?js($|\?)/.test(name)
      if (!isCode && !urls.has(name)) return
      navigation.bytes = (navigation.bytes ?? 0) + transferSize
      // The entry comes later than what it tells; what was loaded after the commit is no part of the wait. `requestEnd`
      // comes with the head of an answer, this with the end of its body.
      const { commitMs = navigation.endMs ?? Infinity } = navigation
      if (responseEnd <= commitMs) addLoad(navigation, isCode ? 'chunk' : 'data', startTime, responseEnd)
    },
    waiting: () => [...open].map(({ url }) => endpointOf(url)).join(', ') || undefined,
    settled(which, run) {
      if (which !== navigation) return run(undefined)
      whenSettled = run
      look()
      if (open.size) cancel = after(SETTLED_WITHIN_MS, () => finish(undefined))
    },
  }
}

const absolute = (url: string): string => new URL(url, location.href).href
