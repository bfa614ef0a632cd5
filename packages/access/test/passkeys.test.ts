import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { UserViewer } from '@sonde/access'
import fc from 'fast-check'
import { totp } from '../../../tests/harness/totp.ts'
import { cookieHeader, type Harness, openHarness, PASSWORD } from './harness.ts'
import { softwareAuthenticator } from './software-authenticator.ts'

const MINUTE_MS = 60_000

describe('passkeys', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness({ publicUrl: 'http://localhost' })
  })
  after(() => harness.close())

  const password = (email: string) =>
    harness.access.signIn({ email, password: PASSWORD, headers: new Headers() })
  async function person(email: string) {
    await harness.member(email, 'member')
    const result = await password(email)
    assert.ok(result.ok)
    const headers = cookieHeader(result.setCookies)
    const viewer = await harness.access.viewerFromCookies(headers)
    assert.ok(viewer)
    return { viewer, headers }
  }
  const withPasskey = async (email: string) => {
    const { viewer, headers } = await person(email)
    const device = softwareAuthenticator()
    await add(viewer, device)
    return { viewer, headers, device }
  }
  async function add(viewer: UserViewer, device: ReturnType<typeof softwareAuthenticator>) {
    const { passkeys } = harness.access
    const { challenge } = await passkeys.creationOptions(viewer)
    await passkeys.register(viewer, { name: 'Laptop', response: device.register({ challenge }) })
  }
  const firstStep = async (email: string): Promise<Headers> => {
    const result = await password(email)
    assert.ok(!result.ok && result.reason === 'second-factor')
    return cookieHeader(result.setCookies)
  }
  const signIn = (response: string) =>
    harness.access.passkeys.signIn({ response, headers: new Headers(), clientAddress: '203.0.113.1' })
  const second = (response: string, headers: Headers) =>
    harness.access.passkeys.secondStep({ response, headers, clientAddress: '203.0.113.1' })

  it('sign in by themselves, once for each challenge', async () => {
    const { viewer, device } = await withPasskey('ada@acme.test')
    const options = harness.access.passkeys.signInOptions()
    assert.deepEqual(
      [options.rpId, options.userVerification, options.allowCredentials],
      ['localhost', 'required', []],
    )
    const response = device.assert(options)
    const result = await signIn(response)
    assert.ok(result.ok)
    assert.equal(
      (await harness.access.viewerFromCookies(cookieHeader(result.setCookies)))?.userId,
      viewer.userId,
    )
    assert.equal((await signIn(response)).ok, false)
    const [row] = await harness.access.passkeys.list(viewer)
    assert.deepEqual([row?.name, row?.lastUsedMs], ['Laptop', harness.clock.nowMs()])
  })

  it('are refused without the person, from elsewhere, for something else, too late, or as a copy', async () => {
    const { viewer, device } = await withPasskey('bob@acme.test')
    const { passkeys } = harness.access
    const fresh = () => passkeys.signInOptions().challenge
    const refused = [
      device.assert({ challenge: fresh(), isUserVerified: false }),
      device.assert({ challenge: fresh(), origin: 'https://evil.test' }),
      device.assert({ challenge: fresh(), rpId: 'evil.test' }),
      device.assert({ challenge: (await passkeys.creationOptions(viewer)).challenge }),
      device.assert({ challenge: Buffer.alloc(56).toString('base64url') }),
      softwareAuthenticator().assert({ challenge: fresh() }),
    ]
    for (const response of refused) assert.equal((await signIn(response)).ok, false)
    const old = fresh()
    harness.clock.advance(60 * MINUTE_MS)
    assert.equal((await signIn(device.assert({ challenge: old }))).ok, false)
    assert.equal((await signIn(device.assert({ challenge: fresh() }))).ok, true)
    device.rewind(1)
    assert.equal((await signIn(device.assert({ challenge: fresh() }))).ok, false)
  })

  it('stand in for the code after the password, of that person alone', async () => {
    const { viewer, device } = await withPasskey('cyd@acme.test')
    const other = await withPasskey('dan@acme.test')
    const waiting = await firstStep('cyd@acme.test')
    assert.equal(await harness.access.secondFactor.hasCode(waiting), false)
    const options = await harness.access.passkeys.pendingOptions(waiting)
    assert.equal(options?.allowCredentials.length, 1)
    const challenge = options?.challenge ?? ''
    assert.equal((await second(other.device.assert({ challenge }), waiting)).ok, false)
    assert.equal((await signIn(device.assert({ challenge }))).ok, false)
    const result = await second(device.assert({ challenge, isUserVerified: false }), waiting)
    assert.ok(result.ok)
    assert.equal(
      (await harness.access.viewerFromCookies(cookieHeader(result.setCookies)))?.userId,
      viewer.userId,
    )
    // The first step is spent.
    assert.equal(await harness.access.secondFactor.pendingUserId(waiting), undefined)
    const late = await second(device.assert({ challenge }), waiting)
    assert.ok(!late.ok && late.reason === 'expired')
  })

  it('and codes are independent: each is asked for while it is there', async () => {
    const { viewer, headers, device } = await withPasskey('eve@acme.test')
    const { access } = harness
    const made = await access.enableTwoFactor(viewer, PASSWORD, headers)
    // Not confirmed: the passkey alone counts.
    assert.equal(await access.secondFactor.hasCode(await firstStep('eve@acme.test')), false)
    const confirmed = await access.confirmTwoFactor(viewer, totp(made.otpauthUri), headers)
    const now = confirmed.setCookies.length > 0 ? cookieHeader(confirmed.setCookies) : headers
    assert.deepEqual(await access.twoFactorState(viewer), { isOn: true, backupCodesLeft: 10 })
    assert.equal(await access.secondFactor.hasCode(await firstStep('eve@acme.test')), true)
    await access.disableTwoFactor(viewer, PASSWORD, now)
    const waiting = await firstStep('eve@acme.test')
    assert.equal(await access.secondFactor.hasCode(waiting), false)
    assert.ok(await access.passkeys.pendingOptions(waiting))
    const [row] = await access.passkeys.list(viewer)
    const stranger = await person('fay@acme.test')
    await assert.rejects(access.passkeys.remove(stranger.viewer, row?.id ?? 0), /you have no such passkey/)
    await access.passkeys.remove(viewer, row?.id ?? 0)
    assert.equal((await password('eve@acme.test')).ok, true)
    assert.equal((await signIn(device.assert(access.passkeys.signInOptions()))).ok, false)
  })

  it('are reset by the operator with the rest, and shut out with a disabled account', async () => {
    const { viewer, device } = await withPasskey('gil@acme.test')
    const { access } = harness
    await harness.db.updateTable('user').set({ disabledMs: 1 }).where('id', '=', viewer.userId).execute()
    const result = await signIn(device.assert(access.passkeys.signInOptions()))
    assert.ok(!result.ok && /disabled/.test(result.message))
    await harness.db.updateTable('user').set({ disabledMs: null }).where('id', '=', viewer.userId).execute()
    assert.equal(await access.resetTwoFactor(viewer.userId), true)
    assert.equal((await password('gil@acme.test')).ok, true)
    assert.deepEqual(await access.passkeys.list(viewer), [])
  })

  it('are added with a challenge for that person, once', async () => {
    const { viewer } = await person('hal@acme.test')
    const other = await person('ida@acme.test')
    const { passkeys } = harness.access
    const { challenge } = await passkeys.creationOptions(viewer)
    const device = softwareAuthenticator()
    const refused = [
      device.register({ challenge, origin: 'https://evil.test' }),
      device.register({ challenge, rpId: 'evil.test' }),
      device.register({ challenge: (await passkeys.creationOptions(other.viewer)).challenge }),
      device.register({ challenge: passkeys.signInOptions().challenge }),
    ]
    for (const response of refused)
      await assert.rejects(passkeys.register(viewer, { name: 'x', response }), /was not accepted/)
    const response = device.register({ challenge })
    await passkeys.register(viewer, { name: 'x', response })
    await assert.rejects(passkeys.register(viewer, { name: 'x', response }), /was not accepted/)
    // One credential is nobody else's.
    const again = device.register({ challenge: (await passkeys.creationOptions(other.viewer)).challenge })
    await assert.rejects(passkeys.register(other.viewer, { name: 'x', response: again }), /was not accepted/)
  })

  it('whatever a browser sends, it is refused and no row is made', async () => {
    const { viewer, device } = await withPasskey('jan@acme.test')
    const real = device.assert(harness.access.passkeys.signInOptions())
    const rows = async () => (await harness.db.selectFrom('passkey_challenge').selectAll().execute()).length
    const count = await rows()
    const bodies = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.json(),
      fc
        .tuple(fc.nat(real.length - 1), fc.string({ minLength: 1, maxLength: 3 }))
        .map(([at, text]) => real.slice(0, at) + text + real.slice(at + text.length)),
    )
    let network = 0
    await fc.assert(
      fc.asyncProperty(bodies, async (response) => {
        if (response === real) return
        const clientAddress = `10.${(network += 1) >> 8}.${network & 255}.1`
        const result = await harness.access.passkeys.signIn({
          response,
          headers: new Headers(),
          clientAddress,
        })
        // A change in what is not signed leaves the signature right.
        if (!result.ok)
          await assert.rejects(harness.access.passkeys.register(viewer, { name: 'x', response }))
      }),
      { numRuns: 60 },
    )
    assert.ok((await rows()) - count <= 1)
    assert.equal((await signIn('x'.repeat(20_000))).ok, false)
  })

  it('need a name and https, and say so', async () => {
    const whyNot = async (publicUrl: string) => {
      const other = await openHarness({ publicUrl })
      await other.close()
      return other.access.passkeys.whyNot
    }
    assert.match((await whyNot('http://127.0.0.1:9000')) ?? '', /need a host name/)
    assert.match((await whyNot('https://[::1]')) ?? '', /need a host name/)
    assert.match((await whyNot('http://sonde.test')) ?? '', /need https/)
    assert.equal(await whyNot('https://sonde.test'), undefined)
    assert.equal(await whyNot('http://localhost:9000'), undefined)
  })
})
