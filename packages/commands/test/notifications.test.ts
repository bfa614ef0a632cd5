/** What is done with notifications: sent again, read, ended by a mail's token, forgotten after their time. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { operatorViewer, type UserViewer } from '@sonde/access'
import { unsubscribeToken } from '@sonde/alerts'
import { silentLogger, type SondeError } from '@sonde/base'
import {
  createChannel,
  deleteUser,
  ensureProject,
  InvalidInput,
  lookAtUnsubscribe,
  markInboxRead,
  retryNotification,
  setProjectNotifications,
  setUsualNotifications,
  updateProfile,
  startDeletions,
  unsubscribe,
  updateChannel,
} from '@sonde/commands'
import {
  channelById,
  channelDeliveries,
  channelNames,
  inboxItems,
  listChannels,
  notificationSettings,
  unreadCount,
} from '@sonde/queries'
import type { NotificationState } from '@sonde/stores'
import { openTestBlobs } from '../../../tests/harness/engines.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const DAY_MS = 86_400_000
const kind = (expected: string) => (error: SondeError) => error.kind === expected

describe('notifications', () => {
  let harness: Harness
  let shop: number
  let channelId: number
  let admin: UserViewer
  let rival: UserViewer
  before(async () => {
    harness = await openHarness()
    shop = (await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop' })).id
    await ensureProject(harness.deps, operatorViewer, { org: 'rival', slug: 'shop' })
    admin = await harness.viewer('acme', 'admin')
    rival = await harness.viewer('rival', 'admin')
    const made = await createChannel(harness.deps, await grant(admin, 'acme'), {
      kind: 'webhook',
      name: 'Ours',
      settings: { url: 'https://hooks.acme.test/x' },
    })
    assert.match(made.signingSecret ?? '', /^whsec_/)
    channelId = made.id
  })
  after(() => harness.close())

  const grant = (viewer: UserViewer, org: string) => harness.access.openOrg(viewer, org, 'integration:write')
  const orgId = async () => (await grant(admin, 'acme')).orgId
  let count = 0
  const notification = async (more: {
    state?: NotificationState
    user_id?: string
    medium?: 'inbox' | 'email'
    created_ms?: number
    project_id?: number
    attempts?: number
  }): Promise<number> => {
    const { user_id = null, medium = 'channel', state = 'sent' } = more
    const message = { kind: 'new', headline: 'New issue', title: 'E', place: '', level: 'error', facts: [] }
    const row = await harness.db
      .insertInto('notification')
      .values({
        dedup_key: `key ${++count}`,
        org_id: await orgId(),
        project_id: shop,
        incident_id: null,
        channel_id: user_id === null ? channelId : null,
        message: JSON.stringify({ ...message, url: 'https://x', org: 'acme', project: 'shop' }),
        attempts: 1,
        next_attempt_ms: NOW_MS,
        created_ms: NOW_MS,
        ...more,
        user_id,
        medium,
        state,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return row.id
  }
  const stateOf = async (id: number) =>
    (await harness.db.selectFrom('notification').select('state').where('id', '=', id).executeTakeFirst())
      ?.state

  it('what failed or was delivered goes out again, by who may change channels of that organization', async () => {
    for (const state of ['failed', 'sent', 'waiting'] as const) {
      const notificationId = await notification({ state })
      await retryNotification(harness.deps, await grant(admin, 'acme'), { channelId, notificationId })
      assert.equal(await stateOf(notificationId), 'waiting')
    }
    for (const state of ['sending', 'digested'] as const) {
      const notificationId = await notification({ state })
      const again = retryNotification(harness.deps, await grant(admin, 'acme'), { channelId, notificationId })
      await assert.rejects(again, kind('conflict'))
    }
    const notificationId = await notification({ state: 'failed' })
    const theirs = retryNotification(harness.deps, await grant(rival, 'rival'), { channelId, notificationId })
    await assert.rejects(theirs, kind('not-found'))
    assert.equal(await stateOf(notificationId), 'failed')
    assert.ok((await harness.audit()).some((entry) => entry.endsWith('notification.retry acme')))
  })

  it('a channel is listed with what uses it, and never with its secret', async () => {
    const value = { actions: [{ type: 'channel', channelId }, { type: 'members' }] }
    await harness.db
      .insertInto('alert_rule')
      .values({
        project_id: shop,
        kind: 'issue',
        name: 'Rule',
        value: JSON.stringify(value),
        origin: '',
        created_by: 'operator:cli',
        created_ms: NOW_MS,
        updated_ms: NOW_MS,
      })
      .execute()
    const deps = { records: harness.db }
    const [row] = await listChannels(deps, await grant(admin, 'acme'))
    assert.deepEqual(
      [row?.name, row?.lastState, row?.rules.map(({ name, project }) => `${project} ${name}`)],
      ['Ours', 'failed', ['shop Rule']],
    )
    const detail = await channelById(deps, await grant(admin, 'acme'), channelId)
    assert.deepEqual(detail?.settings, { url: 'https://hooks.acme.test/x' })
    assert.ok(!JSON.stringify([row, detail]).includes('whsec_'))
    const log = await channelDeliveries(deps, await grant(admin, 'acme'), { channelId })
    assert.equal(log.deliveries.length, 6)
    const theirs = await grant(rival, 'rival')
    assert.deepEqual(await channelNames(deps, theirs), [])
    assert.deepEqual(await listChannels(deps, theirs), [])
    assert.equal(await channelById(deps, theirs, channelId), undefined)
    assert.deepEqual((await channelDeliveries(deps, theirs, { channelId })).deliveries, [])
  })

  it('a part of a secret is replaced, the others stay', async () => {
    const secret = { token: 'xoxb-1', signingSecret: 'ab'.repeat(16) }
    const settings = { channel: '#alerts' }
    const org = await grant(admin, 'acme')
    const made = await createChannel(harness.deps, org, { kind: 'slack_app', name: 'Ops', settings, secret })
    const stored = async () => {
      const row = await harness.db
        .selectFrom('notification_channel')
        .select('secret')
        .where('id', '=', made.id)
        .executeTakeFirstOrThrow()
      return JSON.parse(await harness.access.seal.open(row.secret)) as object
    }
    await updateChannel(harness.deps, org, { channelId: made.id, secret: { token: 'xoxb-2' } })
    assert.deepEqual(await stored(), { ...secret, token: 'xoxb-2' })
    const wrong = { channelId: made.id, secret: { signingSecret: 'short' } }
    await assert.rejects(updateChannel(harness.deps, org, wrong), InvalidInput)
    await harness.db
      .updateTable('notification_channel')
      .set({ secret: '' })
      .where('id', '=', made.id)
      .execute()
    const half = { channelId: made.id, secret: { signingSecret: secret.signingSecret } }
    await assert.rejects(updateChannel(harness.deps, org, half), InvalidInput, 'what is lost is needed again')
    await updateChannel(harness.deps, org, { channelId: made.id, secret })
    assert.deepEqual(await stored(), secret)
  })

  it('a new signing secret takes the place of the old one', async () => {
    const sealed = () =>
      harness.db
        .selectFrom('notification_channel')
        .select('secret')
        .where('id', '=', channelId)
        .executeTakeFirstOrThrow()
    const before = await sealed()
    const input = { channelId, newSigningSecret: true }
    const { signingSecret } = await updateChannel(harness.deps, await grant(admin, 'acme'), input)
    const opened = await harness.access.seal.open((await sealed()).secret)
    assert.deepEqual(JSON.parse(opened), { key: signingSecret })
    assert.notEqual(before.secret, (await sealed()).secret)
  })

  it('the inbox is the person’s own, and only of their organizations', async () => {
    const user_id = admin.userId
    const id = await notification({ user_id, medium: 'inbox' })
    await notification({ user_id, medium: 'inbox' })
    await notification({ user_id, medium: 'email' })
    const deps = { records: harness.db }
    assert.equal(await unreadCount(deps, admin), 2)
    assert.equal(await unreadCount(deps, { ...admin, memberships: [] }), 0)
    await markInboxRead(harness.deps, rival, {})
    assert.equal(await unreadCount(deps, admin), 2)
    await markInboxRead(harness.deps, admin, { ids: [id] })
    assert.deepEqual(
      (await inboxItems(deps, admin, {})).items.map(({ isRead }) => isRead),
      [false, true],
    )
    await markInboxRead(harness.deps, admin, {})
    assert.equal(await unreadCount(deps, admin), 0)
  })

  it('a mail’s token may end what others do about one issue, or about several', async () => {
    const { userId } = admin
    const { seal } = harness.access
    const [issueId = 0] = await harness.issues(shop, 1)
    const of = async (more: { issueId?: number; isActivity?: boolean }) =>
      unsubscribeToken(seal, { userId, projectId: shop, ...more })
    const about = (issue?: { id: number }) => ({
      user_id: userId,
      medium: 'email' as const,
      state: 'waiting' as const,
      message: JSON.stringify({ reason: 'you were mentioned', ...(issue && { issue }) }),
    })
    const [own, other] = [
      await notification(about({ id: issueId })),
      await notification(about({ id: issueId + 1 })),
    ]
    const token = await of({ issueId })
    const looked = await lookAtUnsubscribe(harness.deps, seal, token)
    assert.deepEqual(looked, { project: 'acme/shop', issue: 'SHOP-1', isAlreadyOff: false })
    await unsubscribe(harness.deps, seal, token)
    await unsubscribe(harness.deps, seal, token)
    assert.equal((await lookAtUnsubscribe(harness.deps, seal, token))?.isAlreadyOff, true)
    assert.deepEqual([await stateOf(own), await stateOf(other)], [undefined, 'waiting'])
    const subscription = await harness.db
      .selectFrom('issue_subscription')
      .select('is_active')
      .where('issue_id', '=', issueId)
      .where('user_id', '=', userId)
      .execute()
    assert.deepEqual(subscription, [{ is_active: 0 }])
    const activity = await of({ isActivity: true })
    const several = { project: 'acme/shop', isActivity: true }
    const look = () => lookAtUnsubscribe(harness.deps, seal, activity)
    assert.deepEqual(await look(), { ...several, isAlreadyOff: false })
    await unsubscribe(harness.deps, seal, activity)
    assert.deepEqual(await look(), { ...several, isAlreadyOff: true })
    const read = () => notificationSettings({ records: harness.db }, admin)
    assert.deepEqual((await read()).projects, [{ org: 'acme', project: 'shop', activity: { email: 'none' } }])
    const project = await harness.access.openProject(admin, 'acme', 'shop', 'project:read')
    const none = { inbox: '', email: '', push: '' } as const
    await setProjectNotifications(harness.deps, admin, project, { ...none, activity: none })
    assert.deepEqual((await read()).projects, [])
    const activityOf = { inbox: 'involved', email: 'none', push: 'subscribed' } as const
    await setUsualNotifications(harness.deps, admin, {
      inbox: 'all',
      email: 'all',
      pace: 'once',
      activity: activityOf,
    })
    assert.deepEqual((await read()).activity, activityOf)
    await harness.db.deleteFrom('activity_setting').execute()
    await harness.db.deleteFrom('notification').where('id', '=', other).execute()
  })

  it('a mail’s token ends the mail of its project, or all of it', async () => {
    const { userId } = admin
    const { seal } = harness.access
    const project = await harness.access.openProject(admin, 'acme', 'shop', 'project:read')
    await setUsualNotifications(harness.deps, admin, { inbox: 'new', email: 'all', pace: 'day' })
    await setProjectNotifications(harness.deps, admin, project, { inbox: 'none', email: 'all' })
    const waiting = await notification({ user_id: userId, medium: 'email', state: 'waiting' })
    const settings = () => notificationSettings({ records: harness.db }, admin)
    assert.deepEqual(await settings(), {
      inbox: 'new',
      email: 'all',
      push: 'all',
      activity: { inbox: 'subscribed', email: 'subscribed', push: 'subscribed' },
      pace: 'day',
      digestHour: 7,
      projects: [{ org: 'acme', project: 'shop', inbox: 'none', email: 'all', activity: {} }],
    })
    const token = await unsubscribeToken(seal, { userId, projectId: shop })
    const looked = await lookAtUnsubscribe(harness.deps, seal, token)
    assert.deepEqual(looked, { project: 'acme/shop', isAlreadyOff: false })
    await unsubscribe(harness.deps, seal, token)
    await unsubscribe(harness.deps, seal, token)
    assert.equal((await lookAtUnsubscribe(harness.deps, seal, token))?.isAlreadyOff, true)
    assert.deepEqual((await settings()).projects[0]?.email, 'none')
    assert.deepEqual((await settings()).projects[0]?.activity, { email: 'none' })
    assert.equal((await settings()).email, 'all')
    assert.equal(await stateOf(waiting), undefined)
    await unsubscribe(harness.deps, seal, await unsubscribeToken(seal, { userId, projectId: null }))
    assert.deepEqual(await settings(), {
      inbox: 'new',
      email: 'none',
      push: 'all',
      activity: { inbox: 'subscribed', email: 'none', push: 'subscribed' },
      pace: 'day',
      digestHour: 7,
      projects: [{ org: 'acme', project: 'shop', inbox: 'none', activity: {} }],
    })
    assert.equal(await unsubscribe(harness.deps, seal, 'forged'), undefined)
    const nobody = await unsubscribeToken(seal, { userId: 'nobody', projectId: null })
    assert.equal(await unsubscribe(harness.deps, seal, nobody), undefined)
    // Back to what holds for the others.
    await setProjectNotifications(harness.deps, admin, project, { inbox: '', email: '' })
    assert.deepEqual((await settings()).projects, [])
    await setUsualNotifications(harness.deps, admin, {
      inbox: 'new',
      email: 'none',
      push: 'new',
      pace: 'day',
    })
    await setProjectNotifications(harness.deps, admin, project, { inbox: '', email: '', push: 'none' })
    const { push, projects } = await settings()
    assert.deepEqual(
      [push, projects],
      ['new', [{ org: 'acme', project: 'shop', push: 'none', activity: {} }]],
    )
    await setProjectNotifications(harness.deps, admin, project, { inbox: '', email: '' })
    const wrong = { inbox: 'some' as 'all', email: 'all', pace: 'day' } as const
    await assert.rejects(setUsualNotifications(harness.deps, admin, wrong), InvalidInput)

    const usual = { inbox: 'all', email: 'all', pace: 'day' } as const
    const collected = await notification({
      user_id: userId,
      medium: 'email',
      state: 'waiting',
      attempts: 0,
    })
    await setUsualNotifications(harness.deps, admin, { ...usual, digestHour: 18 })
    assert.equal((await settings()).digestHour, 18)
    const due = () =>
      harness.db
        .selectFrom('notification')
        .select('next_attempt_ms')
        .where('id', '=', collected)
        .executeTakeFirstOrThrow()
    const dueAt = async () => new Date((await due()).next_attempt_ms).toISOString().slice(11)
    assert.equal(await dueAt(), '18:00:00.000Z')
    // By the clock of the profile, also what waits when that changes.
    await updateProfile(harness.deps, admin, { name: admin.name, timeZone: 'Asia/Tokyo' })
    assert.equal(await dueAt(), '09:00:00.000Z')
    await setUsualNotifications(harness.deps, admin, { ...usual, digestHour: 17 })
    assert.equal(await dueAt(), '08:00:00.000Z')
    // What is left out stays; what waits goes with the new pace.
    await setUsualNotifications(harness.deps, admin, { ...usual, pace: 'once' })
    assert.equal((await due()).next_attempt_ms, harness.clock.nowMs())
    assert.equal((await settings()).digestHour, 17)
    for (const more of [{ digestHour: 24 }, { digestHour: 7.5 }])
      await assert.rejects(setUsualNotifications(harness.deps, admin, { ...usual, ...more }), InvalidInput)
  })

  it('are deleted after the retention time, unless they wait, and with the account', async () => {
    const created_ms = NOW_MS - 91 * DAY_MS
    const old = await notification({ created_ms })
    const waiting = await notification({ created_ms, state: 'waiting' })
    const recent = await notification({ created_ms: NOW_MS - 89 * DAY_MS })
    const dir = await mkdtemp(join(tmpdir(), 'sonde-notifications-'))
    const job = startDeletions({
      records: harness.db,
      telemetry: { deleteRows: async () => 0 },
      blobs: await openTestBlobs(dir),
      clock: harness.clock,
      logger: silentLogger,
      retentionDays: 90,
      artifactRetentionDays: 90,
      auditRetentionDays: 730,
    })
    while ((await stateOf(old)) !== undefined) await new Promise((resolve) => setImmediate(resolve))
    await job.stop()
    await rm(dir, { recursive: true, force: true })
    assert.deepEqual([await stateOf(waiting), await stateOf(recent)], ['waiting', 'sent'])

    const member = await harness.viewer('acme', 'member')
    const own = await notification({ user_id: member.userId, medium: 'inbox' })
    await setUsualNotifications(harness.deps, member, { inbox: 'all', email: 'all', pace: 'once' })
    await deleteUser(harness.deps, operatorViewer, { email: member.email })
    assert.equal(await stateOf(own), undefined)
    const left = await harness.db
      .selectFrom('notification_setting')
      .select('id')
      .where('user_id', '=', member.userId)
      .execute()
    assert.deepEqual(left, [])
  })
})
