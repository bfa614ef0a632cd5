import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { navigationPart, navigationSummary, routeNavigations, routePrefetches } from '@sonde/queries'
import { idsBelow, partOf } from '../../src/performance/navigation-filter.ts'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from '../harness.ts'
import { performanceRows } from './rows.ts'

const WINDOW = { fromMs: NOW_MS - 60 * MINUTE_MS, toMs: NOW_MS }

let harness: Harness
let shop: ProjectGrant
let rows: ReturnType<typeof performanceRows>

describe('navigation part', () => {
  before(async () => {
    harness = await openHarness()
    shop = await harness.project(await harness.org('acme'), 'shop')
    rows = performanceRows(harness)
  })

  after(() => harness.close())

  it('a part is so small that about 100,000 rows are looked through, as long as enough of them answer', () => {
    const parts = [0, 100_000, 100_001, 1e6, 1e7, 1e12].map((rows) => partOf(rows, rows))
    assert.deepEqual(parts, [1, 1, 1 / 2, 1 / 16, 1 / 128, 1 / 256])
    assert.deepEqual(
      [0, 20_000, 20_001, 40_001].map((rows) => partOf(1e7, rows)),
      [1, 1, 1 / 2, 1 / 4],
    )
    assert.deepEqual([1 / 2, 1 / 16, 1 / 256].map(idsBelow), [
      '8000000000000000',
      '1000000000000000',
      '0100000000000000',
    ])
  })

  it('what is read of a part is counted up to all, with the rows that were read beside it', async () => {
    const ids = Array.from({ length: 64 }, (_, n) => (n * 4).toString(16).padStart(2, '0').padEnd(16, '7'))
    await rows.navigations(
      shop.projectId,
      ids.map((navigationId, n) => ({ navigationId, outcome: n % 2 === 0 ? 'committed' : 'left' })),
    )
    await rows.prefetches(
      shop.projectId,
      ids.map((prefetchId) => ({ prefetchId, bytes: 10 })),
    )
    const part = { ...WINDOW, part: 1 / 4 }
    const { total } = await navigationSummary(harness.deps, shop, part)
    assert.deepEqual([total.count, total.samples, total.committed, total.left], [64, 16, 32, 32])
    const [pair] = await routeNavigations(harness.deps, shop, { ...part, phases: false })
    assert.deepEqual([pair?.count, pair?.samples, pair?.outcomes], [64, 16, { committed: 32, left: 32 }])
    const [ahead] = await routePrefetches(harness.deps, shop, part)
    assert.deepEqual([ahead?.issued, ahead?.bytes], [64, 640])
    assert.equal(await navigationPart(harness.deps, shop, WINDOW), 1)
  })
})
