/** The one object that the parts share: built here, in order, and handed to each. */
import { createErrorFilter } from './errors/filters.ts'
import { randomHex } from './random-hex.ts'
import { applyScope } from './scope.ts'
import { createSignals } from './signals.ts'
import { traceHeader } from './trace-header.ts'
import { createTransport } from './transport/transport.ts'
import type { Client, Dsn, Options } from './types.ts'

export function createClient(options: Options, dsn: Dsn): Client {
  const transport = createTransport(dsn, options)
  const { drop, flush } = transport
  const isFiltered = createErrorFilter(options)
  const seen = new WeakSet<object>()

  const client: Client = {
    ...createSignals(),
    ...transport,
    options,
    dsn,
    transport,
    scope: { tags: {}, contexts: {}, extra: {}, breadcrumbs: [] },
    trace: { traceId: randomHex(16), spanId: randomHex(8) },
    capture(event, hint = {}, context) {
      const { type = 'event' } = event
      const isError = type === 'event'
      const lose = (reason: string): undefined => drop(reason, isError ? 'error' : type) as undefined
      try {
        const { originalException: original } = hint
        if (seen.has(original as object)) return undefined
        if (original instanceof Object) seen.add(original)
        // No rate: the comparison is false.
        if (isError && Math.random() >= options.sampleRate!) return lose('sample_rate')
        const { trace } = client
        const id = (event.event_id ??= randomHex(16))
        applyScope(client, event, context)
        client.emit('event', { event, hint })
        if (isError && isFiltered(event)) return lose('event_processor')
        const { beforeSend } = options
        const final = beforeSend ? beforeSend(event, hint) : event
        if (!final) return lose('before_send')
        transport.send([[{ type }, final]], traceHeader(client, trace), id)
        return (client.lastEventId = id)
      } catch {
        return lose('internal_sdk_error')
      }
    },
    close(timeoutMs) {
      client.capture = client.send = () => undefined
      return flush(timeoutMs)
    },
  }
  const leave = (): void => {
    client.emit('hide', undefined)
    transport.leave()
  }
  // Both: a page that is hidden already can still be left. No unload events: they would cost the back/forward cache.
  addEventListener('pagehide', leave)
  document.addEventListener('visibilitychange', () => document.hidden && leave())
  return client
}
