/**
 * One span, whatever shape it came in: child or root of a transaction, standalone (v1), streamed (v2) or OTLP.
 * https://develop.sentry.dev/sdk/telemetry/spans/
 */
import type { FilterFields } from '@sonde/stores'

export type Span = {
  /** 32 lower hex. */
  readonly traceId: string
  /** 16 lower hex. */
  readonly spanId: string
  /** Empty: a root, or nobody said. */
  readonly parentSpanId: string
  /** The root of the service or page that the span belongs to; empty when nobody said. */
  readonly segmentId: string
  readonly isSegment: boolean
  /** Unix milliseconds with a fraction. */
  readonly startMs: number
  /** Never negative: an end before the start is remarked on and counts as no time at all. */
  readonly durationMs: number
  readonly op: string
  /** What it did: a query, `GET /api/cart`, the name of a route. */
  readonly name: string
  readonly status: string
  /** Who made it: `auto.http.browser`, `manual`. */
  readonly origin: string
  /** Booleans are `true` and `false`, lists and objects JSON text. */
  readonly attributes: Readonly<Record<string, string | number>>
  /** It came as a metric, under the id of the span that was active, if one was. */
  readonly isMetric?: true
  /** By the SDK's names (`lcp`, `cls`), times in milliseconds. */
  readonly measurements: Readonly<Record<string, number>>
}

/** What was wrong with a span that is kept all the same; stands in the attribute `sonde.remark`. */
export const SPAN_REMARKS = ['end_before_start', 'own_parent', 'attributes_cut'] as const
export type SpanRemark = (typeof SPAN_REMARKS)[number]
export const REMARK_ATTRIBUTE = 'sonde.remark'

/** What all spans of one item have in common; empty when nobody said. */
export type SpanFacts = FilterFields & {
  /** Name of the root: the route template, where the SDK knows it. */
  readonly segmentName: string
}
