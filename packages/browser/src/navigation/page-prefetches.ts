/**
 * What a page fetches ahead without an adapter that tells of it: requests of Next.js, `<link rel=prefetch>` and
 * `<link rel=preload as=fetch>`, and page loads that speculation rules had prepared. Code by `rel=modulepreload` is left out:
 * a browser does not tell whether it was run.
 */
import { SPECULATION_RULES } from '@sonde/protocol/navigation'
import { pathTemplate } from '@sonde/protocol/path-template'
import { whenVisited } from '../page/crawlers.ts'
import { observeEntries } from '../page/observe-entries.ts'
import { navigationEntry } from '../tracing/page-load.ts'
import type { NavigationFeature, PageRequest } from '../types.ts'
import { activeNavigations } from './navigations.ts'
import { createPrefetches, type Timing } from './prefetches.ts'

/** In the place of a router's name. */
const ROUTER = 'browser'

// Paths of which no template is known may be as many as there are products.
const MAX_ROUTES = 40
const MAX_ASKED = 100

/** https://wicg.github.io/nav-speculation/ and https://www.w3.org/TR/resource-timing/#dom-performanceresourcetiming-deliverytype */
type Speculated = PerformanceNavigationTiming & Timing & { readonly activationStart?: number }
type NavigateEvent = Event & {
  readonly destination: { readonly url: string; readonly sameDocument: boolean }
}

/** Add it after `navigations()`. */
export const prefetches = (): NavigationFeature => (client) => {
  const recorder = activeNavigations()
  if (!recorder) return
  const ahead = createPrefetches(recorder, ROUTER)
  const templates = new Set<string>()
  const names = new Set<string>()
  const ends = new WeakMap<PageRequest, () => void>()
  /** When a page or address was last needed: the timing of a prefetch that came late is there only after that. */
  const asked = new Map<string, number>()
  let isAny = false

  const routeOf = (path: string): string => {
    const known = [...templates].find((template) => isOf(template, path))
    if (known) return known
    const name = pathTemplate(path)
    if (names.size < MAX_ROUTES) names.add(name)
    return names.has(name) ? name : `${name.slice(0, name.lastIndexOf('/', name.length - 2) + 1)}*`
  }
  const use = (key: string, atMs: number) => {
    asked.delete(key)
    asked.set(key, atMs)
    if (asked.size > MAX_ASKED) asked.delete(asked.keys().next().value!)
    return ahead.use(key, atMs)
  }

  client.on('request', (request) => {
    const url = absolute(request.url)
    if (!isPrefetch(request)) {
      use(url, request.start)
      return
    }
    isAny = true
    const page = pageOf(url)
    ends.set(request, ahead.issue(page, routeOf(page), url))
  })
  client.on('requestEnd', (request) => ends.get(request)?.())
  client.on('navigation', ({ state, id, to, start, route }) => {
    if (route) templates.add(route)
    if (state !== 'start') return
    const facts = use(to, start)
    // The router's adapter may know more, and says so right after it has begun.
    queueMicrotask(() => {
      const { facts: known, id: underWay } = recorder.current() ?? {}
      if (isAny && known && underWay === id && (known.prefetch ?? 'none') === 'none')
        Object.assign(known, facts)
    })
  })
  const { navigation } = window as unknown as { navigation?: EventTarget }
  navigation?.addEventListener('navigate', (event) => {
    const { url, sameDocument } = (event as NavigateEvent).destination
    if (!sameDocument) use(pageOf(url), performance.now())
  })

  const read = (entries: PerformanceEntryList): void => {
    for (const entry of entries as PerformanceResourceTiming[]) {
      const { name, startTime, initiatorType } = entry
      if (initiatorType !== 'link') {
        ahead.use(name, startTime)
        continue
      }
      const link = [...document.querySelectorAll<HTMLLinkElement>(LINKS)].find(({ href }) => href === name)
      if (!link) continue
      const page = pageOf(name)
      // A file is needed by its address, a page by its path.
      const file = fileTemplate(page)
      const key = page === pathOf(name) && (file || /^[^d]/.test(link.as)) ? name : page
      isAny = true
      ahead.add(key, file ?? routeOf(page), entry)
      const atMs = asked.get(key) ?? 0
      if (atMs >= startTime) ahead.use(key, atMs)
    }
  }
  observeEntries(['resource'], read, { buffered: true })

  const told = (): void => {
    const entry: Speculated | undefined = navigationEntry()
    const { activationStart = 0, deliveryType, name = '', responseEnd = 0 } = entry ?? {}
    if (!activationStart && deliveryType !== 'navigational-prefetch') return
    const speculated = createPrefetches(recorder, SPECULATION_RULES)
    const page = pageOf(name)
    speculated.add(page, recorder.shown().route ?? routeOf(page), entry!)
    speculated.use(page, activationStart || responseEnd)
  }
  whenVisited(() => (document.readyState === 'complete' ? told() : addEventListener('load', told)))
}

/** `/assets/*.js`: files are named anew by each build. Undefined: it is none. */
function fileTemplate(path: string): string | undefined {
  const start = path.lastIndexOf('/') + 1
  const end = path.slice(Math.max(start, path.lastIndexOf('.')))
  return /^\.\w+$/.test(end) ? `${path.slice(0, start)}*${end}` : undefined
}
const LINKS = 'link[rel~=prefetch],link[rel=preload][as=fetch]'

/** Next.js marks what its links fetch: the app router by a header of its own, the pages router as browsers do. */
const isPrefetch = ({ headers }: PageRequest): boolean =>
  headers.has('next-router-prefetch') ||
  headers.has('x-middleware-prefetch') ||
  headers.get('purpose') === 'prefetch'

const absolute = (url: string): string => new URL(url, location.href).href

const pathOf = (url: string): string => {
  const { origin, host, pathname } = new URL(url, location.href)
  return (origin === location.origin ? '' : host) + pathname
}

/** `/_next/data/BUILD/orders/7.json` and React Router's `/orders/7.data` are data of the page `/orders/7`. */
const pageOf = (url: string): string =>
  ofNext(pathOf(url))
    .replace(/(\/_root)?\.data$/, '')
    .replace(/^(\/index)?$/, '/')

const NEXT_DATA = '/_next/data/'
function ofNext(path: string): string {
  const start = path.indexOf(NEXT_DATA)
  const page = start < 0 ? -1 : path.indexOf('/', start + NEXT_DATA.length)
  return page > 0 && path.endsWith('.json') ? path.slice(0, start) + path.slice(page, -'.json'.length) : path
}

const isOf = (template: string, path: string): boolean => {
  const names = template.split('/')
  const parts = path.split('/')
  return names.length === parts.length && names.every((name, at) => name[0] === '[' || name === parts[at])
}
