import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { totp } from '../../../tests/harness/totp.ts'
import { cookieHeader, type Harness, openHarness, PASSWORD, SECRET } from './harness.ts'

const DAY_MS = 86_400_000

describe('what the records know of a session', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness()
    await harness.member('ada@acme.test', 'admin')
  })
  after(() => harness.close())
  const signIn = async () => {
    const result = await harness.access.signIn({
      email: 'ada@acme.test',
      password: PASSWORD,
      headers: new Headers(),
    })
    assert.ok(result.ok)
    return cookieHeader(result.setCookies)
  }
  const tokenOf = (headers: Headers, name: string): string =>
    decodeURIComponent(new RegExp(`sonde\\.${name}=([^;.]+)\\.`).exec(headers.get('cookie') ?? '')?.[1] ?? '')
  /** As better-auth signs its cookies, for who has the secret too. */
  const signed = (token: string): Headers => {
    const signature = createHmac('sha256', SECRET).update(token).digest('base64')
    return new Headers({ cookie: `sonde.session_token=${encodeURIComponent(`${token}.${signature}`)}` })
  }
  const everything = async (): Promise<string> =>
    JSON.stringify([
      await harness.db.selectFrom('session').selectAll().execute(),
      await harness.db
        .selectFrom('verification' as 'session')
        .selectAll()
        .execute(),
    ])

  it('is a hash, with which nobody signs in', async () => {
    const headers = await signIn()
    const token = tokenOf(headers, 'session_token')
    assert.ok(token.length >= 32)
    assert.ok(await harness.access.viewerFromCookies(signed(token)), 'signed as better-auth does')
    assert.ok(!(await everything()).includes(token))
    const rows = await harness.db.selectFrom('session').select(['id', 'token']).execute()
    assert.ok(rows.length > 0)
    for (const row of rows) {
      assert.match(row.token, /^[0-9a-f]{64}$/)
      assert.equal(await harness.access.viewerFromCookies(signed(row.token)), undefined)
    }
  })

  it('a renewed session keeps its cookie, and signing out removes its row', async () => {
    const headers = await signIn()
    const viewer = await harness.access.viewerFromCookies(headers)
    const mine = harness.db
      .selectFrom('session')
      .selectAll()
      .where('id', '=', viewer?.sessionId ?? '')
    const soon = new Date(Date.now() + 3 * DAY_MS).toISOString()
    await harness.db
      .updateTable('session')
      .set({ expiresAt: soon })
      .where('id', '=', viewer?.sessionId ?? '')
      .execute()
    const renewed: string[] = []
    await harness.access.viewerFromCookies(headers, (cookie) => renewed.push(cookie))
    assert.equal(tokenOf(cookieHeader(renewed), 'session_token'), tokenOf(headers, 'session_token'))
    await harness.access.signOut(headers)
    assert.deepEqual(await mine.execute(), [])
  })

  it('however much it is used, it ends 90 days after the sign-in', async () => {
    const headers = await signIn()
    const viewer = await harness.access.viewerFromCookies(headers)
    const madeAt = async (ageDays: number) => {
      const values = { createdAt: new Date(Date.now() - ageDays * DAY_MS).toISOString() } as object
      await harness.db
        .updateTable('session')
        .set(values)
        .where('id', '=', viewer?.sessionId ?? '')
        .execute()
    }
    await madeAt(89)
    assert.ok(await harness.access.viewerFromCookies(headers))
    await madeAt(91)
    const cleared: string[] = []
    assert.equal(await harness.access.viewerFromCookies(headers, (cookie) => cleared.push(cookie)), undefined)
    const rows = await harness.db.selectFrom('session').select('id').execute()
    assert.ok(!rows.some((row) => row.id === viewer?.sessionId))
  })

  it('a first step that waits for its code is a hash too', async () => {
    const headers = await signIn()
    const viewer = await harness.access.viewerFromCookies(headers)
    assert.ok(viewer)
    const made = await harness.access.enableTwoFactor(viewer, PASSWORD, headers)
    await harness.access.confirmTwoFactor(viewer, totp(made.otpauthUri), headers)
    const result = await harness.access.signIn({
      email: 'ada@acme.test',
      password: PASSWORD,
      headers: new Headers(),
    })
    assert.ok(!result.ok && result.reason === 'second-factor')
    const waiting = cookieHeader(result.setCookies)
    const name = tokenOf(waiting, 'two_factor')
    assert.match(name, /^2fa-/)
    assert.ok(!(await everything()).includes(name))
    assert.ok(await harness.access.secondFactor.pendingUserId(waiting))
  })
})
