/** User reports over the public API: the documented shape, with a token and with the DSN alone. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Harness, openHarness } from './harness.ts'

const PATH = '/api/0/projects/acme/shop/user-feedback/'
const EVENT = '14bad9a2e3774046977a21440ddb39b2'
const REPORT = { event_id: EVENT, name: 'Jane', email: 'jane@example.com', comments: 'It broke!' }

describe('user reports over the public API', () => {
  let harness: Harness
  let shop: { readonly id: number; readonly publicKey: string }
  let token: string
  const post = (authorization: string, body: object, path = PATH) =>
    harness.fetch(path, { method: 'POST', headers: { authorization }, body: JSON.stringify(body) })

  before(async () => {
    harness = await openHarness()
    shop = await harness.project('acme', 'shop')
    await harness.project('rival', 'secret')
    token = await harness.token(['project:write', 'project:read', 'event:read'], 'acme')
  })
  after(() => harness.close())

  it('are listed in the documented shape, without what widgets and spam bring', async () => {
    const common = { associated_event_id: EVENT, name: 'Jane', contact_email: 'jane@example.com' }
    const put = async (message: string, source: string, status: 'unresolved' | 'ignored' = 'unresolved') => {
      const { issueId } = await harness.issue(shop.id, { status })
      const metadata = JSON.stringify({ ...common, message, source })
      await harness.db
        .updateTable('issue')
        .set({ type: 'feedback', metadata })
        .where('id', '=', issueId)
        .execute()
      return issueId
    }
    const id = await put('It broke!', 'user_report')
    await put('by the widget', 'widget')
    await put('buy this', 'user_report', 'ignored')
    const answer = await harness.fetch(PATH, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('link') ?? '', /rel="next"; results="false"/)
    const [{ dateCreated, ...only }, ...others] = (await answer.json()) as [Record<string, unknown>]
    assert.equal(typeof dateCreated, 'string')
    assert.deepEqual(others, [])
    assert.deepEqual(only, {
      id: String(id),
      eventID: EVENT,
      event: { eventID: EVENT, id: null },
      name: 'Jane',
      email: 'jane@example.com',
      comments: 'It broke!',
      issue: null,
      user: null,
    })
  })

  it('are taken with a token, and handed to ingest with a key of the project', async () => {
    const answer = await post(`Bearer ${token}`, REPORT)
    assert.equal(answer.status, 200)
    const body = (await answer.json()) as Record<string, unknown>
    assert.deepEqual([body['eventID'], body['comments'], body['id']], [EVENT, 'It broke!', null])
    assert.deepEqual(harness.reports.at(-1), [{ projectId: shop.id, publicKey: shop.publicKey }, REPORT])
  })

  it('are taken with the DSN alone', async () => {
    const answer = await post(`DSN http://${shop.publicKey}@sonde.test/${shop.id}`, REPORT)
    assert.equal(answer.status, 200)
    const [key] = harness.reports.at(-1) as [{ projectId: string }]
    assert.equal(key.projectId, String(shop.id))
  })

  it('are refused in words: without a right, without fields, of another organization', async () => {
    const reader = await harness.token(['event:read', 'project:read'], 'acme')
    const before = harness.reports.length
    const cases = [
      [403, await post(`Bearer ${reader}`, REPORT)],
      [403, await post(`Bearer ${token}`, REPORT, '/api/0/projects/rival/secret/user-feedback/')],
      [401, await post('DSN nothing', REPORT)],
      [401, await harness.fetch(PATH)],
      [400, await post(`Bearer ${token}`, { ...REPORT, comments: ' ' })],
      [400, await post(`Bearer ${token}`, { ...REPORT, event_id: "' OR 1" })],
    ] as const
    for (const [status, answer] of cases) assert.equal(answer.status, status, await answer.text())
    assert.equal(harness.reports.length, before)
  })
})
