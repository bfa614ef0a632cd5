/**
 * The protobuf form of a request of metrics. Numbers of fields:
 * https://github.com/open-telemetry/opentelemetry-proto/blob/v1.9.0/opentelemetry/proto/metrics/v1/metrics.proto
 */
import { PbfReader } from 'pbf'
import {
  EMPTY_POINT,
  type ExponentialBuckets,
  MAX_BUCKETS,
  MAX_EXEMPLARS,
  type MetricKind,
  type OtlpExemplar,
  type OtlpMetric,
  type OtlpPoint,
} from './otlp-metrics.ts'
import { MAX_VALUES, type OtlpResource } from './otlp-request.ts'
import {
  type Building,
  BYTES,
  FIXED64,
  isBytes,
  readFields,
  readPair,
  readRequest,
  take,
  takeHex,
  takeNanos,
  takeText,
  tryRead,
  VARINT,
} from './read-protobuf.ts'

/** Undefined: the bytes are no such message, or are cut. */
export const readOtlpMetricsProtobuf = (bytes: Uint8Array): readonly OtlpResource<OtlpMetric>[] | undefined =>
  readRequest(bytes, readMetric)

const KINDS: ReadonlyMap<number, MetricKind> = new Map([
  [5, 'gauge'],
  [7, 'sum'],
  [9, 'histogram'],
  [10, 'exponentialHistogram'],
  [11, 'summary'],
])

function readMetric(bytes: Uint8Array): OtlpMetric {
  const points: (OtlpPoint | undefined)[] = []
  const metric: Building<OtlpMetric> = {
    name: '',
    unit: '',
    kind: undefined,
    temporality: 0,
    isMonotonic: false,
    points,
  }
  readFields(bytes, (number, pbf) => {
    if (!isBytes(pbf)) return
    const kind = KINDS.get(number)
    if (number === 1) metric.name = takeText(pbf)
    else if (number === 3) metric.unit = takeText(pbf)
    else if (kind !== undefined) {
      metric.kind = kind
      readFields(take(pbf), (inner, part) => {
        if (inner === 1 && isBytes(part)) points.push(tryRead(take(part), READERS[kind]))
        else if (inner === 2 && part.type === VARINT) metric.temporality = part.readVarint()
        else if (inner === 3 && part.type === VARINT) metric.isMonotonic = part.readBoolean()
      })
    }
  })
  return metric
}

type BuildingPoint = Building<OtlpPoint>
type OnField = (point: BuildingPoint, field: number, pbf: PbfReader) => void

/** Undefined: not a number that can be added up. */
const double = (pbf: PbfReader): number | undefined => finite(pbf.readDouble())
const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined)

/** What all kinds have lies under one number each; where attributes and exemplars lie differs. */
function pointReader(at: { attributes: number; exemplars: number; flags: number }, onField: OnField) {
  return (bytes: Uint8Array): OtlpPoint => {
    const attributes: Record<string, unknown> = {}
    const exemplars: OtlpExemplar[] = []
    let pairs = 0
    const point: BuildingPoint = { ...EMPTY_POINT, attributes, exemplars }
    readFields(bytes, (field, pbf) => {
      if (field === at.attributes && isBytes(pbf)) {
        if (pairs++ < MAX_VALUES) readPair(take(pbf), attributes, 0)
      } else if (field === at.exemplars && isBytes(pbf)) {
        if (exemplars.length < MAX_EXEMPLARS) exemplars.push(readExemplar(take(pbf)))
      } else if (field === at.flags && pbf.type === VARINT) point.flags = pbf.readVarint()
      else if (field === 2 && pbf.type === FIXED64) point.startMs = takeNanos(pbf)
      else if (field === 3 && pbf.type === FIXED64) point.atMs = takeNanos(pbf)
      else onField(point, field, pbf)
    })
    return point
  }
}

const NONE = -1
const readNumber = pointReader({ attributes: 7, exemplars: 5, flags: 8 }, (point, field, pbf) => {
  if (pbf.type !== FIXED64) return
  if (field === 4) point.value = double(pbf)
  else if (field === 6) point.value = pbf.readSFixed64()
})

const readHistogram = pointReader({ attributes: 9, exemplars: 8, flags: 10 }, (point, field, pbf) => {
  if (field === 4 && pbf.type === FIXED64) point.count = pbf.readFixed64()
  else if (field === 5 && pbf.type === FIXED64) point.sum = double(pbf)
  else if (field === 6)
    point.bucketCounts = more(point.bucketCounts, pbf, FIXED64, (each) => each.readFixed64())
  else if (field === 7) point.bounds = more(point.bounds, pbf, FIXED64, (each) => each.readDouble())
  else if (field === 11 && pbf.type === FIXED64) point.min = double(pbf)
  else if (field === 12 && pbf.type === FIXED64) point.max = double(pbf)
})

const readExponential = pointReader({ attributes: 1, exemplars: 11, flags: 10 }, (point, field, pbf) => {
  if (pbf.type === FIXED64) {
    if (field === 4) point.count = pbf.readFixed64()
    else if (field === 5) point.sum = double(pbf)
    else if (field === 7) point.zeroCount = pbf.readFixed64()
    else if (field === 12) point.min = double(pbf)
    else if (field === 13) point.max = double(pbf)
  } else if (field === 6 && pbf.type === VARINT) point.scale = pbf.readSVarint()
  else if (field === 8 && isBytes(pbf)) point.positive = readBuckets(take(pbf))
  else if (field === 9 && isBytes(pbf)) point.negative = readBuckets(take(pbf))
})

const readSummary = pointReader({ attributes: 7, exemplars: NONE, flags: 8 }, (point, field, pbf) => {
  if (field === 4 && pbf.type === FIXED64) point.count = pbf.readFixed64()
  else if (field === 5 && pbf.type === FIXED64) point.sum = double(pbf)
  else if (field === 6 && isBytes(pbf)) {
    const read = { quantile: 0, value: 0 }
    readFields(take(pbf), (inner, part) => {
      if (inner === 1 && part.type === FIXED64) read.quantile = double(part) ?? 0
      else if (inner === 2 && part.type === FIXED64) read.value = double(part) ?? 0
    })
    if (point.quantiles.length < MAX_BUCKETS) point.quantiles = [...point.quantiles, read]
  }
})

const READERS: { readonly [Kind in MetricKind]: (bytes: Uint8Array) => OtlpPoint } = {
  gauge: readNumber,
  sum: readNumber,
  histogram: readHistogram,
  exponentialHistogram: readExponential,
  summary: readSummary,
}

function readExemplar(bytes: Uint8Array): OtlpExemplar {
  const exemplar: Building<OtlpExemplar> = {
    atMs: undefined,
    value: undefined,
    traceId: undefined,
    spanId: undefined,
  }
  readFields(bytes, (field, pbf) => {
    if (pbf.type === FIXED64) {
      if (field === 2) exemplar.atMs = takeNanos(pbf)
      else if (field === 3) exemplar.value = double(pbf)
      else if (field === 6) exemplar.value = pbf.readSFixed64()
    } else if (field === 4 && isBytes(pbf)) exemplar.spanId = takeHex(pbf)
    else if (field === 5 && isBytes(pbf)) exemplar.traceId = takeHex(pbf)
  })
  return exemplar
}

function readBuckets(bytes: Uint8Array): ExponentialBuckets {
  const buckets: Building<ExponentialBuckets> = { offset: 0, counts: [] }
  readFields(bytes, (field, pbf) => {
    if (field === 1 && pbf.type === VARINT) buckets.offset = pbf.readSVarint()
    else if (field === 2) buckets.counts = more(buckets.counts, pbf, VARINT, (each) => each.readVarint())
  })
  return buckets
}

/** Packed, or one field for each, which are few: a list that is too long is looked at no further. */
function more(
  before: readonly number[],
  pbf: PbfReader,
  type: number,
  read: (pbf: PbfReader) => number,
): readonly number[] {
  if (pbf.type === type) {
    const value = read(pbf)
    return before.length < MAX_BUCKETS ? [...before, finite(value) ?? 0] : before
  }
  if (pbf.type !== BYTES) return before
  const packed = new PbfReader(take(pbf))
  const values = [...before]
  while (packed.pos < packed.length && values.length < MAX_BUCKETS) values.push(finite(read(packed)) ?? 0)
  return values
}
