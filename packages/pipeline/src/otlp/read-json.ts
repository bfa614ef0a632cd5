/**
 * The JSON form: names in camel case (those of protobuf are taken too), ids in hex, 64-bit numbers as text or number.
 * https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
import { isObject, lenientNumber, lenientText, type RawObject } from '../normalize/read-fields.ts'
import { parseTimestamp } from '../normalize/timestamp.ts'
import {
  MAX_EVENTS,
  MAX_VALUE_DEPTH,
  MAX_VALUES,
  type OtlpEvent,
  type OtlpLink,
  type OtlpResource,
  type OtlpScope,
  type OtlpSpan,
  SPAN_KINDS,
  type SpanKind,
} from './otlp-request.ts'

/** Undefined: not a trace request at all. */
export function readOtlpJson(raw: unknown): readonly OtlpResource[] | undefined {
  if (!isObject(raw)) return undefined
  const resources = field(raw, 'resourceSpans', 'resource_spans')
  if (resources === undefined) return Object.keys(raw).length === 0 ? [] : undefined
  return Array.isArray(resources) ? objects(resources).map(readResource) : undefined
}

function readResource(raw: RawObject): OtlpResource {
  const resource = isObject(raw.resource) ? raw.resource : {}
  return {
    attributes: readAttributeList(resource.attributes),
    scopes: objects(field(raw, 'scopeSpans', 'scope_spans')).map(readScope),
  }
}

function readScope(raw: RawObject): OtlpScope {
  const scope = isObject(raw.scope) ? raw.scope : {}
  return {
    name: text(scope.name),
    version: text(scope.version),
    spans: listOf(raw.spans).map((span) => (isObject(span) ? readSpan(span) : undefined)),
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
function readNanos(raw: unknown): number | undefined {
  if (typeof raw === 'number' || (typeof raw === 'string' && /^\d+$/.test(raw))) {
    const ms = Number(raw) / 1e6
    return Number.isFinite(ms) && ms > 0 ? ms : undefined
  }
  if (typeof raw !== 'string') return undefined
  const seconds = parseTimestamp(raw)
  return seconds !== undefined && seconds > 0 ? seconds * 1000 : undefined
}

/** `[{key, value: {stringValue: …}}, …]` → an object; the first of a repeated key wins. */
function readAttributeList(raw: unknown, depth = 0): RawObject {
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

function field(raw: RawObject, name: string, protobufName: string): unknown {
  return raw[name] ?? raw[protobufName]
}

const listOf = (raw: unknown): readonly unknown[] => (Array.isArray(raw) ? raw : [])
const objects = (raw: unknown): readonly RawObject[] => listOf(raw).filter(isObject)
const text = (raw: unknown): string => lenientText(raw) ?? ''
