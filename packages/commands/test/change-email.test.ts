import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { operatorViewer, type UserViewer } from '@sonde/access'
import { errorKind } from '@sonde/base'
import {
  confirmEmailChange,
  createOrganization,
  lookAtEmailChange,
  requestEmailChange,
  requestPasswordReset,
  updateProfile,
} from '@sonde/commands'
import { type Harness, openHarness } from './harness.ts'

const PASSWORD = 'correct horse'

describe('a profile', () => {
  let harness: Harness
  let ada: UserViewer
  before(async () => {
    harness = await openHarness({ hasMail: true })
    await createOrganization(harness.deps, operatorViewer, { slug: 'acme' })
    ada = await harness.viewer('acme', 'member', 'ada@acme.test')
    await harness.viewer('acme', 'member', 'bob@acme.test')
  })
  after(() => harness.close())

  const ask = (email: string, currentPassword = PASSWORD) =>
    requestEmailChange(harness.deps, ada, { email, currentPassword })
  const lastLink = async (to: string): Promise<string> => {
    const mail = (await harness.mails()).findLast(
      (each) => each.to === to && each.button?.url.includes('token='),
    )
    return new URL(mail?.button?.url ?? 'http://none/').searchParams.get('token') ?? ''
  }
  const kindOf = (job: Promise<unknown>) =>
    job.then(
      () => 'done',
      (error: unknown) => errorKind(error) ?? String(error),
    )

  test('another address counts once its link is opened; the old one is told, and its links end', async () => {
    await assert.rejects(ask('new@acme.test', 'wrong'), /currentPassword: this is not your current password/)
    await assert.rejects(ask('Ada@acme.test'), /is your address already/)
    await ask('New@acme.test')
    const token = await lastLink('new@acme.test')
    assert.ok(await harness.signIn('ada@acme.test', PASSWORD))
    for (const _ of [1, 2])
      assert.equal((await lookAtEmailChange(harness.deps, token))?.email, 'new@acme.test')
    const { isDone } = await requestPasswordReset(
      harness.deps,
      { email: 'ada@acme.test' },
      { address: undefined },
    )
    await isDone
    const results = await Promise.all(
      [1, 2].map(() => kindOf(confirmEmailChange(harness.deps, token, '203.0.113.1'))),
    )
    assert.deepEqual(results.toSorted(), ['done', 'not-found'])
    assert.equal(await harness.signIn('ada@acme.test', PASSWORD), undefined)
    assert.ok(await harness.signIn('new@acme.test', PASSWORD))
    const told = (await harness.mails()).find(({ subject }) => subject === 'Your e-mail address was changed')
    assert.deepEqual([told?.to, told?.facts[0]], ['ada@acme.test', ['Name', 'new@acme.test']])
    assert.deepEqual(await harness.db.selectFrom('account_link').selectAll().execute(), [])
  })

  test('an address that somebody has is answered alike, and nothing is sent', async () => {
    const count = (await harness.mails()).length
    await ask('bob@acme.test')
    assert.equal((await harness.mails()).length, count)
    // Taken between the mail and its link.
    await ask('late@acme.test')
    const token = await lastLink('late@acme.test')
    await harness.viewer('acme', 'member', 'late@acme.test')
    assert.equal(await kindOf(confirmEmailChange(harness.deps, token, undefined)), 'not-found')
  })

  test('a link ends after a day; what is no link is refused', async () => {
    await ask('third@acme.test')
    const token = await lastLink('third@acme.test')
    harness.clock.advance(24 * 60 * 60_000)
    for (const text of [token, '', 'x'.repeat(43), '\0'])
      assert.equal(await kindOf(confirmEmailChange(harness.deps, text, undefined)), 'not-found')
  })

  test('has a time zone by name, or none', async () => {
    const zoneOf = async () => (await harness.signIn('bob@acme.test', PASSWORD))?.timeZone
    const bob = await harness.signIn('bob@acme.test', PASSWORD)
    assert.ok(bob)
    const save = (timeZone: string) => updateProfile(harness.deps, bob, { name: bob.name, timeZone })
    await save('Asia/Kathmandu')
    assert.equal(await zoneOf(), 'Asia/Kathmandu')
    await assert.rejects(save('Mars/Olympus'), /timeZone: is not a time zone, such as Europe\/Berlin/)
    await save('')
    assert.equal(await zoneOf(), undefined)
    assert.ok((await harness.audit()).some((line) => line.includes('account.time-zone')))
  })
})
