/** Comments, reactions and the activity of an issue, in the words of Sentry's API. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Harness, openHarness } from './harness.ts'

type Entry = {
  id: string
  type: string
  user: { id: string; name: string } | null
  data: { text?: string; mentions?: string[]; dateEdited?: string; reactions?: unknown[] }
  dateCreated: string
}
type Detail = { activity: Entry[]; numComments: number; participants: { type: string; email: string }[] }

describe('comments', () => {
  let harness: Harness
  let issue: number
  let [ada, bob, viewer]: [string, string, string] = ['', '', '']
  before(async () => {
    harness = await openHarness()
    const shop = await harness.project('acme', 'shop')
    issue = (await harness.issue(shop.id, { title: 'one' })).issueId
    for (const [email, role] of [
      ['ada@acme.test', 'member'],
      ['bob@acme.test', 'member'],
      ['eve@acme.test', 'viewer'],
    ] as const)
      await harness.user('acme', email, role)
    ada = await harness.signIn('ada@acme.test')
    bob = await harness.signIn('bob@acme.test')
    viewer = await harness.signIn('eve@acme.test')
  })
  after(() => harness.close())

  const send = async (cookie: string, method: string, path: string, body?: unknown): Promise<Response> =>
    harness.fetch(`/api/0/${path}`, {
      method,
      headers: { cookie, origin: 'http://sonde.test:8600', 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const ask = async <Answer>(
    cookie: string,
    method: string,
    path: string,
    body?: unknown,
    status = 200,
  ): Promise<Answer> => {
    const response = await send(cookie, method, path, body)
    const text = await response.text()
    assert.equal(response.status, status, text)
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }

  it('are written, listed, edited and deleted under both names', async () => {
    const own = `organizations/acme/issues/${issue}`
    const user = await harness.db
      .selectFrom('user')
      .select('id')
      .where('email', '=', 'bob@acme.test')
      .executeTakeFirstOrThrow()
    const written = await ask<Entry>(
      ada,
      'POST',
      `${own}/comments/`,
      { text: 'look @bob', mentions: [user.id] },
      201,
    )
    assert.equal(written.type, 'note')
    assert.equal(written.data.text, 'look @bob')
    assert.deepEqual(written.data.mentions, [`user:${user.id}`])
    assert.ok(written.user)
    const notes = await ask<Entry[]>(bob, 'GET', `issues/${issue}/notes/`)
    assert.deepEqual(
      notes.map(({ id }) => id),
      [written.id],
    )
    const edited = await ask<Entry>(ada, 'PUT', `${own}/notes/${written.id}/`, { text: 'look again' })
    assert.equal(edited.data.text, 'look again')
    assert.ok(edited.data.dateEdited)
    await ask(bob, 'PUT', `${own}/comments/${written.id}/`, { text: 'mine' }, 403)
    await ask(bob, 'DELETE', `${own}/comments/${written.id}/`, undefined, 403)
    await ask(viewer, 'POST', `${own}/comments/`, { text: 'no' }, 403)
    await ask(ada, 'POST', `${own}/comments/`, { text: '' }, 400)
    await ask(ada, 'POST', `${own}/comments/`, { text: 'x', mentions: 'bob' }, 400)
    await ask(ada, 'PUT', `${own}/comments/99999/`, { text: 'x' }, 404)
    await ask(ada, 'PUT', `${own}/comments/nan/`, { text: 'x' }, 404)
    const detail = await ask<Detail>(viewer, 'GET', `${own}/`)
    assert.equal(detail.numComments, 1)
    assert.deepEqual(detail.participants.map(({ email }) => email).toSorted(), [
      'ada@acme.test',
      'bob@acme.test',
    ])
    assert.equal(detail.activity[0]?.id, written.id)
    await ask(ada, 'DELETE', `${own}/comments/${written.id}/`, undefined, 204)
    assert.deepEqual(await ask(ada, 'GET', `${own}/comments/`), [])
  })

  it('have reactions', async () => {
    const own = `issues/${issue}/comments/`
    const { id } = await ask<Entry>(ada, 'POST', own, { text: 'react' }, 201)
    const rocket = `${own}${id}/reactions/${encodeURIComponent('🚀')}/`
    const given = await ask<Entry>(bob, 'PUT', rocket)
    assert.deepEqual(given.data.reactions, [{ reaction: '🚀', count: 1, isMine: true }])
    await ask(bob, 'PUT', `${own}${id}/reactions/x/`, undefined, 400)
    assert.deepEqual((await ask<Entry>(bob, 'DELETE', rocket)).data.reactions, [])
    await ask(ada, 'DELETE', `${own}${id}/`, undefined, 204)
  })

  it('are in the activity with what else was done, in pages that stay put', async () => {
    const own = `organizations/acme/issues/${issue}/`
    await ask(ada, 'PUT', own, { status: 'resolved' })
    await ask(ada, 'PUT', own, { status: 'unresolved' })
    for (const text of ['one', 'two', 'three']) await ask(ada, 'POST', `${own}comments/`, { text }, 201)
    const first = await send(ada, 'GET', `${own}activities/?limit=2`)
    const { activity } = (await first.json()) as { activity: Entry[] }
    assert.deepEqual(
      activity.map(({ data }) => data.text),
      ['three', 'two'],
    )
    const next = /cursor="([^"]+)"[^"]*$/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    assert.match(first.headers.get('link') ?? '', /rel="next"; results="true"/)
    await ask(ada, 'POST', `${own}comments/`, { text: 'four' }, 201)
    const rest = await ask<{ activity: Entry[] }>(
      ada,
      'GET',
      `${own}activities/?limit=3&cursor=${encodeURIComponent(next)}`,
    )
    assert.deepEqual(
      rest.activity.map(({ type, data }) => data.text ?? type),
      ['one', 'set_unresolved', 'set_resolved'],
    )
    await ask(ada, 'GET', `${own}comments/?cursor=wrong`, undefined, 400)
  })
})
