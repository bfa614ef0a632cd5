import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer, secretCheck } from '@sonde/access'
import { ensureProject, rotateSecret } from '@sonde/commands'
import { type House, openHouse } from './house.ts'

describe('rotateSecret', () => {
  let house: House
  before(async () => {
    house = await openHouse()
    await ensureProject(house.deps, operatorViewer, { org: 'acme', slug: 'shop' })
    const { userId } = await house.viewer('acme', 'member')
    await house.db
      .insertInto('twoFactor')
      .values({ id: 'f', userId, secret: 'not encrypted with any key', backupCodes: '' })
      .execute()
  })
  after(() => house.close())

  const sessions = () => house.db.selectFrom('session').select('id').execute()

  it('changes nothing when what is stored was not written with the key', async () => {
    const keys = { from: 'o'.repeat(43), to: 'n'.repeat(43) }
    await assert.rejects(rotateSecret(house.deps, operatorViewer, keys))
    assert.equal((await sessions()).length, 1)
  })

  it('with the key lost, second factors and sessions end, and the records say which key is theirs now', async () => {
    const to = 'n'.repeat(43)
    const done = await rotateSecret(house.deps, operatorViewer, { from: undefined, to })
    assert.deepEqual(done, { secondFactors: 1, sessions: 1 })
    assert.deepEqual(await sessions(), [])
    const row = await house.db
      .selectFrom('setting')
      .select('value')
      .where('name', '=', 'auth_secret_check')
      .executeTakeFirst()
    assert.equal(row?.value, secretCheck(to))
    assert.match((await house.audit()).at(-1) ?? '', /secret\.rotate installation$/)
  })
})
