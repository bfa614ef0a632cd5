/**
 * Walks over the fields of an `ExportTraceServiceRequest` down to the ids of each span. Four messages deep and no
 * values read: a library would be more code than this. https://protobuf.dev/programming-guides/encoding/
 */
import { createOtlpCount, MalformedOtlp, type Prescan } from './prescan.ts'

const VARINT = 0
const FIXED64 = 1
const BYTES = 2
const FIXED32 = 5

// Numbers of fields: https://github.com/open-telemetry/opentelemetry-proto/blob/v1.9.0/opentelemetry/proto/trace/v1/trace.proto
const RESOURCE_SPANS = 1
const SCOPE_SPANS = 2
const SPANS = 2
const TRACE_ID = 1
const SPAN_ID = 2
const START = 7

/** Throws `TooManyInOtlp`, and `MalformedOtlp` for bytes that end within a field; what is in a span is looked at no further than its ids. */
export function prescanProtobuf(bytes: Uint8Array): Prescan {
  let spans = 0
  let unusable = 0
  const countOne = createOtlpCount()
  walk(bytes, 0, bytes.length, (resource, type, start, end) => {
    if (resource !== RESOURCE_SPANS || type !== BYTES) return
    countOne('resources')
    walk(bytes, start, end, (scope, scopeType, scopeStart, scopeEnd) => {
      if (scope !== SCOPE_SPANS || scopeType !== BYTES) return
      countOne('scopes')
      walk(bytes, scopeStart, scopeEnd, (span, spanType, spanStart, spanEnd) => {
        if (span !== SPANS || spanType !== BYTES) return
        countOne('spans')
        spans++
        if (!isUsable(bytes, spanStart, spanEnd)) unusable++
      })
    })
  })
  return { spans, unusable }
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
