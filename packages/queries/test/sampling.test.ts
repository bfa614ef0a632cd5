import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { projectSpanUsage, sampledByRule, samplingPreview } from '@sonde/queries'
import {
  addSpanUsage,
  encodeOutcomeRow,
  encodeSpanRow,
  type SamplingRule,
  SERVER_RATE_ATTRIBUTE,
  type SpanFields,
} from '@sonde/stores'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from './harness.ts'

const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const rule = (fields: Partial<SamplingRule>): SamplingRule => ({
  route: '',
  op: '',
  release: '',
  environment: '',
  rate: 0.1,
  ...fields,
})
const ROW: SpanFields = {
  projectId: 0,
  receivedMs: NOW_MS - HOUR_MS,
  logPosition: 0,
  itemIndex: 0,
  release: 'shop@1',
  environment: 'production',
  platform: 'node',
  sdkName: '',
  sdkVersion: '',
  userKey: '',
  browser: '',
  os: '',
  device: '',
  country: '',
  connection: '',
  sampleRate: 1,
  isSegment: true,
  op: 'http.server',
  segmentName: '/cart',
  startMs: NOW_MS - HOUR_MS,
  durationMs: 10,
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  parentSpanId: '',
  segmentId: 'b'.repeat(16),
  name: '/cart',
  status: 'ok',
  origin: '',
  attributes: {},
}

describe('what sampling does and would do', () => {
  let harness: Harness
  let shop: ProjectGrant
  let other: ProjectGrant
  before(async () => {
    harness = await openHarness()
    const acme = await harness.org('acme')
    shop = await harness.project(acme, 'shop')
    other = await harness.project(acme, 'other')
    const times = (count: number, fields: Partial<SpanFields>): SpanFields[] =>
      Array.from({ length: count }, () => ({ ...ROW, projectId: shop.projectId, ...fields }))
    const child = { isSegment: false, op: 'db' }
    const health = { segmentName: '/health_live' }
    const rows = [
      ...times(10, {}),
      ...times(30, child),
      ...times(5, { segmentName: '/', op: 'pageload', release: 'shop@2' }),
      ...times(100, health),
      // Kept by a rule of 1 in 4: they stand for 80 that arrived.
      ...times(10, {
        segmentName: '/sampled',
        sampleRate: 0.125,
        attributes: { [SERVER_RATE_ATTRIBUTE]: 0.25 },
      }),
      ...times(10, { ...child, segmentName: '/sampled', attributes: { [SERVER_RATE_ATTRIBUTE]: 0.25 } }),
      ...times(7, { ...child, segmentName: '/no-root' }),
      ...times(1_000, { receivedMs: NOW_MS - 25 * HOUR_MS }),
      ...times(1_000, { projectId: other.projectId }),
    ]
    await harness.telemetry.insert('spans', rows.map(encodeSpanRow), 'spans')
    const left = (
      projectId: number,
      quantity: number,
      more: { reason: string; agoMs?: number; category?: string },
    ) =>
      encodeOutcomeRow({
        atMs: NOW_MS - (more.agoMs ?? MINUTE_MS),
        projectId,
        keyId: 1,
        category: more.category ?? 'span',
        outcome: 'filtered',
        reason: more.reason,
        quantity,
      })
    const outcomes = [
      left(shop.projectId, 20, { reason: 'sampled:/health*' }),
      left(shop.projectId, 5, { reason: 'sampled:/health*', agoMs: 3 * HOUR_MS }),
      left(shop.projectId, 4, { reason: 'sampled:/health*', category: 'transaction' }),
      left(shop.projectId, 99, { reason: 'sampled:/health*', agoMs: 25 * HOUR_MS }),
      left(shop.projectId, 3, { reason: 'sampled:everything' }),
      left(shop.projectId, 3, { reason: 'release' }),
      left(other.projectId, 7, { reason: 'sampled:/health*' }),
    ]
    await harness.telemetry.insert('outcomes', outcomes, 'outcomes')
  })
  after(() => harness.close())

  // 10 + 30 of /cart, 5 of /, 100 of /health_live, 80 of /sampled, 7 of /no-root.
  const ALL = 232

  it('without rules everything that arrived would be kept, also what a rule of today leaves out', async () => {
    assert.deepEqual(await samplingPreview(harness.deps, shop, []), { arrived: ALL, kept: ALL, matched: [] })
  })

  it('the first rule that matches decides about roots and their children', async () => {
    const rules = [
      rule({ route: '/HEALTH*', rate: 0 }),
      rule({ route: '/cart', op: 'http.*', rate: 0.5 }),
      rule({ release: 'shop@2', rate: 0.2 }),
      rule({ route: '/sampled', rate: 0.1 }),
    ]
    const { arrived, kept, matched } = await samplingPreview(harness.deps, shop, rules)
    assert.deepEqual(matched, [100, 40, 5, 80])
    assert.deepEqual([arrived, kept], [ALL, 20 + 1 + 8 + 7])
    const all = await samplingPreview(harness.deps, shop, [rule({ rate: 0.5 }), ...rules])
    assert.deepEqual(all, { arrived: ALL, kept: ALL / 2, matched: [ALL, 0, 0, 0, 0] })
  })

  it('signs that mean something to the engine are only signs', async () => {
    for (const route of ['/health?live', '/health_live', '/health*e'])
      assert.deepEqual((await samplingPreview(harness.deps, shop, [rule({ route })])).matched, [100], route)
    for (const route of ['/hea%', '/cart\\', "/cart'", '/_art'])
      assert.deepEqual((await samplingPreview(harness.deps, shop, [rule({ route })])).matched, [0], route)
  })

  it('tells what each rule left out within a day', async () => {
    assert.deepEqual(
      await sampledByRule(harness.deps, shop),
      new Map([
        ['/health*', 25],
        ['everything', 3],
      ]),
    )
  })

  it('says how much of the cap is used, and how much it will be at this pace', async () => {
    const db = harness.deps.records
    const add = (spans: number, agoMs: number) =>
      addSpanUsage(db, [{ projectId: shop.projectId, receivedMs: NOW_MS - agoMs, spans }])
    await add(300, 0)
    await add(100, DAY_MS)
    await add(50, 40 * DAY_MS)
    const none = await projectSpanUsage(harness.deps, shop)
    assert.deepEqual([none.cap, none.perMinute, none.refusedUntilMs], [undefined, undefined, undefined])
    assert.deepEqual([none.daily.length, none.daily.at(-1), none.daily.at(-2)], [30, 300, 100])
    const columns = { span_cap_count: 1_000, span_cap_period: 'day', span_minute_cap: 60 }
    const value = {
      project_id: shop.projectId,
      value: '{}',
      rate_limit_count: null,
      rate_limit_window_sec: null,
    }
    await db
      .insertInto('project_setting')
      .values({ ...value, updated_ms: 0, ...columns, spans_refused_until_ms: NOW_MS + 1 })
      .execute()
    const usage = await projectSpanUsage(harness.deps, shop)
    assert.deepEqual(usage.cap, { count: 1_000, period: 'day' })
    assert.deepEqual([usage.perMinute, usage.used, usage.refusedUntilMs], [60, 300, NOW_MS + 1])
    const over = (NOW_MS - usage.window.fromMs) / DAY_MS
    assert.equal(usage.expected, over < 0.05 ? undefined : Math.round(300 / over))
  })
})
