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
      requests: 11,
      prefetches: 8,
      routes: [
        { route: 'GET /pricing', requests: 5, prefetches: 4 },
        { route: 'GET /docs', requests: 2, prefetches: 2 },
        { route: 'GET /cart', requests: 2, prefetches: 2 },
      ],
    })
    const live = await originPrefetches(harness.deps, shop, { ...WINDOW, environment: ['staging'] })
    assert.deepEqual([live?.requests, live?.prefetches], [1, 1])
  })

  it('are unknown where no request was one', async () => {
    const empty = await harness.project(await harness.org('beta'), 'shop')
    assert.equal(await originPrefetches(harness.deps, empty, WINDOW), undefined)
  })
})
