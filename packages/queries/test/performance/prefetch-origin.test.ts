import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { originPrefetches } from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness } from '../harness.ts'
import { performanceRows } from './rows.ts'

const WINDOW = { fromMs: NOW_MS - 60 * MINUTE_MS, toMs: NOW_MS }

let harness: Harness

describe('requests of a server that were fetches ahead', () => {
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())

  it('are told by the headers of browsers and Next.js, in whichever way an SDK writes them', async () => {
    const shop = await harness.project(await harness.org('acme'), 'shop')
    const { spans } = performanceRows(harness)
    const request = (route: string, attributes: Readonly<Record<string, string>>, more: object = {}) => ({
      op: 'http.server',
      segmentName: route,
      attributes,
      ...more,
    })
    await spans(shop.projectId, [
      request('GET /pricing', { 'http.request.header.sec-purpose': '["prefetch;prerender"]' }),
      request('GET /pricing', { 'http.request.header.sec_purpose': 'prefetch' }),
      request('GET /pricing', { 'http.request.header.next_router_prefetch': '1' }, { sampleRate: 0.5 }),
      request('GET /pricing', {}),
      request('GET /docs', { 'http.request.prefetch': 'true' }),
      request('GET /docs', { 'sentry.http.prefetch': 'true' }),
      request('GET /docs', { 'http.request.header.purpose': 'Prefetch' }, { environment: 'staging' }),
      request('GET /', { 'http.request.header.sec-purpose': 'navigate' }),
      request('GET /', { 'http.request.header.rsc': '1' }),
      request('GET /cart', { 'http.request.header.x-moz': 'prefetch' }),
      request('GET /cart', { 'http.request.header.x_middleware_prefetch': '1' }),
      request('GET /old', { 'http.request.prefetch': 'true' }, { startMs: NOW_MS - 90 * MINUTE_MS }),
      { op: 'pageload', attributes: { 'http.request.prefetch': 'true' } },
    ])
    const found = await originPrefetches(harness.deps, shop, WINDOW)
    assert.deepEqual(found, {
      requests: 12,
      prefetches: 9,
      routes: [
        { route: 'GET /pricing', requests: 5, prefetches: 4 },
        { route: 'GET /docs', requests: 3, prefetches: 3 },
        { route: 'GET /cart', requests: 2, prefetches: 2 },
      ],
      others: [],
    })
    const live = await originPrefetches(harness.deps, shop, { ...WINDOW, environment: ['staging'] })
    assert.deepEqual([live?.requests, live?.prefetches], [1, 1])
  })

  it('are those of other projects too, where pages of this one asked their servers and the reader may see them', async () => {
    const org = await harness.org('gamma')
    const [page, api, batch] = [
      await harness.project(org, 'page'),
      await harness.project(org, 'api'),
      await harness.project(org, 'batch'),
    ]
    const foreign = await harness.project(await harness.org('delta'), 'api')
    const { spans } = performanceRows(harness)
    const traceId = 'c'.repeat(32)
    const ahead = { 'http.request.header.sec-purpose': 'prefetch' }
    await spans(page.projectId, [
      { op: 'pageload', traceId },
      { op: 'http.server', segmentName: 'GET /' },
    ])
    const server = [
      { op: 'http.server', segmentName: 'GET /orders/:id', traceId },
      // Links send no trace.
      { op: 'http.server', segmentName: 'GET /orders/:id', attributes: ahead },
    ]
    await spans(api.projectId, server)
    await spans(foreign.projectId, server)
    await spans(batch.projectId, [{ op: 'http.server', segmentName: 'GET /old', attributes: ahead }])
    assert.equal(await originPrefetches(harness.deps, page, WINDOW), undefined, 'of its own servers alone')
    assert.deepEqual(await originPrefetches(harness.deps, page, WINDOW, org), {
      requests: 3,
      prefetches: 1,
      routes: [{ route: 'GET /orders/:id', requests: 2, prefetches: 1 }],
      others: ['api'],
    })
  })

  it('are unknown where no request was one', async () => {
    const empty = await harness.project(await harness.org('beta'), 'shop')
    assert.equal(await originPrefetches(harness.deps, empty, WINDOW), undefined)
  })
})
