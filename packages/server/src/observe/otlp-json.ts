/** Spans and metrics as OTLP writes them in JSON: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
import type { MetricFamily, MetricValue, SpanKind, SpanValue } from '@sonde/base'
import type { EndedSpan } from './create-tracer.ts'

export type Resource = Readonly<Record<string, SpanValue>>

const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3, consumer: 5 }
const STATUS_ERROR = 2
const CUMULATIVE = 2
const SCOPE = { name: 'sonde' }

export function tracesJson(resource: Resource, spans: readonly EndedSpan[]): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesJson(resource) },
        scopeSpans: [{ scope: SCOPE, spans: spans.map(spanJson) }],
      },
    ],
  })
}

function spanJson({
  traceId,
  spanId,
  parentSpanId,
  name,
  kind,
  startMs,
  endMs,
  attributes,
  failure,
}: EndedSpan) {
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanos(startMs),
    endTimeUnixNano: nanos(endMs),
    attributes: attributesJson(failure === undefined ? attributes : { ...attributes, 'error.type': failure }),
    status: failure === undefined ? {} : { code: STATUS_ERROR },
  }
}

/** `sinceMs`: when the counters began. */
export function metricsJson(
  resource: Resource,
  families: readonly MetricFamily[],
  { sinceMs, atMs }: { readonly sinceMs: number; readonly atMs: number },
): string {
  const times = { startTimeUnixNano: nanos(sinceMs), timeUnixNano: nanos(atMs) }
  const metrics = families.map(({ name, help, type, values }) => {
    const head = { name, description: help, unit: unitOf(name) }
    const points = values
      .filter(({ value }) => Number.isFinite(value))
      .map(({ labels, value }) => ({ ...times, asDouble: value, attributes: attributesJson(labels) }))
    if (type === 'gauge') return { ...head, gauge: { dataPoints: points } }
    const sums = { aggregationTemporality: CUMULATIVE }
    if (type === 'counter') return { ...head, sum: { ...sums, isMonotonic: true, dataPoints: points } }
    return { ...head, histogram: { ...sums, dataPoints: histogramPoints(name, values, times) } }
  })
  return JSON.stringify({
    resourceMetrics: [
      { resource: { attributes: attributesJson(resource) }, scopeMetrics: [{ scope: SCOPE, metrics }] },
    ],
  })
}

/** Prometheus counts in each bucket what is in the lower ones too; OTLP does not. */
function histogramPoints(name: string, values: readonly MetricValue[], times: object): object[] {
  const series = new Map<
    string,
    { labels: MetricValue['labels']; bounds: number[]; counts: number[]; sum: number; count: number }
  >()
  for (const { name: part, labels: all, value } of values) {
    const { le, ...labels } = all
    const id = JSON.stringify(labels)
    const one = series.get(id) ?? { labels, bounds: [], counts: [], sum: 0, count: 0 }
    series.set(id, one)
    if (part === `${name}_sum`) one.sum = value
    else if (part === `${name}_count`) one.count = value
    else if (le !== undefined && le !== '+Inf') {
      one.bounds.push(Number(le))
      one.counts.push(value)
    }
  }
  return [...series.values()].map(({ labels, bounds, counts, sum, count }) => ({
    ...times,
    attributes: attributesJson(labels),
    count: String(count),
    sum,
    explicitBounds: bounds,
    bucketCounts: [...counts, count].map((upTo, at) => String(upTo - (counts[at - 1] ?? 0))),
  }))
}

/** https://ucum.org, as OpenTelemetry asks for it. */
const unitOf = (name: string): string =>
  /_seconds(?:_total)?$/.test(name) ? 's' : /_bytes(?:_total)?$/.test(name) ? 'By' : '1'

const attributesJson = (attributes: Resource): object[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: valueJson(value) }))

function valueJson(value: SpanValue): object {
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'string') return { stringValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** Milliseconds as they are, with a thousandth: nanoseconds since 1970 are more than a number holds. */
const nanos = (ms: number): string => `${Math.round(ms * 1_000)}000`
