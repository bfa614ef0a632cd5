/**
 * react-router 7 and 8 in data mode: `reactRouter(createBrowserRouter(routes))`. Navigations are read off the
 * router's state, which is public; nothing of the router is replaced.
 */
import {
  activeNavigations,
  captureException,
  createPrefetches,
  failureReason,
  type OpenNavigation,
  type Prefetches,
} from '@sonde/browser'
import { matchRoutes } from 'react-router'
import { templateOfPaths } from '../route-template.ts'

type Location = { readonly pathname: string; readonly search: string; readonly state?: unknown }
type Match = { readonly route: { readonly path?: string | undefined } }
type State = {
  readonly location: Location
  readonly matches: readonly Match[]
  readonly navigation: {
    readonly state: 'idle' | 'loading' | 'submitting'
    readonly location?: Location | undefined
    readonly formMethod?: string | undefined
  }
  readonly errors: Readonly<Record<string, unknown>> | null
  readonly blockers: ReadonlyMap<string, { readonly state: string; readonly location?: Location | undefined }>
}

/** The part of a data router that is used; the same in 7 and 8. */
export type DataRouter = {
  readonly state: State
  readonly routes: readonly object[]
  readonly basename?: string | undefined
  subscribe(listener: (state: State) => void): () => void
}

export type ReactRouterOptions = {
  /** Report what loaders, actions and components throw into the router, which shows it and tells nobody. Default: true. */
  readonly captureErrors?: boolean
}

const ROUTER = 'react-router'

/** Of the router that was handed over last. */
let fetchAhead: ((to: string) => (staleAfterMs?: number) => void) | undefined

/**
 * Tells that code or data of a link's target is fetched ahead, which this router leaves to the app in data mode: call it
 * before the fetch, and what it returns when that has ended. `to` is path and query, as in the link.
 */
export const reactRouterPrefetch = (to: string): ((staleAfterMs?: number) => void) =>
  fetchAhead?.(to) ?? (() => {})

/** Call it once, after `init`. Returns what ends it. Does nothing without `navigations()`. */
export function reactRouter(
  router: DataRouter,
  { captureErrors = true }: ReactRouterOptions = {},
): () => void {
  const recorder = activeNavigations()
  if (!recorder) return () => {}
  recorder.take()
  let shown = router.state.location
  let open: OpenNavigation | undefined
  let target: Location | undefined
  let blocked: Location | undefined
  /** Only once the app tells of one: else every navigation would say that nothing was fetched ahead. */
  let prefetches: Prefetches | undefined

  const start = (location: Location, matches: readonly Match[] | null, trigger?: 'submit'): OpenNavigation =>
    recorder.start({ to: location.pathname, route: templateOf(matches), router: ROUTER, trigger })
  const match = (location: Location): readonly Match[] | null =>
    matchRoutes(router.routes as never, location as never, router.basename)

  /** Another target than before: a redirect of the navigation under way, or one that takes its place. */
  const goTo = (location: Location, matches: readonly Match[] | null, trigger?: 'submit'): void => {
    // The router's mark on the target of a redirect; a superseding navigation has none.
    const isRedirect = (location.state as Record<string, unknown> | null)?.['_isRedirect']
    if (open && isRedirect === true) open.redirect(templateOf(matches) ?? location.pathname)
    target = location
    open = start(location, matches, trigger)
    if (prefetches) open.note(prefetches.use(location.pathname + location.search))
  }

  const arrive = ({ location, matches, errors }: State): void => {
    const failures = Object.values(errors ?? {})
    const [error] = failures
    const known = isNoRoute(error) ? null : matches
    if (target !== location) goTo(location, known)
    open!.route(templateOf(known))
    if (failures.length === 0) return open!.end('committed')
    if (captureErrors && !isAnswer(error))
      captureException(error, { mechanism: { type: ROUTER, handled: true } })
    recorder.client.emit('errorShown', error)
    open!.end('errored', failureReason(error))
  }

  const follow = (state: State): void => {
    const { navigation, location, blockers } = state
    for (const blocker of blockers.values()) {
      if (blocker.state !== 'blocked' || !blocker.location || blocker.location === blocked) continue
      blocked = blocker.location
      start(blocked, match(blocked)).end('aborted', 'blocked')
    }
    if (navigation.state !== 'idle' && navigation.location) {
      if (navigation.location !== target) {
        goTo(navigation.location, match(navigation.location), navigation.formMethod ? 'submit' : undefined)
      }
      return
    }
    if (location !== shown && (open || !isSamePage(location, shown))) arrive(state)
    else if (location === shown) open?.end('aborted')
    shown = location
    open = target = undefined
  }

  fetchAhead = (to) => {
    prefetches ??= createPrefetches(recorder, ROUTER)
    const { pathname, search } = new URL(to, location.href)
    const matches = match({ pathname, search })
    return prefetches.issue(pathname + search, templateOf(matches) ?? pathname)
  }
  recorder.show(shown.pathname, templateOf(router.state.matches))
  return router.subscribe((state: State) => {
    try {
      follow(state)
    } catch {
      // What is wrong here must not stop the router from telling React.
    }
  })
}

/**
 * For `createBrowserRouter(routes, { instrumentations: [reactRouterLoads()] })`: exact times of loaders and lazy routes,
 * also of those that make no request. Without it the page's requests and scripts tell.
 */
export function reactRouterLoads(): { route(route: InstrumentableRoute): void } {
  const timed =
    (work: 'data' | 'chunk') =>
    async (run: () => Promise<unknown>): Promise<void> => {
      const end = activeNavigations()?.load(work)
      await run()
      end?.()
    }
  return {
    route(route) {
      const [data, chunk] = [timed('data'), timed('chunk')]
      const lazy = { lazy: chunk, 'lazy.loader': chunk, 'lazy.action': chunk, 'lazy.middleware': chunk }
      route.instrument({ loader: data, action: data, ...lazy })
    },
  }
}

type Timed = (run: () => Promise<unknown>) => Promise<void>
/** What both versions hand over; handlers that are not named here stay as they are. */
type InstrumentableRoute = {
  instrument(instrumentations: Record<'loader' | 'action' | 'lazy', Timed>): void
}

const templateOf = (matches: readonly Match[] | null): string | undefined =>
  matches ? templateOfPaths(matches.map(({ route }) => route.path)) : undefined

const isSamePage = (a: Location, b: Location): boolean => a.pathname === b.pathname && a.search === b.search

/** Thrown or returned answers (`data(…, { status: 404 })`) are the app's way to show a status. */
const isAnswer = (error: unknown): boolean =>
  error instanceof Response || (typeof error === 'object' && error !== null && 'internal' in error)

/** The router's own 404, which it hangs on a route that does not match. */
const isNoRoute = (error: unknown): boolean => {
  const { internal, status } = (error ?? {}) as { internal?: boolean; status?: number }
  return internal === true && status === 404
}
