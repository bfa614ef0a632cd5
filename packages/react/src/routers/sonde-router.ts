/**
 * Sonde's own router: `sondeRouter(onRouterEvent)`, in its client setup after `init`. The router knows nothing of the
 * reporter, so its events are handed over and only their form is known here.
 */
import { activeNavigations, createPrefetches, type OpenNavigation } from '@sonde/browser'

/** The events that are read; others are ignored. */
export type SondeRouterEvent =
  | { readonly type: 'ready' | 'navigation-start'; readonly url: string; readonly template: string | null }
  | { readonly type: 'navigation-redirect'; readonly url: string; readonly to: string }
  | { readonly type: 'navigation-end'; readonly url: string; readonly status: number }
  | { readonly type: 'full-load'; readonly reason: string }
  | { readonly type: 'prefetch'; readonly url: string; readonly template: string }
  | { readonly type: 'prefetch-end'; readonly url: string; readonly staleAfterMs: number }
  | { readonly type: 'cache-hit'; readonly url: string; readonly ageMs: number }
  | { readonly type: 'error'; readonly error: unknown }

const ROUTER = 'sonde-router'

/** Returns what ends it. Does nothing without `navigations()`. */
export function sondeRouter<Event extends { readonly type: string }>(
  onRouterEvent: (listener: (event: Event) => void) => () => void,
): () => void {
  const recorder = activeNavigations()
  if (!recorder) return () => {}
  recorder.take()
  const prefetches = createPrefetches(recorder, ROUTER)
  const running = new Map<string, (staleAfterMs: number) => void>()
  let open: OpenNavigation | undefined

  const follow = (event: SondeRouterEvent): void => {
    switch (event.type) {
      case 'ready':
        recorder.show(event.url, event.template ?? undefined)
        break
      case 'navigation-start':
        open = recorder.start({ to: event.url, route: event.template ?? undefined, router: ROUTER })
        open.note({ ...prefetches.use(event.url), cache: 'miss' })
        break
      case 'cache-hit':
        open?.note({ cache: 'hit', cache_age: Math.round(event.ageMs) })
        break
      case 'navigation-redirect':
        open?.redirect(event.to)
        break
      case 'navigation-end':
        if (event.status < 400) open?.end('committed')
        else open?.end('errored', `http_${event.status}`)
        break
      case 'full-load':
        open?.end('full_load', event.reason)
        break
      case 'prefetch':
        running.set(event.url, prefetches.issue(event.url, event.template))
        break
      case 'prefetch-end':
        running.get(event.url)?.(event.staleAfterMs)
        running.delete(event.url)
        break
      case 'error':
        recorder.client.emit('errorShown', event.error)
        break
    }
  }
  return onRouterEvent((event) => follow(event as unknown as SondeRouterEvent))
}
