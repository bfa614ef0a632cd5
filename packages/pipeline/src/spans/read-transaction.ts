/**
 * A transaction → its root and its children. The event around them is normalised and scrubbed like an error, so that
 * release, user and tags mean the same for both. https://develop.sentry.dev/sdk/data-model/event-payloads/transaction/
 */
import type { NormalizedEvent } from '@sonde/protocol/event'
import { isObject, type RawObject } from '../normalize/read.ts'
import { parseTimestamp } from '../normalize/timestamp.ts'
import { hexId } from '../normalize/trace-context.ts'
import { readAttributes } from './attributes.ts'
import { UNNAMED } from './facts-of-event.ts'
import { readMeasurements } from './measurements.ts'
import { previousTraceOf } from './previous-trace.ts'
import { readSpan, readTimes, remarked, shortText } from './read-span.ts'
import type { Span } from './span.ts'
import { spanStatus } from './span-status.ts'

/** `lost`: children without ids or a start. Undefined: the transaction itself has none. */
export type ReadTransaction = {
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

/** A place in a script is looked up by release and dist; of a transaction the event around it has them. */
function withDist(span: Span, { dist }: NormalizedEvent): Span {
  if (!dist || span.attributes['browser.script.source_char_position'] === undefined) return span
  return { ...span, attributes: { 'sentry.dist': dist, ...span.attributes } }
}

function readSegment(raw: RawObject, event: NormalizedEvent, shiftSec: number): Span | undefined {
  const contexts = isObject(raw.contexts) ? raw.contexts : {}
  const trace = isObject(contexts.trace) ? contexts.trace : {}
  const traceId = hexId(trace.trace_id, 32)
  const spanId = hexId(trace.span_id, 16)
  const times = readTimes(raw.start_timestamp, raw.timestamp, shiftSec)
  if (traceId === undefined || spanId === undefined || times === undefined) return undefined
  const { attributes, cut } = readAttributes(
    trace.data,
    previousTraceOf(trace.links),
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
      measurements: readMeasurements(raw.measurements),
    },
    { ...times, cut },
  )
}

/** The event's time was moved by this; smaller than a millisecond it is rounding. */
function shiftOf(raw: RawObject, event: NormalizedEvent): number {
  const sent = parseTimestamp(raw.timestamp)
  if (sent === undefined) return 0
  const shiftSec = event.timestamp - sent
  return Math.abs(shiftSec) < 0.001 ? 0 : shiftSec
}
