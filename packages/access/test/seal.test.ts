import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createSeal, dropChannelSecrets, reencryptChannels } from '@sonde/access'
import { writeTransaction } from '@sonde/stores'
import { type Harness, openHarness } from './harness.ts'

const [OLD, NEW] = ['an old key of thirty-two characters', 'a new key of thirty-two characters!']

describe('secrets of channels', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())

  const secretOf = async (id: number): Promise<string> => {
    const channel = harness.db.selectFrom('notification_channel').select('secret').where('id', '=', id)
    return (await channel.executeTakeFirstOrThrow()).secret
  }

  it('are read with the key that they were sealed with, and with no other', async () => {
    const sealed = await createSeal(OLD).seal('hooks.example/secret')
    assert.ok(!sealed.includes('hooks'))
    assert.equal(await createSeal(OLD).open(sealed), 'hooks.example/secret')
    assert.notEqual(await createSeal(OLD).seal('hooks.example/secret'), sealed)
    await assert.rejects(createSeal(NEW).open(sealed))
    await assert.rejects(createSeal(OLD).open(`${sealed.slice(0, -2)}00`))
  })

  it('go over to another key, and are gone with one that is lost', async () => {
    const { id } = await harness.db
      .insertInto('notification_channel')
      .values({
        org_id: harness.acme,
        kind: 'slack',
        name: 'ops',
        settings: '{}',
        secret: await createSeal(OLD).seal('s'),
        created_by: 'operator:cli',
        created_ms: 0,
        updated_ms: 0,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await harness.db
      .insertInto('tracker_connection')
      .values({
        org_id: harness.acme,
        kind: 'github',
        name: 'shop',
        settings: '{}',
        secret: await createSeal(OLD).seal('t'),
        sync_in: 1,
        sync_out: 1,
        created_by: 'operator:cli',
        created_ms: 0,
        updated_ms: 0,
      })
      .execute()
    const trackerSecret = async (): Promise<string> =>
      (await harness.db.selectFrom('tracker_connection').select('secret').executeTakeFirstOrThrow()).secret
    assert.equal(await writeTransaction(harness.db, (tx) => reencryptChannels(tx, { from: OLD, to: NEW })), 2)
    assert.equal(await createSeal(NEW).open(await secretOf(id)), 's')
    assert.equal(await createSeal(NEW).open(await trackerSecret()), 't')
    assert.equal(await writeTransaction(harness.db, dropChannelSecrets), 2)
    assert.equal(await secretOf(id), '')
    assert.equal(await trackerSecret(), '')
  })
})
