/** What is usual is learnt from the counts; a spike is told when it begins and when it ends, each once. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { projectSpikes, type UsualHours } from '@sonde/queries'
import { encodeOutcomeRow } from '@sonde/stores'
import { baselineOf, learnRates } from '../src/spikes/learn-rates.ts'
import { nextSpikeMs, SPIKE_QUIET_MS, tellSpikes } from '../src/spikes/tell-spikes.ts'
import { NOW_MS, openHarness } from './harness.ts'

let harness: Awaited<ReturnType<typeof openHarness>>
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

type Counts = { readonly atMs: number; readonly quantity: number; readonly category?: string } & (
  | { readonly outcome?: 'accepted' }
  | { readonly outcome: string; readonly reason: string }
)
let batches = 0
const outcomes = (projectId: number, counts: readonly Counts[]): Promise<void> =>
  harness.deps.telemetry.insert(
    'outcomes',
    counts.map((each) =>
      encodeOutcomeRow({ projectId, keyId: 1, category: 'error', outcome: 'accepted', reason: '', ...each }),
    ),
    `outcomes-${++batches}`,
  )

async function grown(slug: string, ageMs: number) {
  const project = await harness.project(slug)
  await harness.records
    .updateTable('project')
    .set({ first_event_ms: NOW_MS - ageMs })
    .where('id', '=', project.id)
    .execute()
  return project
}

const baseline = (projectId: number) =>
  harness.records
    .selectFrom('spike_baseline')
    .select(['usual_per_hour', 'minute_limit'])
    .where('project_id', '=', projectId)
    .executeTakeFirst()

const spike = (projectId: number) => ({
  project_id: projectId,
  category: 'event' as const,
  started_ms: NOW_MS,
  last_ms: NOW_MS,
  usual_per_hour: 600,
  minute_limit: 600,
  peak_per_minute: 2_400,
  kept: 240,
  sampled: 2_160,
})

const notificationsOf = (projectId: number) =>
  harness.records
    .selectFrom('notification')
    .select(['medium', 'dedup_key', 'message'])
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute()

describe('spikes', () => {
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())

  it('are measured against this hour of the week', async () => {
    const [busy, quiet, young] = [
      await grown('busy', 60 * DAY_MS),
      await grown('quiet', 60 * DAY_MS),
      await grown('young', 6 * DAY_MS),
    ]
    const weeks = [1, 2, 3, 4].flatMap((week) =>
      [-1, 0, 1].map((hour) => NOW_MS - week * 7 * DAY_MS + hour * HOUR_MS),
    )
    await outcomes(busy.id, [
      ...weeks.flatMap((atMs) => [
        { atMs, quantity: 5_000 },
        // Counted, and not stored: it came all the same.
        { atMs: atMs + 60_000, quantity: 7_000, outcome: 'filtered', reason: 'spike' },
        { atMs, quantity: 90_000, outcome: 'filtered', reason: 'crawler' },
        { atMs, quantity: 90_000, category: 'transaction' },
      ]),
      // One spike of the past moves nothing.
      { atMs: (weeks[4] ?? 0) + 120_000, quantity: 1_000_000 },
      // Three in the morning is another hour of the week.
      { atMs: NOW_MS - 7 * DAY_MS - 9 * HOUR_MS, quantity: 800_000 },
    ])
    await outcomes(young.id, [{ atMs: NOW_MS - DAY_MS, quantity: 1_000 }])
    await learnRates(harness.deps)
    assert.deepEqual(await baseline(busy.id), { usual_per_hour: 12_000, minute_limit: 14_000 })
    assert.deepEqual(await baseline(quiet.id), { usual_per_hour: 0, minute_limit: 600 })
    assert.equal(await baseline(young.id), undefined, 'nothing is sampled in the first days')

    // Again an hour later, and never when an operator does not want it.
    await learnRates(harness.deps)
    await learnRates({ ...harness.deps, spikeFloor: undefined })
    assert.equal(await baseline(busy.id), undefined)
  })

  it('are not what has come for a day, nor a burst that comes each hour', () => {
    const hours = (count: number, events: number, busiest: number) =>
      Array.from({ length: count }, () => ({ events, busiest }))
    const of = (ofWeek: UsualHours['ofWeek'], ofDay: UsualHours['ofDay']) =>
      baselineOf({ ofWeek, ofDay }, 600)
    assert.deepEqual(of(hours(12, 60, 5), hours(24, 24_000, 400)), {
      usualPerHour: 24_000,
      minuteLimit: 2_000,
    })
    assert.deepEqual(of(hours(12, 3_000, 3_000), hours(24, 3_000, 3_000)).minuteLimit, 6_000)
    assert.equal(of([...hours(2, 0, 0), ...hours(1, 60_000, 1_000)], hours(24, 0, 0)).minuteLimit, 5_000)
    assert.deepEqual(of([], []), { usualPerHour: 0, minuteLimit: 600 })
  })

  it('are told to everybody and to the channels of the rules, once, and so is their end', async () => {
    const project = await grown('shop', 60 * DAY_MS)
    const other = await grown('other', 60 * DAY_MS)
    const hook = await harness.webhook(project.orgId, '/spike')
    await harness.webhook(project.orgId, '/of-no-rule')
    await harness.member(project.orgId, 'ada@acme.test')
    await harness.member(other.orgId, 'eve@other.test')
    await harness.rule(project.id, {
      triggers: [{ type: 'new' }],
      actions: [{ type: 'channel', channelId: hook.id }],
    })
    assert.equal(await nextSpikeMs(harness.deps), undefined)
    await harness.records.insertInto('spike').values(spike(project.id)).execute()
    assert.equal(await nextSpikeMs(harness.deps), 0)
    assert.equal(await tellSpikes(harness.deps), 1)
    assert.equal(await tellSpikes(harness.deps), 0)
    assert.ok(((await nextSpikeMs(harness.deps)) ?? 0) > harness.deps.clock.nowMs())
    await harness.minute()
    const begun = await notificationsOf(project.id)
    assert.deepEqual(begun.map(({ medium }) => medium).toSorted(), ['channel', 'email', 'inbox'])
    const [sent] = harness.receiver.received.filter(({ path }) => path === '/spike')
    const body = JSON.parse(sent?.body ?? '') as { type: string; data: { title: string } }
    assert.equal(body.type, 'alert.spike')
    assert.match(body.data.title, /^SHOP gets 240 times its usual events/)
    const mail = harness.mail.mails.find(({ to }) => to === 'ada@acme.test')
    assert.match(mail?.subject ?? '', /Spike in/)
    assert.equal(
      harness.mail.mails.some(({ to }) => to === 'eve@other.test'),
      false,
    )

    // Quiet, but what was received is not stored yet: nothing is known.
    harness.clock.advance(SPIKE_QUIET_MS + 1)
    await tellSpikes({ ...harness.deps, lagMs: async () => 60_000 })
    assert.equal((await notificationsOf(project.id)).length, 3)
    assert.equal(await tellSpikes(harness.deps), 1)
    assert.equal(await tellSpikes(harness.deps), 0)
    await harness.minute()
    assert.equal((await notificationsOf(project.id)).length, 6)
    const ends = harness.receiver.received.filter(({ path }) => path === '/spike')
    assert.equal((JSON.parse(ends[1]?.body ?? '') as { type: string }).type, 'alert.resolved')
    assert.equal(
      harness.receiver.received.some(({ path }) => path === '/of-no-rule'),
      false,
    )

    const { spikes, state } = await projectSpikes(harness.deps, { projectId: project.id })
    assert.equal(state, 'learning')
    assert.deepEqual(
      spikes.map(({ endedMs, timesUsual, storedOneIn }) => ({ endedMs, timesUsual, storedOneIn })),
      [{ endedMs: NOW_MS, timesUsual: 240, storedOneIn: 10 }],
    )
  })

  it('are told too to whom the organization named, of this project or of all', async () => {
    const project = await grown('named', 60 * DAY_MS)
    const other = await grown('not-named', 60 * DAY_MS)
    const [own, all] = [
      await harness.webhook(project.orgId, '/own'),
      await harness.webhook(project.orgId, '/all'),
    ]
    const foreign = await harness.webhook(other.orgId, '/foreign')
    for (const { orgId, channelId, projectId } of [
      { orgId: project.orgId, channelId: own.id, projectId: project.id },
      { orgId: project.orgId, channelId: all.id, projectId: undefined },
      { orgId: other.orgId, channelId: foreign.id, projectId: undefined },
    ]) {
      const { id } = await harness.records
        .insertInto('notification_action')
        .values({
          org_id: orgId,
          trigger_type: 'spike-protection',
          channel_id: channelId,
          api_form: '{}',
          created_by: '',
          created_ms: NOW_MS,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      if (projectId !== undefined)
        await harness.records
          .insertInto('notification_action_project')
          .values({ action_id: id, project_id: projectId })
          .execute()
    }
    const sibling = await harness.records
      .insertInto('project')
      .values({
        org_id: project.orgId,
        slug: 'sibling',
        name: 'sibling',
        platform: 'javascript',
        created_ms: NOW_MS,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const toldOf = async (projectId: number) => {
      harness.receiver.received.length = 0
      const now = harness.clock.nowMs()
      await harness.records
        .insertInto('spike')
        .values({ ...spike(projectId), started_ms: now, last_ms: now })
        .execute()
      assert.equal(await tellSpikes(harness.deps), 1)
      await harness.minute()
      return harness.receiver.received.map(({ path }) => path).toSorted()
    }
    assert.deepEqual(await toldOf(project.id), ['/all', '/own'])
    assert.deepEqual(await toldOf(sibling.id), ['/all'])
  })

  it('that are over before anybody looked are told as both', async () => {
    const project = await grown('short', 60 * DAY_MS)
    await harness.member(project.orgId, 'bo@short.test')
    const now = harness.clock.nowMs()
    await harness.records
      .insertInto('spike')
      .values({ ...spike(project.id), started_ms: now, last_ms: now, ended_ms: now })
      .execute()
    assert.equal(await tellSpikes(harness.deps), 2)
    const keys = (await notificationsOf(project.id)).map(({ dedup_key }) => dedup_key.split(':')[2])
    assert.deepEqual([...new Set(keys)], ['begin', 'end'])
  })
})
