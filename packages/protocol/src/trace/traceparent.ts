/** `traceparent: 00-{trace_id}-{span_id}-{flags}`: https://www.w3.org/TR/trace-context/#traceparent-header */
import { isSpanId, isTraceId, type TraceParent } from './ids.ts'

// A version after 00 may append fields; what stands before them is read as version 00.
const TRACEPARENT = /^[ \t]*([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?[ \t]*$/
const SAMPLED_FLAG = 1

/** Unlike `sentry-trace` it always has a span and a decision. */
export type W3cTraceParent = Required<TraceParent>

export function parseTraceparent(header: string): W3cTraceParent | undefined {
  const [, version = 'ff', traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(header) ?? []
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (!isTraceId(traceId) || !isSpanId(spanId)) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & SAMPLED_FLAG) === SAMPLED_FLAG }
}

export function formatTraceparent(parent: TraceParent & { readonly spanId: string }): string {
  return `00-${parent.traceId}-${parent.spanId}-${parent.sampled ? '01' : '00'}`
}
