/**
 * An OTLP request of metrics, the same from JSON and from protobuf: what both readers give.
 * https://github.com/open-telemetry/opentelemetry-proto/blob/v1.9.0/opentelemetry/proto/metrics/v1/metrics.proto
 */
import type { RawObject } from '../normalize/read-fields.ts'

export const METRIC_KINDS = ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary'] as const
export type MetricKind = (typeof METRIC_KINDS)[number]

export type OtlpMetric = {
  readonly name: string
  readonly unit: string
  readonly kind: MetricKind | undefined
  /** 1: delta, 2: cumulative. */
  readonly temporality: number
  readonly isMonotonic: boolean
  /** Undefined: what stood there cannot be read. */
  readonly points: readonly (OtlpPoint | undefined)[]
}

export type OtlpPoint = {
  readonly attributes: RawObject
  /** Unix milliseconds with a fraction; undefined when absent, zero or no time. */
  readonly startMs: number | undefined
  readonly atMs: number | undefined
  /** Of a gauge or a sum. */
  readonly value: number | undefined
  readonly count: number
  readonly sum: number | undefined
  readonly min: number | undefined
  readonly max: number | undefined
  /** Upper ends; there is one more count than these. */
  readonly bounds: readonly number[]
  readonly bucketCounts: readonly number[]
  /** Of an exponential histogram: bucket i ends at 2 ** ((i + 1) / 2 ** scale). */
  readonly scale: number
  readonly zeroCount: number
  readonly positive: ExponentialBuckets
  readonly negative: ExponentialBuckets
  readonly quantiles: readonly { readonly quantile: number; readonly value: number }[]
  readonly exemplars: readonly OtlpExemplar[]
  /** Bit 1: nothing was recorded. */
  readonly flags: number
}
export type ExponentialBuckets = { readonly offset: number; readonly counts: readonly number[] }
export type OtlpExemplar = {
  readonly atMs: number | undefined
  readonly value: number | undefined
  /** Hex in any case, as written; not checked yet. */
  readonly traceId: unknown
  readonly spanId: unknown
}

export const EMPTY_POINT: OtlpPoint = {
  attributes: {},
  startMs: undefined,
  atMs: undefined,
  value: undefined,
  count: 0,
  sum: undefined,
  min: undefined,
  max: undefined,
  bounds: [],
  bucketCounts: [],
  scale: 0,
  zeroCount: 0,
  positive: { offset: 0, counts: [] },
  negative: { offset: 0, counts: [] },
  quantiles: [],
  exemplars: [],
  flags: 0,
}

// SDKs make 160 on each side of zero; histograms of people have a dozen.
export const MAX_BUCKETS = 400
// One of each bucket at most, by the SDKs; the newest few are shown.
export const MAX_EXEMPLARS = 16
