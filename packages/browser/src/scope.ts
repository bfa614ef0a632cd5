/** What is known about the page view and goes with every event: user, tags, contexts, breadcrumbs. */
import { normalize } from './normalize.ts'
import type { Breadcrumb, CaptureContext, Client, EventPayload } from './types.ts'
import { SDK_NAME, SDK_VERSION } from './version.ts'

// R6. The server keeps as many.
const MAX_BREADCRUMBS = 100

/** `data` has to be safe to write as JSON. */
export function keepBreadcrumb({ scope, options }: Client, breadcrumb: Breadcrumb): void {
  const dated = { timestamp: Date.now() / 1000, ...breadcrumb }
  const kept = options.beforeBreadcrumb ? options.beforeBreadcrumb(dated) : dated
  if (kept && scope.breadcrumbs.push(kept) > MAX_BREADCRUMBS) scope.breadcrumbs.shift()
}

/** What the event says itself wins over what the capture adds, and that over the scope. */
export function applyScope(client: Client, event: EventPayload, context: CaptureContext = {}): void {
  const { options, scope, trace } = client
  const { tags, extra, contexts, mechanism: _, ...given } = normalize(context, 5) as CaptureContext
  const { type, request } = event
  Object.assign(
    event,
    {
      timestamp: Date.now() / 1000,
      platform: 'javascript',
      level: type ? undefined : 'error',
      release: options.release,
      dist: options.dist,
      environment: options.environment,
      transaction: trace.name,
      sdk: {
        name: SDK_NAME,
        version: SDK_VERSION,
        settings: { infer_ip: options.sendIp ? 'auto' : 'never' },
      },
      breadcrumbs: type ? undefined : scope.breadcrumbs.slice(),
      user: scope.user,
      ...event,
      ...given,
    },
    {
      request: {
        url: location.href,
        headers: { 'User-Agent': navigator.userAgent, Referer: document.referrer },
        ...(request as object | undefined),
      },
      tags: { ...scope.tags, ...tags, ...(event['tags'] as object | undefined) },
      extra: { ...scope.extra, ...extra, ...(event['extra'] as object | undefined) },
      contexts: {
        trace: { trace_id: trace.traceId, span_id: trace.spanId, parent_span_id: trace.parentSpanId },
        ...scope.contexts,
        ...contexts,
        ...(event['contexts'] as object | undefined),
      },
    },
  )
}
