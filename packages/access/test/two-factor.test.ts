import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { NewTwoFactor, UserViewer } from '@sonde/access'
import type { SondeError } from '@sonde/base'
import { totp } from '../../../tests/harness/totp.ts'
import { cookieHeader, type Harness, openHarness, PASSWORD } from './harness.ts'

const ADDRESS = '203.0.113.9'

describe('two-factor sign-in', () => {
  let harness: Harness
  let viewer: UserViewer
  let headers: Headers
  let made: NewTwoFactor
  /** The code that put two-factor sign-in in force. */
  let confirming: string
  before(async () => {
    harness = await openHarness()
    await harness.member('ada@acme.test', 'admin')
    ;({ viewer, headers } = await signedIn())
  })
  after(() => harness.close())

  const signIn = () =>
    harness.access.signIn({ email: 'ada@acme.test', password: PASSWORD, headers: new Headers() })
  async function signedIn() {
    const result = await signIn()
    assert.ok(result.ok)
    const cookies = cookieHeader(result.setCookies)
    const found = await harness.access.viewerFromCookies(cookies)
    assert.ok(found)
    return { viewer: found, headers: cookies }
  }
  /** The headers with which a browser goes on after the password. */
  async function firstStep(): Promise<Headers> {
    const result = await signIn()
    assert.ok(!result.ok && result.reason === 'second-factor')
    return cookieHeader(result.setCookies)
  }
  async function withTwoFactor(email: string) {
    await harness.member(email, 'member')
    const first = await harness.access.signIn({ email, password: PASSWORD, headers: new Headers() })
    assert.ok(first.ok)
    const own = cookieHeader(first.setCookies)
    const person = await harness.access.viewerFromCookies(own)
    assert.ok(person)
    const secrets = await harness.access.enableTwoFactor(person, PASSWORD, own)
    const confirmed = await harness.access.confirmTwoFactor(person, totp(secrets.otpauthUri), own)
    return { headers: cookieHeader(confirmed.setCookies), backupCodes: confirmed.backupCodes }
  }
  const refused = (subject: string) => (error: SondeError) =>
    error.kind === 'forbidden' && error.subject === subject

  it('asks for the password, and shows a secret and codes', async () => {
    await assert.rejects(harness.access.enableTwoFactor(viewer, 'wrong', headers), refused('currentPassword'))
    made = await harness.access.enableTwoFactor(viewer, PASSWORD, headers)
    assert.match(
      made.otpauthUri,
      /^otpauth:\/\/totp\/Sonde:ada(?:@|%40)acme\.test\?secret=[A-Z2-7]+&issuer=Sonde/,
    )
    assert.equal(made.secretGroups.join(''), made.secret)
    assert.ok(made.secretGroups.slice(0, -1).every((group) => group.length === 4))
    assert.equal(new Set(made.backupCodes).size, 10)
  })

  it('is not in force before the first code: a lost phone locks nobody out', async () => {
    assert.equal((await signIn()).ok, true)
    made = await harness.access.enableTwoFactor(viewer, PASSWORD, headers)
    await assert.rejects(harness.access.confirmTwoFactor(viewer, '000000', headers), refused('code'))
    assert.deepEqual(await harness.access.twoFactorState(viewer), { isOn: false })
    confirming = totp(made.otpauthUri)
    const confirmed = await harness.access.confirmTwoFactor(viewer, confirming, headers)
    headers = cookieHeader(confirmed.setCookies)
    assert.deepEqual(confirmed.backupCodes, made.backupCodes)
    assert.deepEqual(await harness.access.twoFactorState(viewer), { isOn: true, backupCodesLeft: 10 })
    assert.equal((await harness.access.viewerFromCookies(headers))?.userId, viewer.userId)
  })

  it('then the password alone is no sign-in', async () => {
    const cookies = await firstStep()
    assert.equal(await harness.access.viewerFromCookies(cookies), undefined)
    const wrong = await harness.access.secondFactor.verify({ code: '12345', headers: cookies })
    assert.deepEqual([wrong.ok, !wrong.ok && wrong.reason], [false, 'wrong'])
    const late = await harness.access.secondFactor.verify({
      code: totp(made.otpauthUri),
      headers: new Headers(),
    })
    assert.ok(!late.ok && late.reason === 'expired' && /too long/.test(late.message))
    assert.ok(await harness.access.secondFactor.pendingUserId(cookies))
    assert.equal(await harness.access.secondFactor.pendingUserId(headers), undefined)
  })

  it('a code works once, with or without a space in it', async () => {
    const replayed = await harness.access.secondFactor.verify({
      code: confirming,
      headers: await firstStep(),
    })
    assert.equal(replayed.ok, false, 'it put two-factor sign-in in force')
    const code = totp(made.otpauthUri, Date.now() + 30_000)
    const typed = `${code.slice(0, 3)} ${code.slice(3)}`
    const result = await harness.access.secondFactor.verify({ code: typed, headers: await firstStep() })
    assert.ok(result.ok)
    const found = await harness.access.viewerFromCookies(cookieHeader(result.setCookies))
    assert.equal(found?.email, 'ada@acme.test')
    const again = await harness.access.secondFactor.verify({ code, headers: await firstStep() })
    assert.equal(again.ok, false)
    const restarted = harness.newAccess()
    const later = await restarted.secondFactor.verify({ code, headers: await firstStep() })
    assert.ok(!later.ok && later.reason === 'wrong')
  })

  it('a backup code works once, and new ones replace all', async () => {
    const [first = '', second = ''] = made.backupCodes
    const use = async (code: string) =>
      harness.access.secondFactor.verify({ code, headers: await firstStep() })
    assert.equal((await use(first)).ok, true)
    assert.equal((await use(first)).ok, false)
    assert.deepEqual(await harness.access.twoFactorState(viewer), { isOn: true, backupCodesLeft: 9 })
    const [fresh = ''] = await harness.access.newBackupCodes(viewer, PASSWORD, headers)
    assert.equal((await use(second)).ok, false)
    // The dash is for reading.
    assert.equal((await use(` ${fresh.replace('-', '')} `)).ok, true)
  })

  it('guessing is stopped, whatever cookie it comes with, and heals with time', async () => {
    for (let guess = 0; guess < 10; guess++) {
      await harness.access.secondFactor.verify({
        code: String(guess).padStart(6, '0'),
        headers: await firstStep(),
        clientAddress: ADDRESS,
      })
    }
    const stopped = await harness.access.secondFactor.verify({ code: '999999', headers: await firstStep() })
    assert.ok(!stopped.ok && stopped.reason === 'too-many')
    harness.clock.advance(stopped.retryAfterSec * 1000)
    const healed = await harness.access.secondFactor.verify({ code: '999999', headers: await firstStep() })
    assert.ok(!healed.ok && healed.reason === 'wrong')
  })

  it('guesses for one person are not forgotten by a right code of somebody else', async () => {
    harness.clock.advance(600_000)
    const mine = await withTwoFactor('mallory@acme.test')
    const verify = async (code: string, headers: Headers) => {
      const result = await harness.access.secondFactor.verify({ code, headers })
      return result.ok ? 'right' : result.reason
    }
    for (let guess = 0; guess < 9; guess++) {
      assert.equal(await verify(String(guess).padStart(6, '0'), await firstStep()), 'wrong')
    }
    // The first step is Ada's, the session and the code are Mallory's.
    const cookie = `${mine.headers.get('cookie')}; ${(await firstStep()).get('cookie')}`
    assert.equal(await verify(mine.backupCodes[0] ?? '', new Headers({ cookie })), 'wrong')
    assert.equal(await verify('999999', await firstStep()), 'too-many')
    harness.clock.advance(600_000)
  })

  it('the JSON door says that a code is needed, and signs nobody in', async () => {
    const response = await harness.access.handler(
      new Request('http://sonde.test/api/auth/sign-in/email', {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: 'http://sonde.test' },
        body: JSON.stringify({ email: 'ada@acme.test', password: PASSWORD }),
      }),
    )
    assert.equal(response.status, 401)
    const cookies = cookieHeader(response.headers.getSetCookie())
    assert.equal(await harness.access.viewerFromCookies(cookies), undefined)
  })

  it('is taken away from who lost phone and codes; what was shown before is worth nothing then', async () => {
    const cookies = await firstStep()
    assert.equal(await harness.access.resetTwoFactor(viewer.userId), true)
    const late = await harness.access.secondFactor.verify({ code: totp(made.otpauthUri), headers: cookies })
    assert.equal(late.ok, false)
    assert.equal((await signIn()).ok, true)
    assert.equal(await harness.access.resetTwoFactor(viewer.userId), false)
    made = await harness.access.enableTwoFactor(viewer, PASSWORD, headers)
    harness.clock.advance(600_000)
    headers = cookieHeader(
      (await harness.access.confirmTwoFactor(viewer, totp(made.otpauthUri), headers)).setCookies,
    )
  })

  it('is switched off with the password, and cannot be set up twice', async () => {
    const twice = harness.access.enableTwoFactor(viewer, PASSWORD, headers)
    await assert.rejects(twice, (error: SondeError) => error.kind === 'conflict')
    await assert.rejects(
      harness.access.disableTwoFactor(viewer, 'wrong', headers),
      refused('currentPassword'),
    )
    await harness.access.disableTwoFactor(viewer, PASSWORD, headers)
    assert.equal((await signIn()).ok, true)
    const codes = harness.access.newBackupCodes(viewer, PASSWORD, headers)
    await assert.rejects(codes, (error: SondeError) => error.kind === 'conflict')
  })

  it('neither secret nor backup codes lie in the records in plain text', async () => {
    const { viewer: grace, headers: own } = await (async () => {
      await harness.member('grace@acme.test', 'member')
      const result = await harness.access.signIn({
        email: 'grace@acme.test',
        password: PASSWORD,
        headers: new Headers(),
      })
      assert.ok(result.ok)
      const cookies = cookieHeader(result.setCookies)
      const found = await harness.access.viewerFromCookies(cookies)
      assert.ok(found)
      return { viewer: found, headers: cookies }
    })()
    const secrets = await harness.access.enableTwoFactor(grace, PASSWORD, own)
    const table = harness.db.selectFrom('twoFactor' as 'user').selectAll()
    const stored = JSON.stringify(await table.execute())
    assert.ok(stored.includes(grace.userId))
    for (const secret of [secrets.secret, ...secrets.backupCodes]) assert.ok(!stored.includes(secret))
  })
})
