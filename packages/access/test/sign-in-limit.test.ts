import assert from 'node:assert/strict'
import { beforeEach, afterEach, describe, it } from 'node:test'
import type { Access } from '@sonde/access'
import { HASHES_AT_ONCE } from '../src/auth/hash-gate.ts'
import { cookieHeader, type Harness, openHarness, PASSWORD } from './harness.ts'
import { watchHashes } from './watch-hashes.ts'

const A = '203.0.113.9'
const B = '198.51.100.7'
const MINUTE_MS = 60_000

describe('the limit of sign-ins', () => {
  let harness: Harness
  beforeEach(async () => {
    harness = await openHarness()
    await harness.member('ada@acme.test', 'admin')
  })
  afterEach(() => harness.close())
  const signIn = async (
    password: string,
    clientAddress: string,
    { access = harness.access, email = 'ada@acme.test', headers = new Headers() }: Partial<Options> = {},
  ) => access.signIn({ email, password, headers, clientAddress })
  type Options = { access: Access; email: string; headers: Headers }
  const outcome = async (...args: Parameters<typeof signIn>) => {
    const result = await signIn(...args)
    return result.ok ? 'ok' : result.reason
  }
  const guess = async (times: number, address: string, options: Partial<Options> = {}) => {
    const tries = Array.from({ length: times }, () => outcome('no', address, options))
    assert.deepEqual([...new Set(await Promise.all(tries))], ['wrong'])
  }

  /** Without those of a day, which count the rows of the audit and are written after the answer. */
  const windows = async () => {
    const rows = await harness.db.selectFrom('try_window').selectAll().execute()
    return rows.filter((row) => row.ends_ms <= harness.clock.nowMs() + 5 * MINUTE_MS)
  }

  it('wrong tries from one network do not keep the owner out of another', async () => {
    await guess(10, A)
    assert.equal(await outcome(PASSWORD, A), 'too-many')
    assert.equal(await outcome(PASSWORD, B), 'ok')
  })

  it('addresses of one IPv6 network count as one', async () => {
    for (let tries = 0; tries < 10; tries++)
      assert.equal(await outcome('no', `2001:db8:1:2::${tries}`), 'wrong')
    assert.equal(await outcome(PASSWORD, '2001:db8:1:2:ffff::1'), 'too-many')
    assert.equal(await outcome(PASSWORD, '2001:db8:1:3::1'), 'ok')
  })

  it('a restart forgets nothing, and a second process counts along', async () => {
    await guess(5, A)
    const second = harness.newAccess()
    await guess(5, A, { access: second })
    for (const access of [harness.access, second, harness.newAccess()])
      assert.equal(await outcome(PASSWORD, A, { access }), 'too-many')
    harness.clock.advance(5 * MINUTE_MS)
    assert.equal(await outcome(PASSWORD, A, { access: second }), 'ok')
  })

  it('over many networks an account is slowed down, not closed; a known browser does not even notice', async () => {
    const before = await signIn(PASSWORD, A)
    assert.ok(before.ok)
    const headers = cookieHeader(before.setCookies)
    for (let network = 0; network < 5; network++) await guess(10, `198.51.100.${network}`)

    const slowed = await signIn(PASSWORD, B)
    assert.ok(!slowed.ok && slowed.reason === 'too-many')
    assert.ok(slowed.retryAfterSec <= 2, String(slowed.retryAfterSec))
    assert.match(slowed.message, /Wait [12] s and try again/)
    harness.clock.advance(2_000)
    assert.equal(await outcome('no', '198.51.100.78'), 'wrong')
    assert.equal(await outcome(PASSWORD, '198.51.100.79'), 'too-many')
    harness.clock.advance(2_000)
    assert.equal(await outcome(PASSWORD, '198.51.100.79'), 'ok')

    // Even from a network that may not try any more; but it has no more guesses than others.
    assert.equal(await outcome(PASSWORD, '198.51.100.1', { headers }), 'ok')
    await guess(10, '198.51.100.1', { headers })
    assert.equal(await outcome(PASSWORD, '198.51.100.1', { headers }), 'too-many')
  })

  it('what a browser was remembered by is worth nothing for others, changed, or after a new password', async () => {
    const userId = await harness.member('eve@acme.test', 'member')
    const eve = await signIn(PASSWORD, B, { email: 'eve@acme.test' })
    assert.ok(eve.ok)
    const headers = cookieHeader(eve.setCookies)
    const cookie = headers.get('cookie') ?? ''
    const device = /device=(v1\.\d+\.)(.)/.exec(cookie)?.[0] ?? ''
    const changed = new Headers({
      cookie: cookie.replace(device, `${device.slice(0, -1)}${device.endsWith('a') ? 'b' : 'a'}`),
    })
    await guess(10, A)
    assert.equal(await outcome(PASSWORD, A, { headers }), 'too-many')
    await guess(10, A, { email: 'eve@acme.test' })
    assert.equal(await outcome(PASSWORD, A, { email: 'eve@acme.test', headers: changed }), 'too-many')
    assert.equal(await outcome(PASSWORD, A, { email: 'eve@acme.test', headers }), 'ok')
    await harness.access.setPassword(userId, 'battery staple')
    assert.equal(await outcome('battery staple', A, { email: 'eve@acme.test', headers }), 'too-many')
  })

  it('right passwords are no failures of their network', async () => {
    for (let tries = 0; tries < 12; tries++) assert.equal(await outcome(PASSWORD, A), 'ok')
    const rows = await harness.db.selectFrom('try_window').select('tries').execute()
    assert.deepEqual(
      rows.filter(({ tries }) => tries > 0),
      [],
    )
  })

  it('a window is never pushed out by others, has no address in it, and its row goes when it ends', async () => {
    await guess(10, A)
    for (let network = 0; network < 20; network++)
      await outcome('no', `192.0.2.${network}`, { email: `u${network}@acme.test` })
    assert.equal(await outcome(PASSWORD, A), 'too-many')
    const rows = await windows()
    assert.ok(rows.length <= 3 * 21)
    assert.ok(!JSON.stringify(rows).includes('acme') && !JSON.stringify(rows).includes(A))
    harness.clock.advance(10 * MINUTE_MS)
    await outcome('no', B)
    assert.equal((await windows()).length, 3)
  })

  it('a refused try makes no row: rows cost hashes', async () => {
    await guess(10, A)
    const before = (await windows()).length
    for (let tries = 0; tries < 50; tries++) assert.equal(await outcome('no', A), 'too-many')
    assert.equal((await windows()).length, before)
  })
})

describe('many sign-ins at once', () => {
  it(`never run more than ${HASHES_AT_ONCE} hashes, answer the rest with a time, and keep room for known browsers`, async (t) => {
    const harness = await openHarness()
    t.after(() => harness.close())
    await harness.member('ada@acme.test', 'admin')
    const first = await harness.access.signIn({
      email: 'ada@acme.test',
      password: PASSWORD,
      headers: new Headers(),
    })
    assert.ok(first.ok)
    const hashes = watchHashes(t)

    const strangers = Array.from({ length: 100 }, (_, index) =>
      harness.access.signIn({
        email: `u${index}@acme.test`,
        password: 'no',
        headers: new Headers(),
        clientAddress: `203.0.113.${index}`,
      }),
    )
    const ofOne = Array.from({ length: 20 }, () =>
      harness.access.signIn({
        email: 'ada@acme.test',
        password: 'no',
        headers: new Headers(),
        clientAddress: B,
      }),
    )
    const known = harness.access.signIn({
      email: 'ada@acme.test',
      password: PASSWORD,
      headers: cookieHeader(first.setCookies),
      clientAddress: A,
    })
    assert.equal((await known).ok, true)
    const results = await Promise.all([...strangers, ...ofOne])
    const busy = results.filter((result) => !result.ok && result.reason === 'busy')
    assert.ok(busy.length >= 20, String(busy.length))
    assert.ok(busy.every((result) => 'retryAfterSec' in result && result.retryAfterSec > 0))
    const most = hashes.mostAtOnce()
    assert.ok(most <= HASHES_AT_ONCE && most > 0, `${most} at once`)
    assert.ok(hashes.costs.length >= 40, `${hashes.costs.length} hashes`)
  })
})
