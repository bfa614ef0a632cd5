/** TanStack Router: `tanstackRouter(createRouter({ routeTree }))`. */
import {
  activeNavigations,
  captureException,
  createPrefetches,
  failureReason,
  type OpenNavigation,
} from '@sonde/browser'
import { templateOfDollarPath } from '../route-template.ts'

type Location = { readonly pathname: string; readonly href: string }
type Match = {
  readonly routeId: string
  readonly fullPath: string
  readonly status: string
  readonly error?: unknown
  readonly updatedAt: number
  readonly cause?: string
  readonly loaderData?: unknown
}
type Change = {
  readonly fromLocation?: Location | undefined
  readonly toLocation: Location
  readonly hrefChanged: boolean
  readonly hashChanged: boolean
  readonly pathChanged: boolean
}

/** The part of a router that is used. */
export type TanstackRouter = {
  readonly state: { readonly location: Location; readonly matches: readonly Match[] }
  readonly options: { readonly defaultPreloadStaleTime?: number | undefined }
  readonly history: {
    subscribe(listener: (change: { readonly action: { readonly type: string } }) => void): () => void
  }
  matchRoutes(location: never): readonly { readonly routeId: string; readonly fullPath: string }[]
  buildLocation(options: never): Location
  // Replaced by one that also counts; links call it when they fetch ahead.
  preloadRoute: (options: never) => Promise<unknown>
  subscribe(type: never, listener: (change: never) => void): () => void
}

export type TanstackRouterOptions = {
  /** Report what loaders and components throw into the router. Default: true. */
  readonly captureErrors?: boolean
}

const ROUTER = 'tanstack-router'
// The router's own default for data that was loaded ahead.
const PRELOAD_STALE_MS = 30_000

/** Call it once, after `init`. Returns what ends it. Does nothing without `navigations()`. */
export function tanstackRouter(
  router: TanstackRouter,
  { captureErrors = true }: TanstackRouterOptions = {},
): () => void {
  const recorder = activeNavigations()
  if (!recorder) return () => {}
  recorder.take()
  const prefetches = createPrefetches(recorder, ROUTER)
  let open: OpenNavigation | undefined
  let action = ''

  const templateOf = (location: Location): string | undefined => {
    // What no route matches ends at the root route; the page at `/` is below it.
    const last = router.matchRoutes(location as never).at(-1)
    return last && last.routeId !== '__root__' ? templateOfDollarPath(last.fullPath) : undefined
  }
  const on = (type: string, listener: (change: Change) => void): (() => void) =>
    router.subscribe(type as never, (change: Change) => {
      try {
        listener(change)
      } catch {
        // What is wrong here must not stop the router.
      }
    })

  const stops = [
    router.history.subscribe((change) => {
      action = change.action.type
    }),
    on('onBeforeNavigate', ({ fromLocation, toLocation, hrefChanged, hashChanged, pathChanged }) => {
      const isHashOnly = hashChanged && !pathChanged && withoutHash(toLocation) === withoutHash(fromLocation)
      if (!fromLocation || isHashOnly) return
      // `invalidate()` loads the page that is shown again.
      if (!hrefChanged && !open) return
      const route = templateOf(toLocation)
      // The router follows a redirect by replacing the entry; people and links push.
      if (open && action === 'REPLACE') open.redirect(route ?? toLocation.pathname)
      open = recorder.start({ to: toLocation.pathname, route, router: ROUTER })
      open.note(prefetches.use(toLocation.href))
    }),
    on('onLoad', ({ toLocation }) => {
      if (!open) return
      const navigation = recorder.current()
      const startedAtMs = performance.timeOrigin + (navigation?.startMs ?? 0)
      const { matches } = router.state
      const ages = matches
        .filter(({ cause, loaderData }) => cause === 'enter' && loaderData !== undefined)
        .map(({ updatedAt }) => startedAtMs - updatedAt)
      if (ages.length > 0) {
        const isHit = Math.min(...ages) > 0
        open.note(isHit ? { cache: 'hit', cache_age: Math.round(Math.max(...ages)) } : { cache: 'miss' })
      }
      const failed = matches.find(({ status }) => status === 'error')
      const isMissing = !templateOf(toLocation) || matches.some(({ status }) => status === 'notFound')
      if (isMissing) open.end('errored', 'http_404')
      else if (!failed) open.end('committed')
      else {
        if (captureErrors) captureException(failed.error, { mechanism: { type: ROUTER, handled: true } })
        recorder.client.emit('errorShown', failed.error)
        open.end('errored', failureReason(failed.error))
      }
      open = undefined
    }),
  ]

  const { preloadRoute } = router
  router.preloadRoute = (options) => {
    const { href, pathname } = router.buildLocation(options)
    const end = prefetches.issue(href, templateOf({ href, pathname }) ?? pathname)
    const { defaultPreloadStaleTime = PRELOAD_STALE_MS } = router.options
    return preloadRoute(options).finally(() => end(defaultPreloadStaleTime))
  }

  recorder.show(router.state.location.pathname, templateOf(router.state.location))
  return () => {
    router.preloadRoute = preloadRoute
    for (const stop of stops) stop()
  }
}

const withoutHash = (location: Location | undefined): string | undefined => location?.href.split('#')[0]
