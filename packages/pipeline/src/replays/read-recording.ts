/**
 * A segment of a recording: a line of JSON that numbers it, then a list of rrweb events, plain or compressed by zlib.
 * https://develop.sentry.dev/sdk/telemetry/replays/
 */
import { inflateSync } from 'node:zlib'
import { isObject, lenientNumber, type RawObject } from '../normalize/read-fields.ts'

/** What an SDK gathers at most before it gives a segment up, and a little. */
const MAX_RAW_BYTES = 20 * 1024 * 1024
/** A busy page makes some thousands in a segment of five seconds. */
const MAX_EVENTS = 50_000
const MAX_SEGMENT_ID = 100_000
const MAX_HEADER_BYTES = 1_024

/** An event of rrweb: https://github.com/rrweb-io/rrweb/blob/master/docs/recipes/dive-into-event.md */
export type RecordedEvent = RawObject & { readonly type: number; readonly timestamp: number }
export type ReadRecording = {
  readonly segmentId: number
  readonly events: readonly RecordedEvent[]
  readonly rawBytes: number
}
export type RecordingRefusal = 'too_large' | 'bad_json' | 'bad_payload' | 'too_many_items'

/** Never throws. */
export function readRecording(payload: Uint8Array): ReadRecording | RecordingRefusal {
  const end = payload.subarray(0, MAX_HEADER_BYTES).indexOf(0x0a)
  if (end < 0) return 'bad_payload'
  const header = parse(payload.subarray(0, end))
  if (!isObject(header)) return 'bad_json'
  const segmentId = lenientNumber(header.segment_id)
  if (!Number.isInteger(segmentId) || segmentId < 0 || segmentId > MAX_SEGMENT_ID) return 'bad_payload'
  const body = inflated(payload.subarray(end + 1))
  if (typeof body === 'string') return body
  const list = parse(body)
  if (list === undefined) return 'bad_json'
  if (!Array.isArray(list)) return 'bad_payload'
  if (list.length > MAX_EVENTS) return 'too_many_items'
  const events = list.filter(isEvent).map((event) => inMillis(event))
  return events.length === 0 ? 'bad_payload' : { segmentId, events, rawBytes: body.length }
}

/** A list begins with `[`, and zlib never does. */
function inflated(bytes: Uint8Array): Uint8Array | RecordingRefusal {
  if (bytes[0] === 0x5b) return bytes.length > MAX_RAW_BYTES ? 'too_large' : bytes
  try {
    return inflateSync(bytes, { maxOutputLength: MAX_RAW_BYTES })
  } catch (error) {
    return (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'bad_payload'
  }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown
  } catch {
    return undefined
  }
}

/**
 * rrweb counts milliseconds; the events that the SDK adds of performance entries have seconds there:
 * https://github.com/getsentry/sentry-javascript/blob/10.0.0/packages/replay-internal/src/util/createPerformanceSpans.ts
 */
const inMillis = (event: RecordedEvent): RecordedEvent =>
  event.timestamp < FIRST_MS ? { ...event, timestamp: event.timestamp * 1000 } : event
/** As milliseconds a day of 1973, as seconds one of the year 5138. */
const FIRST_MS = 100_000_000_000
const MAX_TIME_MS = Date.UTC(2100, 0, 1)
const isEvent = (raw: unknown): raw is RecordedEvent =>
  isObject(raw) &&
  Number.isInteger(raw.type) &&
  typeof raw.timestamp === 'number' &&
  raw.timestamp > 0 &&
  raw.timestamp < MAX_TIME_MS
