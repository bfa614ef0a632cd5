import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type EventSeriesInput, eventSeries, findIssue, SearchError } from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type OrgGrant, type ProjectGrant } from './harness.ts'

const HOUR_MS = 60 * MINUTE_MS

describe('events over time', () => {
  let harness: Harness
  let acme: OrgGrant
  let shop: ProjectGrant
  let cart = 0
  let old = 0
  before(async () => {
    harness = await openHarness()
    acme = await harness.org('acme')
    shop = await harness.project(acme, 'shop')
    const [first = 0, second = 0] = await harness.issues(shop.projectId, [
      { title: 'TypeError: cart' },
      { title: 'Old news', status: 'resolved' },
    ])
    cart = first
    old = second
    await harness.events(shop.projectId, cart, [
      { timestampMs: NOW_MS - 3 * HOUR_MS, release: '1.0', environment: 'prod' },
      { timestampMs: NOW_MS - HOUR_MS - 1, release: '1.1', environment: 'prod', level: 'warning' },
      { timestampMs: NOW_MS - HOUR_MS, release: '1.1', environment: 'dev' },
      { timestampMs: NOW_MS - HOUR_MS + 1, release: '1.1', environment: 'prod' },
      { timestampMs: NOW_MS, release: '1.2', environment: 'prod' },
    ])
    await harness.events(shop.projectId, old, [
      { timestampMs: NOW_MS - 30 * 24 * HOUR_MS, release: '1.0' },
      { timestampMs: NOW_MS - 2 * HOUR_MS, release: '1.1', environment: 'dev' },
    ])
    const rival = await harness.project(await harness.org('rival'), 'secret')
    const [hidden = 0] = await harness.issues(rival.projectId, [{ title: 'Secret' }])
    await harness.events(rival.projectId, hidden, [{ timestampMs: NOW_MS - HOUR_MS, release: 'rival@1' }])
  })
  after(() => harness.close())

  const WINDOW = { fromMs: NOW_MS - 3 * HOUR_MS, toMs: NOW_MS, interval: '1h' } as const
  const CASES: readonly (readonly [string, Partial<EventSeriesInput>, readonly number[]])[] = [
    ['everything', {}, [1, 2, 2]],
    ['of one environment', { environments: ['prod'] }, [1, 1, 1]],
    ['of two', { environments: ['prod', 'dev'] }, [1, 2, 2]],
    ['a field of events', { query: 'release:1.1' }, [0, 2, 2]],
    ['a field of issues', { query: 'is:unresolved' }, [1, 1, 2]],
    ['both', { query: 'is:resolved release:1.1' }, [0, 1, 0]],
    ['text of the title', { query: 'cart' }, [1, 1, 2]],
    ['what nobody has', { query: 'is:ignored' }, [0, 0, 0]],
    ['a project that is not in the grant', { projectIds: [99] }, [0, 0, 0]],
    ['a window that begins inside of a bucket', { fromMs: NOW_MS - 2.5 * HOUR_MS }, [1, 2, 2]],
    ['one that ends inside', { toMs: NOW_MS + 1 }, [1, 2, 2, 1]],
  ]
  for (const [name, input, counts] of CASES) {
    it(`of an organization: ${name}`, async () => {
      const series = await eventSeries(harness.deps, acme, { ...WINDOW, ...input })
      assert.deepEqual(series.counts, counts)
      assert.equal(series.startsMs.length, counts.length)
      assert.equal(series.startsMs[0], NOW_MS - 3 * HOUR_MS)
      assert.equal(
        series.total,
        counts.reduce((sum, n) => sum + n, 0),
      )
      assert.equal(series.isPartial, false)
    })
  }

  it('of an issue: only its own events, and fields of events alone', async () => {
    const issue = await findIssue(harness.deps, shop, cart)
    assert.ok(issue)
    const counts = async (query: string) =>
      (await eventSeries(harness.deps, issue, { ...WINDOW, query })).counts
    assert.deepEqual(await counts(''), [1, 1, 2])
    assert.deepEqual(await counts('level:warning'), [0, 1, 0])
    await assert.rejects(counts('is:unresolved'), SearchError)
  })

  it('releases that began inside of the window are markers, also those of other issues', async () => {
    const markers = async (input: Partial<EventSeriesInput>) =>
      (await eventSeries(harness.deps, shop, { ...WINDOW, ...input })).markers
    assert.deepEqual(await markers({}), [{ release: '1.1', atMs: NOW_MS - 2 * HOUR_MS }])
    assert.deepEqual(await markers({ environments: ['prod'] }), [
      { release: '1.0', atMs: NOW_MS - 3 * HOUR_MS },
      { release: '1.1', atMs: NOW_MS - HOUR_MS - 1 },
    ])
    assert.deepEqual(await markers({ markers: false }), [])
  })
})
