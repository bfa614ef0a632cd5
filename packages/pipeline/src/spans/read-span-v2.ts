/**
 * A container of streamed spans: `{items: [span, …]}` with typed attributes.
 * https://develop.sentry.dev/sdk/telemetry/spans/span-protocol/
 */
import { isObject, type RawObject } from '../normalize/read.ts'
import { hexId } from '../normalize/trace-context.ts'
import { readAttributes, textOf } from './attributes.ts'
import { previousTraceOf } from './previous-trace.ts'
import { readTimes, remarked, shortText } from './read-span.ts'
import type { Span } from './span.ts'
import { spanStatus } from './span-status.ts'

export const SPAN_V2_CONTENT_TYPE = 'application/vnd.sentry.items.span.v2+json'

const MAX_NAME = 4096

/** Undefined: without ids and a start it is no span. */
export function readSpanV2(raw: unknown, shiftSec: number): Span | undefined {
  if (!isObject(raw)) return undefined
  const traceId = hexId(raw.trace_id, 32)
  const spanId = hexId(raw.span_id, 16)
  const times = readTimes(raw.start_timestamp, raw.end_timestamp, shiftSec)
  if (traceId === undefined || spanId === undefined || times === undefined) return undefined
  const { attributes, cut } = readAttributes(plainAttributes(raw.attributes), previousTraceOf(raw.links))
  const isSegment = raw.is_segment === true
  return remarked(
    {
      traceId,
      spanId,
      parentSpanId: hexId(raw.parent_span_id, 16) ?? '',
      segmentId: hexId(attributes['sentry.segment.id'], 16) ?? (isSegment ? spanId : ''),
      isSegment,
      startMs: times.startMs,
      durationMs: times.durationMs,
      op: textOf(attributes, 'sentry.op') || 'default',
      name: shortText(raw.name, MAX_NAME),
      status: spanStatus(raw.status),
      origin: textOf(attributes, 'sentry.origin'),
      attributes,
      measurements: {},
    },
    { ...times, cut },
  )
}

/** `{type, value}` → value. Whole numbers beyond 2^53 come as text and stay text: a rounded id is a wrong id. */
export function plainAttributes(raw: unknown): RawObject {
  if (!isObject(raw)) return {}
  const plain: Record<string, unknown> = {}
  for (const key of Object.keys(raw)) {
    const attribute = raw[key]
    if (key !== '__proto__') plain[key] = isObject(attribute) ? typedValue(attribute) : attribute
  }
  return plain
}

function typedValue({ type, value }: RawObject): unknown {
  if (typeof value !== 'string' || (type !== 'integer' && type !== 'double')) return value
  const number = Number(value)
  return type === 'integer' && !Number.isSafeInteger(number) ? value : number
}
