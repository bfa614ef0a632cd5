/** What people are mailed about their own account. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { readAccountMail } from '../src/account-mail.ts'
import { timeText } from '../src/auth/notices.ts'
import { cookieHeader, type Harness, openHarness, PASSWORD } from './harness.ts'

const CHROME = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'

describe('notices', () => {
  let harness: Harness
  let userId: string
  before(async () => {
    harness = await openHarness({ hasMail: true })
    userId = await harness.member('ada@acme.test', 'member')
    await harness.db.updateTable('user').set({ timeZone: 'Europe/Berlin' }).where('id', '=', userId).execute()
  })
  after(() => harness.close())
  beforeEach(async () => {
    await harness.db.deleteFrom('account_mail').execute()
  })
  const signIn = async (address: string, cookie?: Headers) => {
    const headers = new Headers({ 'user-agent': CHROME, cookie: cookie?.get('cookie') ?? '' })
    const result = await harness.access.signIn({
      email: 'ada@acme.test',
      password: PASSWORD,
      headers,
      clientAddress: address,
    })
    assert.ok(result.ok)
    return cookieHeader(result.setCookies)
  }
  const mails = async () => {
    const rows = await harness.db.selectFrom('account_mail').selectAll().orderBy('id').execute()
    return Promise.all(rows.map((row) => readAccountMail(harness.access.seal, row.content)))
  }

  it('a sign-in is told from a new browser or a new network, in the zone of the person', async () => {
    const device = await signIn('198.51.100.1')
    assert.deepEqual(await mails(), [])
    await signIn('198.51.100.1', device)
    assert.deepEqual(await mails(), [])
    await signIn('198.51.100.1')
    const [mail] = await mails()
    assert.equal(mail?.heading, 'New sign-in to your account')
    assert.deepEqual(mail?.facts, [
      ['Time', '31 January 2026 at 13:00 (Europe/Berlin)'],
      ['Browser', 'Chrome 140 on Windows'],
      ['Address', '198.51.100.1'],
    ])
    assert.ok(mail?.lines.some((line) => line.includes('http://sonde.test/sign-in/forgot')))
    await signIn('203.0.113.5', device)
    assert.equal((await mails()).length, 2)
    await signIn('203.0.113.5', device)
    assert.equal((await mails()).length, 2)
    const stored = await harness.db.selectFrom('sign_in_network').selectAll().execute()
    assert.ok(!JSON.stringify(stored).includes('203.0.113.5'))
    harness.clock.advance(90 * 24 * 60 * 60_000)
    await signIn('198.51.100.1', device)
    assert.equal((await harness.db.selectFrom('sign_in_network').selectAll().execute()).length, 1)
  })

  it('at most ten of a kind a day, and none to who is disabled', async () => {
    const told = () => harness.access.recordEvent({ event: 'two_factor_off', userId, address: undefined })
    for (let time = 0; time < 12; time += 1) await told()
    assert.equal((await mails()).length, 10)
    await harness.access.recordEvent({ event: 'passkey_added', userId, address: undefined, about: 'Phone' })
    assert.deepEqual((await mails()).at(-1)?.facts[0], ['Name', 'Phone'])
    harness.clock.advance(24 * 60 * 60_000)
    await harness.db.updateTable('user').set({ disabledMs: 1 }).where('id', '=', userId).execute()
    await told()
    assert.equal((await mails()).length, 11)
  })

  it('without mail nothing is kept', async () => {
    const silent = await openHarness()
    const id = await silent.member('bob@acme.test', 'member')
    await silent.access.recordEvent({ event: 'two_factor_off', userId: id, address: undefined })
    assert.deepEqual(await silent.db.selectFrom('account_mail').selectAll().execute(), [])
    await silent.close()
  })

  it('a zone that nobody knows any more is told in UTC', () => {
    assert.equal(timeText(0, 'Mars/Olympus'), '1 January 1970 at 00:00 (UTC)')
    assert.equal(timeText(0, ''), '1 January 1970 at 00:00 (UTC)')
    assert.equal(timeText(0, 'Asia/Kathmandu'), '1 January 1970 at 05:30 (Asia/Kathmandu)')
  })
})
