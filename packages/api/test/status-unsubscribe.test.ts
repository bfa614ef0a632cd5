/** What mail programs post for mail of a status page: without a sign-in, by the token alone. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { statusUnsubscribeToken } from '@sonde/alerts'
import { createStatusPage } from '@sonde/commands'
import { openHarness, PUBLIC_URL } from './harness.ts'

describe('mail of a status page', () => {
  let harness: Awaited<ReturnType<typeof openHarness>>
  let token = ''
  before(async () => {
    harness = await openHarness()
    await harness.project('acme', 'shop')
    await harness.user('acme', 'ada@acme.test', 'owner')
    const headers = new Headers({ cookie: await harness.signIn('ada@acme.test') })
    const viewer = (await harness.access.viewerFromCookies(headers)) ?? assert.fail('not signed in')
    const grant = await harness.access.openOrg(viewer, 'acme', 'org:write')
    await createStatusPage(harness.commands, grant, { slug: 'acme', title: 'Acme' })
    const { id: pageId } = await harness.db.selectFrom('status_page').select('id').executeTakeFirstOrThrow()
    const subscriber = { page_id: pageId, confirm_hash: null, asked_ms: 1, expires_ms: null, confirmed_ms: 1 }
    await harness.db
      .insertInto('status_subscriber')
      .values(['eve@acme.test', 'bob@acme.test'].map((address) => ({ ...subscriber, address })))
      .execute()
    const { id } = await harness.db
      .selectFrom('status_subscriber')
      .select('id')
      .where('address', '=', 'eve@acme.test')
      .executeTakeFirstOrThrow()
    token = await statusUnsubscribeToken(harness.access.seal, id)
  })
  after(() => harness.close())

  const address = (text: string) => `/api/0/status-unsubscribe/?token=${encodeURIComponent(text)}`
  const post = async (text: string) => {
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    const answer = await harness.fetch(address(text), { method: 'POST', body })
    return [answer.status, await answer.json()]
  }
  const left = async () =>
    (await harness.db.selectFrom('status_subscriber').select('address').orderBy('id').execute()).map(
      (row) => row.address,
    )

  it('is not ended by who only opens the address: a page asks first', async () => {
    const answer = await harness.fetch(address(token))
    assert.equal(answer.status, 302)
    assert.equal(
      answer.headers.get('location'),
      `${PUBLIC_URL}/status/-/unsubscribe?token=${encodeURIComponent(token)}`,
    )
    assert.deepEqual(await left(), ['eve@acme.test', 'bob@acme.test'])
  })

  it('is ended by a post for the person of the token alone, also twice', async () => {
    assert.deepEqual(await post(`${token}x`), [404, { detail: 'This link is not valid, or no longer.' }])
    assert.deepEqual(await post(await harness.access.seal.seal('unsubscribe 1')), [
      404,
      { detail: 'This link is not valid, or no longer.' },
    ])
    assert.deepEqual(await post(token), [200, { unsubscribed: true }])
    assert.deepEqual(await post(token), [200, { unsubscribed: true }])
    assert.deepEqual(await left(), ['bob@acme.test'])
  })

  it('one address may post so often in a minute and no more', async () => {
    for (let posted = 0; posted < 120; posted++) await post('none')
    const answer = await harness.fetch(address(token), { method: 'POST' })
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [429, '60'])
  })
})
