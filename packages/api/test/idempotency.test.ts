import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { beginOnce } from '@sonde/commands'
import { type Harness, openHarness, PUBLIC_URL } from './harness.ts'

const TEAMS = '/api/0/organizations/acme/teams/'
const RELEASES = '/api/0/organizations/acme/releases/'
const DAY_MS = 86_400_000

describe('Idempotency-Key', () => {
  let harness: Harness
  let token: string
  before(async () => {
    harness = await openHarness()
    await harness.project('acme', 'shop')
    await harness.user('acme', 'ann@acme.test', 'owner')
    token = await harness.token(['org:read', 'team:admin', 'project:releases'], 'acme')
  })
  after(() => harness.close())

  const post = (key: string, body: object, path = TEAMS, who: Record<string, string> = {}) =>
    harness.fetch(path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
        ...who,
      },
      body: JSON.stringify(body),
    })
  const teams = async (): Promise<string[]> =>
    (await harness.db.selectFrom('team').select('slug').orderBy('id').execute()).map(({ slug }) => slug)
  const rows = () => harness.db.selectFrom('idempotent_request').selectAll().execute()

  it('the second request is answered as the first, and makes nothing', async () => {
    const first = await post('"8e03978e-40d5-43dd-bc93-6894a57f9324"', { slug: 'one' })
    // Without the quotes it is the same key, with the slash at the end the same address.
    const second = await post('8e03978e-40d5-43dd-bc93-6894a57f9324', { slug: 'one' }, TEAMS.slice(0, -1))
    assert.deepEqual([first.status, second.status], [201, 201])
    assert.equal(await second.text(), await first.text())
    assert.equal(second.headers.get('content-type'), 'application/json')
    assert.deepEqual(
      [first.headers.get('idempotent-replayed'), second.headers.get('idempotent-replayed')],
      [null, 'true'],
    )
    assert.deepEqual(await teams(), ['one'])
  })

  it('another body, another query or another address with the key is refused', async () => {
    await post('same', { slug: 'two' })
    for (const answer of [
      await post('same', { slug: 'three' }),
      await post('same', { slug: 'two' }, `${TEAMS}?x=1`),
      await post('same', { slug: 'two' }, RELEASES),
    ])
      assert.deepEqual(
        [answer.status, await answer.json()],
        [422, { detail: 'This Idempotency-Key was sent with another request' }],
      )
    assert.deepEqual(await teams(), ['one', 'two'])
  })

  it('of ten at once one is run; the others are told that it runs, or what it answered', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('at-once', { slug: 'three' })))
    const texts = new Set<string>()
    for (const answer of answers) {
      assert.ok([201, 409].includes(answer.status))
      if (answer.status === 201) texts.add(await answer.text())
      else assert.match(await answer.text(), /still running/)
    }
    assert.equal(texts.size, 1)
    assert.deepEqual(await teams(), ['one', 'two', 'three'])
  })

  it('an error made nothing: with the key it is tried again, also with a body that is right', async () => {
    assert.equal((await post('corrected', { slug: 'not a slug!' })).status, 400)
    assert.equal((await post('corrected', { slug: 'four' })).status, 201)
    assert.equal((await post('corrected', { slug: 'four' })).headers.get('idempotent-replayed'), 'true')
  })

  it('a caller knows nothing of the keys of others', async () => {
    const other = { authorization: `Bearer ${await harness.token(['org:read', 'team:admin'], 'acme')}` }
    const answer = await post('same', { slug: 'five' }, TEAMS, other)
    assert.deepEqual([answer.status, answer.headers.get('idempotent-replayed')], [201, null])
  })

  it('an answer with a secret is given once more, and is nowhere in the records', async () => {
    const cookie = await harness.signIn('ann@acme.test')
    const asked = (): Promise<Response> =>
      harness.fetch('/api/0/organizations/acme/org-auth-tokens/', {
        method: 'POST',
        headers: { cookie, origin: PUBLIC_URL, 'idempotency-key': 'a-token' },
        body: JSON.stringify({ name: 'build', currentPassword: 'correct horse' }),
      })
    const [first, second] = [await asked(), await asked()]
    const made = (await first.json()) as { token: string }
    assert.deepEqual([first.status, second.status], [201, 201])
    assert.deepEqual(await second.json(), made)
    const kept = JSON.stringify(await rows())
    for (const text of [made.token, made.token.slice(-20), 'a-token', 'correct horse', token])
      assert.ok(!kept.includes(text))
  })

  it('what a process was at when it died is run again after two minutes', async () => {
    await post('cut', { slug: 'six' })
    await harness.db.updateTable('idempotent_request').set({ status: null, answer: null }).execute()
    assert.equal((await post('cut', { slug: 'six' })).status, 409)
    harness.clock.advance(120_000)
    const again = await post('cut', { slug: 'six' })
    // It is run, and finds what the first one made.
    assert.match(await again.text(), /"slug":\["/)
    assert.equal((await teams()).filter((slug) => slug === 'six').length, 1)
  })

  it('after a day the key is free', async () => {
    await post('daily', { slug: 'seven' })
    harness.clock.advance(DAY_MS)
    assert.equal((await post('daily', { slug: 'eight' })).status, 201)
  })

  it('a key that is none is refused; a form, and what is no POST, has none', async () => {
    for (const key of ['', '"', '"open', 'a b', 'ü', 'x'.repeat(256), '"a"b"'])
      assert.equal((await post(encode(key), { slug: 'nine' })).status, 400, key)
    const before = (await rows()).length
    const form = new FormData()
    form.set('name', 'x')
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': 'form' }
    await harness.fetch(TEAMS, { method: 'POST', headers, body: form })
    await harness.fetch(TEAMS, { headers })
    assert.equal((await rows()).length, before)
  })

  it('a caller has so many keys within a day', async () => {
    const [row] = await harness.db
      .selectFrom('idempotent_request')
      .selectAll()
      .where('caller', 'like', 'token:%')
      .limit(1)
      .execute()
    assert.ok(row)
    for (let at = 0; at < 10_000; at += 500) {
      const many = Array.from({ length: 500 }, (_, n) => ({ ...row, id: `${at + n}` }))
      await harness.db.insertInto('idempotent_request').values(many).execute()
    }
    const { caller, fingerprint } = row
    const asked = { id: 'one more', caller, fingerprint }
    assert.deepEqual(await beginOnce(harness.commands, asked), { state: 'too-many' })
    assert.deepEqual(await beginOnce(harness.commands, { ...asked, caller: 'token:0' }), { state: 'run' })
  })
})

/** A header has no signs above U+00FF. */
const encode = (key: string): string => Buffer.from(key).toString('latin1')
