/**
 * What is shown, and going elsewhere: one navigation at a time, a later one takes the place of an earlier. Knows neither
 * React nor how pages are fetched.
 */
import type { RouteMatch } from '../shared/match-routes.ts'
import type { PageData } from '../shared/page-data.ts'
import { isOtherFragmentOnly, type Location, locationOf, type PageHistory, pathOf } from './location.ts'
import type { ScrollPositions, ScrollTo } from './scroll.ts'

/** One per visit and per answer of the server; what renders compares it by identity. */
export type Shown = {
  readonly location: Location
  readonly match: RouteMatch
  readonly page: PageData
  readonly scrollTo: ScrollTo
}

export type NavigateOptions = {
  /** Takes the place of the entry in the history. */
  readonly replace?: boolean
  readonly preventScrollReset?: boolean
  /** Rendered before anything else is, so that no later answer takes its place unseen. */
  readonly flushSync?: boolean
}

/** How loading ends. It does not when the browser loads another document. */
export type Loaded =
  | { readonly kind: 'page'; readonly page: PageData }
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'aborted' }

export type Loading = {
  readonly location: Location
  readonly match: RouteMatch
  readonly signal: AbortSignal
}

export type NavigatorOptions = {
  readonly history: PageHistory
  readonly match: (pathname: string) => RouteMatch
  /** Neither rejects; a `refresh` without an answer leaves what is shown. */
  readonly load: (loading: Loading) => Promise<Loaded>
  readonly refresh: (loading: Loading, shown: PageData) => Promise<PageData | undefined>
  readonly first: PageData
  readonly positions: ScrollPositions
  readonly onState: (state: 'loading' | 'refreshing' | 'idle') => void
}

export type Navigator = {
  shown(): Shown
  /** Where the navigation under way leads. */
  goingTo(): Location | undefined
  /** Ends when the page is shown, or when another navigation took over. @throws when `to` leads to another site */
  navigate(to: string, options?: NavigateOptions): Promise<void>
  /** Asks for the data again: of the navigation under way, else of the page that is shown. */
  revalidate(): Promise<void>
  listen(listener: (shown: Shown, isUrgent: boolean) => void): () => void
}

type Visit = NavigateOptions & { readonly location: Location; readonly how: 'push' | 'replace' | 'pop' }

export function createNavigator(options: NavigatorOptions): Navigator {
  const { history, match, positions, onState } = options
  const start = history.current()
  let shown: Shown = {
    location: start,
    match: match(start.pathname),
    page: options.first,
    scrollTo: 'nowhere',
  }
  let underWay: Visit | undefined
  let controller: AbortController | undefined
  let revalidated: PromiseWithResolvers<void> | undefined
  const listeners = new Set<(shown: Shown, isUrgent: boolean) => void>()

  const takeOver = (): AbortSignal => {
    controller?.abort()
    controller = new AbortController()
    return controller.signal
  }

  const show = (next: Shown, isUrgent = false): void => {
    underWay = undefined
    controller = undefined
    shown = next
    onState('idle')
    for (const listener of listeners) listener(next, isUrgent)
    revalidated?.resolve()
    revalidated = undefined
  }

  const arrive = (visit: Visit, matched: RouteMatch, page: PageData): void => {
    const { location, how, preventScrollReset, flushSync } = visit
    if (how !== 'pop') history[how](location)
    const scrollTo = positions.of(location.key) ?? (preventScrollReset ? 'fragment' : 'fragment-or-start')
    show({ location, match: matched, page, scrollTo }, flushSync)
  }

  const go = async (visit: Visit): Promise<void> => {
    const signal = takeOver()
    const { location } = visit
    const matched = match(location.pathname)
    positions.save(shown.location.key)
    if (isOtherFragmentOnly(shown.location, location)) return arrive(visit, matched, shown.page)
    underWay = visit
    onState('loading')
    const loaded = await options.load({ location, match: matched, signal })
    if (signal.aborted || loaded.kind === 'aborted') return undefined
    if (loaded.kind === 'page') return arrive(visit, matched, loaded.page)
    // Back and forward have moved the address bar already: the target takes that entry's place.
    const isInAddressBar = pathOf(history.current()) === pathOf(location)
    const how = visit.how === 'replace' || isInAddressBar ? 'replace' : 'push'
    return go({ ...visit, location: locationOf(loaded.to), how })
  }

  const refresh = async (): Promise<void> => {
    const signal = takeOver()
    onState('refreshing')
    const { location, match: matched, page } = shown
    const fresh = await options.refresh({ location, match: matched, signal }, page)
    if (!signal.aborted) show({ ...shown, page: fresh ?? page, scrollTo: 'nowhere' })
  }

  history.onPop(() => void go({ location: history.current(), how: 'pop' }))

  return {
    shown: () => shown,
    goingTo: () => underWay?.location,
    async navigate(to, navigateOptions = {}) {
      const location = locationOf(to, pathOf(shown.location))
      await go({ ...navigateOptions, location, how: navigateOptions.replace ? 'replace' : 'push' })
    },
    revalidate() {
      revalidated ??= Promise.withResolvers()
      const { promise } = revalidated
      void (underWay ? go(underWay) : refresh())
      return promise
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
