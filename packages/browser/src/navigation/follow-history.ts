/**
 * The adapter for pages that tell of no router: what the history, the address bar, the Navigation API and presses on links
 * show. Returns what ends it, for a router that tells more.
 */
import type { NavigationTrigger } from '@sonde/protocol/navigation'
import { wrap } from '../page/watch-history.ts'
import type { NavigationClient } from '../types.ts'
import { failureReason } from './failure-reason.ts'
import { type NavigationRecorder, type OpenNavigation, pathOf } from './recorder.ts'

/** Its name on the wire. */
export const HISTORY = 'history'

/** https://developer.mozilla.org/docs/Web/API/NavigateEvent */
type NavigateEvent = Event & {
  readonly navigationType: string
  readonly signal: AbortSignal
  readonly destination: { readonly url: string; readonly index: number }
}
type NavigationApi = EventTarget & { readonly currentEntry: { readonly index: number } | null }

type Input = {
  /** Whether somebody has just done something that no navigation has used up. */
  isFresh(): boolean
  /** Which way the history went last. */
  traversal(): NavigationTrigger
}

export function followHistory(
  client: NavigationClient,
  recorder: Pick<NavigationRecorder, 'start' | 'shown' | 'current'>,
  { isFresh, traversal }: Input,
): () => void {
  let isActive = true
  /** Of a press on a link, or of a navigation that the page intercepts. */
  let open: OpenNavigation | undefined
  let isIntercepted = false
  const isOpen = (): boolean =>
    !!open && recorder.current()?.id === open.id && !recorder.current()!.facts.outcome
  const start = (to: string, trigger?: NavigationTrigger, isDraft = false): OpenNavigation =>
    recorder.start({ to, router: HISTORY, trigger, isDraft })

  client.on('history', ({ to, kind }) => {
    const path = pathOf(to)
    if (!isActive) return
    if (isOpen()) {
      if (open!.path === path) return isIntercepted ? undefined : open!.end('committed')
      // A press that ended elsewhere than its link leads, with nothing pressed since.
      if (kind === 'push' && !isIntercepted && !isFresh()) open!.redirect(path)
    }
    // A router that replaces the entry cleans up the URL, or redirects before anything was shown.
    if (kind === 'replace' || path === recorder.shown().path) return
    // On a window listeners run in the order they came: whoever told us may have heard of it before the intent did.
    start(to, kind === 'pop' ? traversal() : undefined).end('committed')
  })
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return
    // Out of the back/forward cache: no router runs, the page is simply there again.
    const back = start(location.pathname, 'back')
    back.note({ cache: 'bfcache' })
    back.end('committed')
  })

  // Last of all, when it is known whether the page handles it. Many routers change the address only once everything is
  // loaded; until then the press is all that shows.
  addEventListener('click', (event) => {
    const link = event.composedPath().find((one) => one instanceof HTMLAnchorElement)
    if (!isActive || !event.defaultPrevented || !link?.href || link.origin !== location.origin) return
    if (link.pathname !== recorder.shown().path && link.pathname !== recorder.current()?.facts.to) {
      open = start(link.href, 'click', true)
      isIntercepted = false
    }
  })

  const { navigation, NavigateEvent: Intercepted } = window as unknown as {
    navigation?: NavigationApi
    NavigateEvent?: { readonly prototype: { intercept(): void } }
  }
  if (navigation && Intercepted)
    wrap(Intercepted.prototype, 'intercept', (call, _, event: NavigateEvent) => {
      const result = call()
      intercepted(event)
      return result
    })
  function intercepted({ destination, navigationType, signal }: NavigateEvent): void {
    const path = pathOf(destination.url)
    if (!isActive || path === recorder.shown().path) return
    const isBack = destination.index < navigation!.currentEntry!.index
    const own = (open = start(
      path,
      navigationType === 'traverse' ? (isBack ? 'back' : 'forward') : undefined,
    ))
    isIntercepted = recorder.current()!.isTold = true
    // What takes its place is told of after this.
    signal.addEventListener('abort', () => setTimeout(() => own.end('aborted')))
  }
  navigation?.addEventListener('navigatesuccess', () => isIntercepted && open?.end('committed'))
  navigation?.addEventListener('navigateerror', (event) => {
    const { error } = event as unknown as { error?: { name?: string } }
    if (isIntercepted && error?.name !== 'AbortError') open?.end('errored', failureReason(error))
  })
  return () => {
    isActive = false
  }
}
