import { useRevalidate } from '@sonde/router'
import { useEffect } from 'react'
import { type ListPlace, livePath } from './list-search.ts'

/** When a page that shows what arrives is fetched again. */

/** At most so often, however much arrives. */
const AT_MOST_EVERY_MS = 2_000

type RefreshPlan = {
  /** Something of the page changed. What is being fetched just now may be older than that: then another fetch follows. */
  changed(): void
  /** Nothing is known to have changed; fetches in so long all the same, unless it is due before. */
  assure(inMs: number): void
  /** Forgets what was planned. */
  forget(): void
  /** Nothing is fetched any more. */
  stop(): void
}

/** `fetch` is never called while it runs. `assureMs`: how long after a fetch the next one follows without a change. */
export function createRefreshPlan(fetch: () => Promise<void>, assureMs: () => number): RefreshPlan {
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueMs = Infinity
  let lastMs = -Infinity
  let isFetching = false
  let isStale = false
  let isStopped = false

  const plan = (inMs: number): void => {
    const atMs = Math.max(Date.now() + inMs, lastMs + AT_MOST_EVERY_MS)
    if (atMs >= dueMs || isStopped) return
    clearTimeout(timer)
    dueMs = atMs
    timer = setTimeout(() => void run(), atMs - Date.now())
  }
  const run = async (): Promise<void> => {
    dueMs = Infinity
    isFetching = true
    isStale = false
    try {
      await fetch()
    } finally {
      isFetching = false
      lastMs = Date.now()
      plan(isStale ? 0 : assureMs())
    }
  }
  const forget = (): void => {
    clearTimeout(timer)
    dueMs = Infinity
    isStale = false
  }
  return {
    changed() {
      if (isFetching) isStale = true
      else plan(0)
    },
    assure(inMs) {
      if (!isFetching) plan(inMs)
    },
    forget,
    stop() {
      isStopped = true
      forget()
    },
  }
}

/** While the stream is away. */
const POLL_EVERY_MS = 5_000
/** While it is there: should it have gone silent. */
const ASSURE_EVERY_MS = 60_000

/**
 * Fetches the page's data again when something of it changed: told by a stream of server-sent events, or asking by
 * itself while there is none. Nothing runs while the page cannot be seen.
 */
export function useLive(place: ListPlace, isOn: boolean): void {
  const revalidate = useRevalidate()
  const url = livePath(place)
  useEffect(() => {
    if (!isOn) return undefined
    let stream: EventSource | undefined
    const isSeen = (): boolean => document.visibilityState === 'visible'
    const assureMs = (): number => (stream?.readyState === EventSource.OPEN ? ASSURE_EVERY_MS : POLL_EVERY_MS)
    const plan = createRefreshPlan(revalidate, () => (isSeen() ? assureMs() : Infinity))
    const open = (): void => {
      stream = new EventSource(url)
      stream.addEventListener('changes', plan.changed)
      // Whether it tries again by itself or not: meanwhile we ask.
      stream.addEventListener('error', () => plan.assure(assureMs()))
    }
    const close = (): void => {
      stream?.close()
      stream = undefined
      plan.forget()
    }
    const seen = (): void => {
      close()
      if (!isSeen()) return
      open()
      plan.changed()
    }
    if (isSeen()) {
      open()
      plan.assure(assureMs())
    }
    document.addEventListener('visibilitychange', seen)
    return () => {
      close()
      plan.stop()
      document.removeEventListener('visibilitychange', seen)
    }
  }, [revalidate, url, isOn])
}
