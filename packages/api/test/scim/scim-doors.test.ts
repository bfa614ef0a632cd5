/** Who gets in and out by what the directory says, beside the other ways in: groups, invitations, the provider, the token. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ssoAddresses } from '@sonde/access'
import {
  acceptInvitation,
  addSsoGroup,
  endScimToken,
  inviteMembers,
  makeScimToken,
  saveSsoConnection,
} from '@sonde/commands'
import { formOf } from '../../../../tests/harness/sign-in/browser.ts'
import { type OidcServer, startOidcServer } from '../../../../tests/harness/sign-in/oidc-server.ts'
import { openSsoHarness, type SsoHarness, URL_HERE } from '../sso/sso-harness.ts'

const HERE = ssoAddresses(URL_HERE, 'acme')
/** The password of the harness. */
const AGAIN = { currentPassword: 'correct horse' }
// oxlint-disable-next-line typescript/no-explicit-any -- answers of many forms, compared field by field
type Body = Record<string, any>

describe('SCIM beside the other ways in', () => {
  let sonde: SsoHarness
  let provider: OidcServer
  let token = ''

  before(async () => {
    sonde = await openSsoHarness()
    provider = await startOidcServer([HERE.callback])
    const owner = await sonde.owner()
    token = (await makeScimToken(sonde.commands, owner, AGAIN)).token
    const settings = { issuer: provider.issuer, clientId: provider.clientId, scopes: ['groups'] }
    const { clientSecret } = provider
    await saveSsoConnection(sonde.commands, owner, {
      kind: 'oidc',
      name: 'Acme login',
      settings,
      clientSecret,
    })
    await sonde.db.updateTable('sso_connection').set({ is_on: 1 }).execute()
    await sonde.db
      .insertInto('sso_domain')
      .values({ org_id: owner.orgId, domain: 'acme.test', token: 'x', verified_ms: 1, created_ms: 1 })
      .execute()
  })
  after(async () => {
    await provider.close()
    await sonde.close()
  })

  const ask = async (method: string, path: string, body?: object, by = token, org = 'acme') => {
    const request = new Request(`${URL_HERE}/api/0/organizations/${org}/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${by}` },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = await sonde.api.fetch(request)
    const text = await answer.text()
    const told: Body = text === '' ? {} : JSON.parse(text)
    return { status: answer.status, body: told, headers: answer.headers }
  }
  const add = async (userName: string): Promise<string> =>
    (await ask('POST', '/Users', { userName })).body['id']
  const setActive = (id: string, active: boolean) =>
    ask('PATCH', `/Users/${id}`, { Operations: [{ op: 'replace', path: 'active', value: active }] })

  test('a mapped group gives its role, the strongest counts, and who leaves it loses it', async () => {
    const owner = await sonde.owner()
    await addSsoGroup(sonde.commands, owner, { group: 'Admins', role: 'admin', teamId: null })
    await addSsoGroup(sonde.commands, owner, { group: 'Readers', role: 'viewer', teamId: null })
    const id = await add('ida@acme.test')
    assert.equal(await sonde.roleOf('ida@acme.test'), 'member')
    const members = [{ value: id }]
    const readers = await ask('POST', '/Groups', { displayName: 'Readers', members })
    assert.equal(await sonde.roleOf('ida@acme.test'), 'viewer')
    const admins = await ask('POST', '/Groups', { displayName: 'Others', members })
    assert.equal(await sonde.roleOf('ida@acme.test'), 'viewer')
    await ask('PUT', `/Groups/${admins.body['id']}`, { displayName: 'Admins', members })
    assert.equal(await sonde.roleOf('ida@acme.test'), 'admin')
    await ask('PUT', `/Groups/${admins.body['id']}`, { displayName: 'Admins', members: [] })
    assert.equal(await sonde.roleOf('ida@acme.test'), 'viewer')
    await ask('DELETE', `/Groups/${readers.body['id']}`)
    assert.equal(await sonde.roleOf('ida@acme.test'), 'member')
    // Owners are made and unmade by owners alone.
    const [own] = (await ask('GET', '/Users?filter=userName+eq+%22owner@acme.test%22')).body['Resources']
    await ask('PUT', `/Groups/${admins.body['id']}`, { displayName: 'Admins', members: [{ value: own.id }] })
    assert.equal(await sonde.roleOf('owner@acme.test'), 'owner')
  })

  test('a group has more members than one statement takes, and one stranger among them refuses it whole', async () => {
    const { orgId } = await sonde.owner()
    const account = await sonde.db.selectFrom('user').selectAll().executeTakeFirstOrThrow()
    const ids = Array.from({ length: 1_201 }, (_, index) => `many-${index}`)
    for (const id of ids) {
      const user = { ...account, id, email: `${id}@acme.test`, name: id, isOperator: 0 }
      await sonde.db.insertInto('user').values(user).execute()
      const member = { org_id: orgId, user_id: id, role: 'member', created_ms: 1 } as const
      await sonde.db.insertInto('member').values(member).execute()
    }
    const of = (some: readonly string[]) => ({
      displayName: 'Many',
      members: some.map((value) => ({ value })),
    })
    const refused = await ask('POST', '/Groups', of([...ids, 'of-nobody']))
    assert.deepEqual([refused.status, refused.body['scimType']], [400, 'invalidValue'])
    const made = await ask('POST', '/Groups', of(ids))
    assert.deepEqual([made.status, made.body['members'].length], [201, ids.length])
    const inTeam = () => sonde.db.selectFrom('team_member').selectAll().where('user_id', 'in', ids).execute()
    assert.equal((await inTeam()).length, ids.length)
    const path = `/Groups/${made.body['id']}`
    assert.equal((await ask('PUT', path, of(ids.slice(600)))).body['members'].length, 601)
    assert.equal((await inTeam()).length, 601)
    const [found] = (await ask('GET', '/Users?filter=userName+eq+%22MANY-7@acme.test%22')).body['Resources']
    assert.equal(found.id, 'many-7')
  })

  test('an invitation does not let in who is not active, and does once they are', async () => {
    await sonde.user('joe@acme.test', 'member', 'rival')
    const cookie = await sonde.withPassword('joe@acme.test')
    const waits = await add('joe@acme.test')
    assert.equal((await setActive(waits, false)).body['active'], false)
    const grant = await sonde.access.openOrg(await sonde.viewer('owner@acme.test'), 'acme', 'member:write')
    const { invited } = await inviteMembers(sonde.commands, grant, {
      emails: ['joe@acme.test'],
      role: 'member',
    })
    const link = new URL(invited[0]?.url ?? '', URL_HERE)
    const secret = link.searchParams.get('token') ?? link.hash.slice(1)
    const viewer = await sonde.viewerBy(cookie)
    assert.ok(viewer)
    await assert.rejects(
      acceptInvitation(sonde.commands, viewer, secret),
      /is not active in the directory of acme/,
    )
    assert.equal(await sonde.roleOf('joe@acme.test'), undefined)
    await setActive(waits, true)
    await acceptInvitation(sonde.commands, viewer, secret)
    assert.equal(await sonde.roleOf('joe@acme.test'), 'member')
  })

  test('a session that the provider began ends with active: false, and the provider begins none', async () => {
    const id = await add('kim@acme.test')
    provider.people.set('kim', { email: 'kim@acme.test', email_verified: true, name: 'Kim' })
    const browser = sonde.browser()
    const page = await browser.open(HERE.start)
    const { action, fields } = formOf(page)
    await browser.post(action, { ...fields, login: 'kim', password: 'any' }, page.url.origin)
    const cookie = browser.cookie(URL_HERE)
    assert.equal((await sonde.viewerBy(cookie))?.memberships[0]?.orgSlug, 'acme')
    assert.equal((await setActive(id, false)).body['active'], false)
    assert.equal(await sonde.viewerBy(cookie), undefined)
    const sessions = await sonde.db.selectFrom('sso_session').selectAll().execute()
    assert.deepEqual(sessions, [])
    // The provider knows the browser still, and asks for nothing.
    const again = await browser.open(HERE.start)
    assert.equal(again.url.searchParams.get('failed'), 'no-account')
    assert.equal(await sonde.roleOf('kim@acme.test'), undefined)
    await setActive(id, true)
    assert.equal(await sonde.viewerBy(cookie), undefined)
    assert.equal(await sonde.roleOf('kim@acme.test'), 'member')
  })

  test('the token’s use is in the audit once a day, and that it was tried at another organization', async () => {
    const entries = async () => {
      const rows = await sonde.db
        .selectFrom('audit_entry')
        .select(['actor', 'action', 'subject', 'detail'])
        .where('action', 'in', ['scim.use', 'scim.refuse'])
        .orderBy('id')
        .execute()
      return rows.map(({ actor, ...row }) =>
        [actor.split(':')[0], row.action, row.subject, row.detail].join(' '),
      )
    }
    await ask('GET', '/Users')
    assert.deepEqual(await entries(), ['scim scim.use acme {}'])
    for (let at = 0; at < 3; at++)
      assert.equal((await ask('GET', '/Users', undefined, token, 'rival')).status, 401)
    const refused = 'stranger scim.refuse acme {"reason":"other-organization"}'
    assert.deepEqual(await entries(), ['scim scim.use acme {}', refused])
    // Another token is another secret, and one that ended is one that nobody knows.
    const before = token
    token = (await makeScimToken(sonde.commands, await sonde.owner(), AGAIN)).token
    await ask('GET', '/Users')
    assert.equal((await ask('GET', '/Users', undefined, before)).status, 401)
    assert.deepEqual(await entries(), ['scim scim.use acme {}', refused, 'scim scim.use acme {}'])
  })

  test('too many requests are answered 429 and when to come back, for who knows the token and who does not', async () => {
    let last = await ask('GET', '/ServiceProviderConfig')
    for (let at = 0; at < 3_000 && last.status === 200; at++)
      last = await ask('GET', '/ServiceProviderConfig')
    assert.deepEqual([last.status, last.body['status']], [429, '429'])
    assert.match(last.headers.get('retry-after') ?? '', /^[1-9]\d?$/)
    assert.equal(last.headers.get('content-type'), 'application/scim+json')
    await endScimToken(sonde.commands, await sonde.owner())
    for (let at = 0; at <= 300 && last.status !== 401; at++) last = await ask('GET', '/Users')
    assert.equal(last.status, 401)
    for (let at = 0; at <= 300 && last.status === 401; at++) last = await ask('GET', '/Users')
    assert.equal(last.status, 429)
    assert.match(last.headers.get('retry-after') ?? '', /^[1-9]\d?$/)
  })
})
