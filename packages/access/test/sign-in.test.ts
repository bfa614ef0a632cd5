import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { SondeError } from '@sonde/base'
import { cookieHeader, type Harness, openHarness, PASSWORD } from './harness.ts'
import { watchHashes } from './watch-hashes.ts'

/** 32 MiB and some 50 ms: what a guess costs whoever has the table of accounts, and us. */
const HASH_COST = { N: 16_384, r: 16, p: 1, maxmem: 128 * 16_384 * 16 * 2 }

describe('sign-in', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness()
    await harness.member('Ada@Acme.test', 'admin')
  })
  after(() => harness.close())
  const signIn = (email: string, password: string, clientAddress?: string) =>
    harness.access.signIn({
      email,
      password,
      headers: new Headers({ origin: 'null' }),
      ...(clientAddress === undefined ? {} : { clientAddress }),
    })

  it('gives a cookie that scripts cannot read and other sites do not send', async () => {
    const result = await signIn('ada@acme.test', PASSWORD)
    assert.ok(result.ok)
    const [cookie = ''] = result.setCookies
    assert.match(cookie, /^sonde\.session_token=[^;]+;/)
    for (const attribute of ['HttpOnly', 'SameSite=Lax', 'Path=/'])
      assert.ok(cookie.includes(attribute), cookie)
    assert.ok(!cookie.includes('Secure'), cookie)
  })

  it('over https the cookie is Secure, and no sibling host can plant one', async () => {
    const secure = await openHarness({ publicUrl: 'https://sonde.test' })
    await secure.member('ada@acme.test', 'admin')
    const result = await secure.access.signIn({
      email: 'ada@acme.test',
      password: PASSWORD,
      headers: new Headers(),
    })
    assert.ok(result.ok)
    assert.equal(result.setCookies.length, 2)
    for (const cookie of result.setCookies) {
      assert.match(cookie, /^__Host-sonde\.(?:session_token|device)=[^;]+; /)
      for (const attribute of ['HttpOnly', 'SameSite=Lax', 'Path=/', 'Secure'])
        assert.ok(cookie.split('; ').includes(attribute), cookie)
      assert.ok(!/domain=/i.test(cookie), cookie)
    }
    const headers = cookieHeader(result.setCookies)
    assert.equal((await secure.access.viewerFromCookies(headers))?.email, 'ada@acme.test')
    for (const name of ['sonde.', '__Secure-sonde.']) {
      const renamed = (headers.get('cookie') ?? '').replaceAll('__Host-sonde.', name)
      assert.equal(await secure.access.viewerFromCookies(new Headers({ cookie: renamed })), undefined)
    }
    await secure.close()
  })

  it('the cookie names the person and the roles of this moment', async () => {
    const result = await signIn(' ADA@acme.test ', PASSWORD)
    assert.ok(result.ok)
    const headers = cookieHeader(result.setCookies)
    const viewer = await harness.access.viewerFromCookies(headers)
    assert.match(viewer?.sessionId ?? '', /^\w{32}$/)
    assert.deepEqual(viewer, {
      kind: 'user',
      sessionId: viewer?.sessionId,
      isOperator: false,
      userId: result.userId,
      email: 'ada@acme.test',
      name: 'Somebody',
      memberships: [{ orgId: harness.acme, orgSlug: 'acme', orgName: 'ACME', role: 'admin' }],
    })
    await harness.db
      .updateTable('member')
      .set({ role: 'viewer' })
      .where('user_id', '=', result.userId)
      .execute()
    assert.equal((await harness.access.viewerFromCookies(headers))?.memberships[0]?.role, 'viewer')
  })

  it('a changed, foreign or missing cookie is nobody', async () => {
    const result = await signIn('ada@acme.test', PASSWORD)
    assert.ok(result.ok)
    const cookie = cookieHeader(result.setCookies).get('cookie') ?? ''
    const broken = cookie.replace(/=./, (start) => (start === '=a' ? '=b' : '=a'))
    for (const text of [broken, 'sonde.session_token=', 'sonde.session_token=a.b', 'theme=dark']) {
      assert.equal(await harness.access.viewerFromCookies(new Headers({ cookie: text })), undefined, text)
    }
    assert.equal(await harness.access.viewerFromCookies(new Headers()), undefined)
  })

  it('signing out ends the session on the server too', async () => {
    const result = await signIn('ada@acme.test', PASSWORD)
    assert.ok(result.ok)
    const headers = cookieHeader(result.setCookies)
    const cleared = await harness.access.signOut(headers)
    assert.match(cleared[0] ?? '', /^sonde\.session_token=;.*Max-Age=0/)
    assert.equal(await harness.access.viewerFromCookies(headers), undefined)
    await harness.access.signOut(new Headers())
  })

  it('a kept password costs who guesses it as much as a sign-in', async (t) => {
    const hashes = watchHashes(t)
    const userId = await harness.member('joan@acme.test', 'member')
    await harness.access.setPassword(userId, 'battery staple')
    assert.deepEqual(hashes.costs, [HASH_COST, HASH_COST])
  })

  it('a new password ends every session', async () => {
    const userId = await harness.member('grace@acme.test', 'member')
    const result = await signIn('grace@acme.test', PASSWORD)
    assert.ok(result.ok)
    await harness.access.setPassword(userId, 'battery staple')
    assert.equal(await harness.access.viewerFromCookies(cookieHeader(result.setCookies)), undefined)
    assert.equal((await signIn('grace@acme.test', PASSWORD)).ok, false)
    assert.equal((await signIn('grace@acme.test', 'battery staple')).ok, true)
  })

  it('an unknown address and a wrong password are answered alike, in words and in time', async (t) => {
    const hashes = watchHashes(t)
    const wrong = await signIn('ada@acme.test', 'not the password')
    const unknown = await signIn('nobody@acme.test', 'not the password')
    assert.deepEqual(unknown, wrong)
    // One hash each, which takes tens of milliseconds; without it the answer would come in one.
    assert.deepEqual(hashes.costs, [HASH_COST, HASH_COST])
    for (const email of ['', 'not an address', "' OR 1=1 --", 'a'.repeat(10_000)]) {
      assert.deepEqual(await signIn(email, 'x'), wrong, email.slice(0, 20))
    }
  })

  it('guessing is stopped per e-mail address and heals with time', async () => {
    await harness.member('target@acme.test', 'member')
    for (let guess = 0; guess < 10; guess++) {
      assert.equal((await signIn('target@acme.test', `guess ${guess}`)).ok, false)
    }
    const stopped = await signIn('Target@acme.test', PASSWORD)
    assert.ok(!stopped.ok && stopped.reason === 'too-many')
    assert.ok(stopped.retryAfterSec > 290 && stopped.retryAfterSec <= 300)
    harness.clock.advance(stopped.retryAfterSec * 1000)
    assert.equal((await signIn('target@acme.test', PASSWORD)).ok, true)
  })

  it('a burst in parallel does not slip past the limit', async () => {
    const guesses = Array.from({ length: 20 }, (_, guess) => signIn('burst@acme.test', `guess ${guess}`))
    const results = await Promise.all(guesses)
    assert.equal(results.filter((result) => !result.ok && result.reason === 'wrong').length, 10)
  })

  it('guessing over many addresses is stopped per client', async () => {
    for (let guess = 0; guess < 50; guess++) await signIn(`guess${guess}@acme.test`, 'x', '203.0.113.9')
    const stopped = await signIn('ada@acme.test', PASSWORD, '203.0.113.9')
    assert.ok(!stopped.ok && stopped.reason === 'too-many')
    assert.equal((await signIn('ada@acme.test', PASSWORD, '203.0.113.10')).ok, true)
  })

  it('an address is taken once, whatever its case; a short password is refused', async () => {
    const user = { email: 'ADA@ACME.TEST', name: 'Ada', password: PASSWORD }
    await assert.rejects(harness.access.createUser(user), (error: SondeError) => error.kind === 'conflict')
    const short = { email: 'new@acme.test', name: 'New', password: 'short' }
    await assert.rejects(harness.access.createUser(short), (error: SondeError) => error.kind === 'invalid')
  })

  it('a password that everybody tries first is refused, however it is written and wherever it is set', async () => {
    const userId = await harness.member('common@acme.test', 'member')
    const isRefused = (error: SondeError) => {
      assert.deepEqual([error.kind, error.subject], ['invalid', 'password'])
      return /most used/.test(error.message)
    }
    for (const password of ['12345678', 'password', 'PassWord', 'qwertyuiop', 'baseball', 'trustno1']) {
      const user = { email: 'new@acme.test', name: 'New', password }
      await assert.rejects(harness.access.createUser(user), isRefused, password)
      await assert.rejects(harness.access.setPassword(userId, password), isRefused, password)
    }
    const result = await signIn('common@acme.test', PASSWORD)
    assert.ok(result.ok, 'a refused one changes nothing')
    const headers = cookieHeader(result.setCookies)
    const viewer = await harness.access.viewerFromCookies(headers)
    assert.ok(viewer)
    const change = harness.access.changePassword(viewer, { current: PASSWORD, next: 'iloveyou1' }, headers)
    await assert.rejects(change, isRefused)
  })
})
