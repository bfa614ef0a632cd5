/** Whose an issue is and what else people say about it, in the words of Sentry's API. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
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
})
