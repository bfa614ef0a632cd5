/** Rules and incidents as the screens list them. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Grant } from '@sonde/access'
import {
  alertRule,
  alertRules,
  incident,
  incidentNotes,
  incidentNotifications,
  incidents,
  openIncidentCount,
} from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from '../harness.ts'

describe('rules and incidents', () => {
  let harness: Harness
  let shop: ProjectGrant & Grant<'alert:read', 'project'>
  let other: typeof shop
  let ruleId = 0
  let quietId = 0
  let issueId = 0
  before(async () => {
    harness = await openHarness()
    const org = await harness.org('acme')
    shop = (await harness.project(org, 'shop')) as typeof shop
    other = (await harness.project(org, 'other')) as typeof shop
    ;[issueId = 0] = await harness.issues(shop.projectId, [{ title: 'TypeError: x' }])
    ruleId = await rule('Busy', {})
    quietId = await rule('Quiet', { is_enabled: 0, muted_until_ms: NOW_MS + MINUTE_MS })
    await harness.db
      .insertInto('alert_rule_state')
      .values({ rule_id: ruleId, evaluated_ms: NOW_MS, trouble: 'no such field' })
      .execute()
  })
  after(() => harness.close())

  const rule = async (name: string, more: object): Promise<number> => {
    const { id } = await harness.db
      .insertInto('alert_rule')
      .values({
        project_id: shop.projectId,
        kind: 'issue',
        name,
        value: '{}',
        origin: '',
        created_by: 'operator:cli',
        created_ms: NOW_MS,
        updated_ms: NOW_MS,
        ...more,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  let made = 0
  const fire = async (more: object = {}): Promise<number> => {
    const { id } = await harness.db
      .insertInto('incident')
      .values({
        project_id: shop.projectId,
        rule_id: ruleId,
        rule_name: 'Busy',
        issue_id: issueId,
        dedup_key: `key ${++made}`,
        cause: '{"kind":"new"}',
        started_ms: NOW_MS,
        fired_ms: NOW_MS + made,
        ...more,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  it('a rule with its state, its trouble and how often it is open', async () => {
    const first = await fire()
    await fire({ resolved_ms: NOW_MS, resolved_by: 'rule' })
    const [busy, quiet] = await alertRules(harness.deps, shop)
    assert.deepEqual(
      [busy?.name, busy?.trouble, busy?.openIncidents, busy?.lastFiredMs, busy?.createdBy],
      ['Busy', 'no such field', 1, NOW_MS + 2, 'the operator'],
    )
    assert.deepEqual(
      [quiet?.isEnabled, quiet?.mutedUntilMs, quiet?.lastFiredMs, quiet?.openIncidents],
      [false, NOW_MS + MINUTE_MS, undefined, 0],
    )
    assert.equal(await openIncidentCount(harness.deps, shop), 1)
    assert.equal((await alertRule(harness.deps, shop, quietId))?.name, 'Quiet')
    assert.equal(await alertRule(harness.deps, other, quietId), undefined)
    assert.deepEqual(await alertRules(harness.deps, other), [])
    assert.equal(await openIncidentCount(harness.deps, other), 0)
    assert.equal(await incident(harness.deps, other, first), undefined)
  })

  it('incidents by state and rule, in pages, with their issue', async () => {
    const page = { page: 1, limit: 1 }
    const open = await incidents(harness.deps, shop, { ...page, isOpen: true })
    assert.equal(open.total, 1)
    assert.equal(open.rows[0]?.issue?.shortId, 'SHOP-1')
    const ended = await incidents(harness.deps, shop, { ...page, isOpen: false })
    assert.deepEqual([ended.total, ended.rows[0]?.resolvedBy], [1, 'rule'])
    const all = await incidents(harness.deps, shop, { page: 2, limit: 1 })
    assert.deepEqual([all.total, all.rows.length, all.rows[0]?.id], [2, 1, open.rows[0]?.id])
    assert.equal((await incidents(harness.deps, shop, { ...page, ruleId: quietId })).total, 0)
    assert.equal((await incidents(harness.deps, other, page)).total, 0)
  })

  it('who was told and what was written, to its own project alone', async () => {
    const id = await fire()
    await harness.db
      .insertInto('notification')
      .values({
        dedup_key: 'n',
        org_id: shop.orgId,
        project_id: shop.projectId,
        incident_id: id,
        medium: 'channel',
        message: '{"kind":"resolved"}',
        state: 'failed',
        attempts: 3,
        next_attempt_ms: NOW_MS,
        created_ms: NOW_MS,
        answer: '500',
      })
      .execute()
    await harness.db
      .insertInto('incident_note')
      .values([
        { incident_id: id, actor: 'operator:cli', body: 'first', at_ms: NOW_MS },
        { incident_id: id, actor: 'operator:cli', body: 'second', at_ms: NOW_MS + 1 },
      ])
      .execute()
    const [told] = await incidentNotifications(harness.deps, shop, id)
    assert.deepEqual(
      [told?.state, told?.answer, told?.attempts, told?.isEnd, told?.channel],
      ['failed', '500', 3, true, undefined],
    )
    assert.deepEqual(
      (await incidentNotes(harness.deps, shop, id)).map(({ author, text }) => `${author}: ${text}`),
      ['the operator: first', 'the operator: second'],
    )
    assert.deepEqual(await incidentNotifications(harness.deps, other, id), [])
    assert.deepEqual(await incidentNotes(harness.deps, other, id), [])
  })
})
