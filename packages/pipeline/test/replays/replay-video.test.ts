/** Replays of mobile SDKs: a MessagePack map of what is told, the recording and a video. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { encode } from '@msgpack/msgpack'
import { filmedParts, replayVideoBody } from '../../../../tests/harness/replay-videos.ts'
import { processReplayVideo } from '../../src/replays/process-replay-video.ts'
import { isDropped } from '../../src/stage-runner.ts'
import { cells } from '../spans/row-cells.ts'
import { RECEIVED_MS, spanInput } from '../spans/span-input-of.ts'

const ID = 'd'.repeat(32)
const AT = RECEIVED_MS - 60_000
const MP4 = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypmp42'), Buffer.alloc(40, 7)])
const TAP = {
  type: 5,
  timestamp: AT + 700,
  data: { tag: 'breadcrumb', payload: { category: 'ui.tap', message: 'pay', timestamp: AT / 1000 + 0.7 } },
}
const REQUEST = {
  type: 5,
  timestamp: AT + 900,
  data: {
    tag: 'performanceSpan',
    payload: { op: 'resource.http', description: 'https://a/', data: { statusCode: 500 } },
  },
}
const SEGMENT = { replayId: ID, segment: 2, atMs: AT, durationMs: 5_000 }

const processed = (payload: Uint8Array, scrub: object = {}, eventId: string | undefined = ID) => {
  const { settings, ...input } = spanInput({ header: { type: 'replay_video' }, payload: '' })
  const own = { ...settings, scrub: { ...settings.scrub, ...scrub } }
  return processReplayVideo({ ...input, settings: own, eventId, payload }, new Map())
}
const kept = (payload: Uint8Array, scrub: object = {}) => {
  const result = processed(payload, scrub)
  assert.ok(!isDropped(result), JSON.stringify(result))
  return result
}
const reasonOf = (payload: Uint8Array) => {
  const result = processed(payload)
  return isDropped(result) ? result.dropped.reason : 'kept'
}
const filmed = (more: object = {}) =>
  filmedParts({ ...SEGMENT, video: MP4, events: [TAP, REQUEST] as never, ...more })

describe('a segment of a mobile SDK', () => {
  test('is a video with its times, and the rows of what was told and seen; one item', () => {
    const { item, outcomes } = kept(replayVideoBody(filmed()))
    assert.deepEqual(outcomes, [])
    assert.deepEqual(item.counts, [{ category: 'replay', quantity: 1 }])
    assert.deepEqual(item.releases, ['app@2.1.0'])
    const { video, ...recording } = item.recording!
    assert.deepEqual(
      [recording.replayId, recording.segmentId, recording.startedMs, recording.finishedMs],
      [ID, 2, AT, AT + 5_000],
    )
    assert.deepEqual(
      [video?.type, video?.startedMs, video?.durationMs, Buffer.from(video!.content)],
      ['video/mp4', AT, 5_000, MP4],
    )
    const [told, seen] = cells('replays', { item })
    assert.deepEqual([told?.['kind'], told?.['urls'], told?.['os']], ['event', "['CartActivity']", 'Android'])
    assert.deepEqual(
      [seen?.['kind'], seen?.['clicks'], seen?.['requests'], seen?.['failed_requests']],
      ['recording', '1', '1', '1'],
    )
  })

  test('is taken as other writers of MessagePack write it, and without a video', () => {
    const parts = filmed()
    assert.ok(kept(encode(parts)).item.recording?.video)
    const texts = {
      ...parts,
      replay_event: parts.replay_event.toString(),
      replay_recording: parts.replay_recording.toString(),
    }
    assert.ok(kept(encode(texts)).item.recording?.video)
    const { replay_video: _, ...still } = parts
    assert.equal(kept(replayVideoBody(still)).item.recording?.video, undefined)
  })

  test('its video is not kept where texts or inputs have to be masked: pictures cannot be', () => {
    for (const mask of [{ maskReplayTexts: true }, { maskReplayInputs: true }]) {
      const { item } = kept(replayVideoBody(filmed()), mask)
      assert.deepEqual([item.recording?.segmentId, item.recording?.video], [2, undefined])
    }
  })

  test('WebM is taken too; what no browser plays is refused, whatever it says it is', () => {
    const webm = Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.alloc(20)])
    assert.equal(kept(replayVideoBody(filmed({ video: webm }))).item.recording?.video?.type, 'video/webm')
    const html = Buffer.from('<!doctype html><script>alert(1)</script>')
    assert.equal(reasonOf(replayVideoBody(filmed({ video: html }))), 'bad_payload')
  })

  test('what is no such map ends with a reason, in little time', () => {
    const parts = filmed()
    const nested = Buffer.alloc(3_000_000, Buffer.from([0x81, 0xa1, 0x61]))
    const keys = Buffer.alloc(8_000_000, 0x81)
    const lists = Buffer.concat([Buffer.from([0x81, 0xa1, 0x61]), Buffer.alloc(8_000_000, 0x91)])
    const many = Buffer.concat([Buffer.from([0xdf, 0xff, 0xff, 0xff, 0xff]), Buffer.alloc(100)])
    const long = Buffer.concat([Buffer.from([0x81, 0xa1, 0x61, 0xc6, 0xff, 0xff, 0xff, 0xff])])
    const before = performance.now()
    for (const payload of [
      Buffer.alloc(0),
      Buffer.from('{"replay_event":{}}'),
      nested,
      keys,
      lists,
      many,
      long,
      Buffer.from(encode([parts])),
      Buffer.from(encode({ ...parts, replay_event: 7 })),
      Buffer.from(encode({ __proto__x: parts, replay_event: parts.replay_event })),
      Buffer.concat([Buffer.from(encode(parts)), Buffer.from([0xc0])]),
    ])
      assert.equal(reasonOf(payload), 'bad_payload')
    assert.ok(performance.now() - before < 2_000)
    assert.equal(
      reasonOf(replayVideoBody({ ...parts, replay_recording: Buffer.from('{"segment_id":2}\n[1') })),
      'bad_json',
    )
    const unnamed = processed(replayVideoBody(parts), {}, undefined)
    assert.ok(!isDropped(unnamed) || unnamed.dropped.reason === 'missing_event_id')
  })

  test('times that nobody believes are those of the recording', () => {
    const wild = JSON.parse(filmed().replay_recording.toString().split('\n')[1]!) as object[]
    const text = JSON.stringify(wild).replace('"duration":5000', '"duration":1e12')
    const parts = { ...filmed(), replay_recording: Buffer.from(`{"segment_id":2}\n${text}`) }
    const { video } = kept(replayVideoBody(parts)).item.recording!
    assert.deepEqual([video?.startedMs, video?.durationMs], [AT, 1])
  })
})
