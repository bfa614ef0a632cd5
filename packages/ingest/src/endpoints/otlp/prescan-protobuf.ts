/**
 * Walks over the fields of an `ExportTraceServiceRequest` down to the ids of each span, or of an
 * `ExportLogsServiceRequest` down to its records, whose fields have the same numbers. Four messages deep and no
 * values read: a library would be more code than this. https://protobuf.dev/programming-guides/encoding/
 */
import { createOtlpCount, MalformedOtlp, type OtlpSignal, type Prescan } from './prescan.ts'

const VARINT = 0
const FIXED64 = 1
const BYTES = 2
const FIXED32 = 5

// Numbers of fields: https://github.com/open-telemetry/opentelemetry-proto/blob/v1.9.0/opentelemetry/proto/trace/v1/trace.proto
const RESOURCES = 1
const SCOPES = 2
const ITEMS = 2
const TRACE_ID = 1
const SPAN_ID = 2
const START = 7
/** Of a metric: gauge, sum, histogram, exponential histogram, summary. */
const DATA: ReadonlySet<number> = new Set([5, 7, 9, 10, 11])
const POINTS = 1

/** Throws `TooManyInOtlp`, and `MalformedOtlp` for bytes that end within a field; what is in a span is looked at no further than its ids, and in a log record not at all. */
export function prescanProtobuf(bytes: Uint8Array, signal: OtlpSignal = 'traces'): Prescan {
  let count = 0
  let unusable = 0
  const countOne = createOtlpCount(signal)
  walk(bytes, 0, bytes.length, (resource, type, start, end) => {
    if (resource !== RESOURCES || type !== BYTES) return
    countOne('resources')
    walk(bytes, start, end, (scope, scopeType, scopeStart, scopeEnd) => {
      if (scope !== SCOPES || scopeType !== BYTES) return
      countOne('scopes')
      walk(bytes, scopeStart, scopeEnd, (item, itemType, itemStart, itemEnd) => {
        if (item !== ITEMS || itemType !== BYTES) return
        if (signal === 'metrics') {
          countPoints(bytes, itemStart, itemEnd, () => {
            countOne('items')
            count++
          })
          return
        }
        countOne('items')
        count++
        if (signal === 'traces' && !isUsable(bytes, itemStart, itemEnd)) unusable++
      })
    })
  })
  return { count, unusable }
}

function countPoints(bytes: Uint8Array, start: number, end: number, onPoint: () => void): void {
  walk(bytes, start, end, (data, type, from, to) => {
    if (!DATA.has(data) || type !== BYTES) return
    walk(bytes, from, to, (field, fieldType) => {
      if (field === POINTS && fieldType === BYTES) onPoint()
    })
  })
}

function isUsable(bytes: Uint8Array, start: number, end: number): boolean {
  let hasTrace = false
  let hasSpan = false
  let hasStart = false
  try {
    // The last of a repeated field counts.
    walk(bytes, start, end, (field, type, from, to) => {
      if (field === TRACE_ID && type === BYTES) hasTrace = isId(bytes, from, to, 16)
      else if (field === SPAN_ID && type === BYTES) hasSpan = isId(bytes, from, to, 8)
      else if (field === START && type === FIXED64) hasStart = !isZero(bytes, from, to)
    })
  } catch {
    return false
  }
  return hasTrace && hasSpan && hasStart
}

const isId = (bytes: Uint8Array, from: number, to: number, length: number): boolean =>
  to - from === length && !isZero(bytes, from, to)

function isZero(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] !== 0) return false
  return true
}

/** Each field with where its value lies. */
function walk(
  bytes: Uint8Array,
  start: number,
  end: number,
  onField: (field: number, type: number, from: number, to: number) => void,
): void {
  let at = start
  while (at < end) {
    const tag = readVarint(bytes, at, end)
    const type = tag.value & 7
    let from = tag.next
    let to: number
    if (type === VARINT) to = readVarint(bytes, from, end).next
    else if (type === FIXED64) to = from + 8
    else if (type === FIXED32) to = from + 4
    else if (type === BYTES) {
      const length = readVarint(bytes, from, end)
      from = length.next
      to = from + length.value
    } else throw new MalformedOtlp(`a field of type ${type}, which is none`)
    if (to > end) throw new MalformedOtlp('the body ends within a field')
    onField(Math.floor(tag.value / 8), type, from, to)
    at = to
  }
}

const MAX_VARINT_BYTES = 10

/** Beyond 2^53 roughly: no length is that long. */
function readVarint(bytes: Uint8Array, start: number, end: number): { value: number; next: number } {
  let value = 0
  let factor = 1
  for (let at = start; at < end && at < start + MAX_VARINT_BYTES; at++) {
    const byte = bytes[at]!
    value += (byte & 0x7f) * factor
    if (byte < 0x80) return { value, next: at + 1 }
    factor *= 128
  }
  throw new MalformedOtlp('the body ends within a number')
}
