/** Spans and vitals as lines of `TabSeparated`; the columns in the order in which the lines have them. */
import { escapeText, mapText, microText, milliText, numberMapText } from '../row-text.ts'
import type { FilterFields, RowOrigin, SpanFields, VitalFields } from './span-fields.ts'

export const ORIGIN_COLUMNS = ['project_id', 'received', 'log_position', 'item_index'] as const
export const FILTER_COLUMNS = [
  'release',
  'environment',
  'platform',
  'sdk_name',
  'sdk_version',
  'user_key',
  'browser',
  'os',
  'device',
  'country',
  'connection',
  'sample_rate',
] as const

export const SPAN_COLUMNS = [
  ...ORIGIN_COLUMNS,
  'is_segment',
  'op',
  'segment_name',
  'timestamp',
  'duration_ms',
  'trace_id',
  'span_id',
  'parent_span_id',
  'segment_id',
  'name',
  'status',
  'origin',
  ...FILTER_COLUMNS,
  'strings',
  'numbers',
] as const

export const VITAL_COLUMNS = [
  ...ORIGIN_COLUMNS,
  'name',
  'route',
  'page_id',
  'timestamp',
  'value',
  'is_final',
  'trace_id',
  'span_id',
  'element',
  'source',
  ...FILTER_COLUMNS,
  'strings',
  'numbers',
] as const

export function encodeSpanRow(span: SpanFields): string {
  return (
    `${originText(span)}\t${span.isSegment ? 1 : 0}\t${escapeText(span.op)}\t${escapeText(span.segmentName)}\t` +
    `${microText(span.startMs)}\t${numberText(span.durationMs)}\t${span.traceId}\t${span.spanId}\t` +
    `${span.parentSpanId}\t${span.segmentId}\t${escapeText(span.name)}\t${escapeText(span.status)}\t` +
    `${escapeText(span.origin)}\t${filterText(span)}\t${attributeTexts(span.attributes)}`
  )
}

export function encodeVitalRow(vital: VitalFields): string {
  return (
    `${originText(vital)}\t${escapeText(vital.name)}\t${escapeText(vital.route)}\t${escapeText(vital.pageId)}\t` +
    `${milliText(vital.timestampMs)}\t${numberText(vital.value)}\t${vital.isFinal ? 1 : 0}\t${vital.traceId}\t` +
    `${vital.spanId}\t${escapeText(vital.element)}\t${escapeText(vital.source)}\t${filterText(vital)}\t` +
    attributeTexts(vital.attribution)
  )
}

export function originText({ projectId, receivedMs, logPosition, itemIndex }: RowOrigin): string {
  return `${projectId}\t${milliText(receivedMs)}\t${logPosition}\t${itemIndex}`
}

export function filterText(fields: FilterFields): string {
  return (
    `${escapeText(fields.release)}\t${escapeText(fields.environment)}\t${escapeText(fields.platform)}\t` +
    `${escapeText(fields.sdkName)}\t${escapeText(fields.sdkVersion)}\t${escapeText(fields.userKey)}\t` +
    `${escapeText(fields.browser)}\t${escapeText(fields.os)}\t${escapeText(fields.device)}\t` +
    `${escapeText(fields.country)}\t${escapeText(fields.connection)}\t${numberText(Math.max(MIN_SAMPLE_RATE, fields.sampleRate))}`
  )
}

/** Nobody keeps one in a million; what a 32-bit float holds as 0 would stand for infinitely many, and fail its insert. */
const MIN_SAMPLE_RATE = 1e-6

/** Two maps, so that numbers can be compared and averaged without parsing. */
function attributeTexts(attributes: Readonly<Record<string, string | number>>): string {
  const strings: Record<string, string> = {}
  const numbers: Record<string, string> = {}
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'string') strings[key] = value
    else numbers[key] = numberText(value)
  }
  return `${mapText(strings)}\t${numberMapText(numbers)}`
}

// JavaScript's `1e+21` is read too, but `NaN` must not become a duration.
export const numberText = (value: number): string => (Number.isFinite(value) ? String(value) : '0')
