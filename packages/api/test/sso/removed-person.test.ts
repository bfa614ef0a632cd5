/** Somebody whom a provider signed in, with a token and an open live feed, is removed: all of it ends within a second. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ssoAddresses } from '@sonde/access'
import { createPersonalToken, removeMember, saveSsoConnection } from '@sonde/commands'
import { type LyingServer, startLyingServer } from '../../../../tests/harness/sign-in/lying-oidc-server.ts'
import { openSsoHarness, type SsoHarness, URL_HERE } from './sso-harness.ts'

const PASSWORD = 'a password of her own'

describe('who is removed by an admin', () => {
  let sonde: SsoHarness
  let provider: LyingServer
  before(async () => {
    sonde = await openSsoHarness()
    // Told nothing, it is honest, and everybody there is Ada.
    provider = await startLyingServer()
    const owner = await sonde.owner()
    await saveSsoConnection(sonde.commands, owner, {
      kind: 'oidc',
      name: 'Acme login',
      settings: { issuer: provider.issuer, clientId: 'sonde' },
      clientSecret: 'only the two know it',
      makesAccounts: true,
    })
    await sonde.db.updateTable('sso_connection').set({ is_on: 1 }).execute()
    const domain = { domain: 'acme.test', token: 't', verified_ms: 1, created_ms: 1 }
    await sonde.db
      .insertInto('sso_domain')
      .values({ org_id: owner.orgId, ...domain })
      .execute()
  })
  after(async () => {
    await provider.close()
    await sonde.close()
  })

  const signIn = async () => {
    const browser = sonde.browser()
    const { url } = await browser.open(ssoAddresses(URL_HERE, 'acme').start)
    const cookie = browser.cookie(URL_HERE)
    return { failed: url.searchParams.get('failed'), cookie, viewer: await sonde.viewerBy(cookie) }
  }
  const ask = async (path: string, headers: Record<string, string>): Promise<Response> =>
    sonde.api.fetch(new Request(`${URL_HERE}/api/0/organizations/acme/${path}`, { headers }))
  /** Resolves with when it ended. */
  const endOf = async (response: Response): Promise<number> => {
    for await (const _ of response.body ?? []) continue
    return performance.now()
  }

  it('is out with session, token and live feed within a second, and back when somebody invites again', async () => {
    const first = (await signIn()).viewer
    assert.ok(first)
    await sonde.access.setPassword(first.userId, PASSWORD)
    const { cookie, viewer } = await signIn()
    assert.ok(viewer)
    const { token } = await createPersonalToken(
      sonde.commands,
      await sonde.access.openOrg(viewer, 'acme', 'org:read'),
      { name: 'mine', scopes: ['org:read', 'event:read', 'project:read'], currentPassword: PASSWORD },
    )
    const ways = [{ cookie }, { authorization: `Bearer ${token}` }]
    for (const headers of ways) assert.equal((await ask('', headers)).status, 200)
    const feeds = await Promise.all(ways.map((headers) => ask('live/?project=-1', headers)))
    assert.deepEqual(
      feeds.map(({ status, headers }) => [status, headers.get('content-type')?.split(';')[0]]),
      ways.map(() => [200, 'text/event-stream']),
    )
    const ends = Promise.all(feeds.map(endOf))

    await sonde.user('admin@acme.test', 'admin')
    const admin = await sonde.access.openOrg(await sonde.viewer('admin@acme.test'), 'acme', 'member:write')
    await removeMember(sonde.commands, admin, { userId: viewer.userId })
    const removedMs = performance.now()
    // At once, not at the next look.
    const [byCookie, byToken] = await Promise.all(ways.map((headers) => ask('', headers)))
    assert.deepEqual([byCookie?.status, byToken?.status], [404, 401])
    for (const endedMs of await ends)
      assert.ok(endedMs - removedMs < 1_000, `${endedMs - removedMs} ms until a feed ended`)
    for (const headers of ways) assert.notEqual((await ask('live/?project=-1', headers)).status, 200)

    // "Whoever signs in becomes a member" brings nobody back who was removed.
    const refused = await signIn()
    assert.deepEqual([refused.failed, refused.viewer], ['no-account', undefined])
    await sonde.user('ada@acme.test', 'viewer')
    const again = await signIn()
    assert.deepEqual([again.failed, again.viewer?.memberships.map(({ role }) => role)], [null, ['viewer']])
    assert.equal((await ask('', { cookie: again.cookie })).status, 200)
    assert.equal((await ask('', { authorization: `Bearer ${token}` })).status, 401)
  })
})
