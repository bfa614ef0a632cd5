/** A span of a transaction, or a standalone one (v1), as its SDK wrote it → `Span`. */
import type { NormalizedEvent } from '@sonde/protocol/event'
import { normalizeEventId } from '@sonde/protocol/event-id'
import { NEXT_PREFETCH_HEADERS, PREFETCH_ATTRIBUTE, PURPOSE_HEADERS } from '@sonde/protocol/prefetch-headers'
import { hexId } from '../normalize/contexts.ts'
import { cleanText, cutText, isObject, lenientText, type RawObject } from '../normalize/read-fields.ts'
import { canonicalHeader, headerOf } from '../normalize/request.ts'
import { parseTimestamp } from '../normalize/timestamp.ts'
import { readAttributes, readMeasurements, textOf } from './attributes.ts'
import { UNNAMED } from './facts-of-attributes.ts'
import { previousTraceOf, readLinks } from './span-links.ts'
import { REMARK_ATTRIBUTE, type Span, type SpanRemark, spanStatus } from './span.ts'

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
      links: readLinks(raw.links),
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

/** An attribute of its own says what is wrong with a span; the span is not left out for it. */
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

// A transaction → its root and its children. The event around them is normalised and scrubbed like an error, so that
// release, user and tags mean the same for both. https://develop.sentry.dev/sdk/data-model/event-payloads/transaction/

/** `lost`: children without ids or a start. Undefined: the transaction itself has none. */
type ReadTransaction = {
  readonly segment: Span
  readonly children: readonly Span[]
  readonly lost: number
}

/** `event` is what `raw` became: its times say how far the sender's clock is off. */
export function readTransaction(raw: RawObject, event: NormalizedEvent): ReadTransaction | undefined {
  const shiftSec = shiftOf(raw, event)
  const segment = readSegment(raw, event, shiftSec)
  if (segment === undefined) return undefined
  const given = Array.isArray(raw.spans) ? (raw.spans as readonly unknown[]) : []
  const defaults = { traceId: segment.traceId, segmentId: segment.spanId, shiftSec }
  const children = given.flatMap((each) => {
    const child = readSpan(each, defaults)
    // The root among its own children would be counted twice.
    return child === undefined || child.spanId === segment.spanId
      ? []
      : [withDist({ ...child, isSegment: false }, event)]
  })
  const roots = given.filter((each) => isObject(each) && hexId(each.span_id, 16) === segment.spanId).length
  return { segment, children, lost: given.length - children.length - roots }
}

/** Scripts and places in them are looked up by release and dist; of a transaction the event around it has them. */
function withDist(span: Span, { dist }: NormalizedEvent): Span {
  const isPlace = span.attributes['browser.script.source_char_position'] !== undefined
  if (!dist || !(isPlace || span.op === 'resource.script')) return span
  return { ...span, attributes: { 'sentry.dist': dist, ...span.attributes } }
}

function readSegment(raw: RawObject, event: NormalizedEvent, shiftSec: number): Span | undefined {
  const contexts = isObject(raw.contexts) ? raw.contexts : {}
  const trace = isObject(contexts.trace) ? contexts.trace : {}
  const traceId = hexId(trace.trace_id, 32)
  const spanId = hexId(trace.span_id, 16)
  const times = readTimes(raw.start_timestamp, raw.timestamp, shiftSec)
  if (traceId === undefined || spanId === undefined || times === undefined) return undefined
  const links = readLinks(trace.links)
  const { attributes, cut } = readAttributes(
    trace.data,
    sourceOf(raw.transaction_info),
    previousTraceOf(links),
    profileOf(contexts.profile),
    prefetchOf(event),
    Object.fromEntries(event.tags ?? []),
  )
  return remarked(
    {
      traceId,
      spanId,
      parentSpanId: hexId(trace.parent_span_id, 16) ?? '',
      segmentId: spanId,
      isSegment: true,
      startMs: times.startMs,
      durationMs: times.durationMs,
      op: shortText(trace.op, 128) || 'default',
      name: event.transaction ?? UNNAMED,
      status: spanStatus(trace.status),
      origin: shortText(trace.origin, 128),
      attributes,
      links,
      measurements: readMeasurements(raw.measurements),
    },
    { ...times, cut },
  )
}

/** What kind of name it has, under the name that newer SDKs have for it. */
function sourceOf(info: unknown): RawObject {
  return isObject(info) && typeof info.source === 'string' ? { 'sentry.source': info.source } : {}
}

/** Many SDKs send the headers of a request with its transaction alone, not as attributes of the span. */
function prefetchOf({ request }: NormalizedEvent): RawObject {
  const says = (name: string): string => headerOf(request?.headers, canonicalHeader(name)) ?? ''
  const isPrefetch =
    PURPOSE_HEADERS.some((name) => /prefetch/i.test(says(name))) ||
    NEXT_PREFETCH_HEADERS.some((name) => says(name) !== '')
  return isPrefetch ? { [PREFETCH_ATTRIBUTE]: true } : {}
}

/** Which profile was taken of it: one of its own, or a profiler that runs all the time. */
function profileOf(context: unknown): RawObject {
  if (!isObject(context)) return {}
  const profileId = normalizeEventId(context.profile_id)
  const profilerId = normalizeEventId(context.profiler_id)
  return {
    ...(profileId !== undefined && { 'sentry.profile_id': profileId }),
    ...(profilerId !== undefined && { 'sentry.profiler_id': profilerId }),
  }
}

/** The event's time was moved by this; smaller than a millisecond it is rounding. */
function shiftOf(raw: RawObject, event: NormalizedEvent): number {
  const sent = parseTimestamp(raw.timestamp)
  if (sent === undefined) return 0
  const shiftSec = event.timestamp - sent
  return Math.abs(shiftSec) < 0.001 ? 0 : shiftSec
}
