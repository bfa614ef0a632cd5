import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { oldTabs } from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from '../harness.ts'
import { hexId, performanceRows } from '../performance/rows.ts'

const HOUR_MS = 60 * MINUTE_MS
const ago = (hours: number): number => NOW_MS - hours * HOUR_MS
const build = (name: string, environment: string, firstHours: number, lastHours: number) => ({
  build: name,
  environment,
  firstMs: ago(firstHours),
  lastMs: ago(lastHours),
  servedMs: ago(firstHours),
  cameMs: [ago(firstHours)],
  tellsTabs: true,
})
const builds = [
  build('shop@3', 'prod', 20, 0),
  build('shop@2', 'prod', 100, 19),
  build('shop@1', 'prod', 300, 60),
  build('shop@3', 'staging', 90, 0),
]

let harness: Harness
let shop: ProjectGrant
let rows: ReturnType<typeof performanceRows>

describe('tabs on an old build', () => {
  before(async () => {
    harness = await openHarness()
    rows = performanceRows(harness)
  })
  after(() => harness.close())
  const open = async (slug: string): Promise<void> => {
    shop = await harness.project(await harness.org(slug), 'shop')
  }
  /** A tab of the build that was last seen so many hours after the next one came. */
  const lived = (build: string, replacedHoursAgo: number, hours: number) => {
    const seenMs = ago(replacedHoursAgo) + hours * HOUR_MS
    return { build, startedMs: ago(replacedHoursAgo) - HOUR_MS, timestampMs: seenMs, receivedMs: seenMs }
  }

  it('tell for how long 99 % of them need its files, over all deployments', async () => {
    await open('many')
    // 400 tabs: 1 to 200 tenths of an hour of the one, the same of the other.
    await rows.tabs(shop.projectId, [
      ...Array.from({ length: 200 }, (_, n) => lived('shop@1', 100, (n + 1) / 10)),
      ...Array.from({ length: 200 }, (_, n) => lived('shop@2', 20, (n + 1) / 11)),
      // Gone before the next build came, and one of the newest.
      lived('shop@2', 20, -0.5),
      { build: 'shop@3' },
    ])
    const { left, keep } = await oldTabs(harness.deps, shop, builds)
    assert.deepEqual(Object.fromEntries(left.map(({ build, tabs }) => [build, tabs])), {
      'shop@1': 200,
      'shop@2': 200,
    })
    const [prod, ...others] = keep
    assert.deepEqual(others, [])
    assert.deepEqual([prod?.environment, prod?.tabs, prod?.deployments, prod?.open], ['prod', 400, 2, 0])
    const hours = (ms: number | undefined) => ms && Number((ms / HOUR_MS).toFixed(1))
    // The four that live longest are 19.7 to 20; the interval reaches ranks 392 to 400.
    assert.deepEqual(
      [prod?.p99?.ms, prod?.p99?.lowMs, prod?.p99?.highMs, prod?.longestMs].map(hours),
      [19.6, 19.2, 20, 20],
    )
  })

  it('promise nothing while there are few, and say when many are still open', async () => {
    await open('few')
    await rows.tabs(shop.projectId, [
      ...Array.from({ length: 96 }, () => lived('shop@2', 20, 3)),
      ...Array.from({ length: 3 }, () => lived('shop@2', 20, 20 - 1 / 60)),
    ])
    const { keep } = await oldTabs(harness.deps, shop, builds)
    assert.deepEqual(
      keep.map(({ tabs, p99, open: still }) => [tabs, p99, still]),
      [[99, undefined, 3]],
    )
    await rows.tabs(shop.projectId, [lived('shop@2', 20, 3)])
    const [enough] = (await oldTabs(harness.deps, shop, builds)).keep
    assert.deepEqual(
      [enough?.p99?.ms, enough?.p99?.highMs],
      [19 * HOUR_MS + 59 * MINUTE_MS, undefined],
      'of a hundred nobody knows how long the slowest one in a hundred may take',
    )
  })

  it('of other SDKs are people who went on with it', async () => {
    await open('stock')
    const page = { release: 'shop@2', op: 'navigation' }
    await rows.spans(shop.projectId, [
      { ...page, userKey: 'id:1', startMs: ago(19), receivedMs: ago(19) },
      { ...page, userKey: 'id:1', startMs: ago(15), receivedMs: ago(15) },
      { ...page, userKey: 'id:2', startMs: ago(18), receivedMs: ago(18) },
      { ...page, userKey: 'id:3', startMs: ago(21), receivedMs: ago(21) },
    ])
    const { left, keep } = await oldTabs(harness.deps, shop, builds)
    assert.deepEqual(left, [{ build: 'shop@2', environment: 'prod', tabs: 2 }])
    assert.equal(keep[0]?.longestMs, 5 * HOUR_MS)
  })

  it('were there when they missed code, though they had not told again that they are open', async () => {
    await open('failed')
    await rows.tabs(shop.projectId, [{ ...lived('shop@2', 20, -0.5), tabId: hexId(7) }])
    await rows.spans(shop.projectId, [
      {
        isSegment: false,
        op: 'ui.chunk_failure',
        startMs: ago(18),
        attributes: { 'sonde.chunk.build': 'shop@2', 'sonde.chunk.tab': hexId(7) },
      },
    ])
    const { left, keep } = await oldTabs(harness.deps, shop, builds)
    assert.deepEqual(left, [{ build: 'shop@2', environment: 'prod', tabs: 1 }])
    assert.equal(keep[0]?.longestMs, 2 * HOUR_MS)
  })

  it('are none where nothing was replaced', async () => {
    assert.deepEqual(await oldTabs(harness.deps, shop, []), { left: [], keep: [] })
  })
})
