/** Monitors of scheduled jobs: check-ins, missed runs, timeouts, incidents; with the engines that the environment names. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { CronArrival } from '@sonde/stores'
import { nextCronWorkMs, judgeMonitors } from '../src/crons/judge-monitors.ts'
import { readSentConfig } from '../src/crons/monitor.ts'
import { isCrontab, nextRunAt } from '../src/crons/schedule.ts'
import { type Message, scheduleWords, upcomingRuns } from '../src/index.ts'
import { deliverDue } from '../src/outbox/deliver.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const MINUTE_MS = 60_000
const NEWEST = '0'.repeat(32)
const HOURLY = { schedule: { type: 'crontab', value: '0 * * * *' }, checkin_margin: 5, max_runtime: 10 }

describe('monitors of scheduled jobs', () => {
  let harness: Harness
  let project: { readonly id: number; readonly orgId: number }
  let startMs = NOW_MS
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())
  beforeEach(async () => {
    harness.receiver.received.length = 0
    await harness.records.deleteFrom('cron_monitor').execute()
    await harness.records.deleteFrom('cron_clock').execute()
    startMs += 7 * 24 * 60 * MINUTE_MS
    harness.at(startMs)
    project = await harness.project('shop')
  })

  let lag = 0
  const run = () => judgeMonitors({ ...harness.deps, lagMs: async () => lag }, new AbortController().signal)
  /** Looks every minute, as the job does at least. */
  async function until(minute: number): Promise<void> {
    for (let now = harness.clock.nowMs(); now <= startMs + minute * MINUTE_MS; now += MINUTE_MS) {
      harness.at(now)
      await run()
    }
  }
  async function send(minute: number, checkIn: Partial<CronArrival>): Promise<void> {
    await harness.records
      .insertInto('cron_arrival')
      .values({
        project_id: project.id,
        received_ms: startMs + minute * MINUTE_MS,
        value: JSON.stringify({
          slug: 'nightly',
          environment: 'production',
          checkInId: NEWEST,
          status: 'ok',
          release: '',
          traceId: '',
          config: '',
          ...checkIn,
        } satisfies CronArrival),
      })
      .execute()
  }
  const monitors = () =>
    harness.records.selectFrom('cron_monitor').selectAll().where('project_id', '=', project.id).execute()
  const environments = () =>
    harness.records
      .selectFrom('cron_environment')
      .innerJoin('cron_monitor', 'cron_monitor.id', 'cron_environment.monitor_id')
      .selectAll('cron_environment')
      .where('cron_monitor.project_id', '=', project.id)
      .orderBy('cron_environment.id')
      .execute()
  const runs = async () =>
    (await harness.records.selectFrom('cron_run').selectAll().orderBy('id').execute()).map(
      ({ status, started_ms: at, duration_ms: ms }) => [status, (at - startMs) / MINUTE_MS, ms],
    )
  const incidents = () =>
    harness.records
      .selectFrom('incident')
      .select(['started_ms', 'resolved_ms', 'cause'])
      .where('project_id', '=', project.id)
      .orderBy('id')
      .execute()
  async function toldBy(minute: number): Promise<readonly string[]> {
    await until(minute)
    while ((await deliverDue(harness.deps, new AbortController().signal)) > 0);
    return harness.receiver.received
      .map(({ body }) => (JSON.parse(body) as { data: Message }).data)
      .map(({ kind, title }) => `${kind}: ${title}`)
  }
  async function toChannel(): Promise<void> {
    const { id: channelId } = await harness.webhook(project.orgId)
    await harness.records
      .updateTable('cron_monitor')
      .set({ actions: JSON.stringify([{ type: 'channel', channelId }]) })
      .execute()
  }
  const withConfig = (more: object = {}) => ({ config: JSON.stringify({ ...HOURLY, ...more }) })

  it('is made by a check-in with a config, and only then', async () => {
    await send(0, {})
    await until(0)
    assert.deepEqual(await monitors(), [])
    await send(1, withConfig({ timezone: 'Europe/Berlin' }))
    await until(1)
    const [monitor] = await monitors()
    assert.deepEqual(
      [monitor?.slug, monitor?.created_by, JSON.parse(monitor?.config ?? '').timezone],
      ['nightly', '', 'Europe/Berlin'],
    )
    const [environment] = await environments()
    assert.deepEqual(
      [environment?.state, environment?.next_ms, environment?.due_ms],
      ['ok', startMs + 60 * MINUTE_MS, startMs + 65 * MINUTE_MS],
    )
    await send(2, withConfig({ schedule: { type: 'interval', value: 2, unit: 'hour' } }))
    await until(2)
    assert.equal((await environments())[0]?.next_ms, startMs + 122 * MINUTE_MS)
  })

  it('is missed once after its margin, told once, and recovers', async () => {
    await send(0, withConfig())
    await until(0)
    await toChannel()
    assert.deepEqual(await toldBy(64), [])
    assert.deepEqual(await toldBy(70), ['cron: nightly missed its check-in'])
    await run()
    assert.deepEqual((await runs()).at(-1), ['missed', 60, null])
    await send(71, {})
    assert.deepEqual(await toldBy(72), ['cron: nightly missed its check-in', 'resolved: nightly recovered'])
    const [incident, ...more] = await incidents()
    assert.deepEqual(
      [incident?.started_ms, incident?.resolved_ms, more.length],
      [startMs + 65 * MINUTE_MS, startMs + 71 * MINUTE_MS, 0],
    )
    const hours = await harness.records.selectFrom('cron_hour').selectAll().execute()
    assert.deepEqual(
      hours.map(({ runs: all, failed }) => [all, failed]),
      [
        [1, 0],
        [2, 1],
      ],
    )
  })

  it('begins and ends by its id, by the newest without one, and times out', async () => {
    const [a, b] = ['a'.repeat(32), 'b'.repeat(32)]
    await send(0, { ...withConfig(), checkInId: a, status: 'in_progress' })
    await send(1, { checkInId: b, status: 'in_progress' })
    await send(2, { checkInId: a, status: 'ok' })
    await send(3, { status: 'error', durationMs: 1_500 })
    await until(3)
    assert.deepEqual(await runs(), [
      ['ok', 0, 2 * MINUTE_MS],
      ['error', 1, 1_500],
    ])
    const c = 'c'.repeat(32)
    await send(4, { checkInId: c, status: 'in_progress' })
    await until(12)
    await send(13, { checkInId: c, status: 'in_progress' })
    await until(22)
    assert.equal((await runs()).at(-1)?.[0], 'in_progress')
    await until(24)
    assert.deepEqual((await runs()).at(-1), ['timeout', 4, null])
    await send(25, { checkInId: c, status: 'ok' })
    await until(25)
    assert.deepEqual((await runs()).at(-1), ['timeout', 4, 21 * MINUTE_MS])
    assert.equal((await environments())[0]?.state, 'timeout')
  })

  it('counts to its thresholds, each environment for itself', async () => {
    const config = withConfig({ failure_issue_threshold: 2, recovery_threshold: 2 })
    await send(0, { ...config, status: 'error' })
    await send(0, { ...config, environment: 'staging' })
    await until(0)
    assert.equal((await incidents()).length, 0)
    await send(1, { status: 'error' })
    await until(1)
    assert.equal((await incidents()).length, 1)
    await send(2, {})
    await until(2)
    assert.equal((await incidents())[0]?.resolved_ms, null)
    await send(3, {})
    await until(3)
    assert.equal((await incidents())[0]?.resolved_ms, startMs + 3 * MINUTE_MS)
    assert.deepEqual(
      (await environments()).map(({ environment, state }) => [environment, state]),
      [
        ['production', 'ok'],
        ['staging', 'ok'],
      ],
    )
  })

  it('says nothing when muted, and takes nothing when disabled', async () => {
    await send(0, withConfig())
    await until(0)
    await toChannel()
    await harness.records.updateTable('cron_monitor').set({ is_muted: 1 }).execute()
    await send(1, { status: 'error' })
    assert.deepEqual(await toldBy(1), [])
    assert.equal((await incidents()).length, 1)
    await send(2, {})
    await send(3, { checkInId: 'a'.repeat(32), status: 'in_progress' })
    await until(3)
    await harness.records.updateTable('cron_monitor').set({ is_enabled: 0 }).execute()
    await harness.records.updateTable('cron_environment').set({ next_ms: null, due_ms: null }).execute()
    await send(4, {})
    await until(20)
    assert.deepEqual(
      (await runs()).map(([status]) => status),
      ['ok', 'error', 'ok', 'timeout'],
    )
    assert.equal((await incidents()).length, 1)
  })

  it('does not blame jobs for an hour in which Sonde did not run, whatever it is told twice', async () => {
    const every = { schedule: { type: 'crontab', value: '*/5 * * * *' } }
    await send(0, { ...withConfig(every), checkInId: 'a'.repeat(32) })
    await send(1, { checkInId: 'b'.repeat(32), status: 'in_progress' })
    await until(1)
    harness.at(startMs + 61 * MINUTE_MS)
    await run()
    await run()
    assert.deepEqual(
      (await runs()).map(([status]) => String(status)).toSorted((a, b) => a.localeCompare(b)),
      ['ok', 'unknown', 'unknown'],
    )
    assert.deepEqual([(await incidents()).length, (await environments())[0]?.state], [0, 'ok'])
    assert.equal((await environments())[0]?.next_ms, startMs + 65 * MINUTE_MS)
    await until(71)
    assert.deepEqual((await runs()).at(-1), ['missed', 65, null])
  })

  it('waits for the pipeline before it says missed', async () => {
    await send(0, withConfig())
    await until(0)
    lag = 4 * MINUTE_MS
    await until(67)
    assert.equal((await runs()).length, 1)
    await send(61, {})
    await until(80)
    lag = 0
    assert.deepEqual(
      (await runs()).map(([status]) => status),
      ['ok', 'ok'],
    )
  })

  it('makes at most as many monitors and environments as it may', async () => {
    for (let at = 0; at < 205; at++) await send(0, { ...withConfig(), slug: `m-${at}` })
    for (let at = 0; at < 25; at++) await send(0, { slug: 'm-0', environment: `e-${at}` })
    await until(0)
    assert.equal((await monitors()).length, 200)
    assert.equal((await environments()).length, 219)
    assert.ok(((await nextCronWorkMs(harness.deps)) ?? 0) > harness.deps.clock.nowMs())
  })
})

describe('schedules', () => {
  const next = (value: string, timezone: string, from: string, count = 2) =>
    upcomingRuns({ schedule: { type: 'crontab', value }, timezone }, Date.parse(from), count).map((at) =>
      new Date(at).toISOString().slice(5, 16),
    )

  it('a time that the clocks skip is expected when they change, one that they repeat once', () => {
    assert.deepEqual(next('30 2 * * *', 'Europe/Berlin', '2026-03-28T02:00Z'), ['03-29T01:00', '03-30T00:30'])
    assert.deepEqual(next('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z'), ['10-25T00:30', '10-26T01:30'])
    assert.deepEqual(next('30 2 * * *', 'America/New_York', '2026-03-07T12:00Z'), [
      '03-08T07:00',
      '03-09T06:30',
    ])
    assert.deepEqual(next('30 1 * * *', 'America/New_York', '2026-10-31T12:00Z'), [
      '11-01T05:30',
      '11-02T06:30',
    ])
  })

  it('every hour is every hour, also when the clocks change', () => {
    assert.deepEqual(next('0 * * * *', 'Europe/Berlin', '2026-10-24T23:30Z', 3), [
      '10-25T00:00',
      '10-25T01:00',
      '10-25T02:00',
    ])
    assert.deepEqual(next('@hourly', 'America/New_York', '2026-03-08T06:30Z', 2), [
      '03-08T07:00',
      '03-08T08:00',
    ])
  })

  it('intervals of days keep the time of day, months the day where there is one', () => {
    const after = (value: number, unit: 'day' | 'week' | 'month' | 'year' | 'hour', from: string) =>
      new Date(
        nextRunAt(
          { schedule: { type: 'interval', value, unit }, timezone: 'Europe/Berlin' },
          Date.parse(from),
        ) ?? 0,
      ).toISOString()
    assert.equal(after(1, 'day', '2026-03-28T11:00:00Z'), '2026-03-29T10:00:00.000Z')
    assert.equal(after(1, 'week', '2026-10-20T10:00:00Z'), '2026-10-27T11:00:00.000Z')
    assert.equal(after(24, 'hour', '2026-03-28T11:00:00Z'), '2026-03-29T11:00:00.000Z')
    assert.equal(after(1, 'month', '2026-01-31T11:00:00Z'), '2026-02-28T11:00:00.000Z')
    assert.equal(after(1, 'year', '2024-02-29T11:00:00Z'), '2025-02-28T11:00:00.000Z')
  })

  it('are said in plain words', () => {
    const said = (value: string) =>
      scheduleWords({ schedule: { type: 'crontab', value }, timezone: 'Europe/Berlin' })
    assert.equal(said('0 2 * * *'), 'Every day at 02:00, Europe/Berlin')
    assert.equal(said('0 2,14 * * *'), 'Every day at 02:00 and 14:00, Europe/Berlin')
    assert.equal(said('@DAILY'), 'Every day at 00:00, Europe/Berlin')
    assert.equal(said('30 2 * * 1-5'), 'At 02:30, Monday through Friday, Europe/Berlin')
    assert.equal(said('*/5 * * * *'), 'Every 5 minutes, Europe/Berlin')
    const every = (value: number, unit: 'minute' | 'week') =>
      scheduleWords({ schedule: { type: 'interval', value, unit }, timezone: 'Europe/Berlin' })
    assert.equal(every(10, 'minute'), 'Every 10 minutes')
    assert.equal(every(1, 'week'), 'Every week, Europe/Berlin')
  })

  it('takes five fields and macros, and nothing else', () => {
    for (const good of ['* * * * *', '@daily', '0 9-17/2 * * 1-5', '0 0 1 jan *'])
      assert.ok(isCrontab(good), good)
    for (const bad of ['', '* * * *', '* * * * * *', '60 * * * *', '0 0 31 2 *', '@reboot', 'H * * * *'])
      assert.ok(!isCrontab(bad), bad)
  })

  it('reads what SDKs send, and nothing of what they cannot mean', () => {
    const interval = {
      schedule: { type: 'interval', value: 10, unit: 'minute' },
      timezone: null,
      owner: 'team:1',
    }
    assert.deepEqual(readSentConfig(JSON.stringify(interval)), {
      config: {
        schedule: { type: 'interval', value: 10, unit: 'minute' },
        timezone: 'UTC',
        checkinMargin: 1,
        maxRuntime: 30,
        failureIssueThreshold: 1,
        recoveryThreshold: 1,
      },
      owner: 'team:1',
    })
    for (const bad of ['', '{', '[]', '{}', '{"schedule":{"type":"interval","value":0,"unit":"hour"}}'])
      assert.equal(readSentConfig(bad), undefined, bad)
  })
})
