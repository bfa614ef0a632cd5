/**
 * Gives every request at the public port an id: whoever got an answer can quote its `x-request-id`, and every line that the
 * request made in the log, in both processes, has it. Where Sonde is traced, the trace begins here.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { currentScope, inScope, noTracer, type SpanContext, type Tracer } from '@sonde/base'
import type { ProxyTrust } from '@sonde/ingest'
import { newTraceId } from '../observe/create-tracer.ts'
import { openRequestSpan } from '../observe/request-span.ts'
import { OTLP_USER_AGENT } from '../observe/start-export.ts'

/** What proxies make: UUIDs, hexadecimal numbers, ids of a cloud. Nothing that means something in a log or a header. */
const WELL_FORMED = /^[\w.:=-]{8,128}$/
/** https://www.w3.org/TR/trace-context/#traceparent-header */
const TRACEPARENT = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/
/** Asked every few seconds by machines. */
const PROBES = /^\/(?:healthz|readyz|metrics)(?:\?|$)/

type Trust = Pick<ProxyTrust, 'isProxy'>

/** Runs `next` within the scope of the request. */
export function createRequestScopes(trust: Trust, tracer: Tracer = noTracer) {
  return (req: IncomingMessage, res: ServerResponse, next: () => void): void => {
    const traceId = newTraceId()
    const requestId = givenId(req, trust) ?? traceId
    inScope({ requestId }, () => {
      const span = tracer === noTracer ? undefined : openSpan(tracer, trust, traceId, req, res)
      if (span) inScope({ requestId, span }, next)
      else next()
    })
  }
}

/** That of a proxy of the operator's, whose log has it too; what anybody else writes there could be another request's. */
function givenId(req: IncomingMessage, trust: Trust): string | undefined {
  const given = req.headers['x-request-id']
  return typeof given === 'string' && WELL_FORMED.test(given) && trust.isProxy(req) ? given : undefined
}

function openSpan(
  tracer: Tracer,
  trust: Trust,
  traceId: string,
  req: IncomingMessage,
  res: ServerResponse,
): SpanContext | undefined {
  // A Sonde that is its own receiver would trace that it sends traces.
  if (req.headers['user-agent']?.startsWith(OTLP_USER_AGENT) || PROBES.test(req.url ?? '')) return undefined
  const [, theirs, spanId, flags] = TRACEPARENT.exec(String(req.headers['traceparent'])) ?? []
  if (theirs === undefined || spanId === undefined || !trust.isProxy(req))
    return openRequestSpan(tracer, req, res, { traceId, parent: undefined })?.context
  // Whether a trace is kept is decided where it begins.
  if ((Number.parseInt(flags ?? '00', 16) & 1) === 0) return undefined
  return openRequestSpan(tracer, req, res, { traceId: theirs, parent: { traceId: theirs, spanId } })?.context
}

export function tellRequestId(res: ServerResponse): void {
  const requestId = currentScope()?.requestId
  if (requestId !== undefined) res.setHeader('x-request-id', requestId)
}
