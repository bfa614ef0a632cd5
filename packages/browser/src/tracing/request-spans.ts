/** A span for each fetch and XMLHttpRequest of the page, and the headers that join it to the server's trace. */
import type { Client, PageRequest } from '../types.ts'
import { describeUrl, type FindRequest } from './entry-spans.ts'
import type { Span, Tracer } from './tracer.ts'
import { addTraceHeaders, mayTrace } from './trace-headers.ts'

export function traceRequests(client: Client, tracer: Tracer): FindRequest {
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
