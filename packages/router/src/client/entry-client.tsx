/** Starts the router in the browser on the page that the server rendered. */
import { useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { createBrowserRouter, matchRoutes } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import {
  hydrationOf,
  isRouteProblem,
  PAGE_GLOBAL,
  type PageData,
  ROOT_ELEMENT_ID,
} from '../shared/page-data.ts'
import { type RouteShape, templateOf } from '../shared/route-objects.ts'
import { createDataStrategy } from './data-strategy.ts'
import { keepEarlyInput } from './early-input.ts'
import { emit } from './events.ts'
import { OutermostBoundary } from './failure-page.tsx'
import { createFetchPage } from './fetch-page.ts'
import { browserEnvironment, createHardNavigation } from './hard-navigation.ts'
import { type Flag, type RouterRuntime, RuntimeContext } from './hooks.ts'
import { createPageCache } from './page-cache.ts'
import { createPending, systemTimers } from './pending.ts'
import { createPost } from './post.ts'
import { createRouteModules, NOT_FOUND_ID, type RouteModule } from './route-modules.ts'
import { createRoutes } from './routes.tsx'

/** The generated module of the client build. */
export type ClientRoutes = RouteShape & {
  readonly importers: Readonly<Record<string, () => Promise<RouteModule>>>
}

export type ClientApp = {
  /** Fetches the shown page's data again: after a server edit in development. */
  revalidate(): Promise<void>
}

/** Rejects when the first page's code cannot be loaded; the server's HTML then stays, with links that work. */
export async function startClient(clientRoutes: ClientRoutes): Promise<ClientApp> {
  const first = (globalThis as unknown as Record<string, PageData>)[PAGE_GLOBAL]
  const root = document.getElementById(ROOT_ELEMENT_ID)
  if (!first || !root) throw new Error('the page was not rendered by the page handler')
  const { origin, host } = window.location
  const wire = { origin, build: first.build, fetch: window.fetch.bind(window) }
  const timers = systemTimers
  const modules = createRouteModules(clientRoutes.importers)
  const cache = createPageCache({ fetchPage: createFetchPage(wire), timers })
  const pending = createPending(timers)
  const newBuild = createFlag()
  const streamedDigest = createStreamedDigest(window)
  const routes = createRoutes(clientRoutes)
  const idsFor = (path: string): string[] =>
    (matchRoutes(routes, path) ?? []).flatMap(({ route }) => route.id ?? [])

  const firstIds = idsFor(window.location.pathname)
  await modules.load(first.error ? [...firstIds, NOT_FOUND_ID] : firstIds)

  const router = createBrowserRouter(routes, {
    hydrationData: hydrationOf(first, firstIds),
    dataStrategy: createDataStrategy({
      cache,
      modules,
      timers,
      navigateHard: createHardNavigation(browserEnvironment(window)),
      shown: () => ({
        isNavigating: router.state.navigation.state !== 'idle',
        loaderData: router.state.loaderData,
      }),
      addressBar: () => window.location.origin + window.location.pathname + window.location.search,
      onNewBuild() {
        emit({ type: 'new-build' })
        newBuild.raise()
      },
    }),
  })
  let endNavigation: (() => void) | undefined
  router.subscribe(({ navigation, revalidation }) => {
    if (navigation.state !== 'idle' || revalidation !== 'idle') streamedDigest.forget()
    if (navigation.state === 'idle') {
      endNavigation?.()
      endNavigation = undefined
    } else endNavigation ??= pending.begin()
  })
  const shownUrl = (): string => router.state.location.pathname + router.state.location.search
  const post = createPost({
    ...wire,
    cache,
    router: {
      currentUrl: shownUrl,
      nextUrl() {
        const { pathname, search } = router.state.navigation.location ?? router.state.location
        return pathname + search
      },
      navigate: (url, options) => router.navigate(url, options),
      revalidate: () => router.revalidate(),
    },
    assign(url) {
      // Back may bring this document to life again as it was: with what was left behind on signing out.
      window.addEventListener('pageshow', ({ persisted }) => persisted && window.location.reload())
      window.location.assign(url)
    },
  })

  const runtime: RouterRuntime = {
    modules,
    host,
    pending,
    newBuild,
    streamedDigest: streamedDigest.get,
    async post(request) {
      const end = pending.begin()
      try {
        return await post(request)
      } finally {
        end()
      }
    },
    prefetch(to, why) {
      const { pathname, search } = new URL(to, window.location.href)
      const ids = idsFor(pathname)
      const template = templateOf(ids)
      if (template === null || pathname + search === shownUrl()) return () => {}
      // A chunk that cannot be had now is asked for again by the navigation.
      modules.load(ids).catch(() => {})
      return cache.prefetch({ url: pathname + search, template, why })
    },
  }
  emit({ type: 'ready', url: shownUrl(), template: templateOf(firstIds) })
  const giveInputBack = keepEarlyInput(root)
  hydrateRoot(
    root,
    <OutermostBoundary host={host}>
      <RuntimeContext value={runtime}>
        <RouterProvider router={router} onError={reportShownError} />
        <Hydrated run={giveInputBack} />
      </RuntimeContext>
    </OutermostBoundary>,
    {
      onRecoverableError(error) {
        const { digest } = error as { digest?: unknown }
        if (typeof digest === 'string') streamedDigest.set(digest)
        else window.reportError(error)
      },
    },
  )
  return { revalidate: () => router.revalidate() }
}

function reportShownError(error: unknown): void {
  if (!isRouteProblem(error)) emit({ type: 'error', error })
  else if (error.status >= 500) {
    emit({ type: 'error', error, ...(error.digest === undefined ? {} : { digest: error.digest }) })
  }
}

/** Calls once React has taken over the page. Renders nothing. */
function Hydrated({ run }: { readonly run: () => void }) {
  useEffect(run, [run])
  return null
}

/**
 * The digest of a failure on the server after it had sent the shell. React hands it over when it starts to render the
 * part again in the browser, and says nothing of which part; when that fails too, the fall-back page has this digest.
 * What fails after somebody has done something, or after other data came, is the browser's own failure: no digest (E2).
 */
type StreamedDigest = {
  readonly get: () => string | undefined
  readonly set: (digest: string) => void
  readonly forget: () => void
}

function createStreamedDigest(target: EventTarget): StreamedDigest {
  let digest: string | undefined
  const forget = (): void => {
    digest = undefined
  }
  for (const type of ['pointerdown', 'keydown']) target.addEventListener(type, forget, { capture: true })
  return { get: () => digest, set: (value) => void (digest = value), forget }
}

/** Goes up once and stays. */
function createFlag(): Flag & { raise(): void } {
  const listeners = new Set<() => void>()
  let raised = false
  return {
    get: () => raised,
    raise() {
      if (raised) return
      raised = true
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
