/** The status page as its owners change it and as strangers subscribe to it; with the records that the environment names. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer, type UserViewer } from '@sonde/access'
import { statusUnsubscribeToken } from '@sonde/alerts'
import { errorKind } from '@sonde/base'
import {
  chooseStatusComponents,
  confirmSubscription,
  createCron,
  createStatusPage,
  deleteStatusIncident,
  deleteStatusPage,
  deleteStatusSubscriber,
  deleteUser,
  createOrganization,
  ensureProject,
  InvalidInput,
  lookAtConfirmation,
  postStatusIncident,
  publishStatusPage,
  scheduleMaintenance,
  subscribeToStatus,
  unsubscribeFromStatus,
  updateStatusIncident,
  updateStatusPage,
} from '@sonde/commands'
import { sweepEnded } from '../src/deletion/sweep-ended.ts'
import { type Harness, openHarness } from './harness.ts'

const HOUR_MS = 3_600_000

describe('the status page of an organization', () => {
  let harness: Harness
  const owners = new Map<string, UserViewer>()
  const monitors = new Map<string, number>()
  before(async () => {
    harness = await openHarness({ hasMail: true })
    for (const org of ['acme', 'other']) {
      await ensureProject(harness.deps, operatorViewer, { org, slug: 'shop' })
      owners.set(org, await harness.viewer(org, 'owner'))
      const alerts = await harness.access.openProject(operatorViewer, org, 'shop', 'alert:write')
      const config = { schedule: { type: 'crontab' as const, value: '0 3 * * *' } }
      const { id } = await createCron(harness.deps, alerts, { name: 'Secret job', slug: 'job', config })
      monitors.set(org, id)
    }
  })
  after(() => harness.close())

  const grant = (org = 'acme') =>
    harness.access.openOrg(owners.get(org) ?? assert.fail(org), org, 'org:write')
  const refused = async (job: Promise<unknown>): Promise<InvalidInput['fields']> => {
    const error = await job.catch((thrown: unknown) => thrown)
    assert.ok(error instanceof InvalidInput, String(error))
    return error.fields
  }
  const kindOf = async (job: Promise<unknown>) => errorKind(await job.catch((thrown: unknown) => thrown))
  const component = (org = 'acme') => ({
    kind: 'cron' as const,
    monitorId: monitors.get(org) ?? 0,
    name: 'Payments',
  })
  const incidents = () => harness.db.selectFrom('status_incident').selectAll().orderBy('id').execute()
  const subscribers = () => harness.db.selectFrom('status_subscriber').selectAll().orderBy('id').execute()
  /** From its own network, or the limit of one would end the tests. */
  let network = 0
  const subscribe = async (email: string, slug = 'acme-status') =>
    (await subscribeToStatus(harness.deps, slug, { email }, `10.0.0.${++network}`)).isDone

  it('is for owners: admins have no grant for it', async () => {
    const admin = await harness.viewer('acme', 'admin')
    const opened = harness.access.openOrg(admin, 'acme', 'org:write')
    assert.equal(await kindOf(opened), 'forbidden')
  })

  it('is one of an organization, under a slug that nobody else has', async () => {
    assert.deepEqual(
      Object.keys(await refused(createStatusPage(harness.deps, await grant(), { slug: 'A b', title: '' }))),
      ['slug', 'title'],
    )
    await createStatusPage(harness.deps, await grant(), { slug: 'acme-status', title: 'Acme' })
    const again = createStatusPage(harness.deps, await grant(), { slug: 'another', title: 'Acme' })
    assert.equal(await kindOf(again), 'conflict')
    const theirs = { slug: 'acme-status', title: 'Other' }
    assert.deepEqual(await refused(createStatusPage(harness.deps, await grant('other'), theirs)), {
      slug: ['is taken'],
    })
    await createStatusPage(harness.deps, await grant('other'), { ...theirs, slug: 'other-status' })
    assert.deepEqual(await refused(updateStatusPage(harness.deps, await grant('other'), theirs)), {
      slug: ['is taken'],
    })
    await updateStatusPage(harness.deps, await grant(), { slug: 'acme-status', title: 'Acme status' })
  })

  it('no organization can be made where pages are', async () => {
    const made = createOrganization(harness.deps, operatorViewer, { slug: 'status' })
    assert.deepEqual(await refused(made), { slug: ['is used by Sonde itself'] })
  })

  it('shows monitors of its own organization alone, each once', async () => {
    const choose = async (components: readonly ReturnType<typeof component>[]) =>
      chooseStatusComponents(harness.deps, await grant(), { components: [...components] })
    assert.deepEqual(await refused(choose([component('other')])), {
      'components.0.monitorId': ['is no monitor of this organization'],
    })
    assert.deepEqual(await refused(choose([component(), component()])), {
      'components.1.monitorId': ['is shown already'],
    })
    await choose([component()])
    const [first] = await harness.db.selectFrom('status_component').selectAll().execute()
    await choose([{ ...component(), name: 'Payouts' }])
    const [renamed] = await harness.db.selectFrom('status_component').selectAll().execute()
    assert.deepEqual([renamed?.id, renamed?.name], [first?.id, 'Payouts'])
  })

  it('what is posted before it is published is told nobody; afterwards each update is', async () => {
    const shown = await harness.db.selectFrom('status_component').select('id').executeTakeFirstOrThrow()
    const post = async (title: string, components = [shown.id]) =>
      postStatusIncident(harness.deps, await grant(), { title, body: 'We look at it.', components })
    assert.deepEqual(await refused(post('Elsewhere', [shown.id, 9_999])), {
      components: ['are not all on the page'],
    })
    const { id: early } = await post('Early')
    await publishStatusPage(harness.deps, await grant(), true)
    await publishStatusPage(harness.deps, await grant(), true)
    const { id } = await post('Slow answers')
    const update = async (state: string) =>
      updateStatusIncident(harness.deps, await grant(), id, { state, body: 'Found it.' })
    assert.deepEqual(await refused(update('done')), { state: ['is none of its states'] })
    await update('identified')
    await update('resolved')
    assert.equal(await kindOf(update('monitoring')), 'conflict')
    const updates = await harness.db.selectFrom('status_update').selectAll().orderBy('id').execute()
    assert.deepEqual(
      updates.map(({ incident_id: incidentId, state, queued_to }) => [incidentId, state, queued_to]),
      [
        [early, 'investigating', null],
        [id, 'investigating', 0],
        [id, 'identified', 0],
        [id, 'resolved', 0],
      ],
    )
    const theirs = updateStatusIncident(harness.deps, await grant('other'), id, {
      state: 'resolved',
      body: 'x',
    })
    assert.equal(await kindOf(theirs), 'not-found')
    await deleteStatusIncident(harness.deps, await grant(), early)
    assert.deepEqual(
      (await incidents()).map((incident) => incident.id),
      [id],
    )
  })

  it('maintenance has a plan that is not over', async () => {
    const nowMs = harness.clock.nowMs()
    const plan = async (startMs: number, endMs: number) =>
      scheduleMaintenance(harness.deps, await grant(), { title: 'Move', body: 'We move.', startMs, endMs })
    assert.deepEqual(Object.keys(await refused(plan(nowMs + HOUR_MS, nowMs + HOUR_MS))), ['endMs'])
    assert.deepEqual(Object.keys(await refused(plan(nowMs - 2 * HOUR_MS, nowMs - HOUR_MS))), ['endMs'])
    const { id } = await plan(nowMs + HOUR_MS, nowMs + 2 * HOUR_MS)
    const made = (await incidents()).find((incident) => incident.id === id)
    assert.deepEqual([made?.state, made?.ended_ms], ['scheduled', null])
    await deleteStatusIncident(harness.deps, await grant(), id)
  })

  it('a monitor that is not shown any more takes its open incident along; removed by a person, it stays away', async () => {
    const page = await harness.db
      .selectFrom('status_page')
      .select('id')
      .where('slug', '=', 'acme-status')
      .executeTakeFirstOrThrow()
    const { id: componentId } = await harness.db
      .selectFrom('status_component')
      .select('id')
      .executeTakeFirstOrThrow()
    const automatic = async (sourceId: number): Promise<number> => {
      const { id } = await harness.db
        .insertInto('status_incident')
        .values({
          page_id: page.id,
          kind: 'incident',
          title: 'Payouts is down',
          impact: 'critical',
          state: 'investigating',
          started_ms: 1,
          planned_end_ms: null,
          ended_ms: null,
          source_incident_id: sourceId,
          is_hidden: 0,
          created_ms: 1,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await harness.db
        .insertInto('status_affected')
        .values({ incident_id: id, component_id: componentId })
        .execute()
      return id
    }
    const removed = await automatic(1)
    const left = await automatic(2)
    await deleteStatusIncident(harness.deps, await grant(), removed)
    assert.equal(await kindOf(deleteStatusIncident(harness.deps, await grant(), removed)), 'not-found')
    await chooseStatusComponents(harness.deps, await grant(), { components: [] })
    const rows = (await incidents()).filter(({ id }) => id === removed || id === left)
    assert.deepEqual(
      rows.map((row) => [row.is_hidden, row.state, row.ended_ms === null]),
      [
        [1, 'resolved', false],
        [1, 'resolved', false],
      ],
    )
  })

  it('an address is asked once an hour, and has mail only after its owner confirmed', async () => {
    await subscribe(' Ada@Sonde.test ')
    await subscribe('ada@sonde.test')
    const mails = await harness.mails()
    assert.deepEqual(
      mails.map(({ to, subject }) => [to, subject]),
      [['ada@sonde.test', 'Confirm your subscription to Acme status']],
    )
    const url = new URL(mails[0]?.button?.url ?? '')
    const token = url.searchParams.get('token') ?? ''
    assert.equal(url.pathname, '/status/acme-status/confirm')
    const [row] = await subscribers()
    assert.ok(row && row.confirmed_ms === null && !JSON.stringify(row).includes(token))
    assert.equal((await lookAtConfirmation(harness.deps, token))?.title, 'Acme status')
    assert.deepEqual(await confirmSubscription(harness.deps, token), {
      title: 'Acme status',
      slug: 'acme-status',
    })
    assert.equal(await confirmSubscription(harness.deps, token), undefined)
    // Whoever types an address that is subscribed gets the same answer, and its owner no mail.
    harness.clock.advance(2 * HOUR_MS)
    await subscribe('ada@sonde.test')
    assert.equal((await harness.mails()).length, 1)
  })

  it('who does not confirm within a day is forgotten', async () => {
    await subscribe('late@sonde.test')
    const token = new URL((await harness.mails()).at(-1)?.button?.url ?? '').searchParams.get('token') ?? ''
    harness.clock.advance(25 * HOUR_MS)
    assert.equal(await confirmSubscription(harness.deps, token), undefined)
    await sweepEnded({ records: harness.db, clock: harness.clock }, new AbortController().signal)
    assert.deepEqual(
      (await subscribers()).map(({ address }) => address),
      ['ada@sonde.test'],
    )
  })

  it('a page that is not published has nobody to subscribe to, as one that is not there', async () => {
    for (const slug of ['other-status', 'unknown'])
      assert.equal(await kindOf(subscribe('ada@sonde.test', slug)), 'not-found')
    assert.deepEqual(Object.keys(await refused(subscribe('no address'))), ['email'])
  })

  it('one network may ask ten times a minute', async () => {
    const ask = () => subscribeToStatus(harness.deps, 'acme-status', { email: 'x' }, '10.9.9.9')
    for (let asked = 0; asked < 10; asked++) await refused(ask())
    assert.equal(await kindOf(ask()), 'unavailable')
  })

  it('ends by the token of a mail, and by an owner whom somebody asked', async () => {
    const [ada] = await subscribers()
    const token = await statusUnsubscribeToken(harness.access.seal, ada?.id ?? 0)
    assert.equal(await unsubscribeFromStatus(harness.deps, harness.access.seal, `${token}x`), false)
    assert.equal(await unsubscribeFromStatus(harness.deps, harness.access.seal, token), true)
    assert.equal(await unsubscribeFromStatus(harness.deps, harness.access.seal, token), true)
    assert.deepEqual(await subscribers(), [])
    await subscribe('bob@sonde.test')
    const remove = async (org: string) =>
      deleteStatusSubscriber(harness.deps, await grant(org), { email: 'Bob@sonde.test' })
    assert.deepEqual(
      [await remove('other'), await remove('acme'), await remove('acme')],
      [false, true, false],
    )
    const [entry] = await harness.db.selectFrom('audit_entry').selectAll().orderBy('id', 'desc').execute()
    assert.equal(entry?.action, 'status.subscriber-delete')
    assert.ok(!entry.detail.includes('bob'))
  })

  it('is forgotten with the account of a person who has the address', async () => {
    await harness.viewer('acme', 'viewer', 'carl@sonde.test')
    await subscribe('carl@sonde.test')
    assert.equal((await subscribers()).length, 1)
    await deleteUser(harness.deps, operatorViewer, { email: 'carl@sonde.test' })
    assert.deepEqual(await subscribers(), [])
  })

  it('goes with everything that belongs to it', async () => {
    await subscribe('eve@sonde.test')
    await deleteStatusPage(harness.deps, await grant())
    assert.deepEqual([await subscribers(), await incidents()], [[], []])
    const actions = (await harness.audit()).filter((entry) => entry.includes(' status.'))
    assert.ok(actions.some((entry) => entry.endsWith('status.delete acme')))
    assert.equal(await kindOf(deleteStatusPage(harness.deps, await grant())), 'not-found')
  })
})
