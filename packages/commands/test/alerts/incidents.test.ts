import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer, type UserViewer } from '@sonde/access'
import { errorKind } from '@sonde/base'
import {
  acknowledgeIncident,
  createAlertRule,
  ensureProject,
  InvalidInput,
  noteIncident,
  resolveIncident,
  retryIncidentNotification,
  updateAlertRule,
} from '@sonde/commands'
import { type Harness, NOW_MS, openHarness } from '../harness.ts'

describe('what people do about an incident', () => {
  let harness: Harness
  let member: UserViewer
  let projectId = 0
  let channelId = 0
  before(async () => {
    harness = await openHarness()
    await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop' })
    await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'other' })
    member = await harness.viewer('acme', 'member')
    projectId = (await grant()).projectId
    channelId = await channel()
  })
  after(() => harness.close())

  const grant = (project = 'shop', viewer = member) =>
    harness.access.openProject(viewer, 'acme', project, 'alert:write')
  const channel = async (): Promise<number> => {
    const { id: orgId } = await harness.db
      .selectFrom('organization')
      .select('id')
      .where('slug', '=', 'acme')
      .executeTakeFirstOrThrow()
    const { id } = await harness.db
      .insertInto('notification_channel')
      .values({
        org_id: orgId,
        kind: 'webhook',
        name: 'hook',
        settings: '{}',
        secret: '',
        created_by: '',
        created_ms: NOW_MS,
        updated_ms: NOW_MS,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  let made = 0
  /** Of a metric, told to the channel, which failed. */
  const incident = async (): Promise<{ incidentId: number; notificationId: number }> => {
    const { org_id } = await harness.db
      .selectFrom('project')
      .select('org_id')
      .where('id', '=', projectId)
      .executeTakeFirstOrThrow()
    const { id: incidentId } = await harness.db
      .insertInto('incident')
      .values({
        project_id: projectId,
        rule_id: null as never,
        rule_name: 'Rule',
        issue_id: null,
        dedup_key: `incident ${++made}`,
        cause: '{}',
        started_ms: NOW_MS,
        fired_ms: NOW_MS,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const message = { kind: 'metric', title: 'Rule: Errors is 3', org: 'acme', project: 'shop', facts: [] }
    const { id: notificationId } = await harness.db
      .insertInto('notification')
      .values({
        dedup_key: `notification ${made}`,
        org_id,
        project_id: projectId,
        incident_id: incidentId,
        medium: 'channel',
        channel_id: channelId,
        message: JSON.stringify(message),
        state: 'failed',
        attempts: 8,
        next_attempt_ms: NOW_MS,
        created_ms: NOW_MS,
        done_ms: NOW_MS,
        answer: '500',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { incidentId, notificationId }
  }
  const rowOf = (id: number) =>
    harness.db.selectFrom('incident').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const toldOf = (id: number) =>
    harness.db.selectFrom('notification').selectAll().where('incident_id', '=', id).orderBy('id').execute()
  const audited = async (incidentId: number): Promise<string[]> => {
    const rows = await harness.db.selectFrom('audit_entry').selectAll().orderBy('id').execute()
    return rows
      .filter(({ detail }) => (JSON.parse(detail) as { incidentId?: number }).incidentId === incidentId)
      .map(({ action, subject }) => `${action} ${subject}`)
  }

  it('is acknowledged once, and by whom', async () => {
    const { incidentId } = await incident()
    await acknowledgeIncident(harness.deps, await grant(), { incidentId })
    harness.clock.advance(60_000)
    await acknowledgeIncident(harness.deps, await grant(), { incidentId })
    const row = await rowOf(incidentId)
    assert.deepEqual([row.acknowledged_ms, row.acknowledged_by], [NOW_MS, `user:${member.userId}`])
    assert.deepEqual(await audited(incidentId), ['incident.acknowledge acme/shop'])
  })

  it('is resolved once, and the channels that were told are told so', async () => {
    const { incidentId } = await incident()
    await resolveIncident(harness.deps, await grant(), { incidentId })
    await resolveIncident(harness.deps, await grant(), { incidentId })
    const row = await rowOf(incidentId)
    assert.equal(row.resolved_by, `user:${member.userId}`)
    const told = (await toldOf(incidentId)).map(({ state, message }) => {
      const { kind, headline, title } = JSON.parse(message) as Record<string, string>
      return [state, kind, headline ?? '', title].join()
    })
    assert.deepEqual(told, [
      'failed,metric,,Rule: Errors is 3',
      'waiting,resolved,Resolved in acme/shop,Rule: Errors is 3',
    ])
    await acknowledgeIncident(harness.deps, await grant(), { incidentId })
    assert.deepEqual(await audited(incidentId), ['incident.resolve acme/shop'])
  })

  it('notes say something', async () => {
    const { incidentId } = await incident()
    await noteIncident(harness.deps, await grant(), { incidentId, text: ' rolled back ' })
    for (const text of ['  ', 'x'.repeat(4_001)])
      await assert.rejects(noteIncident(harness.deps, await grant(), { incidentId, text }), InvalidInput)
    const notes = await harness.db
      .selectFrom('incident_note')
      .select(['body', 'actor'])
      .where('incident_id', '=', incidentId)
      .execute()
    assert.deepEqual(notes, [{ body: 'rolled back', actor: `user:${member.userId}` }])
  })

  it('only what failed is sent again, with all its attempts', async () => {
    const ids = await incident()
    await retryIncidentNotification(harness.deps, await grant(), ids)
    const [row] = await toldOf(ids.incidentId)
    assert.deepEqual([row?.state, row?.attempts, row?.done_ms], ['waiting', 0, null])
    await harness.db
      .updateTable('notification')
      .set({ state: 'sent', attempts: 1 })
      .where('id', '=', ids.notificationId)
      .execute()
    await retryIncidentNotification(harness.deps, await grant(), ids)
    assert.equal((await toldOf(ids.incidentId))[0]?.state, 'sent')
    assert.deepEqual(await audited(ids.incidentId), ['notification.retry acme/shop'])
  })

  it('a rule is muted and turned off and on without saying all of it again', async () => {
    const rule = {
      triggers: [{ type: 'events' as const, count: 5, minutes: 5 }],
      actions: [{ type: 'members' as const }],
    }
    const { id: ruleId } = await createAlertRule(harness.deps, await grant(), {
      name: 'Busy',
      kind: 'issue',
      rule,
    })
    const rowIs = () =>
      harness.db
        .selectFrom('alert_rule')
        .select(['is_enabled', 'muted_until_ms', 'name'])
        .where('id', '=', ruleId)
        .executeTakeFirstOrThrow()
    await updateAlertRule(harness.deps, await grant(), { ruleId, isEnabled: false })
    await updateAlertRule(harness.deps, await grant(), { ruleId, mutedUntilMs: NOW_MS + 9 })
    assert.deepEqual(await rowIs(), { is_enabled: 0, muted_until_ms: NOW_MS + 9, name: 'Busy' })
    // What cannot be read any more can still be turned off.
    await harness.db.updateTable('alert_rule').set({ value: '{}' }).where('id', '=', ruleId).execute()
    await updateAlertRule(harness.deps, await grant(), { ruleId, isEnabled: false, mutedUntilMs: null })
    assert.deepEqual(await rowIs(), { is_enabled: 0, muted_until_ms: null, name: 'Busy' })
  })

  it('nobody reaches it through another project or incident, nor without the permission', async () => {
    const ids = await incident()
    const { incidentId } = await incident()
    const isMissing = (error: unknown) => errorKind(error) === 'not-found'
    const [own, other] = [await grant(), await grant('other')]
    const attempts = [
      acknowledgeIncident(harness.deps, other, ids),
      resolveIncident(harness.deps, other, ids),
      noteIncident(harness.deps, other, { ...ids, text: 'x' }),
      retryIncidentNotification(harness.deps, other, ids),
      retryIncidentNotification(harness.deps, own, { ...ids, incidentId }),
    ]
    await Promise.all(attempts.map((attempt) => assert.rejects(attempt, isMissing)))
    const viewer = await harness.viewer('acme', 'viewer')
    await assert.rejects(grant('shop', viewer), (error) => errorKind(error) === 'forbidden')
    assert.equal((await rowOf(ids.incidentId)).resolved_ms, null)
  })
})
