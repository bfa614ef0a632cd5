import { useRevalidate } from '@sonde/router'
import { useEffect } from 'react'
import type { ListPlace } from './list-place.ts'
import { livePath } from './list-place.ts'

/** At most so often the page is fetched again, however much arrives. */
const AT_MOST_EVERY_MS = 2_000
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
    let timer: ReturnType<typeof setTimeout> | undefined
    let dueMs = Infinity
    let lastMs = 0
    let isStopped = false
    let isFetching = false

    const plan = (inMs: number): void => {
      const atMs = Math.max(Date.now() + inMs, lastMs + AT_MOST_EVERY_MS)
      if (atMs >= dueMs || isStopped) return
      dueMs = atMs
      clearTimeout(timer)
      timer = setTimeout(() => void refresh(), atMs - Date.now())
    }
    const idle = (): void => plan(stream?.readyState === EventSource.OPEN ? ASSURE_EVERY_MS : POLL_EVERY_MS)
    const refresh = async (): Promise<void> => {
      dueMs = Infinity
      if (document.visibilityState !== 'visible' || isFetching) return
      isFetching = true
      await revalidate()
      isFetching = false
      lastMs = Date.now()
      idle()
    }
    const open = (): void => {
      stream = new EventSource(url)
      stream.addEventListener('changes', () => plan(0))
      // Whether it tries again by itself or not: meanwhile we ask.
      stream.addEventListener('error', idle)
    }
    const close = (): void => {
      stream?.close()
      stream = undefined
      clearTimeout(timer)
      dueMs = Infinity
    }
    const seen = (): void => {
      close()
      if (document.visibilityState !== 'visible') return
      open()
      plan(0)
    }
    if (document.visibilityState === 'visible') open()
    idle()
    document.addEventListener('visibilitychange', seen)
    return () => {
      isStopped = true
      close()
      document.removeEventListener('visibilitychange', seen)
    }
  }, [revalidate, url, isOn])
}
