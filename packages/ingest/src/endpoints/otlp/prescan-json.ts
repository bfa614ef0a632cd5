/**
 * Walks over the bytes of a JSON request and looks at the keys on the way to the spans, no others: the front must not
 * build a tree of 12 MiB for the sake of a count. https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
import { createOtlpCount, MalformedOtlp, type Prescan } from './prescan.ts'

const SPACE = 0x20
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d

/** Where a container lies on the way: `{ resourceSpans: [ { scopeSpans: [ { spans: [ { … ` */
const REQUEST = 0
const RESOURCE = 2
const SCOPE = 4
const SPANS = 5
const SPAN = 6
const ELSEWHERE = -1
/** The key that leads on from each level that is an object. */
const KEYS: ReadonlyMap<number, readonly string[]> = new Map([
  [REQUEST, ['resourceSpans', 'resource_spans']],
  [RESOURCE, ['scopeSpans', 'scope_spans']],
  [SCOPE, ['spans']],
])
const WANTED: ReadonlySet<string> = new Set([
  'traceId',
  'trace_id',
  'spanId',
  'span_id',
  'startTimeUnixNano',
  'start_time_unix_nano',
])
const LOWER_R = 0x72
const LOWER_T = 0x74
// Of those above and those that lead to them, the longest.
const MAX_KEY = 20
const MAX_ID = 64
// Deeper than any request: what nests further is an attack on who reads it.
const MAX_DEPTH = 200

/** `isNext`: in an object a key comes next, in a list an element. */
type Container = { readonly level: number; readonly isObject: boolean; key: string; isNext: boolean }
type SpanIds = { trace: boolean; span: boolean; start: boolean }

/** Throws `TooManyInOtlp`, and `MalformedOtlp` when brackets or quotes are not closed; whether the rest is JSON is seen by the pipeline. */
export function prescanJson(bytes: Buffer): Prescan {
  const open: Container[] = []
  let spans = 0
  let unusable = 0
  let found: SpanIds = { trace: false, span: false, start: false }
  let isOver = false
  const countOne = createOtlpCount()

  /** An element of `spans` that is no object; the pipeline counts it as a span that cannot be read. */
  const noteNoSpan = (list: Container | undefined): void => {
    if (list?.level !== SPANS || !list.isNext) return
    list.isNext = false
    countOne('spans')
    spans++
    unusable++
  }
  const enter = (isObject: boolean): void => {
    if (isOver || open.length >= MAX_DEPTH) throw new MalformedOtlp('the body is no JSON object')
    const parent = open.at(-1)
    if (!isObject) noteNoSpan(parent)
    const level = levelIn(parent, isObject)
    open.push({ level, isObject, key: '', isNext: true })
    if (level === RESOURCE) countOne('resources')
    else if (level === SCOPE) countOne('scopes')
    else if (level === SPAN) {
      countOne('spans')
      spans++
      found = { trace: false, span: false, start: false }
    }
  }
  const leave = (isObject: boolean): void => {
    const closed = open.pop()
    if (closed?.isObject !== isObject) throw new MalformedOtlp('the brackets of the body do not match')
    if (closed.level === SPAN && !(found.trace && found.span && found.start)) unusable++
    isOver = open.length === 0
  }
  const onString = (start: number, end: number): void => {
    const inside = open.at(-1)
    if (inside === undefined) throw new MalformedOtlp('the body is no JSON object')
    if (inside.level === ELSEWHERE) return
    if (!inside.isObject) noteNoSpan(inside)
    else if (inside.isNext) inside.key = keyOf(bytes, start, end)
    else if (inside.level === SPAN && isWanted(inside.key))
      note(found, inside.key, bytes.toString('latin1', start, Math.min(end, start + MAX_ID)))
  }

  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === QUOTE) {
      const end = endOfString(bytes, at + 1)
      onString(at + 1, end)
      at = end
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) enter(byte === OPEN_OBJECT)
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) leave(byte === CLOSE_OBJECT)
    else if (byte === COLON || byte === COMMA) {
      const inside = open.at(-1)
      if (inside) inside.isNext = byte === COMMA
    } else if (byte > SPACE) {
      const inside = open.at(-1)
      const isDigit = byte >= 0x31 && byte <= 0x39
      if (inside?.level === SPANS) noteNoSpan(inside)
      // A number that is not zero.
      else if (isDigit && inside?.level === SPAN && !inside.isNext && isWanted(inside.key))
        note(found, inside.key, '1')
    }
  }
  if (!isOver) throw new MalformedOtlp('the body ends too early')
  return { spans, unusable }
}

/** Making a text of each key would cost more than all the rest: those that matter begin with r, s or t. */
function keyOf(bytes: Buffer, start: number, end: number): string {
  const first = bytes[start]!
  const isOfInterest = first >= LOWER_R && first <= LOWER_T && end - start <= MAX_KEY
  return isOfInterest ? bytes.toString('latin1', start, end) : ''
}

const isWanted = (key: string): boolean => WANTED.has(key)

function levelIn(parent: Container | undefined, isObject: boolean): number {
  if (parent === undefined) return isObject ? REQUEST : ELSEWHERE
  const { level, key } = parent
  if (level === ELSEWHERE || level >= SPAN) return ELSEWHERE
  if (!parent.isObject) return isObject ? level + 1 : ELSEWHERE
  return !isObject && KEYS.get(level)?.includes(key) ? level + 1 : ELSEWHERE
}

/** As the pipeline judges: hex in any case, with or without hyphens, not only zeros. */
function note(found: SpanIds, key: string, value: string): void {
  if (key === 'traceId' || key === 'trace_id') found.trace = isId(value, 32)
  else if (key === 'spanId' || key === 'span_id') found.span = isId(value, 16)
  else if (key === 'startTimeUnixNano' || key === 'start_time_unix_nano') found.start = /[1-9]/.test(value)
}

function isId(text: string, digits: number): boolean {
  const id = text.replaceAll('-', '')
  return id.length === digits && /^[0-9a-f]+$/i.test(id) && !/^0+$/.test(id)
}

/** Byte by byte: nearly every text is shorter than what calling a search costs. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) return at
    if (byte === BACKSLASH) at++
  }
  throw new MalformedOtlp('the body ends within a text')
}
