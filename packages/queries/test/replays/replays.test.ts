/** Replays on the real engine: sums over rows, every form of the search, orders and pages, errors, the recording in pages. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { deflateSync } from 'node:zlib'
import {
  countReplaysOfIssue,
  listReplays,
  openReplay,
  openReplayVideo,
  readRecordingPage,
  REPLAY_SUGGESTIONS,
  replayVideoAnswer,
  SearchError,
  spanSuggestions,
} from '@sonde/queries'
import { MINUTE_MS, NOW_MS, openHarness, type Harness, type OrgGrant, type ProjectGrant } from '../harness.ts'

let harness: Harness
let org: OrgGrant
let shop: ProjectGrant
let foreign: ProjectGrant
const WINDOW = { fromMs: NOW_MS - 60 * MINUTE_MS, toMs: NOW_MS }
const [CART, LONG, QUIET] = ['a', 'b', 'c'].map((digit) => digit.repeat(32)) as [string, string, string]
const ERROR = 'e'.repeat(32)
const timeText = (ms: number): string => new Date(ms).toISOString().slice(0, -1).replace('T', ' ')

type Row = Readonly<Record<string, unknown>> & { readonly agoMs: number; readonly forMs?: number }
async function put(projectId: number, rows: readonly Row[]): Promise<void> {
  const text = rows.map(({ agoMs, forMs = 0, ...row }, index) =>
    JSON.stringify({
      sample_rate: 1,
      kind: 'recording',
      ...row,
      project_id: projectId,
      timestamp: timeText(NOW_MS - agoMs),
      finished: timeText(NOW_MS - agoMs + forMs),
      received: timeText(NOW_MS),
      log_position: 7,
      item_index: index,
    }),
  )
  await harness.telemetry.command(`INSERT INTO replays FORMAT JSONEachRow ${text.join('\n')}`)
}

async function putSegments(grant: ProjectGrant, replayId: string, sizes: readonly number[]): Promise<void> {
  for (const [index, raw_bytes] of sizes.entries())
    await harness.db
      .insertInto('replay_segment')
      .values({
        project_id: grant.projectId,
        replay_id: replayId,
        segment_id: index,
        bytes: 10,
        raw_bytes,
        started_ms: NOW_MS - 30 * MINUTE_MS - 5_000 + index,
        finished_ms: NOW_MS,
        blob: `${replayId}/${index}`,
        log_partition: 0,
        log_position: Number.parseInt(replayId[0]!, 16) * 100 + index,
        item_index: 0,
        created_ms: NOW_MS,
        ...(index === 0 && {
          video_blob: 'replays/video',
          video_type: 'video/mp4',
          video_started_ms: NOW_MS - 30 * MINUTE_MS - 5_000,
          video_duration_ms: 4_000,
        }),
      })
      .execute()
}
const blobs = {
  get: async (name: string) =>
    name.endsWith('/1') ? undefined : new Uint8Array(deflateSync(`[{"type":4,"of":"${name}"}]`)),
}

const list = async (query: string, more: object = {}) =>
  (await listReplays(harness.deps, shop, { ...WINDOW, query, ...more })).replays.map(
    ({ replayId }) => replayId,
  )

describe('replays', () => {
  before(async () => {
    harness = await openHarness()
    org = await harness.org('acme')
    shop = await harness.project(org, 'shop')
    foreign = await harness.project(await harness.org('globex'), 'foreign')
    const told = { kind: 'event', release: 'shop@2', environment: 'production', browser: 'Chrome' }
    await put(shop.projectId, [
      {
        ...told,
        replay_id: CART,
        segment: 0,
        agoMs: 31 * MINUTE_MS,
        urls: ['https://shop.example/', 'https://shop.example/checkout'],
        error_ids: [ERROR],
        trace_ids: ['1'.repeat(32)],
        user_key: 'id:42',
        user_name: 'Ada',
        time_zone: 'Asia/Tokyo',
        replay_type: 'session',
      },
      { replay_id: CART, segment: 0, agoMs: 30 * MINUTE_MS, forMs: 5_000, clicks: 2, rage_clicks: 1 },
      { ...told, replay_id: CART, segment: 2, agoMs: 29 * MINUTE_MS, time_zone: 'UTC' },
      { replay_id: CART, segment: 1, agoMs: 29 * MINUTE_MS, forMs: 5_000, clicks: 1, dead_clicks: 1 },
      { ...told, replay_id: LONG, segment: 0, agoMs: 20 * MINUTE_MS, urls: ['https://shop.example/faq'] },
      { replay_id: LONG, segment: 0, agoMs: 20 * MINUTE_MS, forMs: 10 * MINUTE_MS },
      { replay_id: QUIET, segment: 0, agoMs: 10 * MINUTE_MS, forMs: 1_000, browser: 'Firefox' },
    ])
    await put(foreign.projectId, [{ replay_id: 'd'.repeat(32), segment: 0, agoMs: MINUTE_MS }])
    await putSegments(shop, CART, [100, 200, 3 * 1024 * 1024, 2 * 1024 * 1024])
  })
  after(() => harness?.close())

  it('a replay is the sum over its rows, and begins with its recording', async () => {
    const opened = await openReplay(harness.deps, shop, CART)
    assert.ok(opened)
    assert.equal(opened.startedMs, NOW_MS - 30 * MINUTE_MS)
    assert.equal(opened.durationMs, MINUTE_MS + 5_000)
    assert.deepEqual([opened.clicks, opened.rageClicks, opened.deadClicks, opened.errors], [3, 1, 1, 1])
    assert.deepEqual(opened.urls, ['https://shop.example/', 'https://shop.example/checkout'])
    assert.deepEqual([opened.userName, opened.release, opened.replayType], ['Ada', 'shop@2', 'session'])
    assert.deepEqual([opened.segments, opened.activity, opened.recorded], [3, 10, 4])
    assert.equal(opened.timeZone, 'Asia/Tokyo')
    assert.equal(opened.clockShiftMs, 5_000)
    assert.equal((await openReplay(harness.deps, org, CART))?.projectSlug, 'shop')
  })

  it('navigations of its traces stand in it, and of no others', async () => {
    const row = {
      project_id: shop.projectId,
      received: timeText(NOW_MS),
      timestamp: timeText(NOW_MS - 29 * MINUTE_MS),
      trace_id: '1'.repeat(32),
      navigation_id: '2'.repeat(16),
      is_final: 1,
      duration_ms: 400,
      to_route: '/checkout',
      trigger: 'click',
      outcome: 'committed',
      data_ms: 210,
    }
    const others = [
      { ...row, navigation_id: '3'.repeat(16), trace_id: '4'.repeat(32) },
      { ...row, navigation_id: '5'.repeat(16), timestamp: timeText(NOW_MS - 50 * MINUTE_MS) },
      { ...row, navigation_id: '6'.repeat(16), project_id: foreign.projectId },
    ]
    const text = [row, ...others].map((each) => JSON.stringify(each)).join('\n')
    await harness.telemetry.command(`INSERT INTO navigations FORMAT JSONEachRow ${text}`)
    const [navigation, ...more] = (await openReplay(harness.deps, shop, CART))!.navigated
    assert.deepEqual(
      [navigation?.navigationId, navigation?.to, navigation?.outcome, navigation?.dataMs, more],
      ['2'.repeat(16), '/checkout', 'committed', 210, []],
    )
    assert.deepEqual((await openReplay(harness.deps, shop, LONG))?.navigated, [])
  })

  it('the list is searched by what a visit was and what happened in it', async () => {
    assert.deepEqual(await list(''), [QUIET, LONG, CART])
    for (const [query, found] of [
      ['errors:>0', [CART]],
      ['url:*checkout*', [CART]],
      ['url:https://shop.example/faq', [LONG]],
      ['!url:*checkout*', [QUIET, LONG]],
      ['checkout', [CART]],
      ['ada', [CART]],
      ['user.id:42', [CART]],
      ['has:url', [LONG, CART]],
      ['browser:Firefox', [QUIET]],
      ['release:shop@2 duration:>5m', [LONG]],
      ['rage_clicks:>0 dead_clicks:>=1', [CART]],
      ['activity:<3', [QUIET, LONG]],
    ] as const)
      assert.deepEqual(await list(query), found, query)
    assert.deepEqual(await list('', { browser: ['Firefox'] }), [QUIET])
    await assert.rejects(list('nonsense:1'), SearchError)
    await assert.rejects(list('', { cursor: "' OR 1=1" }), SearchError)
  })

  it('each order has pages without a gap', async () => {
    for (const [sort, order] of [
      ['newest', [QUIET, LONG, CART]],
      ['longest', [LONG, CART, QUIET]],
      ['errors', [CART, QUIET, LONG]],
      ['rage', [CART, QUIET, LONG]],
    ] as const) {
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await listReplays(harness.deps, org, { ...WINDOW, sort, limit: 1, cursor })
        seen.push(...page.replays.map(({ replayId }) => replayId))
        cursor = page.next
      } while (cursor !== undefined)
      assert.deepEqual(seen, order, sort)
    }
  })

  it('the recording comes in pages of a few megabytes, and names what is missing or damaged', async () => {
    const deps = { records: harness.db, blobs }
    const first = await readRecordingPage(deps, shop, { replayId: CART })
    assert.deepEqual([first.segments.map(({ id }) => id), first.next], [[0, 2], 3])
    assert.deepEqual(JSON.parse(first.segments[0]!.events), [{ type: 4, of: `${CART}/0` }])
    const rest = await readRecordingPage(deps, shop, { replayId: CART, from: 3 })
    assert.deepEqual([rest.segments.map(({ id }) => id), rest.next], [[3], undefined])
    assert.deepEqual([first.unreadable, rest.unreadable], [[1], []])
    const noted: string[] = []
    const broken = {
      get: async (name: string) => (await blobs.get(name))?.with(3, 0),
      note: (name: string, problem: string) => void noted.push(`${name} ${problem}`),
    }
    const none = await readRecordingPage({ records: harness.db, blobs: broken }, shop, { replayId: CART })
    assert.deepEqual([none.segments, none.unreadable, none.next], [[], [0, 1, 2], 3])
    assert.deepEqual(noted, [`${CART}/0 damaged`, `${CART}/1 missing`, `${CART}/2 damaged`])
    assert.deepEqual(await readRecordingPage(deps, foreign, { replayId: CART }), {
      segments: [],
      unreadable: [],
      next: undefined,
    })
  })

  it('the video of a segment is served whole, or the bytes that a player asks for', async () => {
    const bytes = Uint8Array.from({ length: 100 }, (_, index) => index)
    const deps = { records: harness.db, blobs: { get: async () => bytes } }
    const video = await openReplayVideo(deps, shop, { replayId: CART, segment: 0 })
    assert.ok(video)
    assert.deepEqual((await openReplay(harness.deps, shop, CART))?.videos, [
      { segment: 0, startedMs: NOW_MS - 30 * MINUTE_MS - 5_000, durationMs: 4_000 },
    ])
    const ask = async (range?: string) => {
      const answer = replayVideoAnswer(video, range)
      const body = new Uint8Array(await answer.arrayBuffer())
      return [answer.status, answer.headers.get('content-range'), body[0], body.length]
    }
    const whole = [200, null, 0, 100]
    for (const [range, answer] of [
      [undefined, whole],
      ['bytes=0-', [206, 'bytes 0-99/100', 0, 100]],
      ['bytes=10-19', [206, 'bytes 10-19/100', 10, 10]],
      ['bytes=90-5000', [206, 'bytes 90-99/100', 90, 10]],
      ['bytes=-5', [206, 'bytes 95-99/100', 95, 5]],
      ['bytes=-5000', [206, 'bytes 0-99/100', 0, 100]],
      ['bytes=100-', [416, 'bytes */100', undefined, 0]],
      ['bytes=-0', [416, 'bytes */100', undefined, 0]],
      ['bytes=9-3', whole],
      ['bytes=-', whole],
      ['bytes=0-1,4-5', whole],
      ['lines=1-2', whole],
    ] as const)
      assert.deepEqual(await ask(range), answer, range)
    const { headers } = replayVideoAnswer(video, undefined)
    assert.deepEqual(
      ['content-type', 'x-content-type-options', 'accept-ranges'].map((name) => headers.get(name)),
      ['video/mp4', 'nosniff', 'bytes'],
    )
    assert.match(headers.get('content-security-policy') ?? '', /sandbox/)
    for (const [grant, replayId, segment] of [
      [foreign, CART, 0],
      [shop, CART, 1],
      [shop, "' OR 1=1", 0],
    ] as const)
      assert.equal(await openReplayVideo(deps, grant, { replayId, segment }), undefined)
    const missing = { records: harness.db, blobs: { get: async () => undefined } }
    await assert.rejects(openReplayVideo(missing, shop, { replayId: CART, segment: 0 }), { kind: 'gone' })
  })

  it('an issue has the replays that its events name', async () => {
    const event = { project_id: shop.projectId, issue_id: 7, event_id: ERROR, timestamp: timeText(NOW_MS) }
    const row = JSON.stringify({ ...event, received: timeText(NOW_MS), tags: { replayId: CART } })
    await harness.telemetry.command(`INSERT INTO events FORMAT JSONEachRow ${row}`)
    assert.equal(await countReplaysOfIssue(harness.deps, shop, 7), 1)
    assert.deepEqual(await list('', { issueId: 7 }), [CART])
    assert.deepEqual(await list('', { issueId: 8 }), [])
  })

  it('offers fields and values that occur', async () => {
    const offered = async (text: string) =>
      (await spanSuggestions(harness.deps, shop, { ...WINDOW, text }, REPLAY_SUGGESTIONS)).suggestions.map(
        ({ label }) => label,
      )
    assert.deepEqual(await offered('rage'), ['rage_clicks'])
    assert.deepEqual(await offered('browser:'), ['Chrome', 'Firefox'])
    assert.ok((await offered('url:check')).includes('https://shop.example/checkout'))
    assert.deepEqual(await offered('clicks:'), [])
  })

  it('nothing of another organization, of what is no id, and of what was deleted', async () => {
    assert.equal(await openReplay(harness.deps, foreign, CART), undefined)
    assert.equal(await openReplay(harness.deps, shop, "' OR 1=1"), undefined)
    const deletion = { project_id: shop.projectId, replay_id: CART, requested_ms: NOW_MS }
    await harness.db.insertInto('replay_deletion').values(deletion).execute()
    assert.equal(await openReplay(harness.deps, shop, CART), undefined)
    assert.deepEqual(await list(''), [QUIET, LONG])
    const deps = { records: harness.db, blobs }
    assert.equal(await openReplayVideo(deps, shop, { replayId: CART, segment: 0 }), undefined)
    assert.equal(await countReplaysOfIssue(harness.deps, shop, 7), 0)
  })
})
