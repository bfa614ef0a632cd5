/** Traces of page loads and navigations: `init({ …, features: [tracing()] })`. */
import { watchHistory } from '../page/watch-history.ts'
import { watchRequests } from '../page/watch-requests.ts'
import type { Client, Feature } from '../types.ts'
import { watchEntries } from './entry-spans.ts'
import { traceNavigations } from './navigations.ts'
import { addPagePhases, continuedTrace, navigationEntry } from './page-load.ts'
import { traceRequests } from './request-spans.ts'
import { enableSpans } from './start-span.ts'
import { createTracer } from './tracer.ts'

export { type OpenSpan, type SpanOptions, startSpan } from './start-span.ts'

// Visits of theirs are not people's: Googlebot/2.1, AdsBot-Google, Baiduspider, Google-InspectionTool, facebookexternalhit, …
// Not every "bot": Cubot is a maker of phones.
const CRAWLERS = /bot[/-]|spider|slurp|-inspection|facebook(ext|bot)/i

export const tracing = (): Feature => (client) => {
  if (CRAWLERS.test(navigator.userAgent)) return
  // A page that is only prepared has no visitor; it becomes a page load when one comes.
  if ((document as { prerendering?: boolean }).prerendering)
    document.addEventListener('prerenderingchange', () => start(client), { once: true })
  else start(client)
}

function start(client: Client): void {
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
