import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer } from '@sonde/access'
import type { SondeError } from '@sonde/base'
import { ensureProject, InvalidInput, resetPassword, resetTwoFactor } from '@sonde/commands'
import { type House, openHouse } from './house.ts'

const EMAIL = 'ada@acme.test'
const NO_TOKENS = { endedTokens: 0, keptTokens: 0 }

describe('who is locked out', () => {
  let house: House
  let userId: string
  before(async () => {
    house = await openHouse()
    await ensureProject(house.deps, operatorViewer, { org: 'acme', slug: 'shop' })
    ;({ userId } = await house.viewer('acme', 'member', EMAIL))
  })
  after(() => house.close())
  const nobody = (error: SondeError) => error.kind === 'not-found' && /nobody@acme\.test/.test(error.message)

  it('signs in with the password alone after a reset, which is said and on record', async () => {
    await house.db.updateTable('user').set({ twoFactorEnabled: 1 }).where('id', '=', userId).execute()
    assert.equal(await house.signIn(EMAIL, 'correct horse'), undefined)
    const reset = () => resetTwoFactor(house.deps, operatorViewer, { email: 'Ada@Acme.test' })
    assert.deepEqual(await reset(), { wasOn: true, ...NO_TOKENS })
    assert.equal((await house.signIn(EMAIL, 'correct horse'))?.userId, userId)
    assert.deepEqual(await reset(), { wasOn: false, ...NO_TOKENS })
    const entry = `operator:cli account.two-factor-reset ${userId}`
    assert.deepEqual(
      (await house.audit()).filter((line) => line.includes('two-factor')),
      [entry],
    )
  })

  it('gets a new password, and every session ends', async () => {
    const given = { email: EMAIL, password: 'battery staple' }
    assert.deepEqual(await resetPassword(house.deps, operatorViewer, given), {
      generatedPassword: undefined,
      ...NO_TOKENS,
    })
    const sessions = await house.db.selectFrom('session').select('id').where('userId', '=', userId).execute()
    assert.deepEqual(sessions, [])
    assert.equal(await house.signIn(EMAIL, 'correct horse'), undefined)
    assert.equal((await house.signIn(EMAIL, 'battery staple'))?.userId, userId)
    const { generatedPassword = '' } = await resetPassword(house.deps, operatorViewer, { email: EMAIL })
    assert.equal((await house.signIn(EMAIL, generatedPassword))?.userId, userId)
  })

  it('an unknown address and a short password are named', async () => {
    const email = 'nobody@acme.test'
    await assert.rejects(resetTwoFactor(house.deps, operatorViewer, { email }), nobody)
    await assert.rejects(resetPassword(house.deps, operatorViewer, { email }), nobody)
    await assert.rejects(
      resetPassword(house.deps, operatorViewer, { email: EMAIL, password: 'short' }),
      (error) => error instanceof InvalidInput && Object.keys(error.fields).join() === 'password',
    )
  })
})
