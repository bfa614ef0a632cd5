/** A span of a transaction, or one that stands alone (v1), as its SDK wrote it → `Span`. */
import { cleanText } from '../normalize/clean-json.ts'
import { cutText, isObject, lenientText } from '../normalize/read.ts'
import { parseTimestamp } from '../normalize/timestamp.ts'
import { hexId } from '../normalize/trace-context.ts'
import { readAttributes, textOf } from './attributes.ts'
import { readMeasurements } from './measurements.ts'
import { REMARK_ATTRIBUTE, type Span, type SpanRemark } from './span.ts'
import { spanStatus } from './span-status.ts'

const MAX_OP = 128
const MAX_NAME = 4096
const MAX_ORIGIN = 128

export type SpanDefaults = {
  /** Of the transaction around it; a span alone must name its own. */
  readonly traceId?: string
  readonly segmentId?: string
  /** Taken out of every time: the sender's clock is off by this. */
  readonly shiftSec: number
}

/** Undefined: without ids and a start it is no span. */
export function readSpan(raw: unknown, { traceId, segmentId, shiftSec }: SpanDefaults): Span | undefined {
  if (!isObject(raw)) return undefined
  const ids = {
    traceId: hexId(raw.trace_id, 32) ?? traceId,
    spanId: hexId(raw.span_id, 16),
    parentSpanId: hexId(raw.parent_span_id, 16) ?? '',
  }
  if (ids.traceId === undefined || ids.spanId === undefined) return undefined
  const times = readTimes(raw.start_timestamp, raw.timestamp ?? raw.end_timestamp, shiftSec)
  if (times === undefined) return undefined
  const { attributes, cut } = readAttributes(raw.data, raw.tags)
  const isSegment = raw.is_segment === true
  return remarked(
    {
      traceId: ids.traceId,
      spanId: ids.spanId,
      parentSpanId: ids.parentSpanId,
      segmentId: hexId(raw.segment_id, 16) ?? (isSegment ? ids.spanId : (segmentId ?? '')),
      isSegment,
      startMs: times.startMs,
      durationMs: times.durationMs,
      op: shortText(raw.op, MAX_OP) || textOf(attributes, 'sentry.op') || 'default',
      name: shortText(raw.description, MAX_NAME) || textOf(attributes, 'sentry.name', 'name'),
      status: spanStatus(raw.status),
      origin: shortText(raw.origin, MAX_ORIGIN) || textOf(attributes, 'sentry.origin'),
      attributes,
      measurements: readMeasurements(raw.measurements),
    },
    { ...times, cut },
  )
}

export type SpanTimes = {
  readonly startMs: number
  readonly durationMs: number
  readonly isBackward: boolean
}

/** Without an end the span takes no time; undefined without a start. */
export function readTimes(rawStart: unknown, rawEnd: unknown, shiftSec: number): SpanTimes | undefined {
  const start = parseTimestamp(rawStart)
  if (start === undefined) return undefined
  const end = parseTimestamp(rawEnd) ?? start
  return {
    startMs: (start + shiftSec) * 1000,
    durationMs: Math.max(0, (end - start) * 1000),
    isBackward: end < start,
  }
}

/** What is wrong with a span is told in an attribute of its own, not by leaving the span out. */
export function remarked(
  span: Span,
  { isBackward, cut }: { readonly isBackward: boolean; readonly cut: boolean },
): Span {
  const isOwnParent = span.parentSpanId === span.spanId
  const remark: SpanRemark | undefined = isBackward
    ? 'end_before_start'
    : isOwnParent
      ? 'own_parent'
      : cut
        ? 'attributes_cut'
        : undefined
  if (remark === undefined) return span
  return {
    ...span,
    ...(isOwnParent && { parentSpanId: '' }),
    attributes: { ...span.attributes, [REMARK_ATTRIBUTE]: remark },
  }
}

export function shortText(raw: unknown, limit: number): string {
  return cutText(cleanText(lenientText(raw) ?? ''), limit)
}
