/**
 * Requests of the page that failed: which endpoint, how often in a row, whether a later attempt
 * succeeded, and whether anybody saw it. The error that the page gets is left as it is.
 */
import {
  PAGE_DATA_FAILURE_OP,
  PAGE_DATA_FAILURE_PREFIX,
  type PageDataFailureKind,
} from '@sonde/protocol/navigation'
import { randomHex } from '../random-hex.ts'
import type { NavigationFeature, PageRequest } from '../types.ts'
import { activeNavigations } from './navigations.ts'
import { endpointOf } from './traffic.ts'

// Query libraries wait 1, 2 and 4 s between attempts; what fails again later is another failure.
const RETRIED_WITHIN_MS = 8_000
// A server that is down fails every request of the page; the rate shows after this many.
const MAX_OPEN = 20
const SHOWN_WITHIN_MS = 250

type Failure = {
  readonly kind: PageDataFailureKind
  readonly method: string
  readonly endpoint: string
  readonly status: number | undefined
  attempts: number
  seen: boolean
  stale?: true
  readonly error: unknown
  readonly route: string | undefined
  readonly navigation: string | undefined
  readonly startMs: number
  endMs: number
  timer?: ReturnType<typeof setTimeout>
}

/** What a library that fetches says of an error, once it has it. */
export type DataErrorFacts = {
  /** Older data stays on the screen. */
  readonly stale?: boolean
  /** It asks again after so long: until then the failure is open. */
  readonly retryInMs?: number
}

let note: ((error: unknown, facts: DataErrorFacts) => void) | undefined

/** For hooks of query libraries. The error is not touched; without `pageDataFailures()` nothing happens. */
export const noteDataError = (error: unknown, facts: DataErrorFacts): void => note?.(error, facts)

/** Add it after `navigations()`. */
export const pageDataFailures = (): NavigationFeature => (client) => {
  const recorder = activeNavigations()
  if (!recorder) return
  const open = new Map<string, Failure>()
  /** What is known of the request that an error of the page tells of. */
  const failed = new WeakMap<object, FailedRequest>()

  const close = (key: string, recovered: boolean): void => {
    const failure = open.get(key)
    if (!failure) return
    open.delete(key)
    const { timer, error: _, startMs, endMs, ...facts } = failure
    clearTimeout(timer)
    recorder.write({
      traceId: client.trace.traceId,
      spanId: randomHex(8),
      op: PAGE_DATA_FAILURE_OP,
      prefix: PAGE_DATA_FAILURE_PREFIX,
      name: `${failure.method} ${failure.endpoint}`,
      isError: true,
      startMs,
      endMs,
      attributes: { ...facts, recovered },
    })
  }

  client.on('requestEnd', (request) => {
    const { method, url, status, error, start, end = start } = request
    const key = `${method} ${url}`
    const kind = kindOf(request)
    if (!kind) return close(key, true)
    const current = recorder.current()
    const endpoint = endpointOf(url)
    const route = current ? current.facts.to_route : recorder.shown().route
    if (error)
      failed.set(error, {
        endpoint: `${method} ${endpoint}`,
        route,
        cause: causeOf(kind, endpoint, error as Error),
      })
    if ((error as Error | undefined)?.name === 'AbortError') return
    const before = open.get(key)
    if (!before && open.size >= MAX_OPEN) return
    clearTimeout(before?.timer)
    const failure: Failure = {
      kind,
      method,
      endpoint,
      status: status || undefined,
      attempts: (before?.attempts ?? 0) + 1,
      seen: before?.seen ?? false,
      ...(before?.stale && { stale: true }),
      error,
      route,
      navigation: current?.id,
      startMs: before?.startMs ?? start,
      endMs: end,
    }
    failure.timer = setTimeout(close, RETRIED_WITHIN_MS, key, false)
    open.set(key, failure)
  })
  client.on('event', ({ event, hint }) => {
    let wrapped = false
    for (let thrown = hint.originalException, depth = 0; thrown instanceof Object && depth < 5; depth++) {
      const request = failed.get(thrown)
      if (request) {
        const { endpoint, route = '', cause } = request
        event['contexts'] = { page_data: { ...request, wrapped }, ...(event['contexts'] as object) }
        // "Failed to fetch" and its stack are the same for all requests; what the page made of it speaks for itself.
        if (!wrapped) event['fingerprint'] ??= ['request', endpoint, route, cause]
        return
      }
      thrown = (thrown as Error).cause
      wrapped = true
    }
  })
  client.on('navigation', ({ id, outcome }) => {
    if (outcome !== 'errored') return
    for (const failure of open.values()) failure.seen ||= failure.navigation === id
  })
  client.on('hide', () => {
    for (const key of open.keys()) close(key, false)
  })
  /** Whose error it is: the very object, one of its causes, or what the page made of a bad status just now. */
  const isOf = (failure: Failure, thrown: unknown): boolean => {
    if (failure.status !== undefined && performance.now() - failure.endMs < SHOWN_WITHIN_MS) return true
    let cause = thrown
    for (let depth = 0; cause && depth < 5; depth++, cause = (cause as Error).cause)
      if (cause === failure.error) return true
    return false
  }
  note = (thrown, { stale, retryInMs = 0 }) => {
    for (const [key, failure] of open) {
      if (!isOf(failure, thrown)) continue
      if (stale) failure.stale = true
      if (retryInMs < RETRIED_WITHIN_MS) continue
      clearTimeout(failure.timer)
      failure.timer = setTimeout(close, retryInMs + RETRIED_WITHIN_MS, key, false)
    }
  }
  client.on('errorShown', (shown) => {
    for (const failure of open.values()) failure.seen ||= isOf(failure, shown)
  })
}

/** The context `page_data` of an event, with `wrapped`: it is the cause of what was reported. */
type FailedRequest = {
  readonly endpoint: string
  readonly route: string | undefined
  readonly cause: 'offline' | 'aborted' | 'timeout' | 'blocked' | 'unreachable'
}

/** Of another origin a browser does not tell a refusal (CORS, a blocker) from silence. */
function causeOf(kind: PageDataFailureKind, endpoint: string, { name }: Error): FailedRequest['cause'] {
  if (name === 'AbortError') return 'aborted'
  if (name === 'TimeoutError') return 'timeout'
  return kind === 'offline' ? kind : endpoint.startsWith('/') ? 'unreachable' : 'blocked'
}

function kindOf({ kind, status = 0, error }: PageRequest): PageDataFailureKind | undefined {
  // An opaque answer of fetch (`no-cors`) has status 0 too.
  if (error || (kind === 'xhr' && !status)) return navigator.onLine ? 'network' : 'offline'
  return status >= 500 ? 'server_error' : status >= 400 ? 'client_error' : undefined
}
