/** Names and addresses that never leave this machine. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Scope, SpanContext } from '@sonde/base'

export const isLoopback = (host: string): boolean =>
  /^(?:localhost|(?:::ffff:)?127\.\d+\.\d+\.\d+|::1|\[::1\])$/.test(host)

/**
 * What the front tells the back about the client, in headers that the front alone writes: whatever a client sends under
 * these names is dropped. The back reads nothing else about where a request came from.
 */

/** Absent when the client was gone already. */
export const CLIENT_ADDRESS = 'x-sonde-client-address'
/** `https` when a proxy of the operator's says that TLS ended there; absent otherwise. */
export const CLIENT_PROTO = 'x-sonde-client-proto'

/** The id of the request, as its answer has it. */
export const REQUEST_ID = 'x-sonde-request-id'

/** The open span of the front, as `TRACE ID-SPAN ID`; absent: the request is not traced. */
export const OPEN_SPAN = 'x-sonde-span'

export const clientAddress = (headers: Headers): string | undefined =>
  headers.get(CLIENT_ADDRESS) ?? undefined

/** What the front told of a request, in the back. */
export function scopeOf(headers: IncomingHttpHeaders, origin: string): Scope {
  const requestId = headers[REQUEST_ID]
  const span = spanOf(headers[OPEN_SPAN])
  return { requestId: typeof requestId === 'string' ? requestId : undefined, origin, span }
}

function spanOf(text: string | string[] | undefined): SpanContext | undefined {
  const [, traceId, spanId] = /^([\da-f]{32})-([\da-f]{16})$/.exec(String(text)) ?? []
  return traceId === undefined || spanId === undefined ? undefined : { traceId, spanId }
}
