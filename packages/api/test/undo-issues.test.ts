/** Each change of issues answers what takes it back: who may change, and nobody else, sends that to the same path. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type Harness, openHarness } from './harness.ts'

describe('undo of a change to issues', () => {
  let harness: Harness
  let ids: number[]
  let foreign: number
  const callers = new Map<string, Record<string, string>>()

  before(async () => {
    harness = await openHarness()
    const shop = await harness.project('acme', 'shop')
    const spare = await harness.project('acme', 'spare')
    const secret = await harness.project('rival', 'secret')
    ids = []
    for (const title of ['one', 'two']) ids.push((await harness.issue(shop.id, { title })).issueId)
    ids.push((await harness.issue(spare.id, { title: 'three' })).issueId)
    foreign = (await harness.issue(secret.id, { title: 'four' })).issueId
    for (const [name, scopes, org] of [
      ['writer', ['event:read', 'event:write'], 'acme'],
      ['reader', ['event:read'], 'acme'],
      ['rival', ['event:read', 'event:write'], 'rival'],
    ] as const)
      callers.set(name, { authorization: `Bearer ${await harness.token(scopes, org)}` })
  })
  after(() => harness.close())
  beforeEach(() =>
    harness.db
      .updateTable('issue')
      .set({ status: 'unresolved', substatus: 'new', resolved_in: '', resolved_release: '' })
      .execute(),
  )

  const put = async (as: string, path: string, body: unknown, status = 200) => {
    const response = await harness.fetch(`/api/0/${path}${path.includes('?') ? '' : '/'}`, {
      method: 'PUT',
      headers: { ...callers.get(as), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    assert.equal(response.status, status, text)
    return JSON.parse(text) as { undo?: string | null; count?: number; status?: string; isComplete?: boolean }
  }
  const states = async (): Promise<string[]> => {
    const rows = await harness.db.selectFrom('issue').selectAll().orderBy('id').execute()
    return rows.map((row) => `${row.status} ${row.substatus}`.trim())
  }
  const ORG = 'organizations/acme/issues'
  const NEW = 'unresolved new'

  it('of named issues: exactly the state before, which reopening would not give', async () => {
    const query = `?id=${ids[0]}&id=${ids[1]}`
    const { undo, count } = await put('writer', `${ORG}/${query}`, { status: 'resolved' })
    assert.equal(count, 2)
    assert.deepEqual(await states(), ['resolved', 'resolved', NEW, NEW])
    assert.deepEqual(await put('writer', ORG, { undo }), { count: 2 })
    assert.deepEqual(await states(), [NEW, NEW, NEW, NEW])
  })

  it('of all that match, and of one issue on its own path', async () => {
    const all = await put('writer', `${ORG}/?query=`, { status: 'ignored' })
    assert.deepEqual([all.count, all.isComplete], [3, true])
    const one = await put('writer', `${ORG}/${ids[0]}`, { undo: all.undo })
    assert.equal(one.status, 'unresolved')
    const archived = 'ignored archived_forever'
    assert.deepEqual(await states(), [NEW, archived, archived, NEW])
    const single = await put('writer', `issues/${ids[0]}`, { status: 'resolved' })
    assert.deepEqual(await put('writer', ORG, { undo: single.undo }), { count: 1 })
    assert.deepEqual(await put('writer', 'projects/acme/shop/issues', { undo: all.undo }), { count: 1 })
    assert.deepEqual(await states(), [NEW, NEW, archived, NEW])
  })

  it('a change that changed nothing has none', async () => {
    const first = await put('writer', `${ORG}/?id=${ids[0]}`, { status: 'unresolved' })
    assert.equal(first.undo, null)
  })

  it('not for who may only read, and not across organizations', async () => {
    const { undo } = await put('writer', `${ORG}/?query=`, { status: 'resolved' })
    await put('reader', ORG, { undo }, 403)
    await put('reader', `${ORG}/${ids[0]}`, { undo }, 403)
    await put('reader', 'projects/acme/shop/issues', { undo }, 403)
    await put('rival', ORG, { undo }, 403)
    assert.deepEqual(await put('rival', 'organizations/rival/issues', { undo }), { count: 0 })
    const theirs = await put('rival', `organizations/rival/issues/?id=${foreign}`, { status: 'ignored' })
    assert.deepEqual(await put('writer', ORG, { undo: theirs.undo }), { count: 0 })
    assert.deepEqual(await states(), ['resolved', 'resolved', 'resolved', 'ignored archived_forever'])
  })

  it('a text that no change answered is refused', async () => {
    const refused = { undo: ['is not what a change to issues answered'] }
    assert.deepEqual(await put('writer', ORG, { undo: 'everything' }, 400), refused)
    assert.deepEqual(await put('writer', `${ORG}/${ids[0]}`, { undo: '' }, 400), refused)
  })
})
