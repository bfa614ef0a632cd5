/** Rules about issues that somebody, a team or nobody has. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { operatorViewer } from '@sonde/access'
import { assigneeColumns, readAssignee } from '@sonde/stores'
import { ISSUE_RULE, previewIssues } from '../src/index.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

describe('rules about assigned issues', () => {
  let harness: Harness
  let shop: Awaited<ReturnType<Harness['project']>>
  let userId = ''
  let channelId = 0
  before(async () => {
    harness = await openHarness()
    shop = await harness.project('shop')
    userId = await harness.member(shop.orgId, 'ada@shop.test')
    channelId = (await harness.webhook(shop.orgId)).id
  })
  after(() => harness.close())
  beforeEach(async () => {
    harness.receiver.received.length = 0
    harness.receiver.answer(() => ({ status: 200 }))
    harness.at(NOW_MS)
    await harness.records.updateTable('alert_rule').set({ is_enabled: 0 }).execute()
  })
  const issueOf = async (assignee: string) => {
    const issue = await harness.issue(shop.id)
    const columns = assigneeColumns(readAssignee(assignee) ?? '')
    await harness.records.updateTable('issue').set(columns).where('id', '=', issue.id).execute()
    return issue
  }
  const team = async () =>
    (
      await harness.records
        .insertInto('team')
        .values({ org_id: shop.orgId, slug: 'web', name: 'Web', created_ms: 0 })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id

  it('fires for those who have the issue, or for all others, and the preview says so', async () => {
    const assignees = ['', `user:${userId}`, `team:${await team()}`]
    const actions = [{ type: 'channel' as const, channelId }]
    const grant = await harness.deps.access.openProject(
      operatorViewer,
      String(shop.orgId),
      String(shop.id),
      'event:read',
    )
    let made = 0
    for (const isNot of [false, true])
      for (const only of assignees) {
        await harness.records.updateTable('alert_rule').set({ is_enabled: 0 }).execute()
        harness.receiver.received.length = 0
        const rule = ISSUE_RULE.parse({
          triggers: [{ type: 'new' }],
          actions,
          coolDownMinutes: 0,
          assigned: { isNot, to: [only] },
        })
        await harness.rule(shop.id, rule)
        for (const assignee of assignees) {
          const { id, eventId } = await issueOf(assignee)
          await harness.change(shop.id, id, 'new', eventId)
        }
        made += 1
        await harness.settle()
        const expected = isNot ? 2 : 1
        const message = `${isNot ? 'not ' : ''}${only || 'nobody'}`
        assert.equal(harness.receiver.received.length, expected, message)
        assert.equal((await previewIssues(harness.deps, grant, rule)).total, made * expected, message)
        harness.clock.advance(120_000)
      }
  })
})
