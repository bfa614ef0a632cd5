/** A vital on the wire: one span of a v2 container, as upstream streams them, so that every server knows it. */
import type { MetricType } from 'web-vitals'
import type { LooseSpan } from '../navigation/spans.ts'
import type { Client, TraceState } from '../types.ts'
import type { Explanation } from './explain.ts'

export type Vital = {
  readonly metric: MetricType
  /** Stays: a value that grew replaces the one that was sent. */
  readonly spanId: string
  readonly entry: PerformanceEntry | undefined
  readonly explanation: Explanation
  sentValue?: number
}

/** What the page or soft navigation is known by, and why its vitals are sent now. */
export type Visit = {
  readonly trace: TraceState
  /** Of a navigation; a page load is known by its root span. */
  readonly navigationId: string | undefined
  readonly occasion: 'pagehide' | 'navigation'
}

export function vitalSpan(
  { scope }: Client,
  { metric, spanId, explanation }: Vital,
  visit: Visit,
): LooseSpan {
  const { trace, navigationId, occasion } = visit
  const { op, startMs, element, values, script } = explanation
  const { value } = metric
  const prefix = `browser.web_vital.${metric.name.toLowerCase()}.`
  const attributes: Record<string, unknown> = {
    'sentry.transaction': trace.name,
    'sentry.pageload.span_id': navigationId ? undefined : trace.spanId,
    'sonde.navigation.id': navigationId,
    'browser.navigation.type': metric.navigationType,
    'user.id': scope.user?.['id'],
    'sentry.exclusive_time': metric.name === 'INP' ? value : undefined,
    [`${prefix}value`]: value,
    [`${prefix}report_event`]: occasion,
    ...script?.(),
  }
  for (const key in values) attributes[prefix + key] = values[key]
  return {
    traceId: trace.traceId,
    spanId,
    parentSpanId: trace.spanId,
    op,
    name: element || trace.name || location.pathname,
    startMs,
    endMs: metric.name === 'CLS' ? startMs : startMs + value,
    attributes,
    prefix: '',
  }
}
