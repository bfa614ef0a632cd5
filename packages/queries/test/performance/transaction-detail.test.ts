import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  slowestTransactions,
  transactionBreakdown,
  transactionIssues,
  transactionOps,
  transactionSeries,
  transactionTime,
} from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type OrgGrant, type ProjectGrant } from '../harness.ts'
import { hexId, hexTrace, performanceRows } from './rows.ts'

const HOUR_MS = 60 * MINUTE_MS
const WINDOW = { fromMs: NOW_MS - 2 * HOUR_MS, toMs: NOW_MS }
const CART = { op: 'pageload', name: '/cart' }

describe('one route', () => {
  let harness: Harness
  let acme: OrgGrant
  let shop: ProjectGrant

  before(async () => {
    harness = await openHarness()
    acme = await harness.org('acme')
    shop = await harness.project(acme, 'shop')
    const rival = await harness.project(await harness.org('rival'), 'secret')
    const rows = performanceRows(harness)
    await rows.spans(shop.projectId, [
      { release: '1.0', startMs: NOW_MS - 5 * HOUR_MS, durationMs: 9999 },
      { release: '0.9', startMs: NOW_MS - 3 * HOUR_MS },
      { release: '0.9', startMs: NOW_MS - 100 * MINUTE_MS },
      {
        release: '1.0',
        startMs: NOW_MS - 90 * MINUTE_MS,
        durationMs: 200,
        traceId: hexTrace(1),
        sampleRate: 0.5,
      },
      {
        release: '1.0',
        startMs: NOW_MS - 30 * MINUTE_MS,
        durationMs: 400,
        spanId: hexId(0xa),
        traceId: hexTrace(2),
      },
      {
        release: '1.0',
        startMs: NOW_MS - 29 * MINUTE_MS,
        durationMs: 300,
        status: 'internal_error',
        traceId: hexTrace(2),
      },
      { release: '2.0', startMs: NOW_MS - 20 * MINUTE_MS, segmentName: '/', op: 'navigation' },
    ])
    const child = {
      isSegment: false,
      segmentId: hexId(0xa),
      parentSpanId: hexId(0xa),
      startMs: NOW_MS - 30 * MINUTE_MS,
    }
    await rows.spans(shop.projectId, [
      { ...child, op: 'http.client', name: 'GET /api', durationMs: 100 },
      { ...child, op: 'http.client', name: 'GET /api', startMs: child.startMs + 200, durationMs: 100 },
      // The same name of another op: its spans are not those of the page load.
      { ...child, segmentId: hexId(0xb), op: 'db', name: 'SELECT', durationMs: 100 },
    ])
    await rows.spans(rival.projectId, [{ release: 'secret', durationMs: 99_999 }])
    const [first = 0, second = 0] = await harness.issues(shop.projectId, [
      { title: 'Boom' },
      { title: 'Bang' },
    ])
    const at = { transaction: '/cart', timestampMs: NOW_MS - MINUTE_MS }
    await harness.events(shop.projectId, first, [
      { ...at, userKey: 'id:1', release: '1.0' },
      { ...at, transaction: '/other' },
    ])
    await harness.events(shop.projectId, second, [at, { ...at, userKey: 'id:2' }])
    const [theirs = 0] = await harness.issues(rival.projectId, [{ title: 'Secret' }])
    await harness.events(rival.projectId, theirs, [at])
  })
  after(() => harness.close())

  it('over time has what happened in each bucket, and nothing where nothing happened', async () => {
    const series = await transactionSeries(harness.deps, shop, { ...WINDOW, ...CART, buckets: 12 })
    assert.equal(series.interval, '10m')
    const found = series.points.flatMap((point, index) =>
      point ? [[index, point.count, point.samples]] : [],
    )
    assert.deepEqual(found, [
      [2, 1, 1],
      [3, 2, 1],
      [9, 2, 2],
    ])
    assert.equal(series.total, 5)
    const last = series.points[9]
    assert.ok(last && Math.abs(last.p95 - 400) <= 4 && last.failureRate === 0.5)
  })

  it('has the releases that began in the window, whichever route they were seen on', async () => {
    const series = await transactionSeries(harness.deps, acme, { ...WINDOW, ...CART, browser: ['Chrome'] })
    assert.deepEqual(series.markers, [
      // 1.0 was seen before too, but longer ago than the window before: it is as good as new.
      { release: '1.0', atMs: NOW_MS - 90 * MINUTE_MS },
      { release: '2.0', atMs: NOW_MS - 20 * MINUTE_MS },
    ])
  })

  it('is one of the kinds that there are', async () => {
    assert.deepEqual(await transactionOps(harness.deps, shop, WINDOW), [
      { op: 'pageload', count: 5 },
      { op: 'navigation', count: 1 },
    ])
  })

  it('has its slowest traces, each once', async () => {
    const found = await slowestTransactions(harness.deps, shop, { ...WINDOW, ...CART, limit: 2 })
    assert.deepEqual(
      found.map(({ traceId, durationMs, hasFailed }) => [traceId, durationMs, hasFailed]),
      [
        [hexTrace(2), 400, false],
        [hexTrace(1), 200, false],
      ],
    )
  })

  it('says for whom it is slow, by what each of them said', async () => {
    const splits = await transactionBreakdown(harness.deps, acme, { ...WINDOW, ...CART })
    const of = (column: string) =>
      splits
        .filter((each) => each.column === column)
        .map(({ value, count, samples, failureRate }) => [value, count, samples, failureRate])
    assert.deepEqual(of('release'), [
      ['1.0', 4, 3, 0.25],
      ['0.9', 1, 1, 0],
    ])
    assert.deepEqual(of('browser'), [['Chrome', 5, 4, 0.2]])
    const slow = splits.find(({ column, value }) => column === 'release' && value === '1.0')
    assert.ok(Math.abs((slow?.p75 ?? 0) - 300) <= 3)
    assert.deepEqual(new Set(splits.map(({ column }) => column)).size, 6)
  })

  it('says where its time goes, by its own spans', async () => {
    const { shares, transactions, wholeMs } = await transactionTime(harness.deps, shop, {
      ...WINDOW,
      ...CART,
    })
    assert.deepEqual([transactions, wholeMs], [4, 1000])
    assert.deepEqual(
      shares.map(({ name, ownMs, spans }) => [name, ownMs, spans]),
      [
        ['', 800, 0],
        ['GET /api', 200, 2],
      ],
    )
    const none = await transactionTime(harness.deps, shop, { ...WINDOW, op: 'pageload', name: '/nowhere' })
    assert.deepEqual(none, { shares: [], transactions: 0, wholeMs: 0 })
  })

  it('has the errors that happened in it', async () => {
    const found = await transactionIssues(harness.deps, shop, { ...WINDOW, name: '/cart' })
    assert.deepEqual(
      found.map(({ shortId, title, events, users }) => [shortId, title, events, users]),
      [
        ['SHOP-2', 'Bang', 2, 1],
        ['SHOP-1', 'Boom', 1, 1],
      ],
    )
    const narrowed = await transactionIssues(harness.deps, acme, {
      ...WINDOW,
      name: '/cart',
      release: ['1.0'],
      browser: ['x'],
    })
    assert.deepEqual(
      narrowed.map(({ title }) => title),
      ['Boom'],
    )
  })
})
