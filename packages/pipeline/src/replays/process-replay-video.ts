/** Segments of mobile SDKs go the ways of the two items that browsers send of one, as one item with a video. */
import { type Dropped, drop, isDropped, type StageTimes } from '../stage-runner.ts'
import type { ItemInput } from '../stages/event-input.ts'
import { readReplayVideo, videoTypeOf } from './read-replay-video.ts'
import { type ProcessedReplay, RECORDING_STAGES, REPLAY_EVENT_STAGES } from './replay-stages.ts'

/** Counted as one. What is no video that a browser plays ends the segment: without it there would be nothing to see. */
export function processReplayVideo(input: ItemInput, times: StageTimes): ProcessedReplay | Dropped {
  const parts = readReplayVideo(input.payload)
  if (typeof parts === 'string') return drop('invalid', parts)
  const { event, recording, video } = parts
  const type = video && videoTypeOf(video)
  if (video && type === undefined) return drop('invalid', 'bad_payload', 'neither MP4 nor WebM')
  const told = REPLAY_EVENT_STAGES.run({ ...input, payload: event }, times)
  if (isDropped(told)) return told
  const film = video && type && { content: video, type }
  const seen = RECORDING_STAGES.run({ ...input, payload: recording, film }, times)
  if (isDropped(seen)) return seen
  const rows = [told, seen].flatMap(({ item }) => item.rows.replays ?? [])
  return {
    item: {
      ...seen.item,
      releases: told.item.releases,
      timestampMs: Math.min(told.item.timestampMs, seen.item.timestampMs),
      rows: { replays: rows.map((row) => String(row)).join('\n') },
    },
    outcomes: [...told.outcomes, ...seen.outcomes],
  }
}
