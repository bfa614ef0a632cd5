import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { navigationSummary, pageBefore, routeNavigations, stockNavigations } from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from '../harness.ts'
import { hexId, hexTrace, performanceRows } from './rows.ts'

const WINDOW = { fromMs: NOW_MS - 60 * MINUTE_MS, toMs: NOW_MS }

let harness: Harness
let shop: ProjectGrant
let rows: ReturnType<typeof performanceRows>

const stock = {
  outcome: 'unknown',
  trigger: '',
  router: 'sentry:auto.navigation.browser',
  visibleAfterMs: undefined,
  build: '',
  prefetch: '',
} as const

describe('navigations of stock SDKs', () => {
  before(async () => {
    harness = await openHarness()
    const acme = await harness.org('acme')
    shop = await harness.project(acme, 'shop')
    rows = performanceRows(harness)
    const orders = { ...stock, toRoute: '/orders/[id]', durationMs: 2000, reason: 'idleTimeout' }
    await rows.navigations(shop.projectId, [
      { ...orders, fromRoute: '/cart', navigationId: hexId(0xa1), traceId: hexTrace(0xb1), userKey: 'id:1' },
      { ...orders, fromRoute: '/cart', navigationId: hexId(0xa2), traceId: hexTrace(0xb2), userKey: 'id:2' },
      { ...orders, fromRoute: '', durationMs: 30_000, reason: 'finalTimeout', sampleRate: 0.5 },
      { ...stock, toRoute: '/', fromRoute: '', durationMs: 400, navigationId: hexId(0xa3) },
      { toRoute: '/orders/[id]', durationMs: 9000 },
    ])
    const [issue = 0] = await harness.issues(shop.projectId, [{ title: 'TypeError: no order' }])
    await harness.events(shop.projectId, issue, [{ traceId: hexTrace(0xb1) }])
    await harness.events(shop.projectId, issue, [
      { traceId: hexTrace(0xb2), type: 'performance_slow_db_query' },
    ])
    const child = {
      isSegment: false,
      op: 'http.client',
      segmentName: 'Navigation',
      normalizedName: 'GET /api/orders/*',
    }
    await rows.spans(shop.projectId, [
      { ...child, segmentId: hexId(0xa1), result: '503', status: 'unavailable', userKey: 'id:1' },
      { ...child, segmentId: hexId(0xa1), result: '503', status: 'unavailable', userKey: 'id:1' },
      { ...child, segmentId: hexId(0xa2), result: '', status: 'internal_error', userKey: 'id:2' },
      { ...child, segmentId: hexId(0xa2), result: '200', status: 'ok' },
      // Below a page load, and of nobody's navigation.
      { ...child, segmentId: hexId(0xff), result: '500', status: 'internal_error' },
      {
        spanId: hexId(0xc1),
        traceId: hexTrace(0xc2),
        op: 'pageload',
        name: 'Pageload',
        attributes: { 'url.path': '/cart' },
      },
      {
        spanId: hexId(0xa3),
        traceId: hexTrace(0xb3),
        op: 'navigation',
        name: 'Navigation',
        attributes: { 'url.path': '/' },
        linkTraceIds: [hexTrace(0xc4)],
        linkSpanIds: [hexId(0xc3)],
        linkAttributes: ['{"sentry.link.type":"previous_trace"}'],
      },
      {
        spanId: hexId(0xc3),
        traceId: hexTrace(0xc4),
        op: 'pageload',
        name: 'Pageload',
        attributes: { 'url.path': '/orders/42' },
      },
      {
        spanId: hexId(0xa1),
        traceId: hexTrace(0xb1),
        op: 'navigation',
        linkTraceIds: [hexTrace(0xc2)],
        linkSpanIds: [hexId(0xc1)],
        linkAttributes: ['{"sentry.link.type":"previous_trace"}'],
      },
    ])
  })
  after(() => harness.close())

  it('are counted by where they went, with the errors of their traces', async () => {
    const { targets } = await stockNavigations(harness.deps, shop, WINDOW)
    const [orders, home] = targets
    assert.ok(orders && home)
    const { to, from, count, samples, users, cut, withError, navigationId, issue } = orders
    assert.deepEqual(
      { to, from, count, samples, users, cut, withError, navigationId, issue: issue?.title },
      {
        to: '/orders/[id]',
        from: ['/cart'],
        count: 4,
        samples: 3,
        users: 2,
        cut: 2,
        withError: 1,
        navigationId: hexId(0xa1),
        issue: 'TypeError: no order',
      },
    )
    assert.ok(Math.abs(orders.p50 - 2000) < 20, `p50 is ${orders.p50}`)
    // Streamed spans say the page before by a link alone.
    assert.deepEqual([home.to, home.withError, home.issue, home.from], ['/', 0, undefined, ['/orders/[id]']])
  })

  it('show the requests that failed below them, and no others', async () => {
    const { requests } = await stockNavigations(harness.deps, shop, WINDOW)
    assert.equal(requests.length, 1)
    const { endpoint, count, answers, routes, users } = requests[0] ?? {}
    assert.deepEqual(
      { endpoint, count, answers, routes, users },
      {
        endpoint: 'GET /api/orders/*',
        count: 3,
        answers: [
          { answer: '503', count: 2 },
          { answer: 'none', count: 1 },
        ],
        routes: ['/orders/[id]'],
        users: 2,
      },
    )
  })

  it('are apart from those of the recorder', async () => {
    const summary = await navigationSummary(harness.deps, shop, { ...WINDOW, toldBy: 'recorder' })
    assert.deepEqual([summary.total.samples, summary.total.hung], [1, 1])
    const pairs = await routeNavigations(harness.deps, shop, { ...WINDOW, toldBy: 'recorder' })
    assert.deepEqual(
      pairs.map(({ to, count }) => [to, count]),
      [['/orders/[id]', 1]],
    )
    const both = await navigationSummary(harness.deps, shop, WINDOW)
    assert.deepEqual([both.total.samples, both.total.hung, both.total.waitedFor], [5, 1, 1])
  })

  it('lead to the page before by the link of their span', async () => {
    const of = (navigationId: string, traceId: string) =>
      pageBefore(harness.deps, shop, { navigationId, traceId, atMs: NOW_MS - MINUTE_MS })
    assert.equal(await of(hexId(0xa1), hexTrace(0xb1)), '/cart')
    assert.equal(await of(hexId(0xa2), hexTrace(0xb2)), undefined)
  })
})
