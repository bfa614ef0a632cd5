/** From a change of an issue to what arrives at a webhook, in a mailbox and in the inbox: real servers on this machine. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { DEFAULT_RULE, type Message } from '../src/index.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

describe('alerts about issues', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())
  beforeEach(() => {
    harness.receiver.received.length = 0
    harness.mail.mails.length = 0
    harness.receiver.answer(() => ({ status: 200 }))
    harness.at(NOW_MS)
  })

  const dataOf = ({ body }: { readonly body: string }) => (JSON.parse(body) as { data: Message }).data
  const told = () =>
    harness.receiver.received.map((request) => `${dataOf(request).kind} ${dataOf(request).title}`)

  it('a new issue is told to a webhook that can check who sent it, by mail and in the inbox', async () => {
    const shop = await harness.project('shop')
    const channel = await harness.webhook(shop.orgId)
    const userId = await harness.member(shop.orgId, 'ada@shop.test')
    await harness.rule(shop.id, {
      triggers: [{ type: 'new' }],
      actions: [{ type: 'channel', channelId: channel.id }, { type: 'members' }],
    })
    const title = 'TypeError: <b>"x" & y</b>'
    const { id, eventId, shortId } = await harness.issue(shop.id, { title })
    await harness.change(shop.id, id, 'new', eventId)
    await harness.settle()

    const [request, ...more] = harness.receiver.received
    assert.ok(request)
    assert.equal(more.length, 0)
    const headers = request.headers as Record<string, string>
    // The signed time is the fixed clock's, which the library would take for too old.
    const checked = new Webhook(channel.key)
    const signature = checked.sign(headers['webhook-id'] ?? '', new Date(NOW_MS), request.body)
    assert.equal(headers['webhook-signature'], signature)
    const url = `https://sonde.test/${shop.orgSlug}/shop/issues/SHOP-${shortId}`
    assert.deepEqual([dataOf(request).title, dataOf(request).url, dataOf(request).kind], [title, url, 'new'])

    const [mail] = harness.mail.mails
    assert.equal(mail?.to, 'ada@shop.test')
    assert.match(mail?.subject ?? '', /^\[SHOP-\d+\] New issue in org-\d+\/shop: TypeError/)
    assert.match(mail?.text ?? '', /TypeError: <b>"x" & y<\/b>\ncart in checkout/)
    assert.ok(mail?.html && mail.html.includes('TypeError: &lt;b&gt;&quot;x&quot; &amp; y&lt;/b&gt;'))
    assert.ok(mail?.text?.includes(url))
    assert.ok(mail?.headers.has('list'))

    const inbox = await harness.records
      .selectFrom('notification')
      .select(['state', 'read_ms'])
      .where('user_id', '=', userId)
      .where('medium', '=', 'inbox')
      .execute()
    assert.deepEqual(inbox, [{ state: 'sent', read_ms: null }])
  })

  it('owners of the issue: who has it, suspect committers and those by the rule that decides; else what the rule says', async () => {
    const shop = await harness.project('shop')
    const [ada, ben, cy, dan] = [
      await harness.member(shop.orgId, 'ada.owner@shop.test'),
      await harness.member(shop.orgId, 'ben.owner@shop.test'),
      await harness.member(shop.orgId, 'cy.owner@shop.test'),
      await harness.member(shop.orgId, 'dan.owner@shop.test'),
    ]
    const { records } = harness
    const team = { org_id: shop.orgId, slug: 'pay', name: 'Pay', created_ms: 0 }
    const { id: teamId } = await records
      .insertInto('team')
      .values(team)
      .returning('id')
      .executeTakeFirstOrThrow()
    await records.insertInto('team_member').values({ team_id: teamId, user_id: ben, created_ms: 0 }).execute()
    const toldOf = async (issueId: number): Promise<readonly string[]> => {
      const rows = await records
        .selectFrom('notification')
        .innerJoin('incident', 'incident.id', 'notification.incident_id')
        .select('notification.user_id')
        .where('incident.issue_id', '=', issueId)
        .where('medium', '=', 'inbox')
        .execute()
      return rows.map(({ user_id: id }) => id ?? '').toSorted()
    }
    const tell = async (otherwise: 'members' | 'active' | 'nobody' | undefined, isOwned: boolean) => {
      const rule = await harness.rule(shop.id, {
        triggers: [{ type: 'new' }],
        actions: [{ type: 'issue_owners', ...(otherwise && { otherwise }) }],
      })
      const { id, eventId } = await harness.issue(shop.id, { title: 'owned' })
      if (isOwned) {
        await records.updateTable('issue').set({ assignee_team_id: teamId }).where('id', '=', id).execute()
        const owner = { issue_id: id, team_id: null }
        await records
          .insertInto('issue_owner')
          .values([
            { ...owner, position: 0, kind: 'ownership_rule', user_id: ada, reason: 'path:a' },
            { ...owner, position: 1, kind: 'ownership_rule', user_id: dan, reason: 'path:*' },
            { ...owner, position: 2, kind: 'suspect_commit', user_id: cy, reason: 'c0ffee' },
          ])
          .execute()
      }
      await harness.change(shop.id, id, 'new', eventId)
      await harness.settle()
      await records.deleteFrom('alert_rule').where('id', '=', rule).execute()
      return toldOf(id)
    }
    const all = [ada, ben, cy, dan].toSorted()
    assert.deepEqual(await tell('nobody', true), [ada, ben, cy].toSorted())
    assert.deepEqual(await tell('nobody', false), [])
    assert.deepEqual(DEFAULT_RULE.rule.actions, [{ type: 'issue_owners', otherwise: 'members' }])
    assert.deepEqual(await tell('members', true), [ada, ben, cy].toSorted())
    assert.deepEqual(await tell('members', false), all)
    assert.deepEqual(await tell('active', false), [])
    assert.deepEqual(await tell(undefined, false), all)
    // Owners who do not see the project any more are none: whoever is to be told instead is.
    const see = (members_see: 'all' | 'teams') =>
      records.updateTable('organization').set({ members_see }).where('id', '=', shop.orgId).execute()
    const { id: seeing } = await records
      .insertInto('team')
      .values({ ...team, slug: 'seeing' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await records
      .insertInto('team_project')
      .values({ team_id: seeing, project_id: shop.id, role: 'member' })
      .execute()
    await records.insertInto('team_member').values({ team_id: seeing, user_id: dan, created_ms: 0 }).execute()
    await records.updateTable('member').set({ role: 'member' }).where('org_id', '=', shop.orgId).execute()
    await see('teams')
    assert.deepEqual(await tell('nobody', true), [])
    assert.deepEqual(await tell('members', true), [dan])
    await see('all')
    const ownership = {
      rules: '',
      auto_assignment: 'owners',
      is_for_all: 0,
      version: 1,
      updated_ms: 0,
      updated_by: '',
    } as const
    await records
      .insertInto('project_ownership')
      .values({ project_id: shop.id, ...ownership })
      .execute()
    assert.deepEqual(await tell(undefined, false), [])
  })

  it('only what matches the search fires, only its own kinds, and not while muted', async () => {
    const shop = await harness.project('shop')
    const { id: channelId } = await harness.webhook(shop.orgId)
    const actions = [{ type: 'channel' as const, channelId }]
    const triggers = [{ type: 'regressed' as const }]
    await harness.rule(shop.id, { triggers, actions, search: 'environment:staging browser.name:Firefox' })
    await harness.rule(shop.id, { triggers, actions }, { muted_until_ms: NOW_MS + 1 })
    const firefox = { environment: 'staging', tags: { 'browser.name': 'Firefox' } }
    const found = await harness.issue(shop.id, { title: 'found', ...firefox })
    const production = await harness.issue(shop.id, { title: 'production' })
    const fresh = await harness.issue(shop.id, { title: 'new', ...firefox })
    await harness.change(shop.id, found.id, 'regressed', found.eventId)
    await harness.change(shop.id, production.id, 'regressed', production.eventId)
    await harness.change(shop.id, fresh.id, 'new', fresh.eventId)
    await harness.settle()
    assert.deepEqual(told(), ['regressed found'])
  })

  it('one issue is told once within the cool-down, and its end is told where its beginning was', async () => {
    const shop = await harness.project('shop')
    const { id: channelId } = await harness.webhook(shop.orgId)
    await harness.rule(shop.id, {
      triggers: [{ type: 'new' }, { type: 'regressed' }, { type: 'reopened' }],
      actions: [{ type: 'channel', channelId }],
      coolDownMinutes: 10,
    })
    const { id, eventId } = await harness.issue(shop.id, { title: 'A' })
    const change = async (kind: 'new' | 'regressed' | 'resolved' | 'reopened', afterMinutes: number) => {
      harness.at(NOW_MS + afterMinutes * 60_000)
      await harness.change(shop.id, id, kind, kind === 'reopened' ? '' : eventId)
      await harness.settle()
    }
    await change('new', 0)
    await change('regressed', 5)
    assert.deepEqual(told(), ['new A'])
    await change('regressed', 15)
    await change('resolved', 20)
    assert.deepEqual(told(), ['new A', 'regressed A', 'resolved A'])
    await change('reopened', 21)
    assert.deepEqual(told().at(-1), 'reopened A')
    const incidents = await harness.records
      .selectFrom('incident')
      .select(['resolved_ms'])
      .where('issue_id', '=', id)
      .orderBy('id')
      .execute()
    assert.deepEqual(incidents, [{ resolved_ms: NOW_MS + 20 * 60_000 }, { resolved_ms: null }])
  })

  it('another organization’s channel or person named in a rule gets nothing', async () => {
    const [shop, rival] = [await harness.project('shop'), await harness.project('rival')]
    const { id: channelId } = await harness.webhook(rival.orgId, '/rival')
    const userId = await harness.member(rival.orgId, 'eve@rival.test')
    await harness.rule(shop.id, {
      triggers: [{ type: 'new' }],
      actions: [
        { type: 'channel', channelId },
        { type: 'person', userId },
      ],
    })
    const { id, eventId } = await harness.issue(shop.id)
    await harness.change(shop.id, id, 'new', eventId)
    await harness.settle()
    assert.deepEqual([harness.receiver.received.length, harness.mail.mails.length], [0, 0])
  })

  it('tries again what may work later, asks for no more than it is told to wait, and gives up what will not', async () => {
    const shop = await harness.project('shop')
    const { id: channelId } = await harness.webhook(shop.orgId)
    await harness.rule(shop.id, { triggers: [{ type: 'new' }], actions: [{ type: 'channel', channelId }] })
    const { id, eventId } = await harness.issue(shop.id)
    harness.receiver.answer(() => ({ status: 429, headers: { 'retry-after': '60' } }))
    await harness.change(shop.id, id, 'new', eventId)
    await harness.settle()
    harness.at(NOW_MS + 59_000)
    await harness.settle()
    assert.equal(harness.receiver.received.length, 1)
    const channel = () =>
      harness.records
        .selectFrom('notification_channel')
        .select('failing_since_ms')
        .where('id', '=', channelId)
        .executeTakeFirstOrThrow()
    assert.deepEqual(await channel(), { failing_since_ms: NOW_MS })
    harness.at(NOW_MS + 60_000)
    harness.receiver.answer(() => ({ status: 200 }))
    await harness.settle()
    const [first, second] = harness.receiver.received
    assert.equal(harness.receiver.received.length, 2)
    assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id'])
    assert.deepEqual(await channel(), { failing_since_ms: null })

    harness.receiver.answer(() => ({ status: 410 }))
    const other = await harness.issue(shop.id)
    await harness.change(shop.id, other.id, 'new', other.eventId)
    await harness.settle()
    const failed = await harness.records
      .selectFrom('notification')
      .select(['state', 'answer'])
      .where('channel_id', '=', channelId)
      .orderBy('id', 'desc')
      .executeTakeFirst()
    assert.deepEqual(failed, { state: 'failed', answer: '410 no' })
  })

  it('a thousand new issues within a minute are a digest, not a thousand messages', async () => {
    const shop = await harness.project('shop')
    const { id: channelId } = await harness.webhook(shop.orgId)
    await harness.rule(shop.id, { triggers: [{ type: 'new' }], actions: [{ type: 'channel', channelId }] })
    const { id, eventId } = await harness.issue(shop.id)
    const { records } = harness
    const issue = await records.selectFrom('issue').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    for (let number = 0; number < 1_000; number++) {
      const { id: _, ...row } = { ...issue, short_number: 100_000 + number, title: `storm ${number}` }
      const made = await records.insertInto('issue').values(row).returning('id').executeTakeFirstOrThrow()
      await harness.change(shop.id, made.id, 'new', eventId)
    }
    await harness.settle()
    assert.deepEqual(told(), ['digest 1000 alerts within a minute: this message stands for all of them.'])
    const digested = await records
      .selectFrom('notification')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('channel_id', '=', channelId)
      .where('state', '=', 'digested')
      .executeTakeFirst()
    assert.equal(Number(digested?.n), 1_000)
  })

  it('mail that the server refuses for good is not tried again', async () => {
    const shop = await harness.project('shop')
    const userId = await harness.member(shop.orgId, `nobody@${shop.orgSlug}.test`)
    await harness.rule(shop.id, { triggers: [{ type: 'new' }], actions: [{ type: 'person', userId }] })
    const { id, eventId } = await harness.issue(shop.id)
    await harness.change(shop.id, id, 'new', eventId)
    await harness.settle()
    const row = await harness.records
      .selectFrom('notification')
      .select(['state', 'answer'])
      .where('user_id', '=', userId)
      .where('medium', '=', 'email')
      .executeTakeFirstOrThrow()
    assert.equal(row.state, 'failed')
    assert.match(row.answer, /^550 no such user/)
  })

  it('an issue is new to a rule of one environment when it is first seen there', async () => {
    const shop = await harness.project('shop')
    const { id: channelId } = await harness.webhook(shop.orgId)
    const actions = [{ type: 'channel' as const, channelId }]
    await harness.rule(shop.id, { triggers: [{ type: 'new' }], environment: 'pro"d*', actions })
    const staging = await harness.issue(shop.id, { title: 'begins in staging', environment: 'staging' })
    const odd = await harness.issue(shop.id, { title: 'begins there', environment: 'pro"d*' })
    const archived = await harness.issue(shop.id, { title: 'archived', environment: 'pro"d*' })
    await harness.records
      .updateTable('issue')
      .set({ status: 'ignored' })
      .where('id', '=', archived.id)
      .execute()
    for (const { id, eventId } of [staging, odd]) await harness.change(shop.id, id, 'new', eventId)
    await harness.change(shop.id, staging.id, 'first_seen_in_release', staging.eventId)
    await harness.change(shop.id, archived.id, 'first_seen_in_environment', archived.eventId)
    await harness.settle()
    assert.deepEqual(told(), ['new begins there'])
    const eventId = 'e'.repeat(32)
    await harness.events(shop.id, staging.id, 1, { eventId, environment: 'pro"d*' })
    await harness.change(shop.id, staging.id, 'first_seen_in_environment', eventId)
    await harness.settle()
    assert.deepEqual(told().slice(1), ['first_seen_in_environment begins in staging'])
    const [, request] = harness.receiver.received
    assert.ok(request)
    assert.deepEqual(
      dataOf(request).facts.filter(([name]) => name === 'Environment'),
      [['Environment', 'pro"d*']],
    )
  })

  it('the owner of a rule is told, whoever it is by then, and nobody when there is none', async () => {
    const shop = await harness.project('shop')
    const [ada, bob] = [
      await harness.member(shop.orgId, 'own-a@shop.test'),
      await harness.member(shop.orgId, 'own-b@shop.test'),
    ]
    const rule = {
      triggers: [{ type: 'first_seen_in_release' as const }],
      actions: [{ type: 'owner' as const }],
    }
    const ruleId = await harness.rule(shop.id, { ...rule, ownerId: ada })
    const to = async () => {
      harness.mail.mails.length = 0
      const { id, eventId } = await harness.issue(shop.id)
      await harness.change(shop.id, id, 'first_seen_in_release', eventId)
      await harness.settle()
      return harness.mail.mails.map((mail) => mail.to)
    }
    assert.deepEqual(await to(), ['own-a@shop.test'])
    assert.match(harness.mail.mails[0]?.subject ?? '', /First seen in a release in org-\d+\/shop/)
    const setRule = (ownerId?: string) =>
      harness.records
        .updateTable('alert_rule')
        .set({ value: JSON.stringify({ ...rule, ...(ownerId && { ownerId }) }) })
        .where('id', '=', ruleId)
        .execute()
    await setRule(bob)
    assert.deepEqual(await to(), ['own-b@shop.test'])
    await setRule()
    assert.deepEqual(await to(), [])
  })
})
