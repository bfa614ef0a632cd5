import { useRevalidate } from '@sonde/router'
import { useEffect } from 'react'
import { carryInbox } from '../../shell/inbox-events.ts'
import { createRefreshPlan } from '../../shell/refresh-plan.ts'
import { type ListPlace, livePath } from './list-search.ts'

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
    let dropInbox = (): void => {}
    const isSeen = (): boolean => document.visibilityState === 'visible'
    const assureMs = (): number => (stream?.readyState === EventSource.OPEN ? ASSURE_EVERY_MS : POLL_EVERY_MS)
    const plan = createRefreshPlan(revalidate, () => (isSeen() ? assureMs() : Infinity))
    const open = (): void => {
      stream = new EventSource(url)
      stream.addEventListener('changes', plan.changed)
      dropInbox = carryInbox(stream)
      // Whether it tries again by itself or not: meanwhile we ask.
      stream.addEventListener('error', () => plan.assure(assureMs()))
    }
    const close = (): void => {
      dropInbox()
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
