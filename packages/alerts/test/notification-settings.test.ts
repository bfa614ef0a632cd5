/** What people want to be told, and when: from a change of an issue to their mailbox. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { MailPace, NotificationChoice } from '@sonde/stores'
import { readUnsubscribeToken } from '../src/index.ts'
import { nextMailMs } from '../src/outbox/next-mail.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const HOUR_MS = 3_600_000

describe('notification settings', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())
  beforeEach(() => {
    harness.mail.mails.length = 0
    harness.at(NOW_MS)
  })

  const set = (
    user_id: string,
    medium: 'email' | 'inbox',
    choice: NotificationChoice,
    { project_id = null, pace = 'once' }: { project_id?: number | null; pace?: MailPace } = {},
  ) =>
    harness.records
      .insertInto('notification_setting')
      .values({ user_id, medium, choice, project_id, pace })
      .execute()
  const shopWith = async (...emails: readonly string[]) => {
    const shop = await harness.project('shop')
    const people = await Promise.all(emails.map((email) => harness.member(shop.orgId, email)))
    await harness.rule(shop.id, {
      triggers: [{ type: 'new' }, { type: 'regressed' }],
      actions: [{ type: 'members' }],
      coolDownMinutes: 0,
    })
    return { shop, people: people as [string, ...string[]] }
  }
  const happens = async (projectId: number, kind: 'new' | 'regressed' = 'new') => {
    const { id, eventId } = await harness.issue(projectId)
    await harness.change(projectId, id, kind, eventId)
  }
  const mailed = () => harness.mail.mails.map(({ to }) => to).toSorted()
  const inboxOf = (userId: string) =>
    harness.records
      .selectFrom('notification')
      .select('id')
      .where('user_id', '=', userId)
      .where('medium', '=', 'inbox')
      .execute()

  it('a choice of the project goes before the choice for all', async () => {
    const { shop, people } = await shopWith('all@a.test', 'new@a.test', 'none@a.test', 'here@a.test')
    const [all, onlyNew, none, here] = people as [string, string, string, string]
    await set(onlyNew, 'email', 'new')
    await set(none, 'email', 'none')
    await set(here, 'email', 'none')
    await set(here, 'email', 'all', { project_id: shop.id })
    await set(all, 'email', 'none', { project_id: (await harness.project('other')).id })
    await set(none, 'inbox', 'new')
    await happens(shop.id)
    await harness.settle()
    assert.deepEqual(mailed(), ['all@a.test', 'here@a.test', 'new@a.test'])
    harness.mail.mails.length = 0
    await happens(shop.id, 'regressed')
    await harness.settle()
    assert.deepEqual(mailed(), ['all@a.test', 'here@a.test'])
    assert.deepEqual([(await inboxOf(none)).length, (await inboxOf(all)).length], [1, 2])
  })

  it('collected mail goes out at the full hour, as one', async () => {
    const { shop, people } = await shopWith('hourly@b.test')
    await set(people[0], 'email', 'all', { pace: 'hour' })
    harness.at(NOW_MS + 1)
    for (let count = 0; count < 3; count++) await happens(shop.id)
    await harness.settle()
    harness.at(NOW_MS + HOUR_MS - 1)
    await harness.settle()
    assert.deepEqual(mailed(), [])
    harness.at(NOW_MS + HOUR_MS)
    await harness.settle()
    const [mail, ...more] = harness.mail.mails
    assert.equal(more.length, 0)
    assert.match(mail?.text ?? '', /3 alerts in the last hour/)
    // A single one goes as what it is.
    await happens(shop.id)
    await harness.settle()
    harness.at(NOW_MS + HOUR_MS * 2)
    await harness.settle()
    assert.match(harness.mail.mails[1]?.subject ?? '', /New issue/)
  })

  it('a mail can be ended with one click: by a token that names whom and what', async () => {
    const { shop, people } = await shopWith('ada@c.test')
    await happens(shop.id)
    await harness.settle()
    const list = harness.mail.mails[0]?.headers.get('list') as {
      unsubscribe: { url: string }
      'unsubscribe-post': { name: string }
    }
    assert.equal(list['unsubscribe-post'].name, 'List-Unsubscribe=One-Click')
    const url = new URL(list.unsubscribe.url)
    assert.equal(url.origin + url.pathname, 'https://sonde.test/api/0/unsubscribe/')
    const { seal } = harness.deps.channels
    const token = url.searchParams.get('token') ?? ''
    assert.deepEqual(await readUnsubscribeToken(seal, token), { userId: people[0], projectId: shop.id })
    for (const wrong of ['', 'x', await seal.seal('{"key":"whsec_"}'), await seal.seal('unsubscribe {}')])
      assert.equal(await readUnsubscribeToken(seal, wrong), undefined)
  })

  it('a rule tells the members of a team, and nobody who does not see the project', async () => {
    const { shop, people: both } = await shopWith('in@t.test', 'out@t.test')
    const people = both as unknown as readonly [string, string]
    const { records } = harness
    const created_ms = NOW_MS
    const team = async (slug: string, userIds: readonly string[]): Promise<number> => {
      const { id } = await records
        .insertInto('team')
        .values({ org_id: shop.orgId, slug, name: slug, created_ms })
        .returning('id')
        .executeTakeFirstOrThrow()
      for (const user_id of userIds)
        await records.insertInto('team_member').values({ team_id: id, user_id, created_ms }).execute()
      return id
    }
    const teamId = await team('web', [people[0]])
    const api = await harness.project('api', shop.orgId)
    await harness.rule(api.id, {
      triggers: [{ type: 'new' }],
      actions: [{ type: 'team', teamId }],
      coolDownMinutes: 0,
    })
    await happens(api.id)
    await harness.settle()
    assert.deepEqual(mailed(), ['in@t.test'])
    assert.deepEqual((await inboxOf(people[0])).length, 1)

    const see = (members_see: 'all' | 'teams') =>
      records.updateTable('organization').set({ members_see }).where('id', '=', shop.orgId).execute()
    await see('teams')
    harness.mail.mails.length = 0
    await records
      .insertInto('team_project')
      .values({ team_id: teamId, project_id: shop.id, role: 'viewer' })
      .execute()
    await happens(shop.id)
    await happens(api.id)
    await harness.settle()
    assert.deepEqual(mailed(), ['in@t.test'], 'shop alone, and not to all members')

    // Written while they saw it, and not sent any more.
    await see('all')
    await set(people[1], 'email', 'all', { pace: 'day' })
    await happens(shop.id)
    await harness.settle()
    await see('teams')
    harness.mail.mails.length = 0
    harness.at(NOW_MS + 48 * HOUR_MS)
    await harness.settle()
    assert.deepEqual(mailed(), [])
    const { answer } = await records
      .selectFrom('notification')
      .select('answer')
      .where('user_id', '=', people[1])
      .where('medium', '=', 'email')
      .executeTakeFirstOrThrow()
    assert.equal(answer, 'no longer sees the project')
    await see('all')
  })

  it('who left before the mail went out gets none', async () => {
    const { shop, people } = await shopWith('gone@d.test')
    await set(people[0], 'email', 'all', { pace: 'day' })
    await happens(shop.id)
    await harness.settle()
    await harness.records.deleteFrom('member').where('user_id', '=', people[0]).execute()
    harness.at(NOW_MS + 48 * HOUR_MS)
    await harness.settle()
    assert.deepEqual(mailed(), [])
    const { answer } = await harness.records
      .selectFrom('notification')
      .select('answer')
      .where('user_id', '=', people[0])
      .where('medium', '=', 'email')
      .executeTakeFirstOrThrow()
    assert.equal(answer, 'no longer a member of the organization')
  })

  it('the next time is always later: the full hour, or the hour of a day by the clock of a place', () => {
    const at = (text: string) => Date.parse(`2026-01-31T${text}Z`)
    const next = (pace: MailPace, nowMs: number, hour = 7, zone = 'UTC') =>
      nextMailMs({ pace, hour, zone }, nowMs)
    assert.equal(next('once', at('12:00:00')), undefined)
    assert.equal(next('hour', at('12:00:00')), at('13:00:00'))
    assert.equal(next('hour', at('12:59:59')), at('13:00:00'))
    assert.equal(next('day', at('06:59:59')), at('07:00:00'))
    assert.equal(next('day', at('07:00:00')), at('07:00:00') + 24 * HOUR_MS)
    assert.equal(next('day', at('00:00:00'), 0), at('00:00:00') + 24 * HOUR_MS)
    assert.equal(next('day', at('06:30:00'), 8, 'Europe/Berlin'), at('07:00:00'))
    assert.equal(next('day', at('12:00:00'), 9, 'Asia/Kolkata'), at('03:30:00') + 24 * HOUR_MS)
    assert.equal(next('day', at('12:00:00'), 23, 'America/Los_Angeles'), at('07:00:00') + 24 * HOUR_MS)
    // The clocks of Berlin go an hour on at two in the night before the 29th of March, and back before the 25th of October.
    const noon = (day: string) => Date.parse(`2026-${day}T12:00:00Z`)
    assert.equal(next('day', noon('03-28'), 7, 'Europe/Berlin'), Date.parse('2026-03-29T05:00:00Z'))
    assert.equal(next('day', noon('10-24'), 7, 'Europe/Berlin'), Date.parse('2026-10-25T06:00:00Z'))
    for (let hour = 0; hour < 24; hour++)
      for (const day of ['03-28', '10-24', '06-01']) {
        const from = noon(day)
        const found = next('day', from, hour, 'Europe/Berlin') ?? 0
        assert.ok(found > from && found <= from + 25 * HOUR_MS, `${hour} ${day}`)
      }
  })
})
