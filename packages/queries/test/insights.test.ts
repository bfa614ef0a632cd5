/** Insight pages on the real engine: queries, requests, assets, caches and queues, against rows counted by hand. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  insightChanges,
  insightFirst,
  insightRows,
  insightSamples,
  insightSeries,
  insightSparks,
  insightSplits,
  missCost,
  queryIssues,
} from '@sonde/queries'
import { INSIGHT_KIND_IDS, INSIGHT_KINDS, INSIGHT_MEASURES, type InsightKind } from '@sonde/queries/contract'
import type { SpanFields } from '@sonde/stores'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type OrgGrant, type ProjectGrant } from './harness.ts'
import { hexId, performanceRows } from './performance/rows.ts'

const WINDOW = { fromMs: NOW_MS - 60 * MINUTE_MS, toMs: NOW_MS }
const CART = 'SELECT * FROM cart WHERE id = ?'
const ITEM = 'SELECT * FROM item WHERE id = ?'

let harness: Harness
let org: OrgGrant
let shop: ProjectGrant
let other: ProjectGrant

const query = (row: Partial<SpanFields>): Partial<SpanFields> => ({
  isSegment: false,
  op: 'db',
  name: 'SELECT * FROM cart WHERE id = 1',
  normalizedName: CART,
  peer: 'postgresql',
  segmentName: 'GET /cart',
  ...row,
})
const request = (host: string, code: number, row: Partial<SpanFields> = {}): Partial<SpanFields> => ({
  isSegment: false,
  op: 'http.client',
  name: `GET https://${host}/v1/x`,
  normalizedName: `GET https://${host}/v1/x`,
  peer: host,
  result: String(code),
  status: code < 400 ? 'ok' : 'internal_error',
  segmentName: 'GET /cart',
  ...row,
})
const asset = (name: string, row: Partial<SpanFields> = {}): Partial<SpanFields> => ({
  isSegment: false,
  op: 'resource.script',
  name,
  normalizedName: name,
  segmentName: '/cart',
  ...row,
})
const lookup = (hit: boolean, segment: number, row: Partial<SpanFields> = {}): Partial<SpanFields> => ({
  isSegment: false,
  op: 'cache.get',
  name: 'cart:1',
  normalizedName: 'cart:*',
  result: hit ? 'hit' : 'miss',
  bytes: hit ? 500 : 0,
  durationMs: hit ? 1 : 3,
  segmentName: 'GET /cart',
  segmentId: hexId(segment),
  ...row,
})
const message = (op: string, row: Partial<SpanFields> = {}): Partial<SpanFields> => ({
  isSegment: op === 'queue.process',
  op,
  name: 'orders',
  normalizedName: 'orders',
  peer: 'kafka',
  segmentName: op === 'queue.process' ? 'orders' : 'POST /checkout',
  ...row,
})

describe('insights', () => {
  before(async () => {
    harness = await openHarness()
    org = await harness.org('acme')
    shop = await harness.project(org, 'shop')
    other = await harness.project(await harness.org('globex'), 'foreign')
    const rows = performanceRows(harness)
    await rows.spans(shop.projectId, [
      query({ durationMs: 10, segmentId: hexId(1) }),
      query({ durationMs: 30, segmentId: hexId(1), sampleRate: 0.5 }),
      query({ durationMs: 20, status: 'internal_error', segmentName: 'GET /checkout' }),
      query({ normalizedName: ITEM, durationMs: 20, op: 'db.sql.query', peer: 'mysql' }),
      query({ durationMs: 5, startMs: NOW_MS - 90 * MINUTE_MS, release: '0.9' }),
      request('pay.example', 200),
      request('pay.example', 204),
      request('pay.example', 302),
      request('pay.example', 503, { normalizedName: 'POST https://pay.example/v1/charges/*' }),
      request('mail.example', 404),
      // Page loads, of which one stands for two.
      { op: 'pageload', segmentName: '/cart' },
      { op: 'pageload', segmentName: '/cart', sampleRate: 0.5 },
      asset('/assets/entry-*.js', { bytes: 3000, decodedBytes: 9000, result: 'blocking' }),
      asset('/assets/entry-*.js', { decodedBytes: 9000, result: 'non-blocking' }),
      asset('/assets/site.css', { op: 'resource.link', bytes: 600, decodedBytes: 900 }),
      asset('/fonts/inter.woff2', { op: 'resource.css', bytes: 1200 }),
      asset('https://ads.example/t.js', { bytes: 3000 }),
      asset('https://ads.example/pixel', { op: 'resource.img', bytes: 60 }),
      asset('/api/cart', { op: 'resource.fetch', bytes: 60 }),
      // What lookups happened in, and how long it took.
      ...[100, 100, 400].map((durationMs, index) => ({
        op: 'http.server',
        segmentName: 'GET /cart',
        spanId: hexId(9000 + index),
        segmentId: hexId(9000 + index),
        durationMs,
      })),
      lookup(true, 9000),
      lookup(true, 9001),
      lookup(false, 9002),
      lookup(true, 9001, { op: 'cache.put', result: '' }),
      message('queue.publish'),
      message('queue.publish', { sampleRate: 0.5 }),
      message('queue.process', { durationMs: 40, waitMs: 900 }),
      message('queue.process', { durationMs: 60, waitMs: 1100, status: 'internal_error' }),
    ])
    await rows.spans(other.projectId, [
      query({ normalizedName: 'SELECT secret' }),
      request('secret.example', 200),
    ])
  })

  after(() => harness.close())

  const list = (kind: keyof typeof INSIGHT_KINDS, more: object = {}) =>
    insightRows(harness.deps, shop, { ...WINDOW, kind, ...more })

  test('queries are counted up from what was sampled, with their share of the time', async () => {
    const { rows, total } = await list('queries')
    assert.equal(total, 2)
    const [cart, item] = rows
    assert.equal(cart?.name, CART)
    assert.deepEqual(
      [cart?.count, cart?.samples, cart?.totalMs, cart?.peer, cart?.routes],
      [4, 3, 90, 'postgresql', 2],
    )
    assert.equal(cart?.perMinute, 4 / 60)
    assert.equal(cart?.failureRate, 0.25)
    assert.ok(Math.abs((cart?.timeShare ?? 0) - 90 / 110) < 1e-9)
    assert.equal(item?.peer, 'mysql')
  })

  test('a search, a system and a route narrow; a name of a column orders', async () => {
    const names = async (more: object) => (await list('queries', more)).rows.map(({ name }) => name)
    assert.deepEqual(await names({ query: 'ITEM' }), [ITEM])
    assert.deepEqual(await names({ peer: 'postgresql' }), [CART])
    assert.deepEqual(await names({ route: 'CHECKOUT' }), [CART])
    assert.deepEqual(await names({ sort: 'name' }), [CART, ITEM])
    assert.deepEqual(await names({ sort: 'name', order: 'desc' }), [ITEM, CART])
    assert.deepEqual(await names({ sort: 'p95', order: 'asc', limit: 1, offset: 1 }), [CART])
    assert.deepEqual(await names({ release: ['nobody’s'] }), [])
  })

  test('requests are by host, with classes of status codes', async () => {
    const { rows } = await list('requests', { sort: 'name' })
    assert.deepEqual(
      rows.map((row) => [
        row.name,
        row.count,
        row.success,
        row.redirects,
        row.clientErrors,
        row.serverErrors,
      ]),
      [
        ['mail.example', 1, 0, 0, 1, 0],
        ['pay.example', 4, 0.5, 0.25, 0, 0.25],
      ],
    )
    const input = { ...WINDOW, kind: 'requests', name: 'pay.example' } as const
    const [endpoints = [], codes = []] = await insightSplits(harness.deps, shop, {
      ...input,
      splits: ['endpoint', 'code'],
    })
    assert.deepEqual(endpoints.map(({ name }) => name).toSorted(), [
      'GET https://pay.example/v1/x',
      'POST https://pay.example/v1/charges/*',
    ])
    assert.deepEqual(codes.map(({ name }) => name).toSorted(), ['200', '204', '302', '503'])
  })

  test('assets say what they are, whose, how large, and what the browser had', async () => {
    const { rows, loads } = await list('assets', { sort: 'name' })
    assert.equal(loads, 3)
    assert.deepEqual(
      rows.map(({ name, type, owner }) => [name, type, owner]),
      [
        ['/assets/entry-*.js', 'script', 'own'],
        ['/assets/site.css', 'css', 'own'],
        ['/fonts/inter.woff2', 'font', 'own'],
        ['https://ads.example/pixel', 'img', 'third-party'],
        ['https://ads.example/t.js', 'script', 'third-party'],
      ],
    )
    const [entry] = rows
    assert.deepEqual(
      [entry?.transferBytes, entry?.decodedBytes, entry?.bytesPerLoad, entry?.blocking, entry?.cached],
      [3000, 9000, 1000, 0.5, 0.5],
    )
    const only = async (more: object) => (await list('assets', more)).rows.map(({ name }) => name)
    assert.deepEqual(await only({ type: 'font' }), ['/fonts/inter.woff2'])
    assert.deepEqual(await only({ owner: 'third-party', type: 'script' }), ['https://ads.example/t.js'])
    assert.deepEqual(await only({ route: '/nowhere' }), [])
  })

  test('caches have a hit rate of lookups alone, and what a miss costs their transactions', async () => {
    const { rows } = await list('caches')
    const [cart] = rows
    assert.equal(cart?.name, 'cart:*')
    assert.equal(cart?.count, 4)
    assert.ok(Math.abs((cart?.hitRate ?? 0) - 2 / 3) < 1e-9)
    assert.equal(cart?.misses, 1 / 60)
    assert.equal(cart?.missMs, 3)
    assert.equal(cart?.itemBytes, 500)
    const cost = await missCost(harness.deps, shop, { ...WINDOW, kind: 'caches', name: 'cart:*' })
    assert.deepEqual(cost, { missedMs: 400, hitMs: 100, missed: 1, hit: 2 })
  })

  test('queues are timed where messages are processed, and know what is left', async () => {
    const { rows } = await list('queues')
    const [orders] = rows
    assert.deepEqual([orders?.published, orders?.processed, orders?.backlog], [3 / 60, 2 / 60, 1])
    assert.equal(orders?.failureRate, 0.5)
    assert.ok(Math.abs((orders?.waitMs ?? 0) - 1100) < 10)
    assert.ok((orders?.p50 ?? 0) >= 39)
    const [operations = []] = await insightSplits(harness.deps, shop, {
      ...WINDOW,
      kind: 'queues',
      name: 'orders',
      splits: ['operation'],
    })
    assert.deepEqual(Object.fromEntries(operations.map(({ name, count }) => [name, count])), {
      'queue.process': 2,
      'queue.publish': 3,
    })
  })

  test('one query: routes, slowest spans, over time, since when', async () => {
    const input = { ...WINDOW, kind: 'queries', name: CART } as const
    const [routes = []] = await insightSplits(harness.deps, shop, { ...input, splits: ['route'] })
    assert.deepEqual(
      routes.map(({ name, count, perTransaction }) => [name, count, perTransaction]),
      [
        ['GET /cart', 3, 2],
        ['GET /checkout', 1, 1],
      ],
    )
    const samples = await insightSamples(harness.deps, shop, input)
    assert.deepEqual(
      samples.map(({ durationMs, hasFailed }) => [durationMs, hasFailed]),
      [
        [30, false],
        [20, true],
        [10, false],
      ],
    )
    const series = await insightSeries(harness.deps, shop, input)
    assert.equal(series.total, 4)
    const first = await insightFirst(harness.deps, shop, input)
    assert.deepEqual([first?.firstMs, first?.release], [NOW_MS - 90 * MINUTE_MS, '0.9'])
    assert.equal(await insightFirst(harness.deps, shop, { ...input, name: 'SELECT nothing' }), undefined)
  })

  test('rows have counts over time, and a change only when there is enough to compare', async () => {
    const filter = { ...WINDOW, kind: 'queries', names: [CART, ITEM] } as const
    const { counts } = await insightSparks(harness.deps, shop, filter)
    assert.equal(
      counts[CART]?.reduce((sum, count) => sum + count, 0),
      4,
    )
    const [cart, item] = await insightChanges(harness.deps, shop, { ...filter, measures: ['p50', 'p95'] })
    assert.deepEqual(cart?.samples, [3, 1])
    assert.deepEqual(cart?.changes.p95?.change, { kind: 'few' })
    assert.deepEqual(item?.samples, [1, 0])
    const many = Array.from({ length: 200 }, (_, index) =>
      query({
        normalizedName: 'SELECT changed',
        durationMs: index < 100 ? 10 + (index % 10) : 100 + (index % 10),
        startMs: NOW_MS - (index < 100 ? 90 : 10) * MINUTE_MS,
      }),
    )
    await performanceRows(harness).spans(shop.projectId, many)
    const [changed] = await insightChanges(harness.deps, shop, {
      ...filter,
      names: ['SELECT changed'],
      measures: ['p75'],
    })
    const change = changed?.changes.p75?.change
    assert.ok(change?.kind === 'known' && change.low > 3, JSON.stringify(change))
  })

  test('issues that detectors found are those of the statement', async () => {
    await harness.issues(shop.projectId, [
      { title: `N+1 Query: ${CART}`, type: 'performance_n_plus_one_db_queries' },
      { title: 'N+1 Query: SELECT other' },
    ])
    await harness.issues(other.projectId, [{ title: `N+1 Query: ${CART}` }])
    const issues = await queryIssues(harness.deps, shop, [CART, ITEM])
    assert.deepEqual(
      issues.map(({ project, shortId, name }) => [project, shortId, name]),
      [['shop', 'SHOP-1', CART]],
    )
    assert.deepEqual(await queryIssues(harness.deps, shop, []), [])
  })

  test('no page reads what belongs to others, and every measure of every kind can be sorted by', async () => {
    for (const kind of INSIGHT_KIND_IDS) {
      const { measures }: InsightKind = INSIGHT_KINDS[kind]
      for (const sort of measures) {
        const { rows } = await list(kind, { sort })
        assert.ok(rows.length > 0)
        assert.ok(rows.every(({ name }) => !name.includes('secret')))
        assert.ok(
          rows.every((row) => Number.isFinite(row[sort])),
          `${kind} ${sort}`,
        )
      }
    }
    assert.ok(Object.keys(INSIGHT_MEASURES).length > 0)
  })
})
