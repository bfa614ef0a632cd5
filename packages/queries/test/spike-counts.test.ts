/** An event that stands for others that a spike left out is counted for all of them, wherever events are counted. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { crc32 } from 'node:zlib'
import {
  busyIssues,
  eventSeries,
  issueDetail,
  listIssues,
  metricValues,
  projectOverviews,
  projectTrends,
  releaseDifferences,
  transactionIssues,
} from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from './harness.ts'

const HOUR_MS = 60 * MINUTE_MS

describe('what a spike left out', () => {
  let harness: Harness
  let shop: ProjectGrant
  let ids: readonly number[]
  before(async () => {
    harness = await openHarness()
    shop = await harness.project(await harness.org('acme'), 'shop')
    ids = await harness.issues(shop.projectId, [
      { title: 'Flood', event_count: 101, last_seen_ms: NOW_MS },
      { title: 'Calm', event_count: 3, last_seen_ms: NOW_MS },
    ])
    const [flood = 0, calm = 0] = ids
    const at = { timestampMs: NOW_MS - HOUR_MS, receivedMs: NOW_MS - HOUR_MS, transaction: '/cart' }
    await harness.events(shop.projectId, flood, [
      {
        ...at,
        leftOut: 90,
        leftOutUsers: ['id:1', 'id:2', 'id:3'].map((user) => crc32(user)),
        userKey: 'id:1',
        release: '2.0',
        level: 'error',
      },
      {
        ...at,
        leftOut: 9,
        leftOutUsers: [crc32('id:3'), crc32('id:4')],
        userKey: '',
        release: '1.0',
        level: 'warning',
      },
    ])
    await harness.events(shop.projectId, calm, [{ ...at }, { ...at }, { ...at }])
  })
  after(() => harness.close())

  const window = { fromMs: NOW_MS - 3 * HOUR_MS, toMs: NOW_MS }

  it('is in charts, and in the numbers of projects', async () => {
    const series = await eventSeries(harness.deps, shop, { ...window, interval: '1h' })
    assert.equal(series.total, 91 + 10 + 3)
    const trend = (await projectTrends(harness.deps, shop))(shop.projectId)
    assert.equal(
      trend.hours.reduce((a, b) => a + b, 0),
      104,
    )
    assert.equal(trend.errors24h, 94, 'a warning is none')
    assert.equal((await projectOverviews(harness.deps, shop))(shop.projectId).events24h, 104)
  })

  it('is in the list of issues and its order', async () => {
    const { rows } = await listIssues(harness.deps, { grant: shop, sort: 'freq', statsPeriod: '24h' })
    assert.deepEqual(
      rows.map(({ id, bars }) => [id, bars.counts.reduce((a, b) => a + b, 0)]),
      [
        [ids[0], 101],
        [ids[1], 3],
      ],
    )
    const found = await listIssues(harness.deps, { grant: shop, query: 'transaction:/cart', sort: 'freq' })
    assert.deepEqual(
      found.rows.map(({ id }) => id),
      ids,
    )
  })

  it('is in numbers of users, each once, whoever is stored', async () => {
    const { rows } = await listIssues(harness.deps, { grant: shop, sort: 'freq', statsPeriod: '24h' })
    assert.equal(rows.find(({ id }) => id === ids[0])?.userCount, 4)
    const detail = await issueDetail(harness.deps, shop, ids[0] ?? 0)
    assert.deepEqual([detail?.userCount, detail?.keptCount], [4, 2])
    const input = { count: 'users', above: 3, search: '', ...window } as const
    const busy = await busyIssues(harness.deps, shop, input)
    assert.deepEqual(
      busy.map(({ issueId, count }) => [issueId, count]),
      [[ids[0], 4]],
    )
  })

  it('is in what alert rules count', async () => {
    const input = { count: 'events', above: 50, search: '', ...window } as const
    const busy = await busyIssues(harness.deps, shop, input)
    assert.deepEqual(
      busy.map(({ issueId, count }) => [issueId, count]),
      [[ids[0], 101]],
    )
    const metric = { source: 'errors', measure: 'count()', search: 'release:2.0' } as const
    const [value] = await metricValues(harness.deps, [{ grant: shop, metric, ...window }])
    assert.deepEqual(value, { value: 91, count: 91 })
  })

  it('is in what releases and transactions had', async () => {
    const [issue] = await transactionIssues(harness.deps, shop, { name: '/cart', ...window })
    assert.equal(issue?.events, 101)
    const differences = await releaseDifferences(harness.deps, shop, {
      release: '2.0',
      before: '1.0',
      ...window,
      limit: 5,
    })
    assert.ok(JSON.stringify(differences).includes('91'))
  })
})
