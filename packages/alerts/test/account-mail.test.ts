/** Mail about accounts: through a real mail server on this machine. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { AccountMail } from '@sonde/access'
import { sendAccountMail } from '../src/mail/account-mail.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const MAIL: AccountMail = {
  subject: 'Ada invited you\r\nBcc: other@sonde.test to acme',
  heading: 'Join <b>acme</b> on Sonde',
  lines: ['<script>alert(1)</script> & more'],
  facts: [['Role', 'Member']],
  button: { label: 'Accept', url: 'https://sonde.test/settings/invitation?token=a&b' },
  footer: 'You got this because somebody typed your address.',
}

describe('mail about an account', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())
  const queue = async (to: string, expiresMs = NOW_MS + 86_400_000): Promise<void> => {
    const content = await harness.deps.channels.seal.seal(JSON.stringify(MAIL))
    await harness.records
      .insertInto('account_mail')
      .values({ to_address: to, content, next_attempt_ms: NOW_MS, created_ms: NOW_MS, expires_ms: expiresMs })
      .execute()
  }
  const send = () => sendAccountMail(harness.deps, new AbortController().signal)
  const rows = () => harness.records.selectFrom('account_mail').selectAll().execute()

  test('goes out once as text and as HTML without markup of strangers, and leaves nothing', async () => {
    await queue('ada@sonde.test')
    assert.equal(await send(), 1)
    assert.equal(await send(), 0)
    const [mail] = harness.mail.mails
    assert.equal(mail?.to, 'ada@sonde.test')
    assert.equal(mail?.subject, 'Ada invited you Bcc: other@sonde.test to acme')
    assert.match(mail?.text ?? '', /^Role: Member$/m)
    assert.match(mail?.text ?? '', /Accept: https:\/\/sonde\.test\/settings\/invitation\?token=a&b/)
    const html = String(mail?.html)
    assert.ok(html.includes('&lt;script&gt;') && !html.includes('<script>') && !html.includes('<b>acme'))
    assert.ok(html.includes('href="https://sonde.test/settings/invitation?token=a&amp;b"'))
    assert.equal(mail?.headers.get('auto-submitted'), 'auto-generated')
    assert.deepEqual(await rows(), [])
  })

  test('to an address that the server refuses is given up; what is too old is not sent', async () => {
    await queue('nobody@sonde.test')
    await queue('late@sonde.test', NOW_MS)
    await send()
    assert.deepEqual(await rows(), [])
    assert.equal(harness.mail.mails.filter(({ to }) => to === 'late@sonde.test').length, 0)
  })

  test('waits while the server cannot be reached', async () => {
    await queue('later@sonde.test')
    const mailer = {
      deliver: async () => assert.fail('not about an account'),
      send: async () => ({ isDelivered: false, answer: 'connect ECONNREFUSED', again: 'later' }) as const,
      close: async () => undefined,
    }
    await sendAccountMail({ ...harness.deps, mailer }, new AbortController().signal)
    const [row] = await rows()
    assert.deepEqual([row?.attempts, row?.next_attempt_ms], [1, NOW_MS + 5_000])
    assert.equal(await send(), 0)
    harness.clock.advance(5_000)
    await send()
    assert.deepEqual(await rows(), [])
    assert.equal(harness.mail.mails.at(-1)?.to, 'later@sonde.test')
  })
})
