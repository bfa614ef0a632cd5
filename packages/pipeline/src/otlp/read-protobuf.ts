/**
 * The protobuf form. Every message is read out of its own bytes, so that a length that lies is found where it stands
 * and a span that cannot be read costs no other. Numbers of fields:
 * https://github.com/open-telemetry/opentelemetry-proto/blob/v1.9.0/opentelemetry/proto/trace/v1/trace.proto
 * https://github.com/open-telemetry/opentelemetry-proto/blob/v1.9.0/opentelemetry/proto/logs/v1/logs.proto
 * https://github.com/open-telemetry/opentelemetry-proto/blob/v1.9.0/opentelemetry/proto/common/v1/common.proto
 */
import { PbfReader } from 'pbf'
import type { RawObject } from '../normalize/read-fields.ts'
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
} from './otlp-request.ts'

/** Undefined: the bytes are no such message, or are cut. */
export const readOtlpProtobuf = (bytes: Uint8Array): readonly OtlpResource[] | undefined =>
  readRequest(bytes, readSpan)

/** The same for log records: requests of both have the same numbers down to the items. */
export const readOtlpLogsProtobuf = (bytes: Uint8Array): readonly OtlpResource<OtlpLog>[] | undefined =>
  readRequest(bytes, readLog)

type ReadItem<Item> = (bytes: Uint8Array) => Item

export function readRequest<Item>(
  bytes: Uint8Array,
  readItem: ReadItem<Item>,
): readonly OtlpResource<Item>[] | undefined {
  try {
    const resources: OtlpResource<Item>[] = []
    readFields(bytes, (field, pbf) => {
      if (field === 1 && isBytes(pbf)) resources.push(readResource(take(pbf), readItem))
    })
    return resources
  } catch {
    return undefined
  }
}

function readResource<Item>(bytes: Uint8Array, readItem: ReadItem<Item>): OtlpResource<Item> {
  let attributes: RawObject = {}
  const scopes: OtlpScope<Item>[] = []
  readFields(bytes, (field, pbf) => {
    if (!isBytes(pbf)) return
    if (field === 1) attributes = readAttributesField(take(pbf), 1)
    else if (field === 2) scopes.push(readScope(take(pbf), readItem))
  })
  return { attributes, scopes }
}

function readScope<Item>(bytes: Uint8Array, readItem: ReadItem<Item>): OtlpScope<Item> {
  const scope = { name: '', version: '' }
  const items: (Item | undefined)[] = []
  readFields(bytes, (field, pbf) => {
    if (!isBytes(pbf)) return
    if (field === 1)
      readFields(take(pbf), (inner, part) => {
        if (inner === 1 && isBytes(part)) scope.name = takeText(part)
        else if (inner === 2 && isBytes(part)) scope.version = takeText(part)
      })
    else if (field === 2) items.push(tryRead(take(pbf), readItem))
  })
  return { ...scope, items }
}

export function tryRead<Item>(bytes: Uint8Array, readItem: ReadItem<Item>): Item | undefined {
  try {
    return readItem(bytes)
  } catch {
    return undefined
  }
}

export type Building<T> = { -readonly [K in keyof T]: T[K] }

function readSpan(bytes: Uint8Array): OtlpSpan {
  const attributes: Record<string, unknown> = {}
  const events: OtlpEvent[] = []
  const links: OtlpLink[] = []
  let pairs = 0
  const span: Building<OtlpSpan> = { ...EMPTY_SPAN, attributes, events, links }
  readFields(bytes, (field, pbf) => {
    if (pbf.type === FIXED64) {
      if (field === 7) span.startMs = takeNanos(pbf)
      else if (field === 8) span.endMs = takeNanos(pbf)
    } else if (pbf.type === VARINT) {
      if (field === 6) span.kind = SPAN_KINDS[pbf.readVarint()] ?? 'unspecified'
    } else if (pbf.type === FIXED32) {
      if (field === 16) span.flags = pbf.readFixed32()
    } else if (field === 1) span.traceId = takeHex(pbf)
    else if (field === 2) span.spanId = takeHex(pbf)
    else if (field === 3) span.traceState = takeText(pbf)
    else if (field === 4) span.parentSpanId = takeHex(pbf)
    else if (field === 5) span.name = takeText(pbf)
    else if (field === 9 && pairs++ < MAX_VALUES) readPair(take(pbf), attributes, 0)
    else if (field === 11 && events.length < MAX_EVENTS) events.push(readEvent(take(pbf)))
    else if (field === 13 && links.length < MAX_EVENTS) links.push(readLink(take(pbf)))
    else if (field === 15) readStatus(take(pbf), span)
  })
  return span
}

const EMPTY_SPAN: OtlpSpan = {
  traceId: undefined,
  spanId: undefined,
  parentSpanId: undefined,
  traceState: '',
  name: '',
  kind: 'unspecified',
  startMs: undefined,
  endMs: undefined,
  attributes: {},
  events: [],
  links: [],
  statusCode: 0,
  statusMessage: '',
  flags: 0,
}

function readLog(bytes: Uint8Array): OtlpLog {
  const attributes: Record<string, unknown> = {}
  let pairs = 0
  const log: Building<OtlpLog> = { ...EMPTY_LOG, attributes }
  readFields(bytes, (field, pbf) => {
    if (pbf.type === FIXED64) {
      if (field === 1) log.atMs = takeNanos(pbf)
      else if (field === 11) log.observedMs = takeNanos(pbf)
    } else if (pbf.type === VARINT) {
      if (field === 2) log.severityNumber = pbf.readVarint()
    } else if (pbf.type !== BYTES) return
    else if (field === 3) log.severityText = takeText(pbf)
    else if (field === 5) log.body = readAnyValue(take(pbf), 0)
    else if (field === 6 && pairs++ < MAX_VALUES) readPair(take(pbf), attributes, 0)
    else if (field === 9) log.traceId = takeHex(pbf)
    else if (field === 10) log.spanId = takeHex(pbf)
    else if (field === 12) log.eventName = takeText(pbf)
  })
  return log
}

const EMPTY_LOG: OtlpLog = {
  atMs: undefined,
  observedMs: undefined,
  severityNumber: 0,
  severityText: '',
  body: undefined,
  attributes: {},
  traceId: undefined,
  spanId: undefined,
  eventName: '',
}

function readEvent(bytes: Uint8Array): OtlpEvent {
  const attributes: Record<string, unknown> = {}
  let pairs = 0
  const event: Building<OtlpEvent> = { name: '', atMs: undefined, attributes }
  readFields(bytes, (field, pbf) => {
    if (field === 1 && pbf.type === FIXED64) event.atMs = takeNanos(pbf)
    else if (field === 2 && isBytes(pbf)) event.name = takeText(pbf)
    else if (field === 3 && isBytes(pbf) && pairs++ < MAX_VALUES) readPair(take(pbf), attributes, 0)
  })
  return event
}

function readLink(bytes: Uint8Array): OtlpLink {
  const attributes: Record<string, unknown> = {}
  let pairs = 0
  const link: Building<OtlpLink> = { traceId: undefined, spanId: undefined, attributes, sampled: undefined }
  readFields(bytes, (field, pbf) => {
    if (field === 1 && isBytes(pbf)) link.traceId = takeHex(pbf)
    else if (field === 2 && isBytes(pbf)) link.spanId = takeHex(pbf)
    else if (field === 4 && isBytes(pbf) && pairs++ < MAX_VALUES) readPair(take(pbf), attributes, 0)
    else if (field === 6 && pbf.type === FIXED32) link.sampled = isSampledLink(pbf.readFixed32())
  })
  return link
}

function readStatus(bytes: Uint8Array, span: Building<OtlpSpan>): void {
  readFields(bytes, (field, pbf) => {
    if (field === 2 && isBytes(pbf)) span.statusMessage = takeText(pbf)
    else if (field === 3 && pbf.type === VARINT) span.statusCode = pbf.readVarint()
  })
}

/** A message whose field `wanted` is a list of key and value. */
function readAttributesField(bytes: Uint8Array, wanted: number, depth = 0): RawObject {
  const attributes: Record<string, unknown> = {}
  let count = 0
  readFields(bytes, (field, pbf) => {
    if (field === wanted && isBytes(pbf) && count++ < MAX_VALUES) readPair(take(pbf), attributes, depth)
  })
  return attributes
}

/** The first of a repeated key wins. */
export function readPair(bytes: Uint8Array, into: Record<string, unknown>, depth: number): void {
  let key = ''
  let value: unknown
  readFields(bytes, (field, pbf) => {
    if (field === 1 && isBytes(pbf)) key = takeText(pbf)
    else if (field === 2 && isBytes(pbf)) value = readAnyValue(take(pbf), depth)
  })
  if (key !== '__proto__' && !Object.hasOwn(into, key)) into[key] = value
}

function readAnyValue(bytes: Uint8Array, depth: number): unknown {
  if (depth > MAX_VALUE_DEPTH) return undefined
  let value: unknown
  readFields(bytes, (field, pbf) => {
    if (field === 1 && isBytes(pbf)) value = takeText(pbf)
    else if (field === 2 && pbf.type === VARINT) value = pbf.readBoolean()
    else if (field === 3 && pbf.type === VARINT) value = takeInteger(pbf)
    else if (field === 4 && pbf.type === FIXED64) value = numberOrText(pbf.readDouble())
    else if (field === 5 && isBytes(pbf)) value = readArray(take(pbf), depth + 1)
    else if (field === 6 && isBytes(pbf)) value = readAttributesField(take(pbf), 1, depth + 1)
    else if (field === 7 && isBytes(pbf)) value = Buffer.from(take(pbf)).toString('base64')
  })
  return value
}

function readArray(bytes: Uint8Array, depth: number): unknown[] {
  const values: unknown[] = []
  readFields(bytes, (field, pbf) => {
    if (field === 1 && isBytes(pbf) && values.length < MAX_VALUES) values.push(readAnyValue(take(pbf), depth))
  })
  return values
}

export const VARINT = 0
export const FIXED64 = 1
export const BYTES = 2
const FIXED32 = 5

export const isBytes = (pbf: PbfReader): boolean => pbf.type === BYTES

/** A field that `onField` does not read is skipped. Throws for bytes that end within a field. */
export function readFields(bytes: Uint8Array, onField: (field: number, pbf: PbfReader) => void): void {
  const pbf = new PbfReader(bytes)
  pbf.readFields((field, _, each) => onField(field, each), undefined)
  if (pbf.pos !== pbf.length) throw cut()
}

export function take(pbf: PbfReader): Uint8Array {
  const length = pbf.readVarint()
  const end = pbf.pos + length
  if (!(end <= pbf.length)) throw cut()
  const bytes = pbf.buf.subarray(pbf.pos, end)
  pbf.pos = end
  return bytes
}

const cut = (): Error => new RangeError('the bytes end within a field')

export function takeText(pbf: PbfReader): string {
  const bytes = take(pbf)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

export function takeHex(pbf: PbfReader): string {
  const bytes = take(pbf)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

/** Off by at most 128 ns: a double holds no more of it. */
export function takeNanos(pbf: PbfReader): number | undefined {
  const ms = pbf.readFixed64() / 1e6
  return ms > 0 ? ms : undefined
}

/** Beyond 2^53 as text, digit by digit. */
function takeInteger(pbf: PbfReader): number | string {
  const start = pbf.pos
  const number = pbf.readVarint(true)
  if (Number.isSafeInteger(number)) return number
  let whole = 0n
  for (let at = start; at < pbf.pos; at++) whole |= BigInt(pbf.buf[at]! & 0x7f) << BigInt(7 * (at - start))
  return String(BigInt.asIntN(64, whole))
}

const numberOrText = (value: number): number | string => (Number.isFinite(value) ? value : String(value))
