/** Status pages follow their monitors, and tell subscribers through a real mail server on this machine. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { followMonitors, nextStatusWorkMs } from '../src/status/follow-monitors.ts'
import { hasUntoldUpdates, queueStatusMail } from '../src/status/queue-mail.ts'
import { sendStatusMail } from '../src/status/send-mail.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'
import {
  insertStatusComponent,
  insertStatusIncident,
  insertStatusPage,
  insertSubscribers,
  insertUptimeMonitor,
} from './status-rows.ts'

const HOUR_MS = 3_600_000

describe('a status page', () => {
  let harness: Harness
  let pageId = 0
  let projectId = 0
  let monitorId = 0
  let componentId = 0
  let count = 0
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())
  beforeEach(async () => {
    await harness.records.deleteFrom('status_page').execute()
    const project = await harness.project('shop')
    projectId = project.id
    pageId = await insertStatusPage(harness.records, project.orgId, `page-${++count}`)
    monitorId = await insertUptimeMonitor(harness.records, projectId)
    componentId = await insertStatusComponent(harness.records, pageId, { uptime: monitorId }, 'Payments')
    harness.mail.mails.length = 0
  })

  async function incident(key: string): Promise<number> {
    const { id } = await harness.records
      .insertInto('incident')
      .values({
        project_id: projectId,
        rule_id: null as unknown as number,
        rule_name: 'internal-payments-7',
        issue_id: null,
        dedup_key: key,
        cause: JSON.stringify({ kind: 'uptime', reason: 'connect ECONNREFUSED 10.1.2.3' }),
        started_ms: harness.clock.nowMs(),
        fired_ms: harness.clock.nowMs(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  async function fail(): Promise<number> {
    const id = await incident(`uptime:${monitorId}:${harness.clock.nowMs()}`)
    await harness.records
      .updateTable('uptime_state')
      .set({ state: 'down', incident_id: id })
      .where('monitor_id', '=', monitorId)
      .execute()
    return id
  }
  const endIncident = (id: number) =>
    harness.records
      .updateTable('incident')
      .set({ resolved_ms: harness.clock.nowMs(), resolved_by: 'rule' })
      .where('id', '=', id)
      .execute()
  const works = () =>
    harness.records
      .updateTable('uptime_state')
      .set({ state: 'up' })
      .where('monitor_id', '=', monitorId)
      .execute()
  const setPage = (is_published: 0 | 1) =>
    harness.records.updateTable('status_page').set({ is_published }).where('id', '=', pageId).execute()
  const incidents = () =>
    harness.records
      .selectFrom('status_incident')
      .selectAll()
      .where('page_id', '=', pageId)
      .orderBy('id')
      .execute()
  const subscribe = (...addresses: string[]) => insertSubscribers(harness.records, pageId, addresses)
  async function tell(): Promise<void> {
    while (await queueStatusMail(harness.deps));
    while ((await sendStatusMail(harness.deps, new AbortController().signal)) > 0);
  }
  const waiting = () => harness.records.selectFrom('status_mail').selectAll().execute()

  test('opens and ends with the incident of its monitor, and says nothing but the public name', async () => {
    await subscribe('ada@sonde.test')
    assert.equal(await nextStatusWorkMs(harness.deps), undefined)
    const id = await fail()
    assert.equal(await nextStatusWorkMs(harness.deps), 0)
    await followMonitors(harness.deps)
    assert.equal(await followMonitors(harness.deps), 0)
    await tell()
    const [opened] = await incidents()
    assert.deepEqual([opened?.title, opened?.state], ['Payments is down', 'investigating'])
    // A person ended it while the monitor still fails: it goes on in public.
    await endIncident(id)
    assert.equal(await followMonitors(harness.deps), 0)
    await works()
    await followMonitors(harness.deps)
    await tell()
    assert.deepEqual(
      (await incidents()).map(({ state, ended_ms }) => [state, ended_ms]),
      [['resolved', harness.clock.nowMs()]],
    )
    assert.deepEqual(
      harness.mail.mails.map(({ subject }) => subject),
      [
        `[Status of page-${count}] Investigating: Payments is down`,
        `[Status of page-${count}] Resolved: Payments is down`,
      ],
    )
    const [mail] = harness.mail.mails
    const source = JSON.stringify([mail?.text, mail?.html, mail?.subject])
    for (const secret of ['internal-payments', '10.1.2.3', 'ECONNREFUSED', '/shop', 'org-'])
      assert.ok(!source.includes(secret), secret)
    assert.match(mail?.text ?? '', /Our monitoring cannot reach Payments\./)
    const headers = new Map(mail?.headerLines.map(({ key, line }) => [key, line]))
    assert.equal(headers.get('list-unsubscribe-post'), 'List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    const oneClick = /^List-Unsubscribe: <https:\/\/sonde\.test\/api\/0\/status-unsubscribe\/\?token=[^>]+>$/
    assert.match((headers.get('list-unsubscribe') ?? '').replaceAll(/\r?\n\s/g, ' '), oneClick)
    // One thread of all that is told of it.
    assert.equal(harness.mail.mails[1]?.inReplyTo, mail?.inReplyTo)
  })

  test('that is not published, or of another organization, tells nothing of a monitor', async () => {
    await setPage(0)
    await subscribe('ada@sonde.test')
    await fail()
    assert.equal(await followMonitors(harness.deps), 0)
    await insertStatusIncident(harness.records, pageId, 'Posted', harness.clock.nowMs())
    await tell()
    assert.deepEqual([harness.mail.mails, await waiting()], [[], []])
    // Once it is published, what still goes on is told.
    await setPage(1)
    await followMonitors(harness.deps)
    await tell()
    assert.equal(harness.mail.mails.length, 1)
  })

  test('maintenance begins and ends by its plan, and monitors under it are quiet', async () => {
    await subscribe('ada@sonde.test')
    const nowMs = harness.clock.nowMs()
    const id = await insertStatusIncident(harness.records, pageId, 'Move', nowMs)
    await harness.records
      .updateTable('status_incident')
      .set({ state: 'scheduled', started_ms: nowMs + HOUR_MS, planned_end_ms: nowMs + 2 * HOUR_MS })
      .where('id', '=', id)
      .execute()
    // Kysely refuses to change what is fixed: it is maintenance from its first moment elsewhere.
    await harness.records
      .updateTable('status_incident')
      .set({ kind: 'maintenance' } as never)
      .where('id', '=', id)
      .execute()
    await harness.records
      .insertInto('status_affected')
      .values({ incident_id: id, component_id: componentId })
      .execute()
    assert.equal(await followMonitors(harness.deps), 0)
    harness.clock.advance(HOUR_MS)
    await followMonitors(harness.deps)
    await fail()
    assert.equal(await followMonitors(harness.deps), 0)
    harness.clock.advance(HOUR_MS)
    await followMonitors(harness.deps)
    // It still fails when the maintenance is over.
    await followMonitors(harness.deps)
    await tell()
    assert.deepEqual(
      (await incidents()).map(({ title, state }) => [title, state]),
      [
        ['Move', 'done'],
        ['Payments is down', 'investigating'],
      ],
    )
    assert.deepEqual(
      harness.mail.mails.map(({ subject }) => subject?.replace(/^.*\] /, '')),
      ['Investigating: Move', 'In progress: Move', 'Completed: Move', 'Investigating: Payments is down'],
    )
  })

  test('a job is told by its chosen environment, and not while it is muted', async () => {
    const { id: cronId } = await harness.records
      .insertInto('cron_monitor')
      .values({
        project_id: projectId,
        slug: 'nightly',
        name: 'secret-nightly',
        config: '{}',
        actions: '[]',
        owner: '',
        is_enabled: 1,
        is_muted: 1,
        created_by: '',
        created_ms: 1,
        updated_ms: 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await insertStatusComponent(
      harness.records,
      pageId,
      { cron: cronId, environment: 'production' },
      'Nightly payouts',
    )
    for (const environment of ['production', 'staging'])
      await harness.records
        .insertInto('cron_environment')
        .values({
          monitor_id: cronId,
          environment,
          state: 'missed',
          since_ms: 1,
          next_ms: null,
          due_ms: null,
          checked_ms: 1,
          failures: 1,
          successes: 0,
          failing_ms: 1,
          incident_id: await incident(`cron:${cronId}:${environment}:${count}`),
        })
        .execute()
    assert.equal(await followMonitors(harness.deps), 0)
    await harness.records.updateTable('cron_monitor').set({ is_muted: 0 }).where('id', '=', cronId).execute()
    await followMonitors(harness.deps)
    assert.deepEqual(
      (await incidents()).map(({ title, impact }) => [title, impact]),
      [['Nightly payouts did not run as expected', 'major']],
    )
  })

  test('many subscribers have one mail each, in steps, whoever stops in between', async () => {
    await subscribe(...Array.from({ length: 50 }, (_, number) => `s${number}@sonde.test`))
    await insertStatusIncident(harness.records, pageId, 'Slow answers', harness.clock.nowMs())
    // Who comes later is not told of what was posted before.
    await harness.records
      .insertInto('status_subscriber')
      .values({
        page_id: pageId,
        address: 'later@sonde.test',
        confirm_hash: null,
        asked_ms: 1,
        expires_ms: null,
        confirmed_ms: harness.clock.nowMs() + 1,
      })
      .execute()
    const few = { ...harness.deps, atOnce: 20 }
    await queueStatusMail(few)
    assert.equal((await waiting()).length, 20)
    assert.equal(await hasUntoldUpdates(harness.records), true)
    while (await queueStatusMail(few));
    assert.equal((await waiting()).length, 50)
    const stopping = new AbortController()
    let sent = 0
    const afterStep = (step: string) => {
      if (step === 'noted' && ++sent === 10) stopping.abort()
    }
    await sendStatusMail({ ...harness.deps, afterStep }, stopping.signal)
    assert.ok((await waiting()).length > 30)
    await tell()
    const people = new Set(harness.mail.mails.map(({ to }) => to))
    assert.deepEqual([harness.mail.mails.length, people.size], [50, 50])
    assert.deepEqual(await waiting(), [])
  })

  test('an address that the server refuses is given up; while no server answers, mail waits', async () => {
    await subscribe('nobody@sonde.test', 'ada@sonde.test')
    await insertStatusIncident(harness.records, pageId, 'Slow answers', harness.clock.nowMs())
    while (await queueStatusMail(harness.deps));
    const mailer = {
      deliver: async () => assert.fail('not to members'),
      send: async () => ({ isDelivered: false, answer: 'connect ECONNREFUSED', again: 'later' }) as const,
      close: async () => undefined,
    }
    const signal = new AbortController().signal
    await sendStatusMail({ ...harness.deps, mailer }, signal)
    assert.equal(await sendStatusMail(harness.deps, signal), 0)
    assert.equal((await waiting()).length, 2)
    harness.clock.advance(5_000)
    await tell()
    assert.deepEqual(await waiting(), [])
    assert.deepEqual(
      harness.mail.mails.map(({ to }) => to),
      ['ada@sonde.test'],
    )
  })

  test('who unsubscribes, and what is taken off the page, ends mail that waits', async () => {
    await subscribe('ada@sonde.test', 'bob@sonde.test')
    const id = await insertStatusIncident(harness.records, pageId, 'Slow answers', harness.clock.nowMs())
    while (await queueStatusMail(harness.deps));
    await harness.records.deleteFrom('status_subscriber').where('address', '=', 'ada@sonde.test').execute()
    assert.equal((await waiting()).length, 1)
    await harness.records.deleteFrom('status_incident').where('id', '=', id).execute()
    await tell()
    assert.deepEqual([await waiting(), harness.mail.mails], [[], []])
  })

  test('without a mail server updates are told nobody, also not later', async () => {
    await subscribe('ada@sonde.test')
    await insertStatusIncident(harness.records, pageId, 'Slow answers', NOW_MS)
    while (await queueStatusMail({ ...harness.deps, mailer: undefined }));
    await tell()
    assert.deepEqual(harness.mail.mails, [])
  })
})
