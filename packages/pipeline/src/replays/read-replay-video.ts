/**
 * A replay of a mobile SDK: one MessagePack map of what the SDK tells, the recording, and a video of the segment.
 * https://develop.sentry.dev/sdk/telemetry/replays/
 */
import { decodeMulti } from '@msgpack/msgpack'
import { isObject, lenientNumber } from '../normalize/read-fields.ts'
import type { RecordedEvent } from './read-recording.ts'

const NAMES = ['replay_event', 'replay_recording', 'replay_video'] as const
/** Three are known. */
const MAX_PAIRS = 16
const MAX_NAME_BYTES = 64
/** Texts as bytes too: some SDKs write JSON as one. */
const LIMITS = {
  rawStrings: true,
  // As the door takes at most.
  maxBinLength: 10 * 1024 * 1024,
  maxMapLength: 0,
  maxArrayLength: 0,
  maxExtLength: 0,
} as const
/** An SDK makes them five seconds long; as long as a replay may be is not believed. */
const MAX_DURATION_MS = 10 * 60_000

export type ReplayVideoParts = {
  readonly event: Uint8Array
  readonly recording: Uint8Array
  /** Undefined: nothing was filmed in this segment. */
  readonly video: Uint8Array | undefined
}
/** Containers that browsers play, known by their first bytes, whatever the SDK says. */
export type VideoType = 'video/mp4' | 'video/webm'
export type VideoTimes = { readonly startedMs: number; readonly durationMs: number }

/** Never throws. The parts are views of the payload. */
export function readReplayVideo(payload: Uint8Array): ReplayVideoParts | 'bad_payload' {
  const header = mapHeader(payload)
  if (!header || header.pairs > MAX_PAIRS) return 'bad_payload'
  const parts = new Map<string, Uint8Array>()
  try {
    // One after the other: the library follows a map within a map within a map as deep as it goes.
    const items = decodeMulti(payload.subarray(header.bytes), LIMITS)
    for (let pair = 0; pair < header.pairs; pair++) {
      const [name, value] = [items.next().value, items.next().value]
      if (!(name instanceof Uint8Array) || !(value instanceof Uint8Array)) return 'bad_payload'
      parts.set(Buffer.from(name.subarray(0, MAX_NAME_BYTES)).toString(), value)
    }
    if (!items.next().done) return 'bad_payload'
  } catch {
    return 'bad_payload'
  }
  const [event, recording, video] = NAMES.map((name) => parts.get(name))
  if (!event || !recording) return 'bad_payload'
  return { event, recording, video: video && video.length > 0 ? video : undefined }
}

/** https://github.com/msgpack/msgpack/blob/master/spec.md#map-format-family */
function mapHeader(bytes: Uint8Array): { readonly pairs: number; readonly bytes: number } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [first = 0] = bytes
  if (first >> 4 === 0x8) return { pairs: first & 0xf, bytes: 1 }
  if (first === 0xde && bytes.length >= 3) return { pairs: view.getUint16(1), bytes: 3 }
  return first === 0xdf && bytes.length >= 5 ? { pairs: view.getUint32(1), bytes: 5 } : undefined
}

/** Undefined: it is no video that a browser plays. */
export function videoTypeOf(video: Uint8Array): VideoType | undefined {
  const at = (offset: number, text: string): boolean =>
    Buffer.from(video.buffer, video.byteOffset + offset, 4).toString('latin1') === text
  if (video.length < 12) return undefined
  if (at(4, 'ftyp')) return 'video/mp4'
  return at(0, '\x1A\x45\xDF\xA3') ? 'video/webm' : undefined
}

const CUSTOM = 5

/** When the video of a segment runs, as the SDK's own event in its recording says. */
export function videoTimesOf(events: readonly RecordedEvent[]): VideoTimes | undefined {
  for (const { type, timestamp, data } of events) {
    if (type !== CUSTOM || !isObject(data) || data.tag !== 'video') continue
    const durationMs = isObject(data.payload) ? lenientNumber(data.payload.duration) : NaN
    if (durationMs > 0 && durationMs <= MAX_DURATION_MS)
      return { startedMs: Math.floor(timestamp), durationMs: Math.ceil(durationMs) }
  }
  return undefined
}
