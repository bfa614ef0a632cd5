import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { projectTrends, recentIssues } from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type OrgGrant, type ProjectGrant } from './harness.ts'

const HOUR_MS = 60 * MINUTE_MS

describe('cards of projects and the palette', () => {
  let harness: Harness
  let acme: OrgGrant
  let shop: ProjectGrant
  let api: ProjectGrant
  before(async () => {
    harness = await openHarness()
    acme = await harness.org('acme')
    shop = await harness.project(acme, 'shop')
    api = await harness.project(acme, 'api')
    const rival = await harness.project(await harness.org('rival'), 'secret')
    const [one = 0] = await harness.issues(shop.projectId, [
      { title: 'TypeError: 100% of x', short_number: 1, last_seen_ms: NOW_MS - MINUTE_MS },
      { title: 'RangeError: y', short_number: 2, last_seen_ms: NOW_MS - HOUR_MS },
    ])
    await harness.issues(api.projectId, [{ title: 'KeyError', short_number: 1, last_seen_ms: NOW_MS }])
    const [secret = 0] = await harness.issues(rival.projectId, [{ title: 'TypeError of theirs' }])
    await harness.events(shop.projectId, one, [
      { level: 'error', release: 'shop@2', timestampMs: NOW_MS - MINUTE_MS },
      { level: 'warning', release: 'shop@1', timestampMs: NOW_MS - MINUTE_MS },
      { level: 'fatal', release: 'shop@1', timestampMs: NOW_MS - 23 * HOUR_MS - 30 * MINUTE_MS },
      { level: 'error', release: '', timestampMs: NOW_MS - 25 * HOUR_MS },
    ])
    await harness.events(rival.projectId, secret, [{ release: 'theirs@9' }])
  })
  after(() => harness.close())

  it('counts errors and events of the last 24 hours, the last hour last', async () => {
    const trend = (await projectTrends(harness.deps, acme))(shop.projectId)
    assert.equal(trend.errors24h, 2)
    assert.deepEqual(trend.hours, [1, ...Array.from({ length: 22 }, () => 0), 2])
  })

  it('names the release that began last, not the one that sent last', async () => {
    const trend = (await projectTrends(harness.deps, acme))(shop.projectId)
    assert.deepEqual(trend.release, { name: 'shop@2', firstSeenMs: NOW_MS - MINUTE_MS })
  })

  it('knows nothing of a project without events, or of another organization', async () => {
    const trends = await projectTrends(harness.deps, acme)
    assert.deepEqual(trends(api.projectId).release, undefined)
    assert.equal(trends(api.projectId).errors24h, 0)
  })

  it('lists the issues that were seen last, across projects', async () => {
    const ids = (await recentIssues(harness.deps, acme, { limit: 2 })).map(({ shortId }) => shortId)
    assert.deepEqual(ids, ['API-1', 'SHOP-1'])
  })

  it('finds issues by short id and by a part of the title, which is no pattern', async () => {
    const found = async (text: string) =>
      (await recentIssues(harness.deps, acme, { text })).map(({ shortId }) => shortId)
    assert.deepEqual(await found('shop-2'), ['SHOP-2'])
    assert.deepEqual(await found('typeerror'), ['SHOP-1'])
    assert.deepEqual(await found('100%'), ['SHOP-1'])
    assert.deepEqual(await found('%y%'), [])
  })
})
