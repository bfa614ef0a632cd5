/**
 * Points out of a container of metrics (https://develop.sentry.dev/sdk/telemetry/metrics/) or of an OTLP request. Vitals among
 * those of a container are rows of their pages and read elsewhere.
 */
import { hexId } from '../normalize/contexts.ts'
import { cleanText, cutText, isObject, lenientText } from '../normalize/read-fields.ts'
import { parseTimestamp, unreachableByMs } from '../normalize/timestamp.ts'
import type { OtlpMetric, OtlpPoint } from '../otlp/otlp-metrics.ts'
import type { OtlpResource } from '../otlp/otlp-request.ts'
import { aroundItems } from '../otlp/semantics.ts'
import { plainAttributes, readAttributes } from '../spans/attributes.ts'
import { isVitalMetric } from '../spans/read-alone.ts'
import { explicitBuckets, exponentialBuckets, summaryBuckets } from './buckets.ts'
import { type Metric, NO_BUCKETS } from './metric.ts'

const MAX_NAME = 200
const MAX_UNIT = 64
// As many as an OTLP request may hold.
const MAX_METRICS = 10_000

/** `lost`: no points. `tooMany`: behind the last that an item may hold. `vitals`: read elsewhere. */
export type FoundMetrics = {
  readonly metrics: readonly Metric[]
  readonly lost: number
  readonly tooMany: number
  readonly vitals: number
  /** Said that nothing was recorded: no row, and nothing that is wrong. */
  readonly empty: number
}

export function readContainer(items: readonly unknown[], shiftSec: number): FoundMetrics {
  const looked = items.slice(0, MAX_METRICS)
  const others = looked.filter((raw) => !isVitalMetric(raw))
  const metrics = others.flatMap((raw) => readMetric(raw, shiftSec) ?? [])
  return {
    metrics,
    lost: others.length - metrics.length,
    tooMany: items.length - looked.length,
    vitals: looked.length - others.length,
    empty: 0,
  }
}

const TYPES = ['counter', 'gauge', 'distribution'] as const

/** Undefined: without a name, a type, a time and a value it is no metric. */
function readMetric(raw: unknown, shiftSec: number): Metric | undefined {
  if (!isObject(raw)) return undefined
  const seconds = parseTimestamp(raw.timestamp)
  const name = nameOf(raw.name)
  const type = TYPES.find((each) => each === raw.type)
  const { value } = raw
  if (seconds === undefined || name === '' || type === undefined) return undefined
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  return {
    name,
    type,
    unit: unitOf(raw.unit),
    temporality: '',
    timestampMs: (seconds + shiftSec) * 1000,
    startMs: 0,
    value,
    count: 1,
    lowest: value,
    highest: value,
    ...NO_BUCKETS,
    traceId: hexId(raw.trace_id, 32) ?? '',
    spanId: hexId(raw.span_id, 16) ?? '',
    exemplars: '',
    attributes: readAttributes(plainAttributes(raw.attributes)).attributes,
    isSeries: false,
  }
}

const nameOf = (raw: unknown): string => cutText(cleanText(lenientText(raw) ?? ''), MAX_NAME).trim()
const unitOf = (raw: unknown): string => {
  const unit = cutText(cleanText(lenientText(raw) ?? ''), MAX_UNIT)
  return unit === 'none' || unit === '1' ? '' : unit
}

const NOTHING_RECORDED = 1

export function metricsOfOtlp(
  resources: readonly OtlpResource<OtlpMetric>[],
  receivedMs: number,
  shiftSec: number,
): FoundMetrics {
  const metrics: Metric[] = []
  let lost = 0
  let empty = 0
  for (const resource of resources)
    for (const scope of resource.scopes) {
      const around = aroundItems(scope, resource)
      for (const metric of scope.items) {
        // Its points were counted by nobody.
        if (metric === undefined) continue
        for (const point of metric.points) {
          if (point !== undefined && (point.flags & NOTHING_RECORDED) !== 0) {
            empty++
            continue
          }
          const shape = point && shapeOf(metric, point)
          const name = nameOf(metric.name)
          if (point === undefined || shape === undefined || name === '') {
            lost++
            continue
          }
          const shiftMs = shiftSec * 1000
          metrics.push({
            ...shape,
            name,
            unit: unitOf(metric.unit),
            timestampMs: point.atMs === undefined ? receivedMs : point.atMs + shiftMs,
            startMs: point.startMs === undefined ? 0 : point.startMs + shiftMs,
            ...exemplarsOf(point, shiftMs),
            attributes: readAttributes(point.attributes, around.attributes).attributes,
            isSeries: true,
          })
        }
      }
    }
  return { metrics, lost, tooMany: 0, vitals: 0, empty }
}

type Shape = Omit<
  Metric,
  'name' | 'unit' | 'timestampMs' | 'startMs' | 'traceId' | 'spanId' | 'exemplars' | 'attributes' | 'isSeries'
>

/** A sum that may fall and counts from its start is a level, as a gauge is. Undefined: there is no value. */
function shapeOf(metric: OtlpMetric, point: OtlpPoint): Shape | undefined {
  const { value, count } = point
  const temporality = metric.temporality === 2 ? 'cumulative' : 'delta'
  if (metric.kind === 'gauge' || metric.kind === 'sum') {
    if (value === undefined) return undefined
    const single = { value, count: 1, lowest: value, highest: value, ...NO_BUCKETS }
    const isLevel = metric.kind === 'gauge' || (temporality === 'cumulative' && !metric.isMonotonic)
    return isLevel
      ? { ...single, type: 'gauge', temporality: '' }
      : { ...single, type: 'counter', temporality }
  }
  if (metric.kind === undefined || !(count >= 0)) return undefined
  const isSummary = metric.kind === 'summary'
  const buckets = isSummary
    ? summaryBuckets(point)
    : metric.kind === 'histogram'
      ? explicitBuckets(point)
      : exponentialBuckets(point)
  return {
    type: isSummary ? 'summary' : 'histogram',
    temporality: isSummary ? 'cumulative' : temporality,
    value: point.sum ?? 0,
    count,
    lowest: point.min ?? buckets.bucketFrom[0] ?? 0,
    highest: point.max ?? buckets.bucketTo.at(-1) ?? 0,
    ...buckets,
  }
}

/** The newest that has a trace stands in columns, so that the trace finds it. */
function exemplarsOf(
  { exemplars }: OtlpPoint,
  shiftMs: number,
): Pick<Metric, 'traceId' | 'spanId' | 'exemplars'> {
  const read = exemplars.flatMap(({ traceId, spanId, atMs, value }) => {
    const trace = hexId(traceId, 32)
    if (trace === undefined || value === undefined) return []
    const at = atMs === undefined ? undefined : Math.round(atMs + shiftMs)
    return [{ value, at, trace, span: hexId(spanId, 16) ?? '' }]
  })
  const newest = read.toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0))[0]
  return {
    traceId: newest?.trace ?? '',
    spanId: newest?.span ?? '',
    exemplars: read.length === 0 ? '' : JSON.stringify(read),
  }
}

/** The last point of an item was measured as it was received, where the sender's clock is no use. */
export function withinReach(
  metrics: readonly Metric[],
  receivedMs: number,
  retentionDays: number,
): readonly Metric[] {
  const lastMs = metrics.reduce((last, { timestampMs }) => Math.max(last, timestampMs), 0)
  const aheadMs = unreachableByMs(lastMs, receivedMs, retentionDays)
  return aheadMs === 0
    ? metrics
    : metrics.map((each) => ({
        ...each,
        timestampMs: each.timestampMs - aheadMs,
        startMs: each.startMs === 0 ? 0 : each.startMs - aheadMs,
      }))
}
