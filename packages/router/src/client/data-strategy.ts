/**
 * How react-router gets data: one fetch of page data and the matched chunks, the verdict on it, and
 * the way out when there is none. Runs for navigations and for `revalidate()`.
 */
import {
  type DataStrategyFunction,
  type DataStrategyFunctionArgs,
  type DataStrategyResult,
  redirect,
  replace,
} from 'react-router'
import { type PageMeta, resultsOf, toProblem } from '../shared/page-data.ts'
import { BOUNDARY_ID, ROOT_ID, templateOf, UNMATCHED_ID } from '../shared/route-objects.ts'
import { emit } from './events.ts'
import type { FailureReason, PageAnswer } from './fetch-page.ts'
import { type PageCache, ROUTE_LOAD_TIMEOUT_MS } from './page-cache.ts'
import type { Timers } from './pending.ts'
import { NOT_FOUND_ID, type RouteModules } from './route-modules.ts'

export type DataStrategyOptions = {
  readonly cache: PageCache
  readonly modules: RouteModules
  readonly timers: Timers
  /** Starts a full page load; false when that would be a loop. */
  readonly navigateHard: (url: string) => boolean
  /** What react-router shows now. */
  readonly shown: () => { readonly isNavigating: boolean; readonly loaderData: Record<string, unknown> }
  /** The URL in the address bar, with which back and forward begin. */
  readonly addressBar: () => string
  readonly onNewBuild: () => void
}

type Results = Record<string, DataStrategyResult>

export function createDataStrategy(options: DataStrategyOptions): DataStrategyFunction {
  return (args) => (options.shown().isNavigating ? navigate(args, options) : revalidate(args, options))
}

async function navigate(args: DataStrategyFunctionArgs, options: DataStrategyOptions): Promise<Results> {
  const { cache, modules, timers } = options
  const routeIds = args.matches.map((match) => match.route.id)
  const template = templateOf(routeIds)
  const { origin, pathname, search } = new URL(args.request.url)
  const url = pathname + search
  emit({ type: 'navigation-start', url, template })
  if (routeIds.at(-1) === UNMATCHED_ID) return leave(args, options, 'no-route')

  const { signal } = args.request
  const answer = await loadRoute({
    data: (aborted) => cache.load(url, aborted),
    code: () => modules.load(routeIds),
    signal,
    timers,
  })
  if (answer.kind === 'aborted') {
    emit({ type: 'navigation-superseded', url })
    return {}
  }
  if (answer.kind === 'failed') return leave(args, options, answer.reason)
  if (answer.redirected && answer.url !== url) {
    emit({ type: 'navigation-redirect', url, to: answer.url })
    cache.keep(answer.url, answer.page)
    // Back and forward have moved the address bar already: the target takes that entry's place.
    const isInAddressBar = options.addressBar() === origin + url
    return { [ROOT_ID]: { type: 'data', result: (isInAddressBar ? replace : redirect)(answer.url) } }
  }
  if (answer.page.error) await modules.load([NOT_FOUND_ID]).catch(() => {})
  emit({ type: 'navigation-end', url, template, status: answer.page.status })
  return resultsOf(answer.page, routeIds)
}

/** Hands the navigation to the browser; it then ends with this document, so nothing is ever returned. */
function leave(
  { request }: DataStrategyFunctionArgs,
  { navigateHard }: DataStrategyOptions,
  reason: FailureReason,
): Promise<Results> {
  const url = request.url
  emit({ type: 'full-load', url, reason })
  if (navigateHard(url)) return new Promise(() => {})
  return Promise.resolve({ [BOUNDARY_ID]: { type: 'error', result: toProblem({ status: 500 }) } })
}

/** Fresh data for the page that is shown. When there is none, what is shown stays. */
async function revalidate(args: DataStrategyFunctionArgs, options: DataStrategyOptions): Promise<Results> {
  const { cache, timers } = options
  const routeIds = args.matches.map((match) => match.route.id)
  const { pathname, search } = new URL(args.request.url)
  const url = pathname + search
  const answer = await loadRoute({
    data: (aborted) => cache.refresh(url, aborted),
    code: () => Promise.resolve(),
    signal: args.request.signal,
    timers,
  })
  const { loaderData } = options.shown()
  const before = loaderData[ROOT_ID] as PageMeta | undefined
  if (answer.kind === 'page' && !answer.redirected && !answer.page.error) {
    const { action, typed } = before ?? {}
    return resultsOf(
      {
        ...answer.page,
        ...(action === undefined ? {} : { action }),
        ...(typed === undefined ? {} : { typed }),
      },
      routeIds,
    )
  }
  if (answer.kind === 'failed') {
    emit({ type: 'revalidation-failed', url, reason: answer.reason })
    if (answer.reason === 'build') options.onNewBuild()
  }
  const kept = routeIds.map((id): [string, DataStrategyResult] => [
    id,
    { type: 'data', result: loaderData[id] ?? null },
  ])
  return Object.fromEntries(kept)
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
