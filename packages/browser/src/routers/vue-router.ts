/** Vue Router 4 and 5: `vueRouter(createRouter({ … }))`, before `app.use(router)`. Guards and hooks that are public tell everything. */
import { activeNavigations } from '../navigation/navigations.ts'
import type { OpenNavigation } from '../navigation/recorder.ts'
import { showError } from './show-error.ts'

type Location = {
  readonly path: string
  readonly fullPath: string
  readonly matched: readonly { readonly path: string }[]
  readonly redirectedFrom?: { readonly fullPath: string } | undefined
}

/** The part of a router that is used. */
export type VueRouter = {
  beforeEach(guard: (to: Location, from: Location) => void): () => void
  afterEach(
    hook: (to: Location, from: Location, failure?: { readonly type: number } | void) => void,
  ): () => void
  onError(handler: (error: unknown) => void): () => void
}

export type VueRouterOptions = {
  /** Report what guards and lazy routes throw into the router, which links swallow. Default: true. */
  readonly captureErrors?: boolean
}

const ROUTER = 'vue-router'
/** `NavigationFailureType.aborted`. One that was replaced (`cancelled`) has its record by the one that replaced it. */
const ABORTED = 4

/** Call it once, after `init`. Returns what ends it. Does nothing without `navigations()`. */
export function vueRouter(router: VueRouter, { captureErrors = true }: VueRouterOptions = {}): () => void {
  const recorder = activeNavigations()
  if (!recorder) return () => {}
  recorder.take()
  let open: OpenNavigation | undefined
  /** As it was asked for, before any redirect. */
  let asked = ''

  const stops = [
    router.beforeEach((to, from) => {
      // The first page, or a jump within the same.
      if (from.matched.length === 0 || withoutHash(to) === withoutHash(from)) return
      const route = templateOf(to)
      if (open && to.redirectedFrom?.fullPath === asked) open.redirect(route ?? to.path)
      else asked = to.redirectedFrom?.fullPath ?? to.fullPath
      open = recorder.start({ to: to.path, route, router: ROUTER })
    }),
    router.afterEach((to, from, failure) => {
      if (from.matched.length === 0 && !failure) recorder.show(to.path, templateOf(to))
      // That of another one: it was replaced.
      if (open?.path !== to.path) return
      if (!failure) open.end('committed')
      else if (failure.type === ABORTED) open.end('aborted', 'blocked')
      else return
      open = undefined
    }),
    router.onError((error) => {
      showError(recorder, ROUTER, open, error, captureErrors)
      open = undefined
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

const withoutHash = ({ fullPath }: Location): string => fullPath.replace(/#.*/, '')

/** `/orders/:id(\\d+)` → `/orders/[id]`, `/docs/:path(.*)*` → `/docs/[...path]` */
function templateOf({ matched }: Location): string | undefined {
  const path = matched.at(-1)?.path
  return path?.replace(/:(\w+)(?:\([^)]*\))?([*+])?\??/g, (_, name: string, many?: string) =>
    many ? `[...${name}]` : `[${name}]`,
  )
}
