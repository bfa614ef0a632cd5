/** The JSON form of a request of metrics. https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
import { isObject, lenientNumber, type RawObject } from '../normalize/read-fields.ts'
import {
  type ExponentialBuckets,
  MAX_BUCKETS,
  MAX_EXEMPLARS,
  METRIC_KINDS,
  type OtlpExemplar,
  type OtlpMetric,
  type OtlpPoint,
} from './otlp-metrics.ts'
import type { OtlpResource } from './otlp-request.ts'
import { field, listOf, objects, readAttributeList, readNanos, readRequest, text } from './read-json.ts'

/** Undefined: not a request of metrics at all. */
export const readOtlpMetricsJson = (raw: unknown): readonly OtlpResource<OtlpMetric>[] | undefined =>
  readRequest(raw, {
    resources: ['resourceMetrics', 'resource_metrics'],
    scopes: ['scopeMetrics', 'scope_metrics'],
    items: ['metrics', 'metrics'],
    read: readMetric,
  })

function readMetric(raw: RawObject): OtlpMetric {
  const kind = METRIC_KINDS.find((name) => isObject(dataOf(raw, name)))
  const data = kind === undefined ? undefined : dataOf(raw, kind)
  const given: RawObject = isObject(data) ? data : {}
  return {
    name: text(raw.name),
    unit: text(raw.unit),
    kind,
    temporality: temporalityOf(field(given, 'aggregationTemporality', 'aggregation_temporality')),
    isMonotonic: field(given, 'isMonotonic', 'is_monotonic') === true,
    points: listOf(field(given, 'dataPoints', 'data_points')).map((point) =>
      isObject(point) ? readPoint(point) : undefined,
    ),
  }
}

const dataOf = (raw: RawObject, kind: string): unknown =>
  field(raw, kind, kind === 'exponentialHistogram' ? 'exponential_histogram' : kind)

function temporalityOf(raw: unknown): number {
  if (raw === 'AGGREGATION_TEMPORALITY_DELTA') return 1
  return raw === 'AGGREGATION_TEMPORALITY_CUMULATIVE' ? 2 : lenientNumber(raw) || 0
}

function readPoint(raw: RawObject): OtlpPoint {
  return {
    attributes: readAttributeList(raw.attributes),
    startMs: readNanos(field(raw, 'startTimeUnixNano', 'start_time_unix_nano')),
    atMs: readNanos(field(raw, 'timeUnixNano', 'time_unix_nano')),
    value: valueOf(raw),
    count: lenientNumber(raw.count) || 0,
    sum: number(raw.sum),
    min: number(raw.min),
    max: number(raw.max),
    bounds: numbers(field(raw, 'explicitBounds', 'explicit_bounds')),
    bucketCounts: numbers(field(raw, 'bucketCounts', 'bucket_counts')),
    scale: lenientNumber(raw.scale) || 0,
    zeroCount: lenientNumber(field(raw, 'zeroCount', 'zero_count')) || 0,
    positive: bucketsOf(raw.positive),
    negative: bucketsOf(raw.negative),
    quantiles: objects(field(raw, 'quantileValues', 'quantile_values'))
      .slice(0, MAX_BUCKETS)
      .map((each) => ({
        quantile: lenientNumber(each.quantile) || 0,
        value: lenientNumber(each.value) || 0,
      })),
    exemplars: objects(raw.exemplars).slice(0, MAX_EXEMPLARS).map(readExemplar),
    flags: lenientNumber(raw.flags) || 0,
  }
}

const readExemplar = (raw: RawObject): OtlpExemplar => ({
  atMs: readNanos(field(raw, 'timeUnixNano', 'time_unix_nano')),
  value: valueOf(raw),
  traceId: field(raw, 'traceId', 'trace_id'),
  spanId: field(raw, 'spanId', 'span_id'),
})

const valueOf = (raw: RawObject): number | undefined =>
  number(field(raw, 'asDouble', 'as_double')) ?? number(field(raw, 'asInt', 'as_int'))

/** `NaN` and the infinities come as text and are no value. */
function number(raw: unknown): number | undefined {
  if (typeof raw !== 'number' && (typeof raw !== 'string' || raw === '')) return undefined
  const value = Number(raw)
  return Number.isFinite(value) ? value : undefined
}

const numbers = (raw: unknown): readonly number[] =>
  listOf(raw)
    .slice(0, MAX_BUCKETS)
    .map((each) => number(each) ?? 0)

function bucketsOf(raw: unknown): ExponentialBuckets {
  const given = isObject(raw) ? raw : {}
  return {
    offset: lenientNumber(given.offset) || 0,
    counts: numbers(field(given, 'bucketCounts', 'bucket_counts')),
  }
}
