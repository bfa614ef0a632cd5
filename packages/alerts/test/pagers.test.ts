import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ChannelKind } from '@sonde/stores'
import { acknowledgeIncident } from '../src/issues/acknowledge.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

describe('pagers', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())

  const channel = async (orgId: number, kind: ChannelKind, settings: object, secret: object) => {
    const { id } = await harness.records
      .insertInto('notification_channel')
      .values({
        org_id: orgId,
        kind,
        name: kind,
        settings: JSON.stringify(settings),
        secret: await harness.deps.channels.seal.seal(JSON.stringify(secret)),
        created_by: '',
        created_ms: NOW_MS,
        updated_ms: NOW_MS,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  const pagerduty = (orgId: number) =>
    channel(orgId, 'pagerduty', { apiUrl: harness.receiver.url }, { routingKey: 'a'.repeat(32) })
  const opsgenie = (orgId: number) =>
    channel(orgId, 'opsgenie', { apiUrl: harness.receiver.url }, { apiKey: 'k' })
  const events = () =>
    harness.receiver.received
      .filter(({ path }) => path === '/v2/enqueue')
      .map(({ body }) => JSON.parse(body) as { event_action: string; dedup_key: string })
  const incidents = (projectId: number) =>
    harness.records
      .selectFrom('incident')
      .select('id')
      .where('project_id', '=', projectId)
      .orderBy('id')
      .execute()

  it('a storm is an incident for each issue there, not a digest that nobody could resolve', async () => {
    const project = await harness.project('storm')
    const [pagerId, { id: hookId }] = [await pagerduty(project.orgId), await harness.webhook(project.orgId)]
    await harness.rule(project.id, {
      triggers: [{ type: 'new' }],
      actions: [
        { type: 'channel', channelId: pagerId },
        { type: 'channel', channelId: hookId },
      ],
    })
    const issues = []
    for (let at = 0; at < 25; at++) issues.push(await harness.issue(project.id))
    for (const { id, eventId } of issues) await harness.change(project.id, id, 'new', eventId)
    await harness.settle()
    const triggered = events().map(({ event_action, dedup_key }) => `${event_action} ${dedup_key}`)
    const keys = (await incidents(project.id)).map(({ id }) => `sonde-incident-${id}`)
    assert.deepEqual(
      triggered,
      keys.map((key) => `trigger ${key}`),
    )
    // What is read, not answered, is one message.
    assert.equal(harness.receiver.received.filter(({ path }) => path === '/hook').length, 1)

    harness.receiver.received.length = 0
    for (const { id } of issues) await harness.change(project.id, id, 'resolved')
    await harness.settle()
    assert.deepEqual(
      events().map(({ event_action, dedup_key }) => `${event_action} ${dedup_key}`),
      keys.map((key) => `resolve ${key}`),
    )
  })

  it('that an incident is acknowledged goes to the pagers that were told of it, but for the one that said so', async () => {
    const project = await harness.project('calls')
    const [first, second] = [await pagerduty(project.orgId), await opsgenie(project.orgId)]
    const { id: hookId } = await harness.webhook(project.orgId, '/chat')
    await harness.rule(project.id, {
      triggers: [{ type: 'new' }],
      actions: [first, second, hookId].map((channelId) => ({ type: 'channel', channelId })),
    })
    const issue = await harness.issue(project.id)
    await harness.change(project.id, issue.id, 'new', issue.eventId)
    await harness.settle()
    const [{ id } = { id: 0 }] = await incidents(project.id)
    harness.receiver.received.length = 0
    const nowMs = harness.clock.nowMs()
    assert.equal(await acknowledgeIncident(harness.records, id, nowMs, { by: 'user:1' }), true)
    assert.equal(await acknowledgeIncident(harness.records, id, nowMs, { by: 'user:2' }), false)
    await harness.settle()
    assert.deepEqual(harness.receiver.received.map(({ path }) => path).sort(), [
      `/v2/alerts/sonde-incident-${id}/acknowledge?identifierType=alias`,
      '/v2/enqueue',
    ])
    assert.equal(events()[0]?.event_action, 'acknowledge')

    const other = await harness.issue(project.id)
    await harness.change(project.id, other.id, 'new', other.eventId)
    await harness.settle()
    harness.receiver.received.length = 0
    const next = (await incidents(project.id)).at(-1)?.id ?? 0
    await acknowledgeIncident(harness.records, next, nowMs, { by: 'channel:1', exceptChannelId: first })
    await harness.settle()
    assert.deepEqual(
      harness.receiver.received.map(({ path }) => path),
      [`/v2/alerts/sonde-incident-${next}/acknowledge?identifierType=alias`],
    )
  })
})
