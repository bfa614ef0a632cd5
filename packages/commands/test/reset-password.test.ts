import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { operatorViewer } from '@sonde/access'
import { errorKind } from '@sonde/base'
import {
  createOrganization,
  createPersonalToken,
  lookAtReset,
  requestPasswordReset,
  resetOwnPassword,
} from '@sonde/commands'
import { type Harness, openHarness } from './harness.ts'

const FROM = { address: '198.51.100.7', userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' }
const EMAIL = 'ada@acme.test'

describe('a new password by mail', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness({ hasMail: true })
    await createOrganization(harness.deps, operatorViewer, { slug: 'acme' })
    await harness.viewer('acme', 'member', EMAIL)
  })
  after(() => harness.close())

  const ask = async (email = EMAIL, from = FROM): Promise<void> => {
    const { isDone } = await requestPasswordReset(harness.deps, { email }, from)
    await isDone
  }
  const lastLink = async (to = EMAIL): Promise<string> => {
    const mail = (await harness.mails()).findLast(
      (each) => each.to === to && each.button?.url.includes('token='),
    )
    return new URL(mail?.button?.url ?? 'http://none/').searchParams.get('token') ?? ''
  }
  const reset = (token: string, password: string, endTokens = false) =>
    resetOwnPassword(harness.deps, token, { password, endTokens }, FROM)
  const kindOf = (job: Promise<unknown>) =>
    job.then(
      () => 'done',
      (error: unknown) => errorKind(error) ?? String(error),
    )

  test('sets it once, ends every session, and says so by mail', async () => {
    const before = await harness.cookies(EMAIL, 'correct horse')
    await ask('ADA@acme.test')
    const token = await lastLink()
    assert.equal(Buffer.from(token, 'base64url').length, 32)
    const links = await harness.db.selectFrom('account_link').selectAll().execute()
    assert.ok(!JSON.stringify(links).includes(token))
    for (const _ of [1, 2]) assert.equal((await lookAtReset(harness.deps, token))?.email, EMAIL)
    // One that is not allowed leaves the link.
    assert.equal(await kindOf(reset(token, 'password1')), 'invalid')
    assert.equal(await kindOf(reset(token, 'x')), 'invalid')
    const results = await Promise.all([
      kindOf(reset(token, 'a brand new one')),
      kindOf(reset(token, 'a brand new one')),
    ])
    assert.deepEqual(results.toSorted(), ['done', 'not-found'])
    assert.equal(await harness.access.viewerFromCookies(before), undefined)
    assert.equal(await harness.signIn(EMAIL, 'correct horse'), undefined)
    assert.ok(await harness.signIn(EMAIL, 'a brand new one'))
    const mails = await harness.mails()
    const notice = mails.find(
      ({ subject }) => subject === 'Your password was changed by a link from your mail',
    )
    assert.deepEqual(notice?.facts, [
      ['Time', '31 January 2026 at 12:00 (UTC)'],
      ['Browser', 'Firefox 140 on Linux'],
      ['Address', '198.51.100.7'],
    ])
    assert.ok((await harness.audit()).some((line) => line.includes('account.password-reset')))
  })

  test('expires after an hour, and gives way to a newer one', async () => {
    await ask()
    const first = await lastLink()
    await ask()
    const second = await lastLink()
    assert.notEqual(first, second)
    assert.equal(await lookAtReset(harness.deps, first), undefined)
    assert.ok(await lookAtReset(harness.deps, second))
    harness.clock.advance(60 * 60_000)
    assert.equal(await lookAtReset(harness.deps, second), undefined)
    assert.equal(await kindOf(reset(second, 'still another one')), 'not-found')
  })

  test('own tokens end when that is asked for', async () => {
    const viewer = await harness.viewer('acme', 'member', 'tom@acme.test')
    const grant = await harness.access.openOrg(viewer, 'acme', 'org:read')
    const token = { name: 'mine', scopes: ['event:read'], currentPassword: 'correct horse' }
    await createPersonalToken(harness.deps, grant, token)
    await ask('tom@acme.test')
    await reset(await lastLink('tom@acme.test'), 'a brand new one', true)
    const left = await harness.db.selectFrom('api_token').select('id').execute()
    assert.deepEqual(left, [])
    const told = (await harness.mails()).find(({ subject }) => subject === 'A token was created')
    assert.deepEqual(told?.facts[0], ['Name', 'mine'])
  })

  test('nobody learns who has an account; who is disabled gets nothing', async () => {
    await harness.viewer('acme', 'member', 'off@acme.test')
    await harness.db.updateTable('user').set({ disabledMs: 1 }).where('email', '=', 'off@acme.test').execute()
    const count = (await harness.mails()).length
    for (const email of ['nobody@acme.test', 'off@acme.test']) await ask(email)
    assert.equal((await harness.mails()).length, count)
    assert.equal(await kindOf(ask('no address')), 'invalid')
  })

  test('is asked for 10 times an hour for one address, whether or not somebody has it', async () => {
    harness.clock.advance(60 * 60_000)
    for (const email of ['nobody@acme.test', EMAIL]) {
      for (let time = 0; time < 10; time += 1) await ask(email, { ...FROM, address: `203.0.113.${time}` })
      await assert.rejects(ask(email, { ...FROM, address: '203.0.113.99' }), /Too many tries\. Wait 60 min/)
    }
  })

  test('what is no token is refused, whatever it is', async () => {
    for (const text of ['', 'x', 'x'.repeat(43), '\0'.repeat(43), 'x'.repeat(100_000)])
      assert.equal(await kindOf(reset(text, 'a brand new one')), 'not-found')
  })
})
