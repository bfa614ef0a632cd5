/** Starts the router in the browser on the page that the server rendered. */
import { startTransition, useEffect, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { hydrateRoot } from 'react-dom/client'
import { createMatcher, idsOf, type RouteShape } from '../shared/match-routes.ts'
import { MODULES_GLOBAL, PAGE_GLOBAL, type PageData, ROOT_ELEMENT_ID } from '../shared/page-data.ts'
import { keepEarlyInput } from './early-input.ts'
import { emit } from './events.ts'
import { OutermostBoundary } from './failure-page.tsx'
import { createFetchPage } from './fetch-page.ts'
import { browserEnvironment, createHardNavigation } from './hard-navigation.ts'
import { type Flag, type RouterRuntime, RuntimeContext } from './hooks.ts'
import { loadLaterCode } from './later-code.ts'
import { browserHistory, pathOf } from './location.ts'
import { createNavigator, type Navigator } from './navigator.ts'
import { createPageCache } from './page-cache.ts'
import { createPending, systemTimers } from './pending.ts'
import { createPost } from './post.ts'
import { loadPage, refreshPage, type RouteLoadOptions } from './route-load.ts'
import { createRouteModules, type Importers, NOT_FOUND_ID } from './route-modules.ts'
import { ShownPage } from './routes.tsx'
import { keepScrollPositions } from './scroll.ts'

/** The generated module of the client build. */
export type ClientRoutes = {
  readonly pages: readonly RouteShape[]
  /** Of every route; asked for when there is somewhere to go. */
  readonly importers: () => Promise<Importers>
}

/** What the server writes into the page. */
type FirstPage = {
  readonly [PAGE_GLOBAL]?: PageData
  readonly [MODULES_GLOBAL]?: Readonly<Record<string, string>>
}

export type ClientApp = {
  /** Fetches the shown page's data again: after a server edit in development. */
  revalidate(): Promise<void>
}

/** Rejects when the first page's code cannot be loaded; the server's HTML then stays, with links that work. */
export async function startClient(clientRoutes: ClientRoutes): Promise<ClientApp> {
  const { [PAGE_GLOBAL]: first, [MODULES_GLOBAL]: firstModules } = globalThis as unknown as FirstPage
  const root = document.getElementById(ROOT_ELEMENT_ID)
  if (!first || !root) throw new Error('the page was not rendered by the page handler')
  const { origin, host } = window.location
  const wire = { origin, build: first.build, fetch: window.fetch.bind(window) }
  const timers = systemTimers
  const modules = createRouteModules({ first: firstModules ?? {}, importers: clientRoutes.importers })
  const cache = createPageCache({ fetchPage: createFetchPage(wire), timers })
  const pending = createPending(timers)
  const newBuild = createFlag()
  const streamedDigest = createStreamedDigest(window)
  const match = createMatcher(clientRoutes.pages)

  const firstIds = idsOf(match(window.location.pathname))
  await modules.load(first.error ? [...firstIds, NOT_FOUND_ID] : firstIds)

  const loading: RouteLoadOptions = {
    ...wire,
    cache,
    modules,
    timers,
    navigateHard: createHardNavigation(browserEnvironment(window)),
    onNewBuild() {
      emit({ type: 'new-build' })
      newBuild.raise()
    },
  }
  let endNavigation: (() => void) | undefined
  const navigator: Navigator = createNavigator({
    history: browserHistory(window),
    match,
    load: (where) => loadPage(where, loading),
    refresh: (where, shown) => refreshPage(where, shown, loading),
    first,
    positions: keepScrollPositions(window, () =>
      navigator.goingTo() ? undefined : navigator.shown().location.key,
    ),
    onState(state) {
      if (state !== 'idle') streamedDigest.forget()
      if (state === 'loading') endNavigation ??= pending.begin()
      else if (state === 'idle') {
        endNavigation?.()
        endNavigation = undefined
      }
    },
  })
  let told = first
  navigator.listen(({ page }) => {
    const { error } = page
    // A page that could not be had anew is the one that was told already.
    if (page !== told && error && error.status >= 500) {
      emit({ type: 'error', error, ...(error.digest === undefined ? {} : { digest: error.digest }) })
    }
    told = page
  })
  const shownUrl = (): string => pathOf(navigator.shown().location)
  const post = createPost({
    ...wire,
    cache,
    router: {
      currentUrl: shownUrl,
      nextUrl: () => pathOf(navigator.goingTo() ?? navigator.shown().location),
      navigate: navigator.navigate,
      revalidate: navigator.revalidate,
    },
    assign(url) {
      // Back may bring this document to life again as it was: with what was left behind on signing out.
      window.addEventListener('pageshow', ({ persisted }) => persisted && window.location.reload())
      window.location.assign(url)
    },
  })

  const giveInputBack = keepEarlyInput(root)
  const runtime: RouterRuntime = {
    onPartTakenOver: giveInputBack,
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
    navigate: navigator.navigate,
    revalidate: navigator.revalidate,
    prefetch(to, why) {
      const { pathname, search } = new URL(to, window.location.href)
      const matched = match(pathname)
      const { template } = matched
      if (template === null || pathname + search === shownUrl()) return () => {}
      // A chunk that cannot be had now is asked for again by the navigation.
      modules.load(idsOf(matched)).catch(() => {})
      return cache.prefetch({ url: pathname + search, template, why })
    },
  }
  emit({ type: 'ready', url: shownUrl(), template: navigator.shown().match.template })
  const onHydrated = (): void => {
    giveInputBack()
    // What cannot be had now is asked for again by the next navigation.
    loadLaterCode().catch(() => {})
  }
  hydrateRoot(
    root,
    <OutermostBoundary host={host}>
      <RuntimeContext value={runtime}>
        <Pages navigator={navigator} onHydrated={onHydrated} />
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
  return { revalidate: navigator.revalidate }
}

type PagesProps = { readonly navigator: Navigator; readonly onHydrated: () => void }

function Pages({ navigator, onHydrated }: PagesProps) {
  const [shown, setShown] = useState(navigator.shown)
  useLayoutEffect(() => {
    // What was shown between rendering and now.
    startTransition(() => setShown(navigator.shown()))
    return navigator.listen((next, isUrgent) =>
      isUrgent ? flushSync(() => setShown(next)) : startTransition(() => setShown(next)),
    )
  }, [navigator])
  useEffect(onHydrated, [onHydrated])
  return <ShownPage shown={shown} onError={reportThrown} />
}

const reportThrown = (error: unknown): void => emit({ type: 'error', error })

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
