/** Replays over `/api/0` in the public shape. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { deflateSync } from 'node:zlib'
import { type Harness, openHarness } from './harness.ts'

const REPLAY = 'ab'.repeat(16)
const click = (category: string, second: number, nodeId: unknown) => ({
  type: 5,
  timestamp: second * 1000,
  data: { tag: 'breadcrumb', payload: { category, timestamp: second, data: { nodeId } } },
})
const RECORDED = [
  { type: 4, timestamp: 1 },
  click('ui.click', 100, 7),
  click('ui.slowClickDetected', 100, 7),
  click('ui.click', 101, 'none'),
  click('console', 102, 8),
]
const timeText = (ms: number): string => new Date(ms).toISOString().slice(0, -1).replace('T', ' ')

describe('replays', () => {
  let harness: Harness
  let project: number
  let reader: Record<string, string>
  const [list, own] = ['/api/0/organizations/acme/replays/', `/api/0/projects/acme/shop/replays/${REPLAY}/`]
  before(async () => {
    harness = await openHarness()
    const shop = await harness.project('acme', 'shop')
    project = shop.id
    await harness.project('globex', 'shop')
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
      {
        ...row,
        ...times,
        kind: 'recording',
        clicks: 2,
        log_position: 1,
        dead_selectors: [
          'button#pay.wide[aria-label="Pay now"]',
          'button#pay.wide[aria-label="Pay now"]',
          'div',
        ],
        rage_selectors: ['div'],
      },
    ].map((each) => JSON.stringify(each))
    await harness.telemetry.command(`INSERT INTO replays FORMAT JSONEachRow ${rows.join('\n')}`)
    await harness.blobs.put('replays/1', new Uint8Array(deflateSync(JSON.stringify(RECORDED))))
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
    assert.deepEqual(await answer.json(), [RECORDED])
    assert.match(answer.headers.get('link') ?? '', /rel="next"; results="false"/)
    const one = await get(`${own}recording-segments/0/`)
    assert.equal(((await one.json()) as { data: { segmentId: number } }).data.segmentId, 0)
    assert.equal((await get(`${own}recording-segments/7/`)).status, 404)
    assert.equal((await get(`${own}recording-segments/?cursor=x`)).status, 400)
  })

  it('a segment whose bytes are damaged is gone in words, and the list has the others', async () => {
    const { blob } = await harness.db.selectFrom('replay_segment').select('blob').executeTakeFirstOrThrow()
    const before = (await harness.blobs.get(blob)) ?? new Uint8Array()
    await harness.blobs.put(blob, before.subarray(0, before.length - 2))
    assert.deepEqual(await (await get(`${own}recording-segments/`)).json(), [])
    const one = await get(`${own}recording-segments/0/`)
    assert.equal(one.status, 410)
    assert.match(((await one.json()) as { detail: string }).detail, /^This file is missing or damaged/)
    assert.deepEqual(((await (await get(`${own}clicks/`)).json()) as { data: unknown }).data, [])
    await harness.blobs.put(blob, before)
  })

  it('clicks are told with the number of their element, once each', async () => {
    const answer = await get(`${own}clicks/`)
    const { data } = (await answer.json()) as { data: { node_id: number; timestamp: string }[] }
    assert.deepEqual(
      data.map(({ node_id }) => node_id),
      [7],
    )
    assert.match(answer.headers.get('link') ?? '', /rel="next"; results="false"/)
    assert.equal((await get(`${own.replace(REPLAY, 'f'.repeat(32))}clicks/`)).status, 404)
  })

  it('elements are counted by rage and dead clicks', async () => {
    const answer = await get('/api/0/organizations/acme/replay-selectors/?statsPeriod=1h')
    const { data } = (await answer.json()) as {
      data: {
        element: object
        dom_element: string
        count_dead_clicks: number
        count_rage_clicks: number
        project_id: string
      }[]
    }
    const pay = 'button#pay.wide[aria-label="Pay now"]'
    assert.deepEqual(
      data.map((row) => [row.dom_element, row.count_dead_clicks, row.count_rage_clicks, row.project_id]),
      [
        [pay, 2, 0, String(project)],
        ['div', 1, 1, String(project)],
      ],
    )
    assert.deepEqual(data[0]?.element, {
      alt: '',
      aria_label: 'Pay now',
      class: ['wide'],
      component_name: '',
      id: 'pay',
      role: '',
      tag: 'button',
      testid: '',
      title: '',
    })
    const page = await get('/api/0/organizations/acme/replay-selectors/?per_page=1&sort=-count_rage_clicks')
    assert.equal(((await page.json()) as { data: { dom_element: string }[] }).data[0]?.dom_element, 'div')
    assert.match(page.headers.get('link') ?? '', /rel="next"; results="true"; cursor="1"/)
  })

  it('how many show an issue, and which of some are kept', async () => {
    const count = '/api/0/organizations/acme/replay-count/?query='
    const event = { project_id: project, issue_id: 7, event_id: 'e'.repeat(32) }
    const times = { timestamp: timeText(harness.clock.nowMs()), received: timeText(harness.clock.nowMs()) }
    const row = JSON.stringify({ ...event, ...times, tags: { replayId: REPLAY } })
    await harness.telemetry.command(`INSERT INTO events FORMAT JSONEachRow ${row}`)
    assert.deepEqual(await (await get(`${count}issue.id:[7,8]`)).json(), { 7: 1 })
    assert.deepEqual(await (await get(`${count}issue.id:7&returnIds=true`)).json(), { 7: [REPLAY] })
    const ids = `replay_id:[${REPLAY},${'f'.repeat(32)}]`
    assert.deepEqual(await (await get(count + ids)).json(), { [REPLAY]: 1 })
    for (const query of ['', 'issue.id:[x]', 'transaction:[/]', `issue.id:[${'1,'.repeat(100)}1]`])
      assert.equal((await get(count + encodeURIComponent(query))).status, 400, query)
  })

  it('who saw it is told; a program is nobody', async () => {
    const path = `${own}viewed-by/`
    const read = async () => ((await (await get(path)).json()) as { data: { viewed_by: object[] } }).data
    const writer = { authorization: `Bearer ${await harness.token(['event:read', 'event:write'], 'acme')}` }
    assert.equal((await harness.fetch(path, { method: 'POST', headers: reader })).status, 403)
    assert.equal((await harness.fetch(path, { method: 'POST', headers: writer })).status, 204)
    assert.deepEqual(await read(), { id: REPLAY, viewed_by: [] })
    assert.equal((await get(path.replace(REPLAY, 'f'.repeat(32)))).status, 404)
    const alien = { authorization: `Bearer ${await harness.token(['event:read'], 'globex')}` }
    for (const asked of [path, `${own}clicks/`, '/api/0/organizations/acme/replay-selectors/'])
      assert.equal((await harness.fetch(asked, { headers: alien })).status, 403, asked)
    assert.equal((await harness.fetch(path, { method: 'POST', headers: alien })).status, 403)
    const blind = { authorization: `Bearer ${await harness.token(['org:read'], 'acme')}` }
    for (const asked of [path, `${own}clicks/`, '/api/0/organizations/acme/replay-count/?query=issue.id:7'])
      assert.equal((await harness.fetch(asked, { headers: blind })).status, 403, asked)
  })

  it('are deleted by who may', async () => {
    assert.equal((await harness.fetch(own, { method: 'DELETE', headers: reader })).status, 403)
    const admin = { authorization: `Bearer ${await harness.token(['event:admin'], 'acme')}` }
    assert.equal((await harness.fetch(own, { method: 'DELETE', headers: admin })).status, 204)
    assert.equal((await get(own)).status, 404)
  })
})
