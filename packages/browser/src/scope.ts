/** What is known about the visit and goes with every event. */
import { normalize } from './normalize.ts'
import type { CaptureContext, Client, EventPayload, Scope } from './types.ts'
import { environmentOf } from './trace-header.ts'
import { SDK_NAME, SDK_VERSION } from './version.ts'

export const createScope = (): Scope => ({ tags: {}, contexts: {}, extra: {}, breadcrumbs: [] })

/** Fills what the event does not say itself. Values that people gave are made safe to write as JSON. */
export function applyScope(client: Client, event: EventPayload, context: CaptureContext = {}): void {
  const { options, scope, trace } = client
  const { user = scope.user, level, fingerprint } = context
  const defaults: EventPayload = {
    timestamp: Date.now() / 1000,
    platform: 'javascript',
    level: event.type ? undefined : 'error',
    release: options.release,
    dist: options.dist,
    environment: environmentOf(options),
    transaction: trace.name,
    sdk: {
      name: SDK_NAME,
      version: SDK_VERSION,
      settings: { infer_ip: options.sendIp ? 'auto' : 'never' },
    },
    breadcrumbs: event.type ? undefined : scope.breadcrumbs.slice(),
  }
  for (const key in defaults) event[key] ??= defaults[key]
  event['request'] = {
    url: location.href,
    headers: { 'User-Agent': navigator.userAgent, Referer: document.referrer || undefined },
    ...(event['request'] as object | undefined),
  }
  if (level) event['level'] = level
  if (fingerprint) event['fingerprint'] = fingerprint
  if (user) event['user'] = normalize(user)
  for (const key of ['tags', 'extra', 'contexts'] as const) {
    const own = event[key] as object | undefined
    event[key] = { ...(normalize({ ...scope[key], ...context[key] }, 4) as object), ...own }
  }
  const contexts = event['contexts'] as Scope['contexts']
  contexts['trace'] ??= { trace_id: trace.traceId, span_id: trace.spanId, parent_span_id: trace.parentSpanId }
}
