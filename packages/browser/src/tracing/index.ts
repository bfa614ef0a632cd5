/** Traces of page loads and navigations: `init({ …, features: [tracing()] })`. */
import { isCrawler, whenVisited } from '../page/crawlers.ts'
import { watchHistory } from '../page/watch-history.ts'
import { watchRequests } from '../page/watch-requests.ts'
import type { Client, Feature, PageRequest, TraceState } from '../types.ts'
import { describeUrl, type FindRequest, watchEntries } from './entry-spans.ts'
import { addPagePhases, continuedTrace, navigationEntry } from './page-load.ts'
import { enableSpans } from './start-span.ts'
import { addTraceHeaders, mayTrace } from './trace-headers.ts'
import { createTracer, type Span, type Tracer } from './tracer.ts'

export { type OpenSpan, type SpanOptions, startSpan } from './start-span.ts'

export const tracing = (): Feature => (client) => {
  if (!isCrawler()) whenVisited(() => startTracing(client))
}

function startTracing(client: Client): void {
  let takeEntries = (): void => {}
  const tracer = createTracer(client, () => {
    takeEntries()
    if (tracer.root!.op === 'pageload') addPagePhases(tracer)
  })
  enableSpans(tracer)
  watchHistory(client)
  watchRequests(client)
  traceNavigations(client, tracer)
  const findRequest = traceRequests(client, tracer)
  const startMs = navigationEntry()?.activationStart ?? 0
  tracer.start(
    'pageload',
    'auto.pageload.browser',
    startMs,
    { name: location.pathname, source: 'url', ...continuedTrace() },
    {
      'performance.activationStart': startMs || undefined,
      effectiveConnectionType: (navigator as { connection?: { effectiveType?: string } }).connection
        ?.effectiveType,
    },
  )
  if (document.readyState !== 'complete') {
    tracer.hold(document)
    // After the listeners of others, which are part of it.
    addEventListener('load', () =>
      setTimeout(() => tracer.hold(document, navigationEntry()?.loadEventEnd || performance.now())),
    )
  }
  takeEntries = watchEntries(client, tracer, findRequest)
  client.on('hide', () => tracer.finish('documentHidden', 'document.hidden'))
}

/** Upstream's number. A change of the URL this soon after the start, and not asked for by a person, is a redirect. */
const REDIRECT_WITHIN_MS = 1500

/** Navigations inside the page: reported by the recorder, or else seen in the history. */
function traceNavigations(client: Client, tracer: Tracer): void {
  let isTold = false
  let startMs = 0
  let inputMs = -1
  for (const type of ['click', 'keydown'])
    addEventListener(type, ({ timeStamp }) => (inputMs = timeStamp), true)
  client.on('trace', ({ start }) => (startMs = start))

  /** A redirect goes on with the trace that runs, under the name of where it led. */
  function begin(atMs: number, isRedirect: boolean, trace: Partial<TraceState>): void {
    if (tracer.root && isRedirect) {
      tracer.add('navigation.redirect', trace.name!, atMs, {}, atMs)
      Object.assign(client.trace, trace)
    } else tracer.start('navigation', 'auto.navigation.browser', atMs, trace)
  }

  client.on('navigation', ({ state, id, to, route, start, end, outcome, trigger }) => {
    isTold = true
    const named = { name: route ?? to, source: route ? 'route' : 'url' } as const
    if (state === 'start') {
      begin(start, trigger === 'redirect', { ...named, navigationId: id })
      tracer.hold(id)
    }
    // Without an id: what the page shows without a navigation.
    const isCurrent = id === (client.trace.navigationId ?? '')
    if (state === 'route' && route && isCurrent) Object.assign(client.trace, named)
    if (state === 'end') {
      if (tracer.root && isCurrent) tracer.root.data['sonde.navigation.outcome'] = outcome
      tracer.hold(id, end)
    }
  })

  client.on('history', ({ from, to }) => {
    const name = placeOf(to)
    if (isTold || name === placeOf(from)) return
    const nowMs = performance.now()
    begin(nowMs, nowMs - startMs < REDIRECT_WITHIN_MS && inputMs < startMs, { name, source: 'url' })
  })

  // Out of the back/forward cache: nothing was fetched or parsed, but a person has a page again.
  addEventListener('pageshow', ({ persisted, timeStamp }) => {
    const { name, source } = client.trace
    if (persisted && !isTold) begin(timeStamp, false, { name: name!, source: source! })
  })
}

/** A filter or a jump within the page is no navigation; routes behind `#/` are. */
function placeOf(url: string): string {
  const { pathname, hash } = new URL(url)
  return pathname + (/^#\/[^?]*/.exec(hash)?.[0] ?? '')
}

/** A span for each fetch and XMLHttpRequest of the page, and the headers that join it to the server's trace. */
function traceRequests(client: Client, tracer: Tracer): FindRequest {
  /** Of the root that runs. Kept when they are answered: the browser's entry comes later. */
  let known: (readonly [request: PageRequest, href: string, span: Span])[] = []
  client.on('trace', () => {
    known = []
  })

  client.on('request', (request) => {
    const url = new URL(request.url, location.href)
    const { method, kind } = request
    const path = describeUrl(url)
    const data = { type: kind, 'http.method': method, url: path }
    const span = tracer.add(
      'http.client',
      `${method} ${path}`,
      request.start,
      data,
      undefined,
      'auto.http.browser',
    )
    if (span) known.push([request, url.href, span])
    if (mayTrace(url, client.options.tracePropagationTargets))
      addTraceHeaders(client, request.headers, span?.span_id ?? client.trace.spanId)
  })

  client.on('requestEnd', (request) => {
    const span = known.find(([one]) => one === request)?.[2]
    if (!span) return
    span.data['http.response.status_code'] = request.status || undefined
    tracer.end(span, request.end!, statusOf(request))
  })

  // The entry begins when the request does, so of several to one URL it is the last that began before it.
  return ({ name, startTime }) => {
    let found
    for (const [{ start }, href, span] of known) {
      if (start <= startTime + 1 && href === name) found = span
    }
    return found
  }
}

/** Words of https://develop.sentry.dev/sdk/telemetry/traces/span-status/ */
function statusOf({ status = 0, error }: PageRequest): string {
  if (status === 404) return 'not_found'
  if ((error as Error | undefined)?.name === 'AbortError') return 'cancelled'
  return status >= 500 || !status ? 'internal_error' : status < 400 ? 'ok' : 'invalid_argument'
}
