/** The one object that the parts share: built here, in order, and handed to each. */
import { createErrorFilter } from './errors/filters.ts'
import { randomHex } from './random-hex.ts'
import { applyScope, createScope } from './scope.ts'
import { createSignals } from './signals.ts'
import { traceHeader } from './trace-header.ts'
import { createTransport } from './transport/transport.ts'
import type { Breadcrumb, Client, Dsn, Options } from './types.ts'

// R6. The server keeps as many.
const MAX_BREADCRUMBS = 100

export function createClient(options: Options, dsn: Dsn): Client {
  const transport = createTransport(dsn, options)
  const signals = createSignals()
  const isFiltered = createErrorFilter(options)
  const scope = createScope()
  const seen = new WeakSet<object>()
  let isClosed = false

  const client: Client = {
    ...transport,
    ...signals,
    options,
    dsn,
    scope,
    trace: { traceId: randomHex(16), spanId: randomHex(8) },
    capture(event, hint = {}, context) {
      const category = event.type ?? 'error'
      try {
        if (isClosed) return undefined
        const { originalException: original } = hint
        if (original instanceof Object) {
          if (seen.has(original)) return undefined
          seen.add(original)
        }
        const { sampleRate = 1, beforeSend } = options
        const lose = (reason: string): undefined => transport.drop(reason, category) as undefined
        if (!event.type && Math.random() >= sampleRate) return lose('sample_rate')
        event.event_id ??= randomHex(16)
        const trace = client.trace
        applyScope(client, event, context)
        signals.emit('event', { event, hint })
        if (!event.type && isFiltered(event)) return lose('event_processor')
        const last = beforeSend ? beforeSend(event, hint) : event
        if (!last) return lose('before_send')
        transport.send([[{ type: event.type ?? 'event' }, last]], traceHeader(client, trace), event.event_id)
        return event.event_id
      } catch {
        transport.drop('internal_sdk_error', category)
        return undefined
      }
    },
    send(items, trace, eventId) {
      if (!isClosed) transport.send(items, trace, eventId)
    },
    close(timeoutMs) {
      const flushed = transport.flush(timeoutMs)
      isClosed = true
      return flushed
    },
  }
  signals.on('breadcrumb', (breadcrumb: Breadcrumb) => {
    breadcrumb.timestamp ??= Date.now() / 1000
    const kept = options.beforeBreadcrumb ? options.beforeBreadcrumb(breadcrumb) : breadcrumb
    if (kept && scope.breadcrumbs.push(kept) > MAX_BREADCRUMBS) scope.breadcrumbs.shift()
  })
  watchLeaving(() => {
    signals.emit('hide', undefined)
    transport.leave()
  })
  return client
}

/** `pagehide` too: a page that is already hidden can be left. No unload events: they would cost the back/forward cache. */
function watchLeaving(leave: () => void): void {
  addEventListener('pagehide', leave)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') leave()
  })
}
