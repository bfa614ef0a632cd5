import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { hashApiToken, newApiToken, newOrgToken } from '@sonde/access'
import { type Harness, openHarness } from './harness.ts'

describe('API tokens', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness({ clientAddress: (headers) => headers.get('x-from') ?? undefined })
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

  it('a use is an entry once a day for each network, twenty at most; a token that ended is another', async () => {
    const from = (ip: string) => new Headers({ 'x-from': ip })
    const access = harness.newAccess()
    const token = await harness.token(['alerts:read'])
    const { id } = await harness.db
      .selectFrom('api_token')
      .select('id')
      .where('token_hash', '=', hashApiToken(token))
      .executeTakeFirstOrThrow()
    const entries = async () => {
      const rows = await harness.db
        .selectFrom('audit_entry')
        .select(['actor', 'action', 'address', 'detail'])
        .where('detail', 'like', `{"tokenId":${id}%`)
        .orderBy('id')
        .execute()
      return rows.map(({ actor, action, address, detail }) => {
        const { reason } = JSON.parse(detail) as { reason?: string }
        return [actor, action, address, ...(reason === undefined ? [] : [reason])].join(' ')
      })
    }
    for (let at = 0; at < 50; at++) await access.viewerFromToken(token, from('192.0.2.1'))
    // Another process, which remembers nothing.
    await harness.newAccess().viewerFromToken(token, from('192.0.2.1'))
    await access.viewerFromToken(token, from('2001:db8::1'))
    await access.viewerFromToken(token, from('2001:db8::2'))
    const both = [`token:${id} token.use 192.0.2.1`, `token:${id} token.use 2001:db8::1`]
    assert.deepEqual(await entries(), both)
    harness.clock.advance(86_400_000)
    await access.viewerFromToken(token, from('192.0.2.1'))
    assert.deepEqual(await entries(), [...both, both[0]])
    for (let at = 0; at < 300; at++) await access.viewerFromToken(token, from(`198.51.100.${at % 250}`))
    assert.equal((await entries()).length, 2 + 20)
    const nowMs = harness.clock.nowMs()
    await harness.db.updateTable('api_token').set({ expires_ms: nowMs }).where('id', '=', id).execute()
    for (let at = 0; at < 300; at++)
      assert.equal(await access.viewerFromToken(token, from(`203.0.113.${at % 250}`)), undefined)
    const refused = (await entries()).slice(22)
    assert.equal(refused.length, 20)
    assert.equal(refused[0], 'stranger token.refuse 203.0.113.0 expired')
    // What nobody knows is in no organization's log.
    const before = await harness.db.selectFrom('audit_entry').select('id').execute()
    for (let at = 0; at < 100; at++)
      await access.viewerFromToken(`sonde_${String(at).padStart(43, 'x')}`, from('203.0.113.9'))
    assert.deepEqual(await harness.db.selectFrom('audit_entry').select('id').execute(), before)
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
