/** What others do about issues reaches those whom it concerns: from a change of an issue to inbox and mailbox. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import {
  type ActivityChoice,
  type IssueChange,
  noteIssueChange,
  noteIssueChanges,
  subscribe,
  type SubscriptionReason,
} from '@sonde/stores'
import { readUnsubscribeToken } from '../src/index.ts'
import { readMessage } from '../src/messages/message.ts'
import { MAX_CHANGES_KEPT } from '../src/workflow/tell-changes.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

describe('what others do about issues', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())
  beforeEach(() => {
    harness.mail.mails.length = 0
    harness.at(NOW_MS)
  })

  const shopWith = async (...emails: readonly string[]) => {
    const shop = await harness.project('shop')
    const people: string[] = []
    for (const email of emails) people.push(await harness.member(shop.orgId, email))
    return { shop, people: people as [string, string, string, string] }
  }
  const subscribed = (issueId: number, userId: string, reason: SubscriptionReason = 'unknown') =>
    subscribe(harness.records, { issueIds: [issueId], userIds: [userId] }, reason, NOW_MS)
  const did = (change: IssueChange) => noteIssueChange(harness.records, change, harness.clock.nowMs())
  const comment = async (projectId: number, issueId: number, by: string, body: string) => {
    const id = await did({ projectId, issueId, kind: 'comment', actor: `user:${by}` })
    await harness.records.insertInto('issue_comment').values({ change_id: id, body }).execute()
    return id
  }
  const mention = (change_id: number, to: { user_id?: string; team_id?: number }) =>
    harness.records
      .insertInto('comment_mention')
      .values({ change_id, handle: '@x', user_id: to.user_id ?? null, team_id: to.team_id ?? null })
      .execute()
  const inboxOf = async (userId: string) =>
    (
      await harness.records
        .selectFrom('notification')
        .select('message')
        .where('user_id', '=', userId)
        .where('medium', '=', 'inbox')
        .orderBy('id')
        .execute()
    ).map(({ message }) => readMessage(message))
  const told = async (userId: string) => (await inboxOf(userId)).map(({ headline }) => headline)
  const mailed = () => harness.mail.mails.map(({ to }) => to).toSorted()

  it('a comment is told to all who are subscribed but its author, with its text, a reason and a link', async () => {
    const { shop, people } = await shopWith('ada@a.test', 'bob@a.test', 'cleo@a.test')
    const [ada, bob, cleo] = people
    const issue = await harness.issue(shop.id)
    await subscribed(issue.id, ada, 'comment')
    await subscribed(issue.id, bob, 'changed_status')
    const id = await comment(shop.id, issue.id, ada, '<b>Look</b> at **this**')
    await harness.settle()
    assert.deepEqual(await told(bob), [`ada@a.test commented in ${shop.orgSlug}/shop`])
    assert.deepEqual([await told(ada), await told(cleo)], [[], []])
    const [mail, ...more] = harness.mail.mails
    assert.equal(more.length, 0)
    assert.equal(mail?.to, 'bob@a.test')
    assert.match(mail?.subject ?? '', /^\[SHOP-\d+\] ada@a\.test commented/)
    assert.match(mail?.text ?? '', /<b>Look<\/b> at \*\*this\*\*/)
    assert.match(String(mail?.html), /&lt;b&gt;Look&lt;\/b&gt;/)
    assert.match(mail?.text ?? '', /You get this because you changed the state of the issue\./)
    assert.match(mail?.text ?? '', new RegExp(`/activity\\?from=${id}#comment-${id}`))
    assert.match(mail?.text ?? '', /Unsubscribe from this issue: https:\/\/sonde\.test\/api\/0\/unsubscribe/)
    const list = mail?.headers.get('list') as { unsubscribe: { url: string } }
    const token = new URL(list.unsubscribe.url).searchParams.get('token') ?? ''
    assert.deepEqual(await readUnsubscribeToken(harness.deps.channels.seal, token), {
      userId: bob,
      projectId: shop.id,
      issueId: issue.id,
    })
    // Looked at once.
    await harness.settle()
    assert.equal((await told(bob)).length, 1)
  })

  it('who is mentioned is told so, and again of nothing when the text is edited', async () => {
    const { shop, people } = await shopWith('ada@b.test', 'bob@b.test', 'cleo@b.test', 'dan@b.test')
    const [ada, bob, cleo, dan] = people
    const issue = await harness.issue(shop.id)
    const team = await harness.records
      .insertInto('team')
      .values({ org_id: shop.orgId, slug: 'web', name: 'Web', created_ms: NOW_MS })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const user_id of [cleo, dan])
      await harness.records
        .insertInto('team_member')
        .values({ team_id: team.id, user_id, created_ms: NOW_MS })
        .execute()
    await subscribed(issue.id, cleo, 'team_mentioned')
    // Unsubscribed by hand: a team's name does not bring them back.
    await harness.records
      .insertInto('issue_subscription')
      .values({ issue_id: issue.id, user_id: dan, is_active: 0, reason: 'unknown', created_ms: NOW_MS })
      .execute()
    const id = await comment(shop.id, issue.id, ada, '@bob #web')
    await mention(id, { user_id: bob })
    await mention(id, { team_id: team.id })
    await harness.settle()
    const where = `in ${shop.orgSlug}/shop`
    assert.deepEqual(await told(bob), [`ada@b.test mentioned you ${where}`])
    assert.deepEqual(await told(cleo), [`ada@b.test mentioned your team ${where}`])
    assert.deepEqual(await told(dan), [])
    await mention(id, { user_id: ada })
    await harness.records.updateTable('issue_change').set({ is_untold: 1 }).where('id', '=', id).execute()
    await harness.settle()
    assert.deepEqual([(await told(bob)).length, (await told(cleo)).length], [1, 1])
    assert.deepEqual(mailed(), ['bob@b.test', 'cleo@b.test'])
  })

  it('an assignment says to whom; a resolution in which release', async () => {
    const { shop, people } = await shopWith('ada@c.test', 'bob@c.test', 'cleo@c.test')
    const [ada, bob, cleo] = people
    const issue = await harness.issue(shop.id)
    await harness.records
      .updateTable('issue')
      .set({ assignee_user_id: bob })
      .where('id', '=', issue.id)
      .execute()
    await subscribed(issue.id, bob, 'assigned')
    await subscribed(issue.id, cleo)
    const actor = `user:${ada}`
    const of = { projectId: shop.id, issueId: issue.id, actor }
    await did({ ...of, kind: 'assigned', detail: { assignee: `user:${bob}` } })
    await did({ ...of, kind: 'resolved', detail: { resolvedIn: 'release', release: 'shop@2' } })
    await did({ ...of, kind: 'priority_changed', detail: { priority: 'high' } })
    await harness.settle()
    const where = `in ${shop.orgSlug}/shop`
    assert.deepEqual(await told(bob), [
      `ada@c.test assigned an issue to you ${where}`,
      `ada@c.test resolved an issue in shop@2 ${where}`,
    ])
    assert.deepEqual(await told(cleo), [
      `ada@c.test assigned an issue to bob@c.test ${where}`,
      `ada@c.test resolved an issue in shop@2 ${where}`,
    ])
    assert.deepEqual(
      (await inboxOf(bob)).map(({ reason }) => reason),
      ['the issue is assigned to you', 'the issue is assigned to you'],
    )
  })

  it('who took it is not named twice, and what ownership assigned was assigned by nobody', async () => {
    const { shop, people } = await shopWith('ada@t.test', 'bob@t.test')
    const [ada, bob] = people
    const [issue, ...others] = [
      await harness.issue(shop.id),
      await harness.issue(shop.id),
      await harness.issue(shop.id),
    ]
    for (const { id } of [issue, ...others]) await subscribed(id, bob)
    const assigned = { projectId: shop.id, kind: 'assigned', detail: { assignee: `user:${ada}` } } as const
    await did({ ...assigned, issueId: issue.id, actor: `user:${ada}` })
    await harness.settle()
    await did({ ...assigned, issueId: issue.id })
    await harness.settle()
    await noteIssueChanges(
      harness.records,
      others.map(({ id }) => ({ ...assigned, issueId: id })),
      NOW_MS,
    )
    await harness.settle()
    const where = `in ${shop.orgSlug}/shop`
    assert.deepEqual(await told(bob), [
      `ada@t.test assigned an issue to themselves ${where}`,
      `An issue was assigned to ada@t.test ${where}`,
      `2 issues were assigned ${where}`,
    ])
  })

  it('a bulk change is one message to a person, whatever it changes', async () => {
    const { shop, people } = await shopWith('ada@d.test', 'bob@d.test')
    const [ada, bob] = people
    const ids: number[] = []
    for (let count = 0; count < 12; count++) ids.push((await harness.issue(shop.id)).id)
    await subscribe(harness.records, { issueIds: ids, userIds: [bob, ada] }, 'unknown', NOW_MS)
    await noteIssueChanges(
      harness.records,
      ids.map((issueId) => ({
        projectId: shop.id,
        issueId,
        kind: 'resolved' as const,
        actor: `user:${ada}`,
      })),
      NOW_MS,
    )
    await harness.settle()
    assert.deepEqual(await told(bob), [`ada@d.test resolved 12 issues in ${shop.orgSlug}/shop`])
    const [mail, ...more] = harness.mail.mails
    assert.equal(more.length, 0)
    assert.match(mail?.text ?? '', /and 2 more/)
    assert.match(mail?.text ?? '', /Stop email about issue activity: /)
  })

  it('choices hold by medium and by project: all, only where one is involved, nothing', async () => {
    const { shop, people } = await shopWith('ada@e.test', 'involved@e.test', 'none@e.test', 'here@e.test')
    const [ada, involved, none, here] = people
    const set = (user_id: string, medium: 'email' | 'inbox', choice: ActivityChoice, project?: number) =>
      harness.records
        .insertInto('activity_setting')
        .values({ user_id, medium, choice, project_id: project ?? null })
        .execute()
    await set(involved, 'email', 'involved')
    await set(none, 'email', 'none')
    await set(none, 'inbox', 'none')
    await set(here, 'email', 'none')
    await set(here, 'email', 'subscribed', shop.id)
    const issue = await harness.issue(shop.id)
    for (const userId of [involved, none, here]) await subscribed(issue.id, userId)
    await comment(shop.id, issue.id, ada, 'to all')
    await harness.settle()
    assert.deepEqual(mailed(), ['here@e.test'])
    assert.deepEqual([(await told(involved)).length, (await told(none)).length], [1, 0])
    const id = await comment(shop.id, issue.id, ada, '@involved')
    await mention(id, { user_id: involved })
    await harness.settle()
    assert.deepEqual(mailed(), ['here@e.test', 'here@e.test', 'involved@e.test'])
  })

  it('who left, is disabled or did it with a token is not told', async () => {
    const { shop, people } = await shopWith('ada@f.test', 'left@f.test', 'off@f.test')
    const [ada, left, off] = people
    const issue = await harness.issue(shop.id)
    for (const userId of people) await subscribed(issue.id, userId)
    await harness.records.deleteFrom('member').where('user_id', '=', left).execute()
    await harness.records.updateTable('user').set({ disabledMs: NOW_MS }).where('id', '=', off).execute()
    const token = await harness.records
      .insertInto('api_token')
      .values({
        org_id: shop.orgId,
        user_id: ada,
        name: 'script',
        token_hash: 'f',
        scopes: '[]',
        created_ms: NOW_MS,
        last_used_ms: null,
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    await did({ projectId: shop.id, issueId: issue.id, kind: 'resolved', actor: `token:${token.id}` })
    await harness.settle()
    for (const userId of people) assert.deepEqual(await told(userId), [])
  })

  it('whom a rule told that an issue came back is not told twice', async () => {
    const { shop, people } = await shopWith('ada@g.test', 'bob@g.test')
    const [ada, bob] = people
    const issue = await harness.issue(shop.id)
    for (const userId of [ada, bob]) await subscribed(issue.id, userId, 'changed_status')
    await harness.rule(shop.id, {
      triggers: [{ type: 'regressed' }],
      actions: [{ type: 'person', userId: ada }],
      coolDownMinutes: 0,
    })
    await harness.change(shop.id, issue.id, 'regressed', issue.eventId)
    await harness.settle()
    assert.deepEqual(await told(ada), [`Regression in ${shop.orgSlug}/shop`])
    assert.deepEqual(await told(bob), [`An issue came back in ${shop.orgSlug}/shop`])
    const notified = await harness.records
      .selectFrom('issue_change')
      .select(['kind', 'detail'])
      .where('issue_id', '=', issue.id)
      .where('kind', '=', 'notified')
      .executeTakeFirstOrThrow()
    const { rule, people: count, channels } = JSON.parse(notified.detail)
    assert.deepEqual({ rule, count, channels }, { rule: 'Rule', count: 1, channels: [] })
  })

  it('of an issue the newest thousand changes stay, and all comments', async () => {
    const { shop, people } = await shopWith('ada@h.test')
    const issue = await harness.issue(shop.id)
    const first = await comment(shop.id, issue.id, people[0], 'first')
    const of = { projectId: shop.id, issueId: issue.id, kind: 'merged' as const, actor: 'operator:cli' }
    await noteIssueChanges(
      harness.records,
      Array.from({ length: MAX_CHANGES_KEPT + 20 }, () => of),
      NOW_MS,
    )
    await harness.settle()
    const kinds = await harness.records
      .selectFrom('issue_change')
      .select(['id', 'kind'])
      .where('issue_id', '=', issue.id)
      .orderBy('id')
      .execute()
    assert.equal(kinds.length, MAX_CHANGES_KEPT + 1)
    assert.deepEqual(kinds[0], { id: first, kind: 'comment' })
  })
})
