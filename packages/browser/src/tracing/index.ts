/** Traces of page loads and navigations: `init({ …, features: [tracing()] })`. */
import { watchHistory } from '../page/watch-history.ts'
import { watchRequests } from '../page/watch-requests.ts'
import type { Client, Feature, TraceState } from '../types.ts'
import { watchEntries } from './entry-spans.ts'
import { addPagePhases, continuedTrace, navigationEntry } from './page-load.ts'
import { traceRequests } from './request-spans.ts'
import { enableSpans } from './start-span.ts'
import { createTracer, type Tracer } from './tracer.ts'

export { type OpenSpan, type SpanOptions, startSpan } from './start-span.ts'

// Visits of theirs are not people's: Googlebot/2.1, AdsBot-Google, Baiduspider, Google-InspectionTool, facebookexternalhit, …
// Not every "bot": Cubot is a maker of phones.
const CRAWLERS = /bot[/-]|spider|slurp|-inspection|facebook(ext|bot)/i

export const tracing = (): Feature => (client) => {
  if (CRAWLERS.test(navigator.userAgent)) return
  // A page that is only prepared has no visitor; it becomes a page load when one comes.
  if ((document as { prerendering?: boolean }).prerendering)
    document.addEventListener('prerenderingchange', () => startTracing(client), { once: true })
  else startTracing(client)
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
