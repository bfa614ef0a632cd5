import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { SondeError } from '@sonde/base'
import { cookieHeader, type Harness, openHarness, PASSWORD } from './harness.ts'

const DAY_MS = 86_400_000

describe('one account', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness()
    await harness.member('ada@acme.test', 'admin')
  })
  after(() => harness.close())

  const signedIn = async (password = PASSWORD) => {
    const result = await harness.access.signIn({
      email: 'ada@acme.test',
      password,
      // The client may write there what it likes.
      headers: new Headers({ 'user-agent': 'Firefox', 'x-forwarded-for': '6.6.6.6' }),
      clientAddress: '203.0.113.9',
    })
    assert.ok(result.ok)
    const headers = cookieHeader(result.setCookies)
    const viewer = await harness.access.viewerFromCookies(headers)
    assert.ok(viewer)
    return { headers, viewer }
  }
  const living = (headers: Headers) => harness.access.viewerFromCookies(headers).then(Boolean)

  it('a session in use is renewed, in the records and in the browser', async () => {
    const { headers, viewer } = await signedIn()
    const renewed: string[] = []
    const use = () => harness.access.viewerFromCookies(headers, (cookie) => renewed.push(cookie))
    const expires = async () =>
      (
        await harness.db
          .selectFrom('session')
          .select('expiresAt')
          .where('id', '=', viewer.sessionId ?? '')
          .executeTakeFirstOrThrow()
      ).expiresAt
    await use()
    assert.deepEqual(renewed, [], 'not within the first hour')
    const soon = new Date(Date.now() + 3 * DAY_MS).toISOString()
    await harness.db
      .updateTable('session')
      .set({ expiresAt: soon })
      .where('id', '=', viewer.sessionId ?? '')
      .execute()
    assert.equal(await living(headers), true)
    assert.equal(await expires(), soon, 'a request that cannot pass the cookie on leaves it to the next')
    await use()
    assert.match(renewed[0] ?? '', /^sonde\.session_token=[^;]+;.*Max-Age=2(?:592000|591999)/)
    assert.ok(Date.parse(await expires()) > Date.now() + 29 * DAY_MS)
  })

  it('keeps where it came from with each session', async () => {
    const { viewer } = await signedIn()
    const row = await harness.db
      .selectFrom('session')
      .selectAll()
      .where('id', '=', viewer.sessionId ?? '')
      .executeTakeFirstOrThrow()
    assert.deepEqual([row.userAgent, row.ipAddress, row.userId], ['Firefox', '203.0.113.9', viewer.userId])
  })

  it('a new password needs the current one, and ends the other sessions', async () => {
    const [mine, other] = [await signedIn(), await signedIn()]
    const change = (current: string, next: string) =>
      harness.access.changePassword(mine.viewer, { current, next }, mine.headers)
    await assert.rejects(change('wrong', 'battery staple'), (error: SondeError) => {
      assert.deepEqual([error.kind, error.subject], ['forbidden', 'currentPassword'])
      return true
    })
    await assert.rejects(change(PASSWORD, 'short'), (error: SondeError) => error.kind === 'invalid')
    assert.equal(await living(other.headers), true)
    const { setCookies } = await change(PASSWORD, 'battery staple')
    assert.deepEqual([await living(other.headers), await living(mine.headers)], [false, false])
    assert.equal(await living(cookieHeader(setCookies)), true)
    await signedIn('battery staple')
  })

  it('guessing the current password from an open browser is stopped', async () => {
    const { viewer, headers } = await signedIn('battery staple')
    const guess = (current: string) =>
      harness.access.changePassword(viewer, { current, next: 'something else' }, headers)
    for (let tries = 0; tries < 10; tries++) {
      await assert.rejects(guess(`guess ${tries}`), (error: SondeError) => error.kind === 'forbidden')
    }
    await assert.rejects(guess('battery staple'), (error: SondeError) => error.kind === 'unavailable')
  })

  it('a token does what its person may at that moment, and no more', async () => {
    const userId = await harness.member('bob@acme.test', 'admin')
    const text = await harness.token(['project:write', 'event:read'], { userId })
    const may = async (permission: 'project:write' | 'event:read') => {
      const viewer = await harness.access.viewerFromToken(text)
      assert.ok(viewer)
      return harness.access.openOrg(viewer, 'acme', permission).then(
        () => true,
        () => false,
      )
    }
    assert.deepEqual([await may('project:write'), await may('event:read')], [true, true])
    await harness.db.updateTable('member').set({ role: 'viewer' }).where('user_id', '=', userId).execute()
    assert.deepEqual([await may('project:write'), await may('event:read')], [false, true])
  })
})
