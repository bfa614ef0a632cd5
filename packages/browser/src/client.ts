/** The one object that the parts share: built here, in order, and handed to each. */
import type { Exception } from './errors/exceptions.ts'
import { randomHex } from './random-hex.ts'
import { applyScope } from './scope.ts'
import { createSignals } from './signals.ts'
import { traceHeader } from './tracing/trace-headers.ts'
import { createTransport } from './transport/transport.ts'
import type { Client, Dsn, EventPayload, Options } from './types.ts'

// "Script error." is what a script of another origin without CORS is reduced to: no message, no place, nothing to mend.
// The ResizeObserver one says that a layout took two frames; browsers dispatch it although nothing failed:
// https://github.com/w3c/csswg-drafts/issues/5023
const NOISE = /Script error\.?$|ResizeObserver loop/
// A loop that throws says nothing new; somebody who tries again after some seconds does.
const SAME_WITHIN_MS = 5000

/** Tells which errors are not worth an event: filtered by the options, or the same as the one before. */
function createErrorFilter(options: Options): (event: EventPayload) => boolean {
  const { ignoreErrors = [], denyUrls, allowUrls = [''] } = options
  let lastKey = ''
  let lastMs = 0
  return ({ exception, message, level, fingerprint }) => {
    const thrown = (exception as { values: Exception[] } | undefined)?.values.slice(-1)[0]
    const frames = thrown?.stacktrace?.frames
    const url = frames?.slice(-1)[0]!.filename
    const text = thrown ? `${thrown.type}: ${thrown.value}` : (message as string)
    const key = JSON.stringify([text, frames, level, fingerprint])
    const nowMs = Date.now()
    const isSame = key === lastKey && nowMs - lastMs < SAME_WITHIN_MS
    lastKey = key
    lastMs = nowMs
    return (
      isSame ||
      matches(text, [NOISE, ...ignoreErrors]) ||
      (!!url && (matches(url, denyUrls) || !matches(url, allowUrls)))
    )
  }
}

/** A string matches anywhere in the text. */
const matches = (text: string, patterns: readonly (string | RegExp)[] = []): boolean =>
  patterns.some((pattern) =>
    typeof pattern === 'string' ? text.includes(pattern) : text.search(pattern) >= 0,
  )

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
