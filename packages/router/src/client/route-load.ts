/**
 * How a navigation gets its page: one fetch of page data and the matched chunks, the verdict on it, and the way out when
 * there is none.
 */
import { idsOf } from '../shared/match-routes.ts'
import type { PageData } from '../shared/page-data.ts'
import { emit } from './events.ts'
import type { FailureReason, PageAnswer } from './fetch-page.ts'
import { pathOf } from './location.ts'
import type { Loaded, Loading } from './navigator.ts'
import { type PageCache, ROUTE_LOAD_TIMEOUT_MS } from './page-cache.ts'
import type { Timers } from './pending.ts'
import { NOT_FOUND_ID, type RouteModules } from './route-modules.ts'

export type RouteLoadOptions = {
  readonly origin: string
  readonly build: string
  readonly cache: PageCache
  readonly modules: RouteModules
  readonly timers: Timers
  /** Starts a full page load; false when that would be a loop. */
  readonly navigateHard: (url: string) => boolean
  readonly onNewBuild: () => void
}

/** Never rejects; does not end when the browser takes the navigation over. */
export async function loadPage(
  { location, match, signal }: Loading,
  options: RouteLoadOptions,
): Promise<Loaded> {
  const { cache, modules, timers, origin } = options
  const { template } = match
  const url = pathOf(location)
  emit({ type: 'navigation-start', url, template })
  const leave = (reason: FailureReason): Promise<Loaded> => {
    const whole = origin + url
    emit({ type: 'full-load', url: whole, reason })
    // It then ends with this document.
    if (options.navigateHard(whole)) return new Promise(() => {})
    return Promise.resolve({ kind: 'page', page: failedPage(template, options.build) })
  }
  if (template === null) return leave('no-route')

  const answer = await loadRoute({
    data: (aborted) => cache.load(url, aborted),
    code: () => modules.load(idsOf(match)),
    signal,
    timers,
  })
  if (answer.kind === 'aborted') {
    emit({ type: 'navigation-superseded', url })
    return answer
  }
  if (answer.kind === 'failed') return leave(answer.reason)
  if (answer.redirected && answer.url !== url) {
    emit({ type: 'navigation-redirect', url, to: answer.url })
    cache.keep(answer.url, answer.page)
    return { kind: 'redirect', to: answer.url }
  }
  if (answer.page.error) await modules.load([NOT_FOUND_ID]).catch(() => {})
  emit({ type: 'navigation-end', url, template, status: answer.page.status })
  return { kind: 'page', page: answer.page }
}

/** Where loading the document would be a loop. */
const failedPage = (template: string | null, build: string): PageData => ({
  build,
  template,
  kind: 'dynamic',
  status: 500,
  title: '',
  data: {},
  error: { status: 500 },
})

/** The page's data once more; undefined when what is shown should stay. Never rejects. */
export async function refreshPage(
  { location, signal }: Loading,
  shown: PageData,
  { cache, timers, onNewBuild }: RouteLoadOptions,
): Promise<PageData | undefined> {
  const url = pathOf(location)
  const answer = await loadRoute({
    data: (aborted) => cache.refresh(url, aborted),
    code: () => Promise.resolve(),
    signal,
    timers,
  })
  if (answer.kind === 'page' && !answer.redirected && !answer.page.error) {
    const { action, typed } = shown
    return {
      ...answer.page,
      ...(action === undefined ? {} : { action }),
      ...(typed === undefined ? {} : { typed }),
    }
  }
  if (answer.kind === 'failed') {
    emit({ type: 'revalidation-failed', url, reason: answer.reason })
    if (answer.reason === 'build') onNewBuild()
  }
  return undefined
}

/** A route load: page data and code of the matched route, both within 3800 ms (N5). */
type RouteLoad = {
  /** Fetches the data; aborted on timeout. */
  readonly data: (signal: AbortSignal) => Promise<PageAnswer>
  /** Loads the code; rejects when a chunk is missing. */
  readonly code: () => Promise<void>
  /** Aborted when another navigation takes over. */
  readonly signal: AbortSignal
  readonly timers: Timers
}

/** Never rejects. A load that was superseded is `aborted`, whatever else happened to it. */
export async function loadRoute({ data, code, signal, timers }: RouteLoad): Promise<PageAnswer> {
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()

  const timeout = Promise.withResolvers<PageAnswer>()
  const cancelTimeout = timers.after(ROUTE_LOAD_TIMEOUT_MS, () => timeout.resolve(failed('timeout')))
  const both = Promise.all([
    data(controller.signal),
    code().then(
      () => undefined,
      () => failed('chunk'),
    ),
  ]).then(([answer, missing]) => {
    // A redirect or an error answer does not need this route's code.
    const needsCode = answer.kind === 'page' && !answer.redirected && !answer.page.error
    return needsCode && missing ? missing : answer
  })

  const answer = await Promise.race([both, timeout.promise])
  cancelTimeout()
  if (answer.kind === 'failed' && answer.reason === 'timeout') abort()
  signal.removeEventListener('abort', abort)
  return signal.aborted ? { kind: 'aborted' } : answer
}

function failed(reason: FailureReason): PageAnswer {
  return { kind: 'failed', reason }
}
