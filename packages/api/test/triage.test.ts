/** Whose an issue is and what else people say about it, in the words of Sentry's API. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { priorityOf } from '@sonde/stores'
import { type Harness, openHarness } from './harness.ts'

type Assigned = { type: string; id: string; name: string; email?: string } | null
type Issue = { id: string; status: string; assignedTo: Assigned }

describe('triage of issues', () => {
  let harness: Harness
  let ids: readonly number[]
  let cookie: string
  let userId: string
  before(async () => {
    harness = await openHarness()
    const shop = await harness.project('acme', 'shop')
    const made: number[] = []
    for (const title of ['one', 'two', 'three']) made.push((await harness.issue(shop.id, { title })).issueId)
    ids = made
    await harness.user('acme', 'ada@acme.test', 'member')
    cookie = await harness.signIn('ada@acme.test')
    const user = await harness.db.selectFrom('user').select('id').executeTakeFirstOrThrow()
    userId = user.id
  })
  after(() => harness.close())

  const ask = async <Answer>(method: string, path: string, body?: unknown, status = 200): Promise<Answer> => {
    const response = await harness.fetch(`/api/0/${path}`, {
      method,
      headers: { cookie, origin: 'http://sonde.test:8600', 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    assert.equal(response.status, status, text)
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }
  const LIST = 'organizations/acme/issues/'
  const found = async (query: string): Promise<number[]> => {
    const rows = await ask<readonly Issue[]>('GET', `${LIST}?query=${encodeURIComponent(query)}`)
    return rows.map(({ id }) => Number(id)).toSorted((a, b) => a - b)
  }

  it('assigns one issue, and what the answer said of it can be sent back', async () => {
    const own = `${LIST}${ids[0]}/`
    const { assignedTo } = await ask<Issue>('PUT', own, { assignedTo: 'me' })
    assert.deepEqual(assignedTo, {
      type: 'user',
      id: userId,
      name: assignedTo?.name ?? '',
      email: 'ada@acme.test',
    })
    assert.equal((await ask<Issue>('PUT', own, { assignedTo: '' })).assignedTo, null)
    assert.deepEqual((await ask<Issue>('PUT', own, { assignedTo })).assignedTo, assignedTo)
    assert.equal((await ask<Issue>('PUT', own, { assignedTo: null })).assignedTo, null)
    assert.equal((await ask<Issue>('PUT', own, { assignedTo: `user:${userId}` })).assignedTo?.id, userId)
    await ask('PUT', own, { assignedTo: 'eve@elsewhere.test' }, 400)
    await ask('PUT', own, { assignedTo: 7 }, 400)
  })

  it('assigns those that are named and all that match, and finds them', async () => {
    await ask('PUT', `${LIST}?id=${ids[1]}`, { assignedTo: 'ada@acme.test' })
    assert.deepEqual(await found('assigned:me'), [ids[0], ids[1]])
    const all = await ask<{ count: number; undo: string; isComplete: boolean }>('PUT', LIST, {
      assignedTo: 'me',
    })
    assert.deepEqual([all.count, all.isComplete], [1, true])
    assert.deepEqual(await found('is:unassigned'), [])
    await ask('PUT', LIST, { undo: all.undo })
    assert.deepEqual(await found('is:unassigned'), [ids[2]])
    await ask('PUT', LIST, { assignedTo: '' })
    assert.deepEqual(await found('is:unassigned'), ids)
    await ask('PUT', LIST, {}, 400)
  })

  type Detail = Issue & {
    substatus: string
    statusDetails: Record<string, unknown>
    priority: string
    inbox: { reason: number } | null
    isBookmarked: boolean
    isSubscribed: boolean
    subscriptionDetails: Record<string, unknown> | null
    hasSeen: boolean
  }
  const one = (body?: unknown, status = 200) =>
    ask<Detail>(body === undefined ? 'GET' : 'PUT', `${LIST}${ids[0]}/`, body, status)

  it('archives until something happens, and says until what', async () => {
    const forms: readonly (readonly [object, string, object])[] = [
      [
        { statusDetails: { ignoreCount: 10, ignoreWindow: 60 } },
        'archived_until_condition_met',
        { ignoreCount: 10, ignoreWindow: 60 },
      ],
      [{ statusDetails: { ignoreUserCount: 5 } }, 'archived_until_condition_met', { ignoreUserCount: 5 }],
      [
        { statusDetails: { ignoreDuration: 30 } },
        'archived_until_condition_met',
        { ignoreUntil: '2026-01-31T12:30:00.000000Z' },
      ],
      [
        { statusDetails: { ignoreUntil: '2026-02-01T00:00:00Z' } },
        'archived_until_condition_met',
        { ignoreUntil: '2026-02-01T00:00:00.000000Z' },
      ],
      [{ substatus: 'archived_until_escalating', statusDetails: {} }, 'archived_until_escalating', {}],
      [{}, 'archived_forever', {}],
    ]
    for (const [form, substatus, details] of forms) {
      const { undo } = await ask<{ undo: string }>('PUT', `${LIST}?id=${ids[0]}`, {
        status: 'ignored',
        ...form,
      })
      const { status, ...shown } = await one()
      assert.deepEqual([status, shown.substatus, shown.statusDetails], ['ignored', substatus, details])
      await one({ undo })
      assert.equal((await one()).status, 'unresolved')
    }
    // Another promise about one that is away already holds instead, and one more beside "until it escalates" too.
    const until = 'archived_until_escalating'
    await one({ status: 'ignored', substatus: until })
    await one({ status: 'ignored', substatus: until, statusDetails: { ignoreCount: 7 } })
    assert.deepEqual((await one()).statusDetails, { ignoreCount: 7 })
    await one({ status: 'ignored', statusDetails: { ignoreUserCount: 3 } })
    const changed = await one()
    assert.deepEqual(
      [changed.substatus, changed.statusDetails],
      ['archived_until_condition_met', { ignoreUserCount: 3 }],
    )
    await one({ status: 'unresolved' })
    for (const refused of [
      { ignoreCount: 0 },
      { ignoreCount: 'x' },
      { ignoreUntil: 'soon' },
      { ignoreWindow: 5 },
      { ignoreCount: 1, ignoreWindow: 1e6 },
    ])
      await one({ status: 'ignored', statusDetails: refused }, 400)
  })

  it('a bookmark is one’s own and subscribes; unsubscribing is remembered', async () => {
    const marked = await one({ isBookmarked: true })
    assert.deepEqual([marked.isBookmarked, marked.isSubscribed], [true, true])
    assert.deepEqual(await found('bookmarks:me'), [ids[0]])
    assert.deepEqual(await found('is:bookmarked'), [ids[0]])
    const left = await one({ isBookmarked: false, isSubscribed: false })
    assert.deepEqual(
      [left.isBookmarked, left.isSubscribed, left.subscriptionDetails],
      [false, false, { disabled: true }],
    )
    assert.equal((await one({ isSubscribed: true })).isSubscribed, true)
    await ask('PUT', `${LIST}?query=`, { isSubscribed: false })
    assert.deepEqual(await found('subscribed:me'), [])
    await ask('PUT', `${LIST}?query=`, { isSubscribed: true })
    assert.deepEqual(await found('subscribed:me'), ids)
    await ask('GET', `${LIST}?query=bookmarks:ada`, undefined, 400)
    assert.deepEqual([(await one()).hasSeen, (await one({ hasSeen: true })).hasSeen], [false, true])
  })

  it('whoever may read issues marks them for themselves, and nothing else', async () => {
    await harness.user('acme', 'vera@acme.test', 'viewer')
    const reader = await harness.signIn('vera@acme.test')
    const put = async (path: string, body: object) => {
      const response = await harness.fetch(`/api/0/${path}`, {
        method: 'PUT',
        headers: {
          cookie: reader,
          origin: 'http://sonde.test:8600',
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      })
      const answer = (await response.json()) as Detail & { count: number }
      return { status: response.status, answer }
    }
    const own = `${LIST}${ids[0]}/`
    const marked = await put(own, { isBookmarked: true })
    assert.deepEqual(
      [marked.status, marked.answer.isBookmarked, marked.answer.isSubscribed],
      [200, true, true],
    )
    assert.equal((await put(own, { isSubscribed: false })).answer.isSubscribed, false)
    const all = await put(`${LIST}?query=`, { isBookmarked: true })
    assert.deepEqual([all.status, all.answer.count], [200, 2], 'one had it')
    assert.equal((await put(`${LIST}?id=${ids[1]}`, { hasSeen: true })).status, 200)
    // Nobody else has them.
    assert.deepEqual(await found('bookmarks:me'), [])
    for (const body of [
      { inbox: false },
      { status: 'resolved' },
      { isBookmarked: true, status: 'resolved' },
      { isBookmarked: true, inbox: false },
      { priority: 'low' },
      { assignedTo: 'me' },
      { isPublic: true },
      {},
    ])
      for (const path of [own, `${LIST}?id=${ids[0]}`])
        assert.equal((await put(path, body)).status, 403, `${path} ${JSON.stringify(body)}`)
  })

  it('says who has looked at an issue, the last first, once each', async () => {
    await harness.user('acme', 'sina@acme.test', 'viewer')
    const other = await harness.signIn('sina@acme.test')
    const look = async (as: string, id: number | undefined) =>
      harness.fetch(`/api/0/${LIST}${id}/`, {
        method: 'PUT',
        headers: { cookie: as, origin: 'http://sonde.test:8600', 'content-type': 'application/json' },
        body: '{"hasSeen":true}',
      })
    const seen = async (): Promise<string[]> =>
      (await ask<{ seenBy: { email: string; lastSeen: string }[] }>('GET', `${LIST}${ids[2]}/`)).seenBy.map(
        ({ email, lastSeen }) => `${email} ${lastSeen.slice(11, 16)}`,
      )
    assert.deepEqual(await seen(), [])
    await look(cookie, ids[2])
    harness.clock.advance(60_000)
    await look(other, ids[2])
    await look(cookie, ids[2])
    assert.deepEqual(await seen(), ['sina@acme.test 12:01', 'ada@acme.test 12:00'], 'the same look')
    harness.clock.advance(10 * 60_000)
    await look(cookie, ids[2])
    assert.deepEqual(await seen(), ['ada@acme.test 12:11', 'sina@acme.test 12:01'])
    // Who no longer sees the project is not told of, nor who is gone.
    await harness.db.updateTable('organization').set({ members_see: 'teams' }).execute()
    await harness.db.updateTable('member').set({ role: 'owner' }).where('user_id', '=', userId).execute()
    assert.deepEqual(await seen(), ['ada@acme.test 12:11'])
    await harness.db.updateTable('organization').set({ members_see: 'all' }).execute()
    await harness.db.updateTable('member').set({ role: 'member' }).where('user_id', '=', userId).execute()
    assert.equal((await seen()).length, 2)
    await harness.db.deleteFrom('user').where('email', '=', 'sina@acme.test').execute()
    assert.deepEqual(await seen(), ['ada@acme.test 12:11'])
  })

  it('priority is by the rule until somebody says otherwise, and an undo gives it back to the rule', async () => {
    await ask('PUT', LIST, { priority: 'rule' })
    const { undo } = await ask<{ undo: string }>('PUT', `${LIST}?id=${ids[0]}`, { priority: 'high' })
    await ask('PUT', `${LIST}?id=${ids[1]}&id=${ids[2]}`, { priority: 'low' })
    assert.deepEqual(await found('issue.priority:high'), [ids[0]])
    const rows = await ask<readonly Issue[]>('GET', `${LIST}?sort=priority`)
    assert.deepEqual(
      rows.map(({ id }) => Number(id)),
      [ids[0], ids[2], ids[1]],
    )
    await one({ undo })
    const {
      level,
      is_unhandled: unhandled,
      ...own
    } = await harness.db
      .selectFrom('issue')
      .selectAll()
      .where('id', '=', ids[0] ?? 0)
      .executeTakeFirstOrThrow()
    assert.equal(own.is_priority_set, 0)
    assert.equal((await one()).priority, priorityOf({ level, isUnhandled: unhandled === 1 }))
    await one({ priority: 'urgent' }, 400)
    await ask('GET', `${LIST}?query=issue.priority:urgent`, undefined, 400)
    assert.equal((await ask<{ count: number }>('PUT', LIST, { priority: 'low' })).count, 1)
    assert.deepEqual(await found('issue.priority:low'), ids)
  })

  it('what is new waits in the inbox until it is reviewed, for a week', async () => {
    const enter = (review_ms: number) =>
      harness.db.updateTable('issue').set({ review_reason: 'new', review_ms, status: 'unresolved' }).execute()
    const nowMs = harness.clock.nowMs()
    await enter(nowMs - 8 * 86_400_000)
    assert.deepEqual([await found('is:for_review'), (await one()).inbox], [[], null])
    await enter(nowMs - 1_000)
    assert.deepEqual([await found('is:for_review'), (await one()).inbox?.reason], [ids, 0])
    await one({ inbox: false })
    assert.deepEqual(await found('is:for_review'), ids.slice(1))
    const all = await ask<{ count: number }>('PUT', `${LIST}?query=is%3Afor_review`, { inbox: false })
    assert.equal(all.count, 2)
    assert.deepEqual(await found('is:for_review'), [])
  })

  it('keeps searches under a name: one’s own, and the organization’s', async () => {
    const path = 'organizations/acme/searches/'
    type Saved = { id: string; name: string; query: string; visibility: string; isPinned: boolean }
    const own = await ask<Saved>('POST', path, { name: 'Mine', query: 'assigned:me', sort: 'freq' }, 201)
    const shared = await ask<Saved>(
      'POST',
      path,
      { name: 'Urgent', query: 'issue.priority:high', visibility: 'organization' },
      201,
    )
    assert.deepEqual([own.visibility, shared.visibility], ['owner', 'organization'])
    await ask('PUT', `${path}${shared.id}/`, { query: 'level:[a' }, 400)
    await ask('PUT', `${path}${shared.id}/`, { name: 'Urgent', sort: 'user' })
    const renamed = await ask<Saved & { sort: string }>('PUT', `${path}${own.id}/`, { name: 'My own' })
    assert.deepEqual([renamed.name, renamed.query, renamed.sort], ['My own', 'assigned:me', 'freq'])
    await ask('PUT', `${path}${own.id}/`, { name: 'Mine' })
    await ask('PUT', `${path}${shared.id}/pin/`, undefined, 204)
    const names = async () =>
      (await ask<readonly Saved[]>('GET', path)).map(({ name, isPinned }) => `${name} ${isPinned}`)
    assert.deepEqual(await names(), ['Mine false', 'Urgent true'])
    await ask('POST', path, { name: 'Mine', query: '' }, 400)
    await ask('POST', path, { name: 'Bad', query: 'level:[a' }, 400)
    await ask('POST', path, { name: '', query: '' }, 400)
    await harness.user('acme', 'bo@acme.test', 'viewer')
    const other = await harness.signIn('bo@acme.test')
    const as = async (method: string, to: string) =>
      (
        await harness.fetch(`/api/0/${to}`, {
          method,
          headers: { cookie: other, origin: 'http://sonde.test:8600' },
        })
      ).status
    const seen = await harness.fetch(`/api/0/${path}`, { headers: { cookie: other } })
    assert.deepEqual(
      ((await seen.json()) as Saved[]).map(({ name }) => name),
      ['Urgent'],
    )
    assert.deepEqual(
      [
        await as('DELETE', `${path}${own.id}/`),
        await as('DELETE', `${path}${shared.id}/`),
        await as('PUT', `${path}${own.id}/`),
        await as('PUT', `${path}${shared.id}/`),
      ],
      [404, 403, 404, 403],
    )
    await ask('DELETE', `${path}${shared.id}/pin/`, undefined, 204)
    await ask('DELETE', `${path}${shared.id}/`, undefined, 204)
    await ask('DELETE', `${path}${own.id}/`, undefined, 204)
    assert.deepEqual(await names(), [])
  })
})
