/** Replays over `/api/0` in the public shape. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { deflateSync } from 'node:zlib'
import { type Harness, openHarness } from './harness.ts'

const REPLAY = 'ab'.repeat(16)
const timeText = (ms: number): string => new Date(ms).toISOString().slice(0, -1).replace('T', ' ')

describe('replays', () => {
  let harness: Harness
  let reader: Record<string, string>
  const [list, own] = ['/api/0/organizations/acme/replays/', `/api/0/projects/acme/shop/replays/${REPLAY}/`]
  before(async () => {
    harness = await openHarness()
    const shop = await harness.project('acme', 'shop')
    const nowMs = harness.clock.nowMs()
    const row = {
      project_id: shop.id,
      replay_id: REPLAY,
      segment: 0,
      received: timeText(nowMs),
      sample_rate: 1,
    }
    const times = { timestamp: timeText(nowMs - 60_000), finished: timeText(nowMs - 30_000) }
    const rows = [
      {
        ...row,
        ...times,
        kind: 'event',
        user_key: 'id:42',
        user_name: 'ada',
        urls: ['https://shop.example/'],
      },
      { ...row, ...times, kind: 'recording', clicks: 2, log_position: 1 },
    ].map((each) => JSON.stringify(each))
    await harness.telemetry.command(`INSERT INTO replays FORMAT JSONEachRow ${rows.join('\n')}`)
    await harness.blobs.put('replays/1', new Uint8Array(deflateSync('[{"type":4,"timestamp":1}]')))
    await harness.db
      .insertInto('replay_segment')
      .values({
        project_id: shop.id,
        replay_id: REPLAY,
        segment_id: 0,
        bytes: 1,
        raw_bytes: 26,
        started_ms: nowMs,
        finished_ms: nowMs,
        blob: 'replays/1',
        log_partition: 0,
        log_position: 1,
        item_index: 0,
        created_ms: nowMs,
      })
      .execute()
    reader = { authorization: `Bearer ${await harness.token(['event:read'], 'acme')}` }
  })
  after(() => harness.close())
  const get = (path: string) => harness.fetch(path, { headers: reader })

  it('are listed, searched and read', async () => {
    const { data } = (await (await get(`${list}?query=clicks:>1&sort=-duration`)).json()) as {
      data: object[]
    }
    const [{ id, duration, user, urls, count_segments: segments } = {} as never] = data as never[]
    assert.deepEqual([id, duration, segments, urls], [REPLAY, 30, 1, ['https://shop.example/']])
    assert.deepEqual((user as { id: string; display_name: string }).display_name, 'ada')
    assert.deepEqual(await (await get(`${list}?query=clicks:>9`)).json(), { data: [] })
    assert.equal((await get(`${list}?query=nonsense:1`)).status, 400)
    for (const path of [`${list}${REPLAY}/`, own])
      assert.equal(((await (await get(path)).json()) as { data: { id: string } }).data.id, REPLAY)
    assert.equal((await get(own.replace(REPLAY, 'f'.repeat(32)))).status, 404)
  })

  it('the recording is a list of segments, each of them a list of events', async () => {
    const answer = await get(`${own}recording-segments/`)
    assert.deepEqual(await answer.json(), [[{ type: 4, timestamp: 1 }]])
    assert.match(answer.headers.get('link') ?? '', /rel="next"; results="false"/)
    const one = await get(`${own}recording-segments/0/`)
    assert.equal(((await one.json()) as { data: { segmentId: number } }).data.segmentId, 0)
    assert.equal((await get(`${own}recording-segments/7/`)).status, 404)
    assert.equal((await get(`${own}recording-segments/?cursor=x`)).status, 400)
  })

  it('are deleted by who may', async () => {
    assert.equal((await harness.fetch(own, { method: 'DELETE', headers: reader })).status, 403)
    const admin = { authorization: `Bearer ${await harness.token(['event:admin'], 'acme')}` }
    assert.equal((await harness.fetch(own, { method: 'DELETE', headers: admin })).status, 204)
    assert.equal((await get(own)).status, 404)
  })
})
