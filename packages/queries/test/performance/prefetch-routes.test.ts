import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { routeCaches, routePrefetches, speculatedLoads } from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from '../harness.ts'
import { hexId, performanceRows } from './rows.ts'

const WINDOW = { fromMs: NOW_MS - 60 * MINUTE_MS, toMs: NOW_MS }

let harness: Harness
let shop: ProjectGrant
let rows: ReturnType<typeof performanceRows>

const about = (actual: number | undefined, exact: number): void =>
  assert.ok(Math.abs((actual ?? 0) - exact) <= exact / 200, `${actual} is not about ${exact}`)

describe('prefetch routes', () => {
  before(async () => {
    harness = await openHarness()
    shop = await harness.project(await harness.org('acme'), 'shop')
    rows = performanceRows(harness)
  })

  after(() => harness.close())

  it('fetching ahead: the last counts of each page, what they cost, and how much sooner the page was seen', async () => {
    const prefetchId = hexId(0xf0)
    await rows.prefetches(shop.projectId, [
      { prefetchId, issued: 1, used: 0, wasted: 1, receivedMs: NOW_MS - 2 * MINUTE_MS },
    ])
    await rows.prefetches(shop.projectId, [
      {
        prefetchId,
        issued: 6,
        used: 2,
        late: 1,
        stale: 1,
        wasted: 2,
        bytes: 6000,
        wastedBytes: 3000,
        savedMs: 200,
      },
      { issued: 2, used: 1, wasted: 1, requests: 1, bytes: 500, wastedBytes: 250, savedMs: 50.5 },
      {
        route: '/old',
        issued: 3,
        used: 0,
        wasted: 3,
        requests: undefined,
        bytes: undefined,
        wastedBytes: undefined,
      },
    ])
    await rows.navigations(shop.projectId, [
      { prefetch: 'used', visibleAfterMs: 80 },
      { prefetch: 'none', visibleAfterMs: 400 },
      { prefetch: 'none', visibleAfterMs: 800 },
      { prefetch: 'none', visibleAfterMs: 9000, outcome: 'errored' },
    ])
    const [cart, old, ...others] = await routePrefetches(harness.deps, shop, WINDOW)
    assert.deepEqual(others, [])
    const { usedP75, noneP75, ...counts } = cart!
    assert.deepEqual(counts, {
      route: '/cart',
      issued: 8,
      used: 3,
      late: 1,
      stale: 1,
      wasted: 3,
      savedMs: 250.5,
      requests: 3,
      bytes: 6500,
      wastedBytes: 3250,
      usedSamples: 1,
      noneSamples: 2,
      waste: { kind: 'few', prefetches: 92, pages: 28 },
    })
    about(usedP75, 80)
    about(noneP75, 800)
    assert.deepEqual(
      [old?.bytes, old?.requests, old?.wastedBytes, old?.usedP75],
      [undefined, undefined, undefined, undefined],
    )
    assert.deepEqual(await routePrefetches(harness.deps, shop, { ...WINDOW, to: '/old' }), [old])
  })

  it('the share that nobody used, once there is enough, as it was sent and not as it is counted up', async () => {
    const release = 'wasteful'
    await rows.prefetches(
      shop.projectId,
      Array.from({ length: 60 }, (_, page) => ({
        release,
        issued: 10,
        used: page % 5,
        wasted: 10 - (page % 5),
        sampleRate: 0.5,
      })),
    )
    const [{ issued, wasted, waste } = assert.fail()] = await routePrefetches(harness.deps, shop, {
      ...WINDOW,
      release: [release],
    })
    assert.deepEqual([issued, wasted], [1200, 960])
    assert.ok(waste.kind === 'known')
    assert.equal(waste.share.value, 0.8)
    const { low, high } = waste.share
    assert.ok(low > 0.75 && low < 0.79 && high > 0.81 && high < 0.85, `${low} to ${high}`)
  })

  it('page loads that speculation rules had ready are told apart: how many were in vain no page knows', async () => {
    const release = 'speculative'
    const own = { release, router: 'speculation_rules', route: '/docs' }
    await rows.prefetches(shop.projectId, [own, own, { ...own, used: 0, late: 1, sampleRate: 0.5 }])
    const window = { ...WINDOW, release: [release] }
    assert.deepEqual(await speculatedLoads(harness.deps, shop, window), { loads: 4, late: 2 })
    assert.deepEqual(await routePrefetches(harness.deps, shop, window), [])
    assert.equal(await speculatedLoads(harness.deps, shop, { ...WINDOW, release: ['1.0'] }), undefined)
  })

  it('the cache: hits by route, how old what was shown is, and how much sooner it was seen', async () => {
    const own = { release: 'cached', toRoute: '/list' }
    await rows.navigations(shop.projectId, [
      { ...own, cache: 'hit', cacheAgeMs: 1000, visibleAfterMs: 40 },
      { ...own, cache: 'hit', cacheAgeMs: 9000, visibleAfterMs: 40 },
      { ...own, cache: 'bfcache', visibleAfterMs: 40 },
      { ...own, cache: 'miss', visibleAfterMs: 500 },
      { ...own, cache: 'miss', visibleAfterMs: undefined, outcome: 'left' },
      { ...own, cache: '' },
      { ...own, toRoute: '/untold', cache: '' },
    ])
    const [list, ...others] = await routeCaches(harness.deps, shop, { ...WINDOW, release: ['cached'] })
    assert.deepEqual(others, [])
    assert.deepEqual([list?.route, list?.hit, list?.miss, list?.bfcache], ['/list', 2, 2, 1])
    about(list?.ageP95, 9000)
    about(list?.hitP75, 40)
    about(list?.missP75, 500)
  })
})
