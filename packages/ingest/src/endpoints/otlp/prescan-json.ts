/**
 * Walks over the bytes of a JSON request and looks at the keys on the way to the spans, log records or points, no others: the front must not
 * build a tree of 12 MiB for the sake of a count. https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
import { createOtlpCount, MalformedOtlp, type OtlpSignal, type Prescan } from './prescan.ts'

const SPACE = 0x20
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d

/** Where a container lies on the way: `{ resourceSpans: [ { scopeSpans: [ { spans: [ { … `, and likewise for logs. */
const REQUEST = 0
const RESOURCE = 2
const SCOPE = 4
const ITEMS = 5
const ITEM = 6
/** A metric goes on: `{ sum: { dataPoints: [ { …`. */
const DATA = 8
const POINTS = 9
const POINT = 10
const DATA_KEYS: ReadonlySet<string> = new Set([
  'gauge',
  'sum',
  'histogram',
  'exponentialHistogram',
  'exponential_histogram',
  'summary',
])
const ELSEWHERE = -1
/** The key that leads on from each level that is an object. */
const KEYS: { readonly [Signal in OtlpSignal]: ReadonlyMap<number, readonly string[]> } = {
  traces: new Map([
    [REQUEST, ['resourceSpans', 'resource_spans']],
    [RESOURCE, ['scopeSpans', 'scope_spans']],
    [SCOPE, ['spans']],
  ]),
  logs: new Map([
    [REQUEST, ['resourceLogs', 'resource_logs']],
    [RESOURCE, ['scopeLogs', 'scope_logs']],
    [SCOPE, ['logRecords', 'log_records']],
  ]),
  metrics: new Map([
    [REQUEST, ['resourceMetrics', 'resource_metrics']],
    [RESOURCE, ['scopeMetrics', 'scope_metrics']],
    [SCOPE, ['metrics']],
    [DATA, ['dataPoints', 'data_points']],
  ]),
}
const WANTED: ReadonlySet<string> = new Set([
  'traceId',
  'trace_id',
  'spanId',
  'span_id',
  'startTimeUnixNano',
  'start_time_unix_nano',
])
const LOWER_D = 0x64
const LOWER_L = 0x6c
const LOWER_T = 0x74
// Of those above and those that lead to them, the longest.
const MAX_KEY = 21
const MAX_ID = 64
// Deeper than any request: what nests further is an attack on who reads it.
const MAX_DEPTH = 200

/** `isNext`: in an object a key comes next, in a list an element. */
type Container = { readonly level: number; readonly isObject: boolean; key: string; isNext: boolean }
type SpanIds = { trace: boolean; span: boolean; start: boolean }

/** Throws `TooManyInOtlp`, and `MalformedOtlp` when brackets or quotes are not closed; whether the rest is JSON is seen by the pipeline. */
export function prescanJson(bytes: Buffer, signal: OtlpSignal = 'traces'): Prescan {
  const keys = KEYS[signal]
  const isMetrics = signal === 'metrics'
  const itemsAt = isMetrics ? POINTS : ITEMS
  const itemAt = itemsAt + 1
  const open: Container[] = []
  let count = 0
  let unusable = 0
  let found: SpanIds = { trace: false, span: false, start: false }
  let isOver = false
  const countOne = createOtlpCount(signal)

  /** An element of the list that is no object; the pipeline counts it as one that cannot be read. */
  const noteNoItem = (list: Container | undefined): void => {
    if (list?.level !== itemsAt || !list.isNext) return
    list.isNext = false
    countOne('items')
    count++
    unusable++
  }
  const enter = (isObject: boolean): void => {
    if (isOver || open.length >= MAX_DEPTH) throw new MalformedOtlp('the body is no JSON object')
    const parent = open.at(-1)
    if (!isObject) noteNoItem(parent)
    const level = levelIn(keys, parent, isObject, isMetrics)
    open.push({ level, isObject, key: '', isNext: true })
    if (level === RESOURCE) countOne('resources')
    else if (level === SCOPE) countOne('scopes')
    else if (level === itemAt) {
      countOne('items')
      count++
      found = { trace: false, span: false, start: false }
    }
  }
  const leave = (isObject: boolean): void => {
    const closed = open.pop()
    if (closed?.isObject !== isObject) throw new MalformedOtlp('the brackets of the body do not match')
    if (closed.level === ITEM && signal === 'traces' && !(found.trace && found.span && found.start))
      unusable++
    isOver = open.length === 0
  }
  const onString = (start: number, end: number): void => {
    const inside = open.at(-1)
    if (inside === undefined) throw new MalformedOtlp('the body is no JSON object')
    if (inside.level === ELSEWHERE) return
    if (!inside.isObject) noteNoItem(inside)
    else if (inside.isNext) inside.key = keyOf(bytes, start, end, isMetrics ? LOWER_D : LOWER_L)
    else if (inside.level === ITEM && isWanted(inside.key))
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
      if (inside?.level === itemsAt) noteNoItem(inside)
      // A number that is not zero.
      else if (isDigit && inside?.level === ITEM && !inside.isNext && isWanted(inside.key))
        note(found, inside.key, '1')
    }
  }
  if (!isOver) throw new MalformedOtlp('the body ends too early')
  return { count, unusable }
}

/** Making a text of each key would cost more than all the rest: those that matter begin with l, r, s or t, for metrics with d, e, g or h too. */
function keyOf(bytes: Buffer, start: number, end: number, lowest: number): string {
  const first = bytes[start]!
  const isOfInterest = first >= lowest && first <= LOWER_T && end - start <= MAX_KEY
  return isOfInterest ? bytes.toString('latin1', start, end) : ''
}

const isWanted = (key: string): boolean => WANTED.has(key)

function levelIn(
  keys: ReadonlyMap<number, readonly string[]>,
  parent: Container | undefined,
  isObject: boolean,
  isMetrics: boolean,
): number {
  if (parent === undefined) return isObject ? REQUEST : ELSEWHERE
  const { level, key } = parent
  if (level === ITEM && isMetrics) return isObject && DATA_KEYS.has(key) ? DATA : ELSEWHERE
  if (level === ELSEWHERE || level === ITEM || level >= POINT) return ELSEWHERE
  if (!parent.isObject) return isObject ? level + 1 : ELSEWHERE
  return !isObject && keys.get(level)?.includes(key) ? level + 1 : ELSEWHERE
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
