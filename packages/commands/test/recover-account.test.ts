import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer } from '@sonde/access'
import type { SondeError } from '@sonde/base'
import { ensureProject, InvalidInput, resetPassword, resetTwoFactor } from '@sonde/commands'
import { type Harness, openHarness } from './harness.ts'

const EMAIL = 'ada@acme.test'
const NO_TOKENS = { endedTokens: 0, keptTokens: 0 }

describe('who is locked out', () => {
  let harness: Harness
  let userId: string
  before(async () => {
    harness = await openHarness()
    await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop' })
    ;({ userId } = await harness.viewer('acme', 'member', EMAIL))
  })
  after(() => harness.close())
  const nobody = (error: SondeError) => error.kind === 'not-found' && /nobody@acme\.test/.test(error.message)

  it('signs in with the password alone after a reset, which is said and on record', async () => {
    await harness.db.updateTable('user').set({ twoFactorEnabled: 1 }).where('id', '=', userId).execute()
    assert.equal(await harness.signIn(EMAIL, 'correct horse'), undefined)
    const reset = () => resetTwoFactor(harness.deps, operatorViewer, { email: 'Ada@Acme.test' })
    assert.deepEqual(await reset(), { wasOn: true, ...NO_TOKENS })
    assert.equal((await harness.signIn(EMAIL, 'correct horse'))?.userId, userId)
    assert.deepEqual(await reset(), { wasOn: false, ...NO_TOKENS })
    const entry = `operator:cli account.two-factor-reset ${userId}`
    assert.deepEqual(
      (await harness.audit()).filter((line) => line.includes('two-factor')),
      [entry],
    )
  })

  it('gets a new password, and every session ends', async () => {
    const given = { email: EMAIL, password: 'battery staple' }
    assert.deepEqual(await resetPassword(harness.deps, operatorViewer, given), {
      generatedPassword: undefined,
      ...NO_TOKENS,
    })
    const sessions = await harness.db
      .selectFrom('session')
      .select('id')
      .where('userId', '=', userId)
      .execute()
    assert.deepEqual(sessions, [])
    assert.equal(await harness.signIn(EMAIL, 'correct horse'), undefined)
    assert.equal((await harness.signIn(EMAIL, 'battery staple'))?.userId, userId)
    const { generatedPassword = '' } = await resetPassword(harness.deps, operatorViewer, { email: EMAIL })
    assert.equal((await harness.signIn(EMAIL, generatedPassword))?.userId, userId)
  })

  it('an unknown address and a short password are named', async () => {
    const email = 'nobody@acme.test'
    await assert.rejects(resetTwoFactor(harness.deps, operatorViewer, { email }), nobody)
    await assert.rejects(resetPassword(harness.deps, operatorViewer, { email }), nobody)
    await assert.rejects(
      resetPassword(harness.deps, operatorViewer, { email: EMAIL, password: 'short' }),
      (error) => error instanceof InvalidInput && Object.keys(error.fields).join() === 'password',
    )
  })
})
