/** Segments of mobile SDKs: MessagePack of three parts, refused by name or kept; the video of a kept one is what was sent. */
import assert from 'node:assert/strict'
import { processReplayVideo } from '../../../packages/pipeline/src/replays/process-replay-video.ts'
import { isDropped } from '../../../packages/pipeline/src/stage-runner.ts'
import { spanInput } from '../../../packages/pipeline/test/spans/span-input-of.ts'
import { filmedParts, replayVideoBody } from '../../harness/replay-videos.ts'
import type { Target } from '../engine/target.ts'

const AT = Date.UTC(2026, 0, 2)
const REPLAY = 'ab'.repeat(16)
const MP4 = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypmp42'), Buffer.alloc(20, 7)])
const SEGMENT = { replayId: REPLAY, segment: 0, atMs: AT, durationMs: 5_000 }

export const replayVideo: Target = {
  name: 'replay-video',
  seeds: () => [
    replayVideoBody(filmedParts({ ...SEGMENT, video: MP4 })),
    replayVideoBody(filmedParts(SEGMENT)),
    Buffer.from([0xde, 0, 3, 0xd9, 1, 0x61, 0xc4, 1, 0x7b]),
    Buffer.from([0xdf, 0, 0, 0, 1, 0x81, 0x91, 0xc7, 1, 1, 1]),
  ],
  words: ['replay_event', 'replay_recording', 'replay_video', '"tag":"video"', '"duration":', 'ftyp'],
  open: () => {
    const input = spanInput({ header: { type: 'replay_video' }, payload: '' })
    return {
      run(payload) {
        const result = processReplayVideo({ ...input, eventId: REPLAY, payload }, new Map())
        if (isDropped(result)) return
        const { recording } = result.item
        assert.ok(recording)
        assert.ok(recording.finishedMs >= recording.startedMs)
        if (!recording.video) return
        const { content, durationMs } = recording.video
        assert.ok(durationMs > 0)
        assert.equal(content.buffer.byteLength, content.length, 'a copy of its own')
        assert.ok(Buffer.from(payload).includes(Buffer.from(content)))
      },
    }
  },
}
