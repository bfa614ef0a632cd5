/** What a status page shows to everybody, and what it keeps; with the records that the environment names. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Grant } from '@sonde/access'
import {
  draftStatusPage,
  publicStatusHistory,
  publicStatusPage,
  statusChoices,
  statusPageSettings,
} from '@sonde/queries'
import { indicatorOf, stateOf } from '../src/status/component-state.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

describe('a status page', () => {
  let harness: Harness
  let grant: Grant<'org:write', 'org'>
  let other: Grant<'org:write', 'org'>
  let pageId = 0
  let projectId = 0
  let uptimeId = 0
  let cronId = 0
  const components: number[] = []

  const component = async (
    position: number,
    name: string,
    more: {
      readonly uptime?: number
      readonly cron?: number
      readonly environment?: string
      readonly group?: string
    },
  ): Promise<void> => {
    const { id } = await harness.db
      .insertInto('status_component')
      .values({
        page_id: pageId,
        uptime_monitor_id: more.uptime ?? null,
        cron_monitor_id: more.cron ?? null,
        environment: more.environment ?? '',
        name,
        group_name: more.group ?? '',
        position,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    components.push(id)
  }
  const incident = async (more: {
    readonly kind?: 'incident' | 'maintenance'
    readonly isHidden?: boolean
    readonly endedMs?: number
  }): Promise<number> => {
    const { id } = await harness.db
      .insertInto('status_incident')
      .values({
        page_id: pageId,
        kind: more.kind ?? 'incident',
        title: 'Slow answers',
        impact: 'minor',
        state:
          more.endedMs === undefined
            ? more.kind === 'maintenance'
              ? 'scheduled'
              : 'identified'
            : 'resolved',
        started_ms: NOW_MS - HOUR_MS,
        planned_end_ms: more.kind === 'maintenance' ? NOW_MS + HOUR_MS : null,
        ended_ms: more.endedMs ?? null,
        source_incident_id: null,
        is_hidden: more.isHidden ? 1 : 0,
        created_ms: NOW_MS,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const body of ['We look at it.', 'Found it.'])
      await harness.db
        .insertInto('status_update')
        .values({
          incident_id: id,
          state: 'identified',
          body,
          created_by: 'user:secret-author',
          at_ms: NOW_MS,
          queued_to: null,
        })
        .execute()
    return id
  }
  const run = (environmentId: number, atMs: number, status: 'ok' | 'missed' | 'unknown' | 'in_progress') =>
    harness.db
      .insertInto('cron_run')
      .values({
        environment_id: environmentId,
        check_in_id: '',
        status,
        started_ms: atMs,
        ended_ms: null,
        duration_ms: null,
        timeout_ms: null,
        expected_ms: null,
        release: '',
        trace_id: '',
      })
      .execute()

  before(async () => {
    harness = await openHarness()
    const org = await harness.org('acme')
    grant = org as unknown as typeof grant
    other = (await harness.org('other')) as unknown as typeof grant
    projectId = (await harness.project(org, 'secret-project')).projectId
    const fixed = { created_by: 'user:secret-author', created_ms: 0, updated_ms: 0 }
    const inserted = await harness.db
      .insertInto('uptime_monitor')
      .values({
        project_id: projectId,
        name: 'secret-monitor',
        environment: 'production',
        interval_sec: 60,
        value: '{"url":"http://10.1.2.3/"}',
        secret: '',
        ...fixed,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    uptimeId = inserted.id
    await harness.db
      .insertInto('uptime_state')
      .values({
        monitor_id: uptimeId,
        due_ms: NOW_MS,
        state: 'up',
        since_ms: 0,
        recent: '1',
        checked_ms: NOW_MS,
        outcome: 'up',
        reason: 'secret-reason',
        status: 200,
        total_ms: 1,
        certificate_ms: null,
        incident_id: null,
      })
      .execute()
    const hour = (daysAgo: number, failed: number) => ({
      monitor_id: uptimeId,
      hour_ms: NOW_MS - daysAgo * DAY_MS,
      checks: 60,
      failed,
      up_ms: 1,
    })
    await harness.db
      .insertInto('uptime_hour')
      .values([hour(0, 0), { ...hour(0, 30), hour_ms: NOW_MS - HOUR_MS }, hour(89, 60), hour(90, 60)])
      .execute()
    const made = await harness.db
      .insertInto('cron_monitor')
      .values({
        project_id: projectId,
        slug: 'secret-job',
        name: 'secret-job',
        config: '{}',
        actions: '[]',
        owner: '',
        is_enabled: 1,
        is_muted: 0,
        ...fixed,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    cronId = made.id
    await harness.db
      .insertInto('cron_hour')
      .values({ monitor_id: cronId, hour_ms: NOW_MS, runs: 4, failed: 1 })
      .execute()
    for (const environment of ['production', 'staging']) {
      const { id } = await harness.db
        .insertInto('cron_environment')
        .values({
          monitor_id: cronId,
          environment,
          state: environment === 'staging' ? 'missed' : 'ok',
          since_ms: 0,
          next_ms: null,
          due_ms: null,
          checked_ms: 1,
          failures: 0,
          successes: 0,
          failing_ms: environment === 'staging' ? 1 : null,
          incident_id: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await run(id, NOW_MS, 'ok')
      await run(id, NOW_MS, environment === 'staging' ? 'missed' : 'unknown')
      await run(id, NOW_MS, 'in_progress')
    }
    const page = await harness.db
      .insertInto('status_page')
      .values({
        org_id: grant.orgId,
        slug: 'acme',
        title: 'Acme',
        description: '',
        is_published: 0,
        ...fixed,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    pageId = page.id
    await component(0, 'Website', { uptime: uptimeId })
    await component(1, 'Payouts', { cron: cronId, environment: 'production', group: 'Money' })
    await component(2, 'API', { uptime: uptimeId })
    await component(3, 'Jobs', { cron: cronId, group: 'Money' })
  })
  after(() => harness.close())

  const publish = (is_published: 0 | 1) =>
    harness.db.updateTable('status_page').set({ is_published }).where('id', '=', pageId).execute()
  const shown = async () => {
    // What was read before is kept for two seconds.
    harness.clock.advance(2_000)
    return (await publicStatusPage(harness.deps, 'acme')) ?? assert.fail('not published')
  }

  it('is there for everybody once it is published, and before it for its owners alone', async () => {
    assert.equal(await publicStatusPage(harness.deps, 'acme'), undefined)
    assert.equal(await publicStatusHistory(harness.deps, 'acme'), undefined)
    assert.equal((await draftStatusPage(harness.deps, grant))?.title, 'Acme')
    assert.equal(await draftStatusPage(harness.deps, other), undefined)
    assert.equal(await statusPageSettings(harness.deps, other), undefined)
    await publish(1)
    assert.equal((await publicStatusPage(harness.deps, 'acme'))?.title, 'Acme')
    await publish(0)
    // At once, whatever is kept.
    assert.equal(await publicStatusPage(harness.deps, 'acme'), undefined)
    await publish(1)
  })

  it('shows components in their order and groups, with 90 days that say where nothing is known', async () => {
    const page = await shown()
    assert.deepEqual(
      page.components.map(({ name, group, state }) => [name, group, state]),
      [
        ['Website', '', 'operational'],
        ['Payouts', 'Money', 'operational'],
        ['Jobs', 'Money', 'partial_outage'],
        ['API', '', 'operational'],
      ],
    )
    const [website, payouts, jobs] = page.components
    assert.deepEqual(
      [website?.days.length, website?.days[0], website?.days.at(-1)],
      [90, { day: '2025-11-03', checks: 60, failed: 60 }, { day: '2026-01-31', checks: 120, failed: 30 }],
    )
    assert.deepEqual(website?.days[1], { day: '2025-11-04', checks: 0, failed: 0 })
    // Of its environment alone; what goes on, and what nobody watched, is no failure.
    assert.deepEqual(payouts?.days.at(-1), { day: '2026-01-31', checks: 1, failed: 0 })
    assert.deepEqual(jobs?.days.at(-1), { day: '2026-01-31', checks: 4, failed: 1 })
  })

  it('tells what was posted, the newest first, without who did and without what was taken off', async () => {
    const id = await incident({})
    await incident({ isHidden: true })
    const planId = await incident({ kind: 'maintenance' })
    const overId = await incident({ endedMs: NOW_MS })
    await harness.db
      .insertInto('status_affected')
      .values({ incident_id: id, component_id: components[0] ?? 0 })
      .execute()
    const page = await shown()
    assert.deepEqual(
      [page.incidents.map((each) => each.id), page.maintenance.map((each) => each.id)],
      [[id], [planId]],
    )
    assert.deepEqual(
      page.incidents[0]?.updates.map(({ body }) => body),
      ['Found it.', 'We look at it.'],
    )
    assert.equal(page.components[0]?.state, 'degraded_performance')
    assert.equal(page.indicator, 'major')
    const history = await publicStatusHistory(harness.deps, 'acme')
    assert.deepEqual(
      history?.incidents.map((each) => each.id),
      [overId, planId, id],
    )
    const older = await publicStatusHistory(harness.deps, 'acme', { before: planId })
    assert.deepEqual(
      older?.incidents.map((each) => each.id),
      [id],
    )
  })

  it('reads today each time, and days that are over again after ten minutes', async () => {
    const counts = async () => (await shown()).components[0]?.days.slice(-2).map(({ checks }) => checks)
    assert.deepEqual(await counts(), [0, 120])
    const hour = { monitor_id: uptimeId, checks: 1, failed: 0, up_ms: 1 }
    await harness.db
      .insertInto('uptime_hour')
      .values([
        { ...hour, hour_ms: NOW_MS - 2 * HOUR_MS },
        { ...hour, hour_ms: NOW_MS - DAY_MS },
      ])
      .execute()
    assert.deepEqual(await counts(), [0, 121])
    harness.clock.advance(600_000)
    assert.deepEqual(await counts(), [1, 121])
  })

  it('has nothing private in it', async () => {
    const all = JSON.stringify([await shown(), await publicStatusHistory(harness.deps, 'acme')])
    for (const secret of ['secret', '10.1.2.3', 'production', 'user:'])
      assert.ok(!all.includes(secret), secret)
  })

  it('offers monitors of its own organization, of several environments each and all', async () => {
    assert.deepEqual(
      (await statusChoices(harness.deps, grant)).map(({ ref }) => ref),
      [`uptime:${uptimeId}`, `cron:${cronId}:`, `cron:${cronId}:production`, `cron:${cronId}:staging`],
    )
    assert.deepEqual(await statusChoices(harness.deps, other), [])
    const settings = await statusPageSettings(harness.deps, grant)
    assert.deepEqual(
      settings?.components.map(({ ref }) => ref),
      [`uptime:${uptimeId}`, `cron:${cronId}:production`, `uptime:${uptimeId}`, `cron:${cronId}:`],
    )
    assert.equal(settings?.subscribers, 0)
  })

  it('a monitor that is paused, disabled or new has no data, and says so', async () => {
    await harness.db.updateTable('uptime_state').set({ due_ms: null }).execute()
    await harness.db.updateTable('cron_monitor').set({ is_enabled: 0 }).execute()
    const page = await shown()
    assert.deepEqual(
      page.components.map(({ name, state }) => [name, state]),
      [
        ['Website', 'degraded_performance'],
        ['Payouts', 'unknown'],
        ['Jobs', 'unknown'],
        ['API', 'unknown'],
      ],
    )
  })
})

it('a component is in the worse of what is measured and what was posted, and under maintenance in that', () => {
  const posted = (
    impact: 'minor' | 'critical',
    kind: 'incident' | 'maintenance' = 'incident',
    state = 'identified',
  ) => ({ impact, kind, state }) as const
  assert.equal(stateOf('operational', [posted('minor')]), 'degraded_performance')
  assert.equal(stateOf('partial_outage', [posted('minor')]), 'partial_outage')
  assert.equal(stateOf('unknown', [posted('critical')]), 'major_outage')
  assert.equal(stateOf('major_outage', [posted('minor', 'maintenance', 'in_progress')]), 'under_maintenance')
  assert.equal(stateOf('major_outage', [posted('minor', 'maintenance', 'scheduled')]), 'major_outage')
})

it('a page says the worst of its components and of what was posted, and that it knows nothing', () => {
  assert.equal(indicatorOf(['operational', 'unknown'], []), 'none')
  assert.equal(indicatorOf(['unknown'], []), 'unknown')
  assert.equal(indicatorOf([], [{ kind: 'incident', impact: 'critical', state: 'identified' }]), 'critical')
  assert.equal(indicatorOf(['under_maintenance', 'operational'], []), 'maintenance')
  assert.equal(indicatorOf(['under_maintenance', 'degraded_performance'], []), 'minor')
})
