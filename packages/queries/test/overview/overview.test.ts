import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Grant } from '@sonde/access'
import {
  freshIssuesOf,
  freshIssuesSince,
  movedVitals,
  navigationHealth,
  newestRelease,
  toldSince,
} from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from '../harness.ts'
import { performanceRows } from '../performance/rows.ts'
import { releaseFixture } from '../releases/release-fixture.ts'

const WINDOW = { fromMs: NOW_MS - 60 * MINUTE_MS, toMs: NOW_MS }
const PAIR = { ...WINDOW, release: 'shop@2.0.0', before: 'shop@1.0.0' }
const many = <Row>(count: number, row: (index: number) => Row): Row[] =>
  Array.from({ length: count }, (_, index) => row(index))

describe('the questions of an overview', () => {
  let harness: Harness
  let shop: ProjectGrant
  let empty: ProjectGrant
  let rows: ReturnType<typeof performanceRows>
  before(async () => {
    harness = await openHarness()
    const org = await harness.org('acme')
    shop = await harness.project(org, 'shop')
    empty = await harness.project(org, 'empty')
    rows = performanceRows(harness)
    const add = releaseFixture(harness, org.orgId)
    await add({ version: 'shop@1.0.0', projects: [shop], firstEventMs: NOW_MS - 90 * MINUTE_MS })
    await add({
      version: 'shop@2.0.0',
      projects: [shop],
      firstEventMs: NOW_MS - 50 * MINUTE_MS,
      commits: [
        {
          sha: 'c3'.repeat(20),
          author: 'Grace',
          message: 'Totals\n\nAre sums.',
          files: ['src/cart/total.ts'],
        },
      ],
    })
    await add({ version: 'shop@3.0.0', projects: [shop] })
    await add({
      version: 'shop@4.0.0',
      projects: [shop],
      status: 'archived',
      firstEventMs: NOW_MS - 5 * MINUTE_MS,
    })
    const visits = (release: string, route: string, value: number, count = 400) =>
      many(count, (index) => ({ release, route, value: value + index, userKey: `id:${release}${index}` }))
    await rows.vitals(shop.projectId, [
      ...visits('shop@1.0.0', '/cart', 1_000),
      ...visits('shop@2.0.0', '/cart', 2_000),
      ...visits('shop@1.0.0', '/search', 3_000),
      ...visits('shop@2.0.0', '/search', 1_000),
      ...visits('shop@1.0.0', '/calm', 1_000),
      ...visits('shop@2.0.0', '/calm', 1_000),
      ...visits('shop@1.0.0', '/rare', 1_000, 5),
      ...visits('shop@2.0.0', '/rare', 9_000, 5),
    ])
    const moves = (release: string, failing: number, hanging: number) =>
      many(400, (index) => ({
        release,
        userKey: `id:${release}${index}`,
        fromRoute: '/cart',
        toRoute: '/checkout',
        waitingFor: '/api/cart',
        outcome:
          index < hanging
            ? ('timed_out' as const)
            : index < failing
              ? ('full_load' as const)
              : ('committed' as const),
      }))
    await rows.navigations(shop.projectId, [...moves('shop@1.0.0', 4, 0), ...moves('shop@2.0.0', 40, 12)])
  })
  after(() => harness.close())

  it('are about the release whose data began last, not about one that was only made or is archived', async () => {
    const release = await newestRelease(harness.deps, shop)
    assert.deepEqual([release?.version, release?.previous], ['shop@2.0.0', 'shop@1.0.0'])
    assert.equal(await newestRelease(harness.deps, empty), undefined)
    assert.equal(release?.beganMs, NOW_MS - 50 * MINUTE_MS)
  })

  it('are about the last deployment, also when it went back, by environment where one is asked for', async () => {
    const org = await harness.org('deploys')
    const web = await harness.project(org, 'web')
    const add = releaseFixture(harness, org.orgId)
    const at = (minutes: number) => NOW_MS - minutes * MINUTE_MS
    await add({
      version: 'web@1.0.0',
      projects: [web],
      firstEventMs: at(90),
      deploys: [
        { to: 'production', atMs: at(91) },
        { to: 'production', atMs: at(10) },
      ],
    })
    await add({
      version: 'web@2.0.0',
      projects: [web],
      firstEventMs: at(50),
      deploys: [{ to: 'production', atMs: at(51) }],
    })
    await add({
      version: 'web@3.0.0',
      projects: [web],
      firstEventMs: at(3),
      deploys: [{ to: 'staging', atMs: at(5) }],
    })
    const newest = async (environment: readonly string[]) => {
      const release = await newestRelease(harness.deps, web, { environment })
      return [release?.version, release?.beganMs]
    }
    assert.deepEqual(await newest([]), ['web@3.0.0', at(5)])
    assert.deepEqual(await newest(['production']), ['web@1.0.0', at(10)])
    assert.deepEqual(await newest(['elsewhere']), ['web@3.0.0', at(3)])
  })

  it('tell which routes got slower or faster, each by itself, and of how many it cannot be told', async () => {
    const { worse, better, compared, tooFew, samples } = await movedVitals(harness.deps, shop, PAIR)
    assert.deepEqual(
      [worse, better].map((list) => list.map(({ route, name }) => `${name} ${route}`)),
      [['lcp /cart'], ['lcp /search']],
    )
    const [slower] = worse
    assert.ok(slower && Math.abs(slower.by - 1_000 / 1_300) < 0.02, JSON.stringify(slower))
    assert.ok(slower.low > 0.5 && slower.high < 1.2, JSON.stringify(slower))
    assert.deepEqual(slower.samples, [400, 400])
    assert.deepEqual([compared, tooFew, samples], [3, 1, 2_410])
    const none = await movedVitals(harness.deps, empty, PAIR)
    assert.deepEqual([none.worse.length, none.compared, none.samples], [0, 0, 0])
  })

  it('tell how many navigations go wrong with an interval, for whom, and where most', async () => {
    const health = await navigationHealth(harness.deps, shop, { ...WINDOW, release: ['shop@2.0.0'] })
    assert.deepEqual(
      [health.count, health.samples, health.troubled.count, health.hung.count, health.troubledUsers],
      [400, 400, 40, 12, 40],
    )
    const { estimate } = health.troubled
    assert.ok(estimate && estimate.low > 0.07 && estimate.high < 0.14, JSON.stringify(estimate))
    assert.deepEqual(
      [health.worst?.from, health.worst?.to, health.worst?.waitingFor, health.worst?.count],
      ['/cart', '/checkout', '/api/cart', 12],
    )
    const none = await navigationHealth(harness.deps, empty, WINDOW)
    assert.deepEqual([none.count, none.troubled.estimate, none.worst], [0, undefined, undefined])
  })

  it('tell what a release brought, the most users first and resolved ones last, with the commit behind it', async () => {
    const FRESH = {
      first_release: 'shop@2.0.0',
      regressed_release: '',
      status: 'unresolved' as const,
      metadata: '{}',
      first_seen_ms: NOW_MS - 40 * MINUTE_MS,
    }
    const metadata = JSON.stringify({ filename: 'src/cart/total.ts', function: 'total' })
    const [few = 0, lots = 0, done = 0, back = 0, injected = 0] = await harness.issues(shop.projectId, [
      { ...FRESH, title: 'Error: few', event_count: 90 },
      { ...FRESH, title: 'TypeError: lots', event_count: 12, metadata },
      { ...FRESH, title: 'Error: done', event_count: 500, status: 'resolved' },
      {
        ...FRESH,
        title: 'Error: back',
        first_release: 'shop@1.0.0',
        regressed_release: 'shop@2.0.0',
        first_seen_ms: NOW_MS - 90 * MINUTE_MS,
        event_count: 3,
      },
      { ...FRESH, title: 'Error: injected', event_count: 300 },
    ])
    const payload = JSON.stringify({
      timestamp: NOW_MS / 1000,
      exception: [
        { type: 'Error', stacktrace: { frames: [{ filename: 'src/cart/total.ts', in_app: true }] } },
      ],
      derived: { title: '', culprit: '', metadata: {} },
    })
    const events = (issue: number, count: number, users: number) =>
      harness.events(
        shop.projectId,
        issue,
        many(count, (index) => ({ release: 'shop@2.0.0', userKey: `id:${index % users}`, payload })),
      )
    await events(few, 90, 2)
    await events(lots, 12, 9)
    await events(done, 20, 20)
    await events(back, 3, 3)
    // The most frequent, and of no use to anybody.
    const tags = { 'noise.class': 'extension' }
    await harness.events(
      shop.projectId,
      injected,
      many(300, (index) => ({ release: 'shop@2.0.0', userKey: `id:${index}`, payload, tags })),
    )
    const found = await freshIssuesOf(harness.deps, shop, {
      version: 'shop@2.0.0',
      previous: 'shop@1.0.0',
      issues: { new: 4, regressed: 1 },
    })
    assert.deepEqual(
      found.top.map(({ title, kind, events: count, users }) => [title, kind, count, users]),
      [
        ['TypeError: lots', 'new', 12, 9],
        ['Error: back', 'regressed', 3, 3],
        ['Error: few', 'new', 90, 2],
      ],
    )
    assert.equal(found.noise, 1)
    assert.deepEqual(found.suspect, { sha: 'c3'.repeat(20), subject: 'Totals', author: 'Grace' })
    assert.deepEqual(found.top[0]?.metadata, { filename: 'src/cart/total.ts', function: 'total' })
    const recent = await freshIssuesSince(harness.deps, shop, WINDOW.fromMs)
    assert.deepEqual(
      [recent.new, recent.noise, recent.top.map(({ title }) => title)],
      [4, 1, ['Error: few', 'TypeError: lots']],
    )
    const none = await freshIssuesOf(harness.deps, shop, {
      version: 'shop@2.0.0',
      previous: 'shop@1.0.0',
      issues: { new: 0, regressed: 0 },
    })
    assert.deepEqual(none, { new: 0, regressed: 0, noise: 0, top: [], suspect: undefined })
    const since = await freshIssuesSince(harness.deps, empty, WINDOW.fromMs)
    assert.deepEqual(since, { new: 0, regressed: 0, noise: 0, top: [], suspect: undefined })
  })

  it('tell who was told, and whether a rule is on', async () => {
    const grant = shop as ProjectGrant & Grant<'alert:read', 'project'>
    const nobody = await toldSince(harness.deps, grant, WINDOW.fromMs)
    assert.deepEqual(nobody, { open: [], openCount: 0, channels: 0, people: 0, sent: 0, failed: 0, rules: 0 })
    const { db } = harness
    const { id: ruleId } = await db
      .insertInto('alert_rule')
      .values({
        project_id: shop.projectId,
        kind: 'issue',
        name: 'Rule',
        value: '{}',
        origin: '',
        created_by: '',
        created_ms: 0,
        updated_ms: 0,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: incidentId } = await db
      .insertInto('incident')
      .values({
        project_id: shop.projectId,
        rule_id: ruleId,
        rule_name: 'Rule',
        issue_id: null,
        dedup_key: 'one',
        cause: '{}',
        started_ms: NOW_MS,
        fired_ms: NOW_MS,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: channelId } = await db
      .insertInto('notification_channel')
      .values({
        org_id: shop.orgId,
        kind: 'webhook',
        name: 'Gate',
        settings: '{}',
        secret: '',
        created_by: '',
        created_ms: 0,
        updated_ms: 0,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const message = (dedupKey: string, state: 'sent' | 'failed', createdMs: number) => ({
      dedup_key: dedupKey,
      org_id: shop.orgId,
      project_id: shop.projectId,
      incident_id: incidentId,
      medium: 'channel' as const,
      channel_id: channelId,
      user_id: null,
      message: '{}',
      state,
      next_attempt_ms: 0,
      created_ms: createdMs,
    })
    await db
      .insertInto('notification')
      .values([
        message('a', 'sent', NOW_MS),
        message('b', 'sent', NOW_MS),
        message('c', 'failed', NOW_MS),
        message('old', 'sent', WINDOW.fromMs - 1),
      ])
      .execute()
    const told = await toldSince(harness.deps, grant, WINDOW.fromMs)
    assert.deepEqual(
      [
        told.openCount,
        told.open[0]?.ruleName,
        told.channels,
        told.people,
        told.sent,
        told.failed,
        told.rules,
      ],
      [1, 'Rule', 1, 0, 2, 1, 1],
    )
  })
})
