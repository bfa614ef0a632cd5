import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { hashApiToken, newApiToken, newOrgToken } from '@sonde/access'
import { type Harness, openHarness } from './harness.ts'

describe('API tokens', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())

  it('a new token has the form that secret scanners know, and is not its hash', () => {
    const { token, tokenHash } = newApiToken()
    assert.match(token, /^sonde_[A-Za-z0-9_-]{43}$/)
    assert.match(tokenHash, /^[0-9a-f]{64}$/)
    assert.equal(hashApiToken(token), tokenHash)
    assert.notEqual(newApiToken().token, token)
  })

  it('a token for builds tells address and organization in strict base64, with padding only in front', () => {
    for (const orgSlug of ['a', 'ab', 'abc']) {
      const url = 'https://sonde.test:8600'
      const { token, tokenHash } = newOrgToken({ orgSlug, url, nowMs: 1_700_000_000_500 })
      const [prefix, payload = '', secret, ...more] = token.split('_')
      assert.deepEqual([prefix, more], ['sntrys', []])
      assert.match(payload, /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/)
      assert.match(secret ?? '', /^[A-Za-z0-9+/]{43}$/)
      assert.deepEqual(JSON.parse(Buffer.from(payload, 'base64').toString()), {
        iat: 1_700_000_000.5,
        url,
        region_url: url,
        org: orgSlug,
      })
      assert.equal(hashApiToken(token), tokenHash)
    }
  })

  it('a living token becomes a viewer with its scopes; unknown scopes of a newer Sonde are left out', async () => {
    const token = await harness.token(['event:read', 'moon:write'])
    assert.deepEqual(await harness.access.viewerFromToken(token), {
      kind: 'token',
      tokenId: 1,
      tokenName: 'test',
      orgId: harness.acme,
      userId: undefined,
      scopes: ['event:read'],
    })
  })

  it('anything else is nobody', async () => {
    for (const text of ['', 'sonde_', `sonde_${'y'.repeat(43)}`, 'x'.repeat(64), "' OR 1=1 --"]) {
      assert.equal(await harness.access.viewerFromToken(text), undefined, text)
    }
  })

  it('the last use is kept to the minute', async () => {
    const token = await harness.token(['org:ci'])
    const lastUsed = async (): Promise<number | null | undefined> => {
      await harness.access.viewerFromToken(token)
      const row = await harness.db
        .selectFrom('api_token')
        .select('last_used_ms')
        .where('token_hash', '=', hashApiToken(token))
        .executeTakeFirst()
      return row?.last_used_ms
    }
    const first = harness.clock.nowMs()
    assert.equal(await lastUsed(), first)
    harness.clock.advance(59_000)
    assert.equal(await lastUsed(), first)
    harness.clock.advance(2_000)
    assert.equal(await lastUsed(), first + 61_000)
  })

  it("a person's token dies with the membership", async () => {
    const userId = await harness.member('leaver@acme.test', 'admin')
    const token = await harness.token(['team:read'], { userId })
    assert.ok(await harness.access.viewerFromToken(token))
    await harness.db.deleteFrom('member').where('user_id', '=', userId).execute()
    assert.equal(await harness.access.viewerFromToken(token), undefined)
  })

  it('a token of the command line sees every organization', async () => {
    const viewer = await harness.access.viewerFromToken(await harness.token(['org:read'], { orgId: null }))
    assert.ok(viewer)
    const scopes = await harness.access.openOrgs(viewer, 'org:read')
    assert.deepEqual(
      scopes.map((scope) => scope.orgSlug),
      ['acme', 'rival'],
    )
  })
})
