import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type Logger, silentLogger } from '@sonde/base'
import { pino } from 'pino'
import { totp } from '../../../tests/harness/totp.ts'
import { createSecurityEvents } from '../src/auth/security-events.ts'
import { createTryLimit } from '../src/auth/try-limit.ts'
import { cookieHeader, type Harness, openHarness, PASSWORD, SECRET } from './harness.ts'

const ADDRESS = '203.0.113.9'
const DOCS = new URL('../../../docs/operate/sign-in.md', import.meta.url)

describe('sign-ins are told', () => {
  let harness: Harness
  let userId: string
  let lines: string[] = []
  before(async () => {
    const logger: Logger = pino(
      { base: { role: 'back' }, timestamp: pino.stdTimeFunctions.isoTime },
      {
        write: (line: string) => void lines.push(line),
      },
    )
    harness = await openHarness({
      logger,
      clientAddress: (headers) => headers.get('x-test-client') ?? undefined,
    })
    userId = await harness.member('ada@acme.test', 'admin')
  })
  after(() => harness.close())
  beforeEach(async () => {
    lines = []
    await harness.db.deleteFrom('audit_entry').execute()
    harness.clock.advance(24 * 60 * 60_000)
  })
  const signIn = (email: string, password: string) =>
    harness.access.signIn({ email, password, headers: new Headers(), clientAddress: ADDRESS })
  const signedIn = async () => {
    const result = await signIn('ada@acme.test', PASSWORD)
    assert.ok(result.ok)
    const headers = cookieHeader(result.setCookies)
    headers.set('x-test-client', ADDRESS)
    const viewer = await harness.access.viewerFromCookies(headers)
    assert.ok(viewer)
    return { headers, viewer }
  }
  const told = () =>
    lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => 'event' in line)
  const rows = async () =>
    (await harness.db.selectFrom('audit_entry').selectAll().orderBy('id').execute()).map(
      ({ actor, action, subject, address, detail }) => [actor, action, subject, address, detail].join(' '),
    )
  /** A failure is written after its answer, so that the time does not tell who exists. */
  const until = async <T>(read: () => T | Promise<T>, isDone: (value: T) => boolean): Promise<T> => {
    for (let tries = 0; tries < 500; tries++) {
      const value = await read()
      if (isDone(value)) return value
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    return assert.fail('not told within five seconds')
  }

  it('signing in and out, with the address', async () => {
    const { headers, viewer } = await signedIn()
    assert.equal(viewer.address, ADDRESS)
    await harness.access.signOut(headers)
    assert.deepEqual(
      told().map(({ event, user, email, address, reason }) => [event, user, email, address, reason]),
      [
        ['sign_in', userId, 'ada@acme.test', ADDRESS, 'password'],
        ['sign_out', userId, 'ada@acme.test', ADDRESS, undefined],
      ],
    )
    assert.deepEqual(await rows(), [
      `user:${userId} account.sign-in ${userId} ${ADDRESS} {"reason":"password"}`,
      `user:${userId} account.sign-out ${userId} ${ADDRESS} {}`,
    ])
  })

  it('failures: of somebody with a row, of nobody without what was typed', async () => {
    await signIn('ada@acme.test', 'not the password')
    await signIn('correct.horse@battery.staple', 'hunter2 hunter2')
    await signIn('my secret password', 'x')
    const events = await until(told, (all) => all.length === 3)
    assert.deepEqual(
      events.map(({ event, user, email, reason }) => [event, user, email, reason]),
      [
        ['sign_in_failed', userId, 'ada@acme.test', 'wrong-password'],
        ['sign_in_failed', 'unknown', undefined, 'unknown-user'],
        ['sign_in_failed', 'unknown', undefined, 'unknown-user'],
      ],
    )
    for (const typed of ['not the password', 'battery.staple', 'hunter2', 'my secret'])
      assert.ok(!lines.join('').includes(typed), typed)
    const written = await until(rows, (all) => all.length > 0)
    assert.deepEqual(written, [
      `stranger account.sign-in-failure ${userId} ${ADDRESS} {"reason":"wrong-password"}`,
    ])
  })

  it('the last try of a window, once; refused tries are not told', async () => {
    for (let tries = 0; tries < 14; tries++) await signIn('ada@acme.test', 'not the password')
    const events = await until(told, (all) => all.some(({ event }) => event === 'sign_in_locked'))
    const names = events.map(({ event, reason }) => `${String(event)} ${String(reason)}`)
    assert.deepEqual(names, [
      ...Array<string>(10).fill('sign_in_failed wrong-password'),
      'sign_in_locked account-and-network',
    ])
    await until(rows, (all) => all.length === names.length)
  })

  it('strangers make no more than 50 rows a day for one account', async () => {
    const { db: records, clock } = harness
    const limit = createTryLimit(records, clock, SECRET)
    const events = createSecurityEvents({ records, clock, logger: silentLogger, limit })
    const fail = () => events.record({ event: 'sign_in_failed', userId, address: ADDRESS })
    for (let tries = 0; tries < 60; tries++) await fail()
    assert.equal((await rows()).length, 50)
    clock.advance(24 * 60 * 60_000)
    await fail()
    assert.equal((await rows()).length, 51)
  })

  it('codes, passwords and what else changes how somebody signs in', async () => {
    const { headers, viewer } = await signedIn()
    lines = []
    const wrong = harness.access.changePassword(viewer, { current: 'no', next: 'battery staple' }, headers)
    await assert.rejects(wrong)
    const made = await harness.access.enableTwoFactor(viewer, PASSWORD, headers)
    const on = await harness.access.confirmTwoFactor(viewer, totp(made.otpauthUri), headers)
    const own = cookieHeader(on.setCookies)
    own.set('x-test-client', ADDRESS)
    await harness.access.newBackupCodes(viewer, PASSWORD, own)
    const first = await signIn('ada@acme.test', PASSWORD)
    assert.ok(!first.ok && first.reason === 'second-factor')
    const waiting = cookieHeader(first.setCookies)
    const verify = (code: string) =>
      harness.access.secondFactor.verify({ code, headers: waiting, clientAddress: ADDRESS })
    for (let code = 0; code < 10; code++) await verify(`00000${code}`)
    await harness.access.disableTwoFactor(viewer, PASSWORD, own)
    await harness.access.setPassword(userId, 'battery staple')
    const names = told().map(({ event }) => event)
    assert.deepEqual(names, [
      'own_secret_failed',
      'two_factor_on',
      'backup_codes_renewed',
      ...Array<string>(10).fill('second_factor_failed'),
      'second_factor_locked',
      'two_factor_off',
      'password_set',
    ])
    for (const secret of [made.secret, ...made.backupCodes, PASSWORD, 'battery staple'])
      assert.ok(!lines.join('').includes(secret))
    await harness.access.setPassword(userId, PASSWORD)
  })

  it("the documentation's fail2ban filter finds the address in a real line, and only in failures", async () => {
    const text = await readFile(DOCS, 'utf8')
    const written = [...text.matchAll(/^failregex = (.+)$/gm)].map((match) => match[1] ?? '')
    assert.ok(written.length > 0)
    const asRun = written.map((regex) => new RegExp(regex.replace('<HOST>', '(?<host>[0-9a-fA-F.:]+)')))
    const hosts = (line: string) => asRun.flatMap((regex) => regex.exec(line)?.groups?.['host'] ?? [])
    await signIn('ada@acme.test', 'not the password')
    await until(told, (all) => all.length === 1)
    assert.deepEqual(hosts(lines.find((line) => line.includes('sign_in_failed')) ?? ''), [ADDRESS])
    lines = []
    await signedIn()
    assert.deepEqual(lines.flatMap(hosts), [])
    // What an attacker can write into a line stands behind the facts, inside of a JSON text.
    const forged = JSON.stringify({ level: 30, msg: '"event":"sign_in_failed","address":"192.0.2.1"' })
    assert.deepEqual(hosts(forged), [])
    for (const name of ['sign_in_locked', 'second_factor_locked', 'own_secret_locked', 'two_factor_reset'])
      assert.ok(text.includes(`\`${name}\``), name)
  })
})
