/** The span of a request, named as OpenTelemetry does: https://opentelemetry.io/docs/specs/semconv/http/http-spans/ */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { currentScope, type OpenSpan, type SpanContext, type Tracer } from '@sonde/base'
import { pathTemplate } from '@sonde/protocol/path-template'

type Traced = {
  readonly traceId: string
  /** Of who sent the request; undefined: the trace begins here. */
  readonly parent: SpanContext | undefined
}

/** Ends with the answer. `root`: at the public port; absent: a part of what the front traces. */
export function openRequestSpan(
  tracer: Tracer,
  req: IncomingMessage,
  res: ServerResponse,
  root?: Traced,
): OpenSpan | undefined {
  const span = root
    ? tracer.root(startOf(req), { traceId: root.traceId, ...(root.parent && { parent: root.parent }) })
    : currentScope()?.span && tracer.child(startOf(req))
  if (!span) return undefined
  res.once('close', () => {
    const { statusCode, writableFinished } = res
    span.set({ 'http.response.status_code': statusCode, ...(!writableFinished && { 'sonde.cut': true }) })
    span.end(statusCode >= 500 ? new Error(String(statusCode)) : undefined)
  })
  return span
}

/** The path without what differs by value, and without a query. The 0 of the API is its version. */
export function routeOf({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  const path = url.split('?', 1)[0] ?? '/'
  return path.startsWith(API)
    ? `${API}${pathTemplate(path.slice(API.length - 1)).slice(1)}`
    : pathTemplate(path)
}
const API = '/api/0/'

/** Paths of screens name organizations and projects, so only those of the API are of few kinds. */
function startOf(req: IncomingMessage) {
  const method = req.method ?? ''
  const path = routeOf(req)
  const name = path.startsWith('/api/') ? `${method} ${path}` : method
  const { requestId = '' } = currentScope() ?? {}
  return {
    name,
    kind: 'server' as const,
    attributes: { 'http.request.method': method, 'url.path': path, 'sonde.request_id': requestId },
  }
}
