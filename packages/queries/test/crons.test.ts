/** Monitors of scheduled jobs as screens read them; with the records that the environment names. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Grant } from '@sonde/access'
import { cronEnvironmentNames, cronIncidents, cronMonitors, cronRuns, lastCronRuns } from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness } from './harness.ts'

describe('monitors of scheduled jobs', () => {
  let harness: Harness
  let grant: Grant<'alert:read', 'project'>
  let other: Grant<'alert:read', 'project'>
  let monitorId = 0
  const environments: number[] = []

  const monitor = async (projectId: number): Promise<number> => {
    const { id } = await harness.db
      .insertInto('cron_monitor')
      .values({
        project_id: projectId,
        slug: 'nightly',
        name: 'Nightly',
        config: '{}',
        actions: '[]',
        owner: '',
        is_enabled: 1,
        is_muted: 0,
        created_by: '',
        created_ms: 0,
        updated_ms: 0,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  const environment = async (name: string): Promise<number> => {
    const { id } = await harness.db
      .insertInto('cron_environment')
      .values({
        monitor_id: monitorId,
        environment: name,
        state: 'ok',
        since_ms: 0,
        next_ms: null,
        due_ms: null,
        checked_ms: null,
        failures: 0,
        successes: 0,
        failing_ms: null,
        incident_id: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  before(async () => {
    harness = await openHarness()
    const org = await harness.org('acme')
    const shop = await harness.project(org, 'shop')
    grant = shop as unknown as typeof grant
    other = (await harness.project(org, 'other')) as unknown as typeof grant
    monitorId = await monitor(shop.projectId)
    for (const name of ['production', 'staging']) environments.push(await environment(name))
    const run = (environmentId: number, minute: number, status: 'ok' | 'error') => ({
      environment_id: environmentId,
      check_in_id: '',
      status,
      started_ms: NOW_MS - minute * MINUTE_MS,
      ended_ms: null,
      duration_ms: null,
      timeout_ms: null,
      expected_ms: null,
      release: '',
      trace_id: '',
    })
    const [production = 0, staging = 0] = environments
    await harness.db
      .insertInto('cron_run')
      .values([
        // Two at the same moment: a page may end between them.
        ...[9, 8, 7, 7, 5].map((minute) => run(production, minute, minute === 5 ? 'error' : 'ok')),
        ...[6, 4].map((minute) => run(staging, minute, 'ok')),
      ])
      .execute()
    for (const [key, environmentName] of [
      [`cron:${monitorId}:1:1`, 'production'],
      [`cron:${monitorId}:2:1`, 'staging'],
      [`cron:${monitorId}0:2:1`, 'of another monitor'],
    ])
      await harness.db
        .insertInto('incident')
        .values({
          project_id: shop.projectId,
          rule_id: null as unknown as number,
          rule_name: 'Nightly',
          issue_id: null,
          dedup_key: key ?? '',
          cause: JSON.stringify({ environment: environmentName, reason: 'it failed' }),
          started_ms: NOW_MS,
          fired_ms: NOW_MS,
        })
        .execute()
  })
  after(() => harness.close())

  it('are found by id, in their own project alone', async () => {
    const [found] = await cronMonitors(harness.deps, grant, { id: monitorId })
    assert.deepEqual(
      found?.environments.map(({ id, name }) => [id, name]),
      [
        [environments[0], 'production'],
        [environments[1], 'staging'],
      ],
    )
    assert.deepEqual(await cronMonitors(harness.deps, other, { id: monitorId }), [])
    assert.deepEqual(await cronEnvironmentNames(harness.deps, grant), ['production', 'staging'])
    assert.deepEqual(await cronEnvironmentNames(harness.deps, other), [])
  })

  it('runs come by pages without a gap and without one twice, of some environments or all', async () => {
    const input = { monitorId, limit: 2 }
    const seen: number[] = []
    for (let page = await cronRuns(harness.deps, grant, input); page.length > 0;) {
      seen.push(...page.map(({ startedMs }) => (NOW_MS - startedMs) / MINUTE_MS))
      page = await cronRuns(harness.deps, grant, { ...input, before: page.at(-1) })
    }
    assert.deepEqual(seen, [4, 5, 6, 7, 7, 8, 9])
    const staging = await cronRuns(harness.deps, grant, { monitorId, limit: 9, environments: ['staging'] })
    assert.deepEqual(
      staging.map(({ environment: name }) => name),
      ['staging', 'staging'],
    )
  })

  it('the last runs of each environment are the newest, the oldest of them first', async () => {
    const last = await lastCronRuns(harness.deps, grant, { environmentIds: environments, limit: 3 })
    const minutes = environments.map((id) =>
      last.get(id)?.map(({ status, startedMs }) => `${status} ${(NOW_MS - startedMs) / MINUTE_MS}`),
    )
    assert.deepEqual(minutes, [
      ['ok 7', 'ok 7', 'error 5'],
      ['ok 6', 'ok 4'],
    ])
  })

  it('incidents are those of the monitor, of some environments or all', async () => {
    const of = async (input: { readonly environments?: readonly string[] }) =>
      (await cronIncidents(harness.deps, grant, { monitorId, ...input })).map((each) => each.environment)
    assert.deepEqual(await of({}), ['staging', 'production'])
    assert.deepEqual(await of({ environments: ['production'] }), ['production'])
    assert.deepEqual(await cronIncidents(harness.deps, other, { monitorId }), [])
  })
})
