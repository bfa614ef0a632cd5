/**
 * The JSON form: names in camel case (those of protobuf are taken too), ids in hex, 64-bit numbers as text or number.
 * https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
import { isObject, lenientNumber, lenientText, type RawObject } from '../normalize/read-fields.ts'
import { parseTimestamp } from '../normalize/timestamp.ts'
import {
  isSampledLink,
  MAX_EVENTS,
  MAX_VALUE_DEPTH,
  MAX_VALUES,
  type OtlpEvent,
  type OtlpLink,
  type OtlpLog,
  type OtlpResource,
  type OtlpScope,
  type OtlpSpan,
  SPAN_KINDS,
  type SpanKind,
} from './otlp-request.ts'

/** How a kind of request is laid out: names as JSON has them, then as protobuf has them. */
export type Layout<Item> = {
  readonly resources: readonly [string, string]
  readonly scopes: readonly [string, string]
  readonly items: readonly [string, string]
  readonly read: (raw: RawObject) => Item
}

/** Undefined: not a trace request at all. */
export const readOtlpJson = (raw: unknown): readonly OtlpResource[] | undefined =>
  readRequest(raw, {
    resources: ['resourceSpans', 'resource_spans'],
    scopes: ['scopeSpans', 'scope_spans'],
    items: ['spans', 'spans'],
    read: readSpan,
  })

/** Undefined: not a request of logs at all. */
export const readOtlpLogsJson = (raw: unknown): readonly OtlpResource<OtlpLog>[] | undefined =>
  readRequest(raw, {
    resources: ['resourceLogs', 'resource_logs'],
    scopes: ['scopeLogs', 'scope_logs'],
    items: ['logRecords', 'log_records'],
    read: readLog,
  })

export function readRequest<Item>(
  raw: unknown,
  layout: Layout<Item>,
): readonly OtlpResource<Item>[] | undefined {
  if (!isObject(raw)) return undefined
  const resources = field(raw, ...layout.resources)
  if (resources === undefined) return Object.keys(raw).length === 0 ? [] : undefined
  return Array.isArray(resources) ? objects(resources).map((each) => readResource(each, layout)) : undefined
}

function readResource<Item>(raw: RawObject, layout: Layout<Item>): OtlpResource<Item> {
  const resource = isObject(raw.resource) ? raw.resource : {}
  return {
    attributes: readAttributeList(resource.attributes),
    scopes: objects(field(raw, ...layout.scopes)).map((each) => readScope(each, layout)),
  }
}

function readScope<Item>(raw: RawObject, { items, read }: Layout<Item>): OtlpScope<Item> {
  const scope = isObject(raw.scope) ? raw.scope : {}
  return {
    name: text(scope.name),
    version: text(scope.version),
    items: listOf(field(raw, ...items)).map((item) => (isObject(item) ? read(item) : undefined)),
  }
}

function readSpan(raw: RawObject): OtlpSpan {
  const status = isObject(raw.status) ? raw.status : {}
  return {
    traceId: field(raw, 'traceId', 'trace_id'),
    spanId: field(raw, 'spanId', 'span_id'),
    parentSpanId: field(raw, 'parentSpanId', 'parent_span_id'),
    traceState: text(field(raw, 'traceState', 'trace_state')),
    name: text(raw.name),
    kind: readKind(raw.kind),
    startMs: readNanos(field(raw, 'startTimeUnixNano', 'start_time_unix_nano')),
    endMs: readNanos(field(raw, 'endTimeUnixNano', 'end_time_unix_nano')),
    attributes: readAttributeList(raw.attributes),
    events: objects(raw.events).slice(0, MAX_EVENTS).map(readEvent),
    links: objects(raw.links).slice(0, MAX_EVENTS).map(readLink),
    statusCode: readStatusCode(status.code),
    statusMessage: text(status.message),
    flags: lenientNumber(raw.flags) || 0,
  }
}

function readLog(raw: RawObject): OtlpLog {
  return {
    atMs: readNanos(field(raw, 'timeUnixNano', 'time_unix_nano')),
    observedMs: readNanos(field(raw, 'observedTimeUnixNano', 'observed_time_unix_nano')),
    severityNumber: readSeverity(field(raw, 'severityNumber', 'severity_number')),
    severityText: text(field(raw, 'severityText', 'severity_text')),
    body: readAnyValue(raw.body, 0),
    attributes: readAttributeList(raw.attributes),
    traceId: field(raw, 'traceId', 'trace_id'),
    spanId: field(raw, 'spanId', 'span_id'),
    eventName: text(field(raw, 'eventName', 'event_name')),
  }
}

const SEVERITIES = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL']
/** Each word stands for four numbers: `SEVERITY_NUMBER_WARN2` is 14. */
const SEVERITY_NAME = /^SEVERITY_NUMBER_([A-Z]{4,5})([2-4]?)$/

function readSeverity(raw: unknown): number {
  const [, word = '', step = '1'] = (typeof raw === 'string' && SEVERITY_NAME.exec(raw)) || []
  const at = SEVERITIES.indexOf(word)
  return at >= 0 ? at * 4 + Number(step || 1) : lenientNumber(raw) || 0
}

function readEvent(raw: RawObject): OtlpEvent {
  return {
    name: text(raw.name),
    atMs: readNanos(field(raw, 'timeUnixNano', 'time_unix_nano')),
    attributes: readAttributeList(raw.attributes),
  }
}

const readLink = (raw: RawObject): OtlpLink => ({
  traceId: field(raw, 'traceId', 'trace_id'),
  spanId: field(raw, 'spanId', 'span_id'),
  attributes: readAttributeList(raw.attributes),
  sampled: isSampledLink(lenientNumber(raw.flags) || 0),
})

/** Numbers by the specification; the names that protobuf's own JSON would use are taken too. */
function readKind(raw: unknown): SpanKind {
  if (typeof raw === 'string' && raw.startsWith('SPAN_KIND_')) {
    const name = raw.slice('SPAN_KIND_'.length).toLowerCase()
    return SPAN_KINDS.find((kind) => kind === name) ?? 'unspecified'
  }
  return SPAN_KINDS[lenientNumber(raw)] ?? 'unspecified'
}

const STATUS_NAMES = ['STATUS_CODE_UNSET', 'STATUS_CODE_OK', 'STATUS_CODE_ERROR']

function readStatusCode(raw: unknown): number {
  const named = typeof raw === 'string' ? STATUS_NAMES.indexOf(raw) : -1
  return named >= 0 ? named : lenientNumber(raw) || 0
}

/** Nanoseconds since 1970; text with a date in it, as loggers write it, is understood too. 0 means absent. */
export function readNanos(raw: unknown): number | undefined {
  if (typeof raw === 'number' || (typeof raw === 'string' && /^\d+$/.test(raw))) {
    const ms = Number(raw) / 1e6
    return Number.isFinite(ms) && ms > 0 ? ms : undefined
  }
  if (typeof raw !== 'string') return undefined
  const seconds = parseTimestamp(raw)
  return seconds !== undefined && seconds > 0 ? seconds * 1000 : undefined
}

/** `[{key, value: {stringValue: …}}, …]` → an object; the first of a repeated key wins. */
export function readAttributeList(raw: unknown, depth = 0): RawObject {
  const attributes: Record<string, unknown> = {}
  for (const pair of listOf(raw).slice(0, MAX_VALUES)) {
    if (!isObject(pair) || typeof pair.key !== 'string' || pair.key === '__proto__') continue
    if (!Object.hasOwn(attributes, pair.key)) attributes[pair.key] = readAnyValue(pair.value, depth)
  }
  return attributes
}

/** Whole numbers beyond 2^53 stay text: a rounded id is a wrong id. */
function readAnyValue(raw: unknown, depth: number): unknown {
  if (!isObject(raw) || depth > MAX_VALUE_DEPTH) return undefined
  if ('stringValue' in raw) return lenientText(raw.stringValue)
  if ('boolValue' in raw) return raw.boolValue === true || raw.boolValue === 'true'
  if ('intValue' in raw) return readInteger(raw.intValue)
  if ('doubleValue' in raw) return readDouble(raw.doubleValue)
  if ('bytesValue' in raw) return lenientText(raw.bytesValue)
  if (isObject(raw.arrayValue))
    return listOf(raw.arrayValue.values)
      .slice(0, MAX_VALUES)
      .map((value) => readAnyValue(value, depth + 1))
  if (isObject(raw.kvlistValue)) return readAttributeList(raw.kvlistValue.values, depth + 1)
  return undefined
}

function readInteger(raw: unknown): unknown {
  if (typeof raw === 'number') return raw
  if (typeof raw !== 'string' || !/^-?\d{1,20}$/.test(raw)) return undefined
  const number = Number(raw)
  return Number.isSafeInteger(number) ? number : raw
}

/** `NaN` and the infinities come as text, and stay text: no column of numbers could hold them. */
function readDouble(raw: unknown): unknown {
  if (typeof raw !== 'string' || raw === '') return raw
  const number = Number(raw)
  return Number.isFinite(number) ? number : raw
}

export function field(raw: RawObject, name: string, protobufName: string): unknown {
  return raw[name] ?? raw[protobufName]
}

export const listOf = (raw: unknown): readonly unknown[] => (Array.isArray(raw) ? raw : [])
export const objects = (raw: unknown): readonly RawObject[] => listOf(raw).filter(isObject)
export const text = (raw: unknown): string => lenientText(raw) ?? ''
