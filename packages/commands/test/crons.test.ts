/** What people do to monitors of scheduled jobs; with the records that the environment names. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer, type UserViewer } from '@sonde/access'
import { errorKind } from '@sonde/base'
import {
  createCron,
  type CronInput,
  deleteCron,
  ensureProject,
  InvalidInput,
  switchCron,
  updateCron,
} from '@sonde/commands'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const INPUT: CronInput = {
  name: 'Nightly',
  slug: 'nightly',
  config: { schedule: { type: 'crontab', value: '0 3 * * *' } },
}

describe('monitors of scheduled jobs', () => {
  let harness: Harness
  let member: UserViewer
  before(async () => {
    harness = await openHarness()
    for (const slug of ['shop', 'other'])
      await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug })
    member = await harness.viewer('acme', 'member')
  })
  after(() => harness.close())

  const grant = (project = 'shop', viewer = member) =>
    harness.access.openProject(viewer, 'acme', project, 'alert:write')
  const refusal = async (input: Partial<CronInput>): Promise<InvalidInput['fields']> => {
    const error = await createCron(harness.deps, await grant(), { ...INPUT, slug: 'bad', ...input }).catch(
      (thrown: unknown) => thrown,
    )
    assert.ok(error instanceof InvalidInput)
    return error.fields
  }
  /** An environment that fails, with its incident. */
  async function failing(monitorId: number): Promise<void> {
    const { projectId } = await grant()
    const { id } = await harness.db
      .insertInto('incident')
      .values({
        project_id: projectId,
        rule_id: null as unknown as number,
        rule_name: 'Nightly',
        issue_id: null,
        dedup_key: `cron:${monitorId}:1:1`,
        cause: '{}',
        started_ms: NOW_MS,
        fired_ms: NOW_MS,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await harness.db
      .insertInto('cron_environment')
      .values({
        monitor_id: monitorId,
        environment: 'production',
        state: 'error',
        since_ms: NOW_MS,
        next_ms: NOW_MS,
        due_ms: NOW_MS,
        checked_ms: NOW_MS,
        failures: 3,
        successes: 0,
        failing_ms: NOW_MS,
        incident_id: id,
      })
      .execute()
  }
  const environment = () =>
    harness.db.selectFrom('cron_environment').selectAll().orderBy('id').executeTakeFirst()
  const incident = () => harness.db.selectFrom('incident').selectAll().executeTakeFirstOrThrow()

  it('what is wrong is said of its field', async () => {
    const schedule = { type: 'crontab' as const, value: '61 * * * *' }
    const fields = async (config: Partial<CronInput['config']>) =>
      Object.keys(await refusal({ config: { ...INPUT.config, ...config } }))
    assert.deepEqual(await fields({ schedule }), ['config.schedule.value'])
    assert.deepEqual(await fields({ timezone: 'Mars/Base', maxRuntime: 0 }), ['config'])
    assert.deepEqual(await fields({ schedule: { type: 'interval', value: Number.NaN, unit: 'day' } }), [
      'config.schedule.value',
    ])
    assert.deepEqual(Object.keys(await refusal({ slug: 'Not a slug', name: '' })), ['name', 'slug'])
    assert.deepEqual(await refusal({ actions: [{ type: 'channel', channelId: 99 }] }), {
      actions: ['there is no channel 99'],
    })
  })

  it('is made, muted, disabled with the end of its incident, enabled, changed and deleted', async () => {
    const { id } = await createCron(harness.deps, await grant(), INPUT)
    assert.match((await refusal({ slug: 'nightly' })).slug?.[0] ?? '', /another monitor/)
    await failing(id)
    await switchCron(harness.deps, await grant(), id, 'mute')
    assert.equal((await incident()).resolved_ms, null)
    await switchCron(harness.deps, await grant(), id, 'disable')
    assert.deepEqual([(await environment())?.next_ms, (await environment())?.failing_ms], [null, null])
    assert.equal((await incident()).resolved_ms, NOW_MS)
    await switchCron(harness.deps, await grant(), id, 'enable')
    assert.equal((await environment())?.next_ms, Date.UTC(2026, 1, 1, 3))
    const config = { schedule: { type: 'interval' as const, value: 2, unit: 'hour' as const } }
    await updateCron(harness.deps, await grant(), id, { ...INPUT, config, isMuted: true })
    assert.equal((await environment())?.next_ms, NOW_MS + 2 * 3_600_000)
    await deleteCron(harness.deps, await grant(), id)
    assert.equal(await environment(), undefined)
    assert.deepEqual(
      (await harness.audit()).filter((line) => line.includes(' cron.')).map((line) => line.split(' ')[1]),
      ['cron.create', 'cron.mute', 'cron.disable', 'cron.enable', 'cron.update', 'cron.delete'],
    )
  })

  it('of another project is not there, and viewers change nothing', async () => {
    const { id } = await createCron(harness.deps, await grant('other'), INPUT)
    const own = await grant()
    for (const attempt of [
      () => switchCron(harness.deps, own, id, 'mute'),
      () => updateCron(harness.deps, own, id, INPUT),
      () => deleteCron(harness.deps, own, id),
    ])
      assert.equal(errorKind(await attempt().catch((error: unknown) => error)), 'not-found')
    const viewer = await harness.viewer('acme', 'viewer')
    await assert.rejects(grant('other', viewer))
  })
})
