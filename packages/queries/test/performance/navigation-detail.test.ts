import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { navigationOf, slowestNavigations, vitalsOfNavigation } from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type OrgGrant, type ProjectGrant } from '../harness.ts'
import { hexId, hexTrace, performanceRows } from './rows.ts'

let harness: Harness
let acme: OrgGrant
let shop: ProjectGrant
let rows: ReturnType<typeof performanceRows>
const WINDOW = { fromMs: NOW_MS - 60 * MINUTE_MS, toMs: NOW_MS }

describe('navigation detail', () => {
  before(async () => {
    harness = await openHarness()
    acme = await harness.org('acme')
    shop = await harness.project(acme, 'shop')
    rows = performanceRows(harness)
  })

  after(() => harness.close())

  it('a navigation is found by its id and by its trace, as it ended', async () => {
    const own = { navigationId: hexId(0xa1), traceId: hexTrace(0xb1), toRoute: '/invoices' }
    await rows.navigations(shop.projectId, [
      { ...own, outcome: 'pending', isFinal: false, waitingFor: '/api/invoices', receivedMs: NOW_MS - 5_000 },
    ])
    const hung = await navigationOf(harness.deps, acme, { navigationId: own.navigationId })
    assert.deepEqual([hung?.isFinal, hung?.waitingFor, hung?.projectSlug], [false, '/api/invoices', 'shop'])
    await rows.navigations(shop.projectId, [{ ...own, dataMs: 7200, paintMs: 12, bytes: 900 }])
    for (const ref of [{ navigationId: own.navigationId.toUpperCase() }, { traceId: own.traceId }]) {
      const found = await navigationOf(harness.deps, acme, ref)
      assert.deepEqual(
        [found?.outcome, found?.isFinal, found?.toRoute, found?.phases, found?.bytes, found?.cacheAgeMs],
        ['committed', true, '/invoices', { data: 7200, paint: 12 }, 900, undefined],
      )
    }
  })

  it('a navigation of another organization, and one that nobody told of, is not found', async () => {
    const rival = await harness.org('rival')
    await harness.project(rival, 'secret')
    assert.equal(await navigationOf(harness.deps, rival, { navigationId: hexId(0xa1) }), undefined)
    for (const navigationId of [hexId(0xffff), 'no id', ''])
      assert.equal(await navigationOf(harness.deps, acme, { navigationId }), undefined)
    assert.equal(await navigationOf(harness.deps, acme, { traceId: hexId(0xa1) }), undefined)
  })

  it('what the browser measured of a navigation comes with it, each vital as it was told last', async () => {
    const pageId = hexId(0xc1)
    const other = await harness.project(acme, 'other')
    await rows.vitals(shop.projectId, [
      { pageId, name: 'cls', value: 0.02 },
      { pageId, name: 'lcp', value: 700, isFinal: false },
      { pageId: hexId(0xc2), name: 'lcp', value: 9000 },
    ])
    await rows.vitals(shop.projectId, [{ pageId, name: 'lcp', value: 840, element: 'main > img' }])
    assert.deepEqual(await vitalsOfNavigation(harness.deps, shop, pageId), [
      { name: 'lcp', value: 840, element: 'main > img' },
      { name: 'cls', value: 0.02, element: '' },
    ])
    assert.deepEqual(await vitalsOfNavigation(harness.deps, other, pageId), [])
  })

  it('the slowest of a pair are those that were shown latest, and none that was not', async () => {
    await rows.navigations(shop.projectId, [
      ...[300, 4000, 900, 2000].map((visibleAfterMs) => ({ fromRoute: '/slow', visibleAfterMs })),
      { fromRoute: '/slow', visibleAfterMs: undefined, durationMs: 3000 },
      { fromRoute: '/slow', visibleAfterMs: undefined, durationMs: 60_000, outcome: 'timed_out' },
      { fromRoute: '/other', visibleAfterMs: 50_000 },
    ])
    const slowest = await slowestNavigations(harness.deps, shop, { ...WINDOW, from: '/slow', limit: 3 })
    assert.deepEqual(
      slowest.map(({ visibleAfterMs, durationMs }) => visibleAfterMs ?? durationMs),
      [4000, 3000, 2000],
    )
  })
})
