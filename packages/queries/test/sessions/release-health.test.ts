import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { crashFree, releaseHealth, releasesHealth, sessionGroups } from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type OrgGrant } from '../harness.ts'
import { sessionRows } from './session-rows.ts'

const HOUR_MS = 60 * MINUTE_MS
const WINDOW = { fromMs: NOW_MS - HOUR_MS, toMs: NOW_MS }
const kinds = (all: number, others: object = {}) => ({
  all,
  healthy: 0,
  errored: 0,
  unhandled: 0,
  abnormal: 0,
  crashed: 0,
  ...others,
})

const ALL = ['all', 'healthy', 'errored', 'unhandled', 'abnormal', 'crashed'] as const

describe('release health', () => {
  let harness: Harness
  let org: OrgGrant
  let insert: ReturnType<typeof sessionRows>

  before(async () => {
    harness = await openHarness()
    org = await harness.org('acme')
    insert = sessionRows(harness)
  })
  after(() => harness.close())

  it('counts the last update of each session once, in whatever order they come', async () => {
    const shop = await harness.project(org, 'updates')
    const [one, two] = ['1'.repeat(32), '2'.repeat(32)]
    await insert(shop.projectId, [{ sessionId: one, version: 64, userHash: '' }])
    await insert(shop.projectId, [
      { sessionId: one, version: 2 ** 52 + 900, crashed: 1, userHash: 'ada' },
      { sessionId: two, version: 640, errored: 1, userHash: 'bob' },
    ])
    // Late, and again.
    await insert(shop.projectId, [{ sessionId: one, version: 128 }])
    await insert(shop.projectId, [{ sessionId: one, version: 2 ** 52 + 900, crashed: 1, userHash: 'ada' }])
    await insert(shop.projectId, [{ sessionId: two, version: 64, userHash: 'bob' }])
    const [row] = await sessionGroups(harness.deps, shop, { ...WINDOW, by: [], users: ALL, limit: 10 })
    assert.deepEqual(row?.sessions, kinds(2, { errored: 1, crashed: 1 }))
    assert.deepEqual(row.users, kinds(2, { errored: 1, crashed: 1 }))
  })

  it('counts a session of Sunday night once, though it ended on Monday', async () => {
    const shop = await harness.project(org, 'weeks')
    const sunday = Date.UTC(2026, 0, 25, 23, 59, 0)
    const session = { sessionId: '5'.repeat(32), startedMs: sunday }
    await insert(shop.projectId, [{ ...session, version: 1, receivedMs: sunday + 1_000 }])
    await insert(shop.projectId, [{ ...session, version: 2, errored: 1, receivedMs: sunday + 2 * HOUR_MS }])
    const [row] = await sessionGroups(harness.deps, shop, {
      fromMs: sunday - HOUR_MS,
      toMs: sunday + HOUR_MS,
      by: [],
      users: ALL,
      limit: 1,
    })
    assert.deepEqual(row?.sessions, kinds(1, { errored: 1 }))
  })

  it('adds what SDKs counted to single sessions, by release, environment and project', async () => {
    const shop = await harness.project(org, 'shop')
    const api = await harness.project(org, 'api')
    await insert(shop.projectId, [
      { healthy: 1_000_000, errored: 5, crashed: 10, status: 'counted' },
      { healthy: 1_000_000, status: 'counted', environment: 'staging' },
      { userHash: 'ada' },
      { release: 'shop@2', userHash: 'ada', abnormal: 1 },
      { release: 'shop@2', startedMs: NOW_MS - 2 * HOUR_MS },
    ])
    await insert(api.projectId, [{ unhandled: 1 }])
    const rows = await sessionGroups(harness.deps, org, {
      ...WINDOW,
      projectIds: [shop.projectId, api.projectId],
      by: ['release', 'environment', 'project'],
      users: [],
      limit: 10,
    })
    assert.deepEqual(
      rows.map(({ release, environment, projectId, sessions }) => [
        release,
        environment,
        projectId === shop.projectId ? 'shop' : 'api',
        sessions.all,
      ]),
      [
        ['shop@1', 'production', 'shop', 1_000_016],
        ['shop@1', 'staging', 'shop', 1_000_000],
        ['shop@1', 'production', 'api', 1],
        ['shop@2', 'production', 'shop', 1],
      ],
    )
    const health = await releasesHealth(harness.deps, shop, {
      ...WINDOW,
      environment: ['production'],
      releases: ['shop@1', 'shop@2', 'shop@3'],
    })
    assert.equal(health.total?.sessions.all, 1_000_017)
    assert.equal(health.total.users.all, 1, 'who used both is one')
    assert.deepEqual(
      health.releases.map(({ release, sessions, crashFreeSessions, crashFreeUsers }) => [
        release,
        sessions.crashed,
        crashFreeSessions === 'few' ? 'few' : crashFreeSessions.value.toFixed(6),
        crashFreeUsers,
      ]),
      [
        ['shop@1', 10, '0.999990', 'few'],
        ['shop@2', 0, 'few', 'few'],
      ],
    )
  })

  it('tells of one release how it went on, beside the one before', async () => {
    const shop = await harness.project(org, 'series')
    const at = (minutes: number) => ({ startedMs: NOW_MS - minutes * MINUTE_MS })
    await insert(shop.projectId, [
      { ...at(50), healthy: 9, crashed: 1 },
      { ...at(10), healthy: 7 },
      { ...at(10), healthy: 3, release: 'shop@0', crashed: 3 },
      { ...at(10), healthy: 40, environment: 'staging' },
    ])
    const found = await releaseHealth(harness.deps, shop, { ...WINDOW, release: 'shop@1', before: 'shop@0' })
    const { series, before: earlier } = found
    assert.equal(series.stepMs, MINUTE_MS)
    const index = (minutes: number) => series.startsMs.indexOf(NOW_MS - minutes * MINUTE_MS)
    assert.deepEqual([series.sessions[index(50)], series.crashed[index(50)]], [10, 1])
    assert.deepEqual([series.sessions[index(10)], earlier?.crashed[index(10)]], [47, 3])
    assert.deepEqual(
      found.environments.map(({ environment, sessions }) => [environment, sessions.all]),
      [
        ['staging', 40],
        ['production', 17],
      ],
    )
    assert.equal(found.total?.sessions.all, 63)
    assert.equal(found.release?.crashFreeUsers, undefined)
  })

  it('without sessions says so', async () => {
    const quiet = await harness.project(org, 'quiet')
    assert.deepEqual(await releasesHealth(harness.deps, quiet, { ...WINDOW, releases: ['shop@1'] }), {
      total: undefined,
      releases: [],
    })
  })

  it('gives a rate an interval, and none to what is too little', () => {
    assert.equal(crashFree({ all: 29, crashed: 0 }), 'few')
    const estimate = crashFree({ all: 1000, crashed: 10 })
    assert.ok(estimate !== 'few')
    assert.deepEqual(
      [estimate.value, estimate.low, estimate.high].map((share) => share.toFixed(3)),
      ['0.990', '0.982', '0.995'],
    )
  })
})
