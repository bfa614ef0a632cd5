/** Segments of replays in real stores: once, also when they are sent again, and never endless. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { deflateSync, inflateSync } from 'node:zlib'
import { filmedParts, replayVideoBody } from '../../../../tests/harness/replay-videos.ts'
import { errorEnvelope, eventIdOf, type Harness, openHarness, until } from '../commit/harness.ts'

let harness: Harness
let runs = 0

async function run(): Promise<void> {
  const last = await harness.createProject(`last-${++runs}`)
  await harness.append(last, errorEnvelope(0xffff_0000 + runs))
  const pipeline = await harness.start()
  await until(async () => (await harness.issues(last))[0]?.event_count === 1, 'the last one is counted')
  await pipeline.stop()
}

function segment(replay: number, id: number, atMs = Date.now()): string {
  const replayId = eventIdOf(replay)
  const event = JSON.stringify({ type: 'replay_event', replay_id: replayId, segment_id: id })
  const body = JSON.stringify([{ type: 4, timestamp: atMs, data: { href: 'https://shop.example/' } }])
  const recording = `{"segment_id":${id}}\n${body}`
  return `{"event_id":"${replayId}"}
{"type":"replay_event","length":${event.length}}\n${event}
{"type":"replay_recording","length":${recording.length}}\n${recording}\n`
}

/** As text: each byte of the video is below 128. */
function filmed(replay: number, id: number): string {
  const replayId = eventIdOf(replay)
  const video = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypmp42'), Buffer.alloc(100, 7)])
  const parts = filmedParts({ replayId, segment: id, atMs: Date.now() - 9_000, durationMs: 5_000, video })
  const body = replayVideoBody(parts)
  return `{"event_id":"${replayId}"}\n{"type":"replay_video","length":${body.length}}\n${body.toString('latin1')}\n`
}

const rows = (project: number) =>
  harness.records
    .selectFrom('replay_segment')
    .selectAll()
    .where('project_id', '=', project)
    .orderBy('segment_id')
    .execute()

describe('stored recordings', () => {
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())

  it('are a blob, a row that names it, and rows of the replay', async () => {
    const project = await harness.createProject('kept')
    await harness.append(project, segment(0x100, 0))
    await harness.append(project, segment(0x100, 1))
    await harness.append(project, segment(0x100, 1))
    await run()
    const stored = await rows(project)
    assert.deepEqual(
      stored.map((row) => [row.replay_id, row.segment_id]),
      [
        [eventIdOf(0x100), 0],
        [eventIdOf(0x100), 1],
      ],
    )
    const bytes = await harness.blobs.get(stored[1]?.blob ?? '')
    assert.match(inflateSync(bytes ?? deflateSync('')).toString(), /shop\.example/)
    assert.deepEqual(await harness.outcomes(project), {
      'replay/accepted/': 4,
      'replay/invalid/duplicate_event': 2,
    })
    const names: string[] = []
    for await (const { name } of harness.blobs.list(`replays/${project}/`)) names.push(name)
    assert.equal(names.length, 2)
  })

  it('of mobile SDKs are two blobs, of the recording and of the video; again they are a repetition', async () => {
    const project = await harness.createProject('filmed')
    for (const segment of [0, 1, 1])
      await harness.append(project, Buffer.from(filmed(0x300, segment), 'latin1'))
    await run()
    const stored = await rows(project)
    assert.deepEqual(
      stored.map((row) => [row.segment_id, row.video_type, row.video_bytes, row.video_duration_ms]),
      [
        [0, 'video/mp4', 112, 5_000],
        [1, 'video/mp4', 112, 5_000],
      ],
    )
    const video = await harness.blobs.get(stored[0]?.video_blob ?? '')
    assert.equal(
      Buffer.from(video ?? [])
        .subarray(4, 12)
        .toString(),
      'ftypmp42',
    )
    assert.deepEqual(await harness.outcomes(project), {
      'replay/accepted/': 2,
      'replay/invalid/duplicate_event': 1,
    })
    const names: string[] = []
    for await (const { name } of harness.blobs.list(`replays/${project}/`)) names.push(name)
    assert.equal(names.length, 4)
  })

  it('of more than an hour end with an outcome', async () => {
    const project = await harness.createProject('endless')
    const nowMs = Date.now()
    await harness.append(project, segment(0x200, 0, nowMs - 2 * 3_600_000))
    await harness.append(project, segment(0x200, 1, nowMs))
    await run()
    assert.equal((await rows(project)).length, 1)
    assert.equal((await harness.outcomes(project))['replay/invalid/replay_limit'], 1)
  })
})
