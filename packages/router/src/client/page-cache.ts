/**
 * What the browser knows of pages it does not show yet: prefetches waiting and in flight, static
 * pages that are fresh, and the one answer kept for the target of a redirect.
 */
import type { PageData } from '../shared/page-data.ts'
import { emit } from './events.ts'
import type { FetchMode, FetchPage, PageAnswer } from './fetch-page.ts'
import type { Timers } from './pending.ts'

/** N6. */
const STALE_MS = { dynamic: 0, static: 300_000 } as const
/** N5; the same for a prefetch, so that a stuck one gives its place back. */
export const ROUTE_LOAD_TIMEOUT_MS = 3800

export type PageCacheOptions = { readonly fetchPage: FetchPage; readonly timers: Timers }

export type Prefetch = {
  readonly url: string
  readonly template: string
  /** `view`: a link is on the screen; `intent`: somebody points at it, and a click will join the fetch. */
  readonly why: 'view' | 'intent'
}

export type PageCache = {
  /** The page for a navigation: kept, fresh, joined or fetched. Never rejects. */
  load(url: string, signal: AbortSignal): Promise<PageAnswer>
  /** As `load`, past everything that is kept or fresh. */
  refresh(url: string, signal: AbortSignal): Promise<PageAnswer>
  /** Returns what takes a waiting task out of the queue again. */
  prefetch(prefetch: Prefetch): () => void
  /** Keeps a page for exactly one use by the next `load`, and only if that is of this URL. */
  keep(url: string, page: PageData): void
  /** After a post: nothing known before it can be trusted. */
  clear(): void
}

type Fresh = { readonly answer: PageAnswer; readonly sinceMs: number; readonly untilMs: number }

export function createPageCache({ fetchPage, timers }: PageCacheOptions): PageCache {
  const queue = createPrefetchQueue()
  const inFlight = new Map<string, SharedFetch>()
  const fresh = new Map<string, Fresh>()
  /** Templates that answered a prefetch without data: asking again for each link of a list buys nothing. */
  const dynamicTemplates = new Set<string>()
  let kept: { readonly url: string; readonly page: PageData } | undefined
  let generation = 0

  const remember = (url: string, answer: PageAnswer): void => {
    if (answer.kind !== 'page' || answer.page.error || answer.page.reduced) return
    const staleMs = STALE_MS[answer.page.kind]
    if (staleMs === 0) return
    const sinceMs = timers.nowMs()
    const times = { sinceMs, untilMs: sinceMs + staleMs }
    fresh.set(url, { answer, ...times })
    if (answer.redirected) fresh.set(answer.url, { answer: { ...answer, redirected: false }, ...times })
  }

  const freshEntry = (url: string): Fresh | undefined => {
    const entry = fresh.get(url)
    if (!entry) return undefined
    if (timers.nowMs() < entry.untilMs) return entry
    fresh.delete(url)
    return undefined
  }

  const start = (url: string, mode: 'full' | 'prefetch'): SharedFetch => {
    const shared = startSharedFetch(url, mode, { fetchPage, timers })
    const startedIn = generation
    inFlight.set(url, shared)
    void shared.answer.then((answer) => {
      if (inFlight.get(url) === shared) inFlight.delete(url)
      if (startedIn === generation) remember(url, answer)
    })
    return shared
  }

  const fetchNow = async (url: string, signal: AbortSignal): Promise<PageAnswer> => {
    const bumped = queue.drop(url)
    const running = inFlight.get(url)
    if (running) {
      emit({ type: 'prefetch-joined', url })
      const answer = await wait(running, signal)
      const usable = answer.kind === 'page' && !answer.page.reduced
      if (usable || running.mode === 'full' || signal.aborted) return answer
    } else if (bumped) emit({ type: 'prefetch-bumped', url })
    return wait(start(url, 'full'), signal)
  }

  const runPrefetch = async ({ url, template, why }: Prefetch): Promise<void> => {
    if (inFlight.has(url) || freshEntry(url)) return
    emit({ type: 'prefetch', url, template, why })
    const shared = start(url, why === 'intent' ? 'full' : 'prefetch')
    const release = shared.hold()
    const cancelTimeout = timers.after(ROUTE_LOAD_TIMEOUT_MS, release)
    const answer = await shared.answer
    cancelTimeout()
    release()
    const isData = answer.kind === 'page' && !answer.page.reduced && !answer.page.error
    emit({ type: 'prefetch-end', url, staleAfterMs: isData ? STALE_MS[answer.page.kind] : 0 })
    if (answer.kind === 'page' && answer.page.reduced) dynamicTemplates.add(template)
  }

  return {
    async load(url, signal) {
      const keptPage = kept?.url === url ? kept.page : undefined
      kept = undefined
      if (keptPage) return { kind: 'page', page: keptPage, url, redirected: false }
      const known = freshEntry(url)
      if (known) {
        emit({ type: 'cache-hit', url, ageMs: timers.nowMs() - known.sinceMs })
        return known.answer
      }
      return fetchNow(url, signal)
    },
    refresh: (url, signal) => wait(start(url, 'full'), signal),
    prefetch(prefetch) {
      const { url, template, why } = prefetch
      if (inFlight.has(url) || freshEntry(url)) return () => {}
      if (why === 'view' && dynamicTemplates.has(template)) return () => {}
      queue.add(url, () => runPrefetch(prefetch), { first: why === 'intent' })
      return () => queue.drop(url)
    },
    keep(url, page) {
      kept = { url, page }
    },
    clear() {
      generation++
      fresh.clear()
      inFlight.clear()
      queue.clear()
      kept = undefined
    },
  }
}

/** Counts the caller in until the answer is there or its signal aborts. */
async function wait(shared: SharedFetch, signal: AbortSignal): Promise<PageAnswer> {
  const release = shared.hold()
  const aborted = new Promise<PageAnswer>((resolve) => {
    const abort = (): void => {
      release()
      resolve({ kind: 'aborted' })
    }
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
  const answer = await Promise.race([aborted, shared.answer])
  release()
  return answer
}

/** N4. HTTP/1.1 gives a host six connections in Chromium: one stays free for a navigation or a beacon. */
const MAX_PREFETCHES = 5

type PrefetchQueue = {
  /** Runs now or when a place is free. A key that runs or waits already is left as it is. */
  add(key: string, run: () => Promise<void>, options?: { readonly first?: boolean }): void
  /** Takes a waiting task out; false when it runs or is unknown. */
  drop(key: string): boolean
  isWaiting(key: string): boolean
  clear(): void
}

/** At most five prefetches at once, the others wait in order. */
function createPrefetchQueue(maxRunning: number = MAX_PREFETCHES): PrefetchQueue {
  const waiting = new Map<string, () => Promise<void>>()
  const running = new Set<string>()

  const startNext = (): void => {
    for (const [key, run] of waiting) {
      if (running.size >= maxRunning) return
      waiting.delete(key)
      running.add(key)
      const finished = (): void => {
        running.delete(key)
        startNext()
      }
      run().then(finished, finished)
    }
  }

  return {
    add(key, run, { first = false } = {}) {
      if (running.has(key)) return
      if (first) {
        const others = [...waiting].filter(([other]) => other !== key)
        waiting.clear()
        waiting.set(key, run)
        for (const [other, task] of others) waiting.set(other, task)
      } else if (!waiting.has(key)) {
        waiting.set(key, run)
      }
      startNext()
    },
    drop: (key) => waiting.delete(key),
    isWaiting: (key) => waiting.has(key),
    clear: () => waiting.clear(),
  }
}

/**
 * A fetch that several may wait for. It is aborted when nobody does any more, a moment later, so that
 * a second click on the same link joins it instead of asking the server again.
 */
type SharedFetch = {
  readonly mode: FetchMode
  readonly answer: Promise<PageAnswer>
  /** Counts the caller in; what it returns counts it out again and may be called twice. */
  hold(): () => void
}

function startSharedFetch(
  url: string,
  mode: FetchMode,
  { fetchPage, timers }: { readonly fetchPage: FetchPage; readonly timers: Timers },
): SharedFetch {
  const controller = new AbortController()
  let holders = 0
  return {
    mode,
    answer: fetchPage(url, mode, controller.signal),
    hold() {
      let holding = true
      holders++
      return () => {
        if (!holding) return
        holding = false
        holders--
        if (holders > 0) return
        timers.after(0, () => {
          if (holders === 0) controller.abort()
        })
      }
    },
  }
}
