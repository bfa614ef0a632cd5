/** `sentry-trace: {trace_id}-{span_id}[-{0|1}]`: https://develop.sentry.dev/sdk/telemetry/traces/#header-sentry-trace */
import { isSpanId, isTraceId, type TraceParent } from './ids.ts'

// Upstream's own pattern: every part may be missing, but without a trace id the header means nothing.
const SENTRY_TRACE = /^[ \t]{0,20}([0-9a-f]{32})?-?([0-9a-f]{16})?-?([01])?[ \t]{0,20}$/

export function parseSentryTrace(header: string): TraceParent | undefined {
  const [, traceId = '', spanId = '', flag] = SENTRY_TRACE.exec(header) ?? []
  if (!isTraceId(traceId)) return undefined
  return {
    traceId,
    ...(isSpanId(spanId) ? { spanId } : {}),
    ...(flag === undefined ? {} : { sampled: flag === '1' }),
  }
}

export function formatSentryTrace(parent: TraceParent & { readonly spanId: string }): string {
  const flag = parent.sampled === undefined ? '' : parent.sampled ? '-1' : '-0'
  return `${parent.traceId}-${parent.spanId}${flag}`
}
