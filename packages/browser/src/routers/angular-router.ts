/** Angular's router, 15 and newer: `angularRouter(inject(Router))` in an environment initializer. Its events tell everything. */
import { activeNavigations } from '../navigation/navigations.ts'
import { type OpenNavigation, pathOf } from '../navigation/recorder.ts'
import { showError } from './show-error.ts'

type Snapshot = {
  readonly routeConfig: { readonly path?: string | undefined } | null
  readonly firstChild: Snapshot | null
}

/** Of `EventType`: https://angular.dev/api/router/EventType */
const NAVIGATION_START = 0
const NAVIGATION_END = 1
const NAVIGATION_CANCEL = 2
const NAVIGATION_ERROR = 3
const ROUTES_RECOGNIZED = 4
const RESOLVE_START = 5
const RESOLVE_END = 6
const ROUTE_CONFIG_LOAD_START = 9
const ROUTE_CONFIG_LOAD_END = 10
/** Of `NavigationCancellationCode`. */
const REDIRECT = 0
const SUPERSEDED = 1

/** An event, as far as it is read. */
type RouterEvent = {
  readonly type?: number
  readonly url?: string
  readonly urlAfterRedirects?: string
  readonly state?: { readonly root: Snapshot }
  readonly code?: number
  readonly error?: unknown
}

/** The part of a router that is used. */
export type AngularRouter = {
  readonly url: string
  readonly events: { subscribe(listener: (event: never) => void): { unsubscribe(): void } }
}

export type AngularRouterOptions = {
  /** Report what guards, resolvers and lazy routes throw into the router. Default: true. */
  readonly captureErrors?: boolean
}

const ROUTER = 'angular-router'

/** Call it once, after `init`. Returns what ends it. Does nothing without `navigations()`. */
export function angularRouter(
  router: AngularRouter,
  { captureErrors = true }: AngularRouterOptions = {},
): () => void {
  const recorder = activeNavigations()
  if (!recorder) return () => {}
  recorder.take()
  let open: OpenNavigation | undefined
  let isFirst = true
  let isRedirected = false
  let route: string | undefined
  let endLoad: (() => void) | undefined

  const start = (url: string): void => {
    open = recorder.start({ to: url, route, router: ROUTER })
  }
  const follow = (event: RouterEvent): void => {
    const { type, url = '', urlAfterRedirects = url, code, error } = event
    switch (type) {
      case NAVIGATION_START:
        route = undefined
        if (isFirst || withoutHash(url) === withoutHash(router.url)) return
        if (isRedirected) open?.redirect(pathOf(url))
        isRedirected = false
        start(url)
        break
      case ROUTES_RECOGNIZED:
        route = event.state && templateOf(event.state.root)
        // A redirect of the route table.
        if (open && pathOf(urlAfterRedirects) !== open.path) {
          open.redirect(route ?? pathOf(urlAfterRedirects))
          start(urlAfterRedirects)
        }
        open?.route(route)
        break
      case RESOLVE_START:
      case ROUTE_CONFIG_LOAD_START:
        endLoad = open?.load(type === RESOLVE_START ? 'data' : 'chunk')
        break
      case RESOLVE_END:
      case ROUTE_CONFIG_LOAD_END:
        endLoad?.()
        break
      case NAVIGATION_END:
        if (isFirst) recorder.show(urlAfterRedirects, route)
        isFirst = false
        open?.end('committed')
        open = undefined
        break
      case NAVIGATION_CANCEL:
        isRedirected = code === REDIRECT
        if (!isRedirected && code !== SUPERSEDED) open?.end('aborted', 'blocked')
        break
      case NAVIGATION_ERROR:
        showError(recorder, ROUTER, open, error, captureErrors)
        open = undefined
        break
    }
  }
  const subscription = router.events.subscribe(follow)
  return () => subscription.unsubscribe()
}

const withoutHash = (url: string): string => url.replace(/#.*/, '')

/** `orders/:id` → `/orders/[id]`, `**` → nothing: no route is known. */
function templateOf(root: Snapshot): string | undefined {
  const parts: string[] = []
  for (let at: Snapshot | null = root; at; at = at.firstChild) parts.push(at.routeConfig?.path ?? '')
  if (parts.includes('**')) return undefined
  return `/${parts.filter(Boolean).join('/')}`.replace(/:(\w+)/g, '[$1]')
}
