/**
 * A replay of a mobile SDK: one MessagePack map of what the SDK tells, the recording, and a video of the segment.
 * https://develop.sentry.dev/sdk/telemetry/replays/
 */
import { isObject, lenientNumber } from '../normalize/read-fields.ts'
import { readMsgpack } from '../normalize/read-msgpack.ts'
import type { RecordedEvent } from './read-recording.ts'

const NAMES = ['replay_event', 'replay_recording', 'replay_video'] as const
/** One map, of which three names are known. Texts as bytes too: some SDKs write JSON as one. */
const LIMITS = { maxDepth: 1, maxLength: 16, rawStrings: true } as const
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
  const [parts, ...more] = readMsgpack(payload, LIMITS) ?? []
  if (!isObject(parts) || parts instanceof Uint8Array || more.length > 0) return 'bad_payload'
  if (Object.values(parts).some((part) => !(part instanceof Uint8Array))) return 'bad_payload'
  const [event, recording, video] = NAMES.map((name) => parts[name] as Uint8Array | undefined)
  if (!event || !recording) return 'bad_payload'
  return { event, recording, video: video && video.length > 0 ? video : undefined }
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
