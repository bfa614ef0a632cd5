import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { viewerOfMember } from '@sonde/access'
import { type Harness, openHarness } from './harness.ts'

describe('a member whom another service names by an address', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())

  const user = async (email: string, more: object = {}): Promise<string> => {
    const at = new Date(0).toISOString()
    const row = { id: email, email, name: 'Ann', createdAt: at, updatedAt: at, emailVerified: 1, ...more }
    await harness.db.insertInto('user').values(row).execute()
    return email
  }
  const join = (userId: string, orgId: number, role: 'viewer' | 'owner') =>
    harness.db.insertInto('member').values({ org_id: orgId, user_id: userId, role, created_ms: 0 }).execute()

  it('has the role in that organization alone, and is no operator', async () => {
    const id = await user('ann@acme.test', { isOperator: 1 })
    await join(id, harness.acme, 'viewer')
    await join(id, harness.rival, 'owner')
    const viewer = await viewerOfMember(harness.db, harness.acme, 'Ann@ACME.test')
    assert.deepEqual([viewer?.userId, viewer?.isOperator], [id, false])
    assert.deepEqual(
      viewer?.memberships.map(({ orgId, role }) => [orgId, role]),
      [[harness.acme, 'viewer']],
    )
  })

  it('is nobody without a membership, with a disabled account, or by a part of the address', async () => {
    await join(await user('eve@rival.test'), harness.rival, 'owner')
    await join(await user('gone@acme.test', { disabledMs: 1 }), harness.acme, 'owner')
    for (const email of ['eve@rival.test', 'gone@acme.test', 'ann@acme', '%', ''])
      assert.equal(await viewerOfMember(harness.db, harness.acme, email), undefined, email)
  })
})
