import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { endScimToken, makeScimToken } from '@sonde/commands'
import { documentOf } from '../harness.ts'
import { openSsoHarness, type SsoHarness, URL_HERE } from '../sso/sso-harness.ts'

const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
/** The password of the harness. */
const AGAIN = { currentPassword: 'correct horse' }
// oxlint-disable-next-line typescript/no-explicit-any -- answers of many forms, compared field by field
type Body = Record<string, any>
type Answer = { readonly status: number; readonly body: Body; readonly headers: Headers }

describe('SCIM of an organization', () => {
  let harness: SsoHarness
  let holdToDocument: Awaited<ReturnType<typeof documentOf>>
  let token = ''

  before(async () => {
    harness = await openSsoHarness()
    holdToDocument = await documentOf(harness.api)
    token = (await makeScimToken(harness.commands, await harness.owner(), AGAIN)).token
    const { id } = await harness.db
      .selectFrom('organization')
      .select('id')
      .where('slug', '=', 'acme')
      .executeTakeFirstOrThrow()
    await harness.db
      .insertInto('sso_domain')
      .values({ org_id: id, domain: 'acme.test', token: 'x', verified_ms: 1, created_ms: 1 })
      .execute()
  })
  after(() => harness.close())

  const ask = async (
    method: string,
    path: string,
    body?: object | string,
    headers: Record<string, string> = {},
    org = 'acme',
  ): Promise<Answer> => {
    const url = new URL(`${URL_HERE}/api/0/organizations/${org}/scim/v2${path}`)
    const answer = await harness.api.fetch(
      new Request(url, {
        method,
        headers: { authorization: `Bearer ${token}`, ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    )
    await holdToDocument(method, url.pathname, answer)
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? {} : JSON.parse(text), headers: answer.headers }
  }
  const patch = (path: string, ...Operations: object[]) =>
    ask('PATCH', path, { schemas: [PATCH], Operations })
  const add = async (userName: string, fields: object = {}): Promise<Body> => {
    const made = await ask('POST', '/Users', { userName, ...fields })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    return made.body
  }
  const find = async (filter: string, kind = 'Users'): Promise<Body> =>
    (await ask('GET', `/${kind}?filter=${encodeURIComponent(filter)}`)).body

  test('a person of a proved domain is a member at once, and tells where they are', async () => {
    const made = await ask('POST', '/Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'Ann@acme.test',
      externalId: 'okta-1',
      name: { givenName: 'Ann', familyName: 'Ash' },
      emails: [{ value: 'ann@acme.test', type: 'work', primary: true }],
      title: 'not kept',
      password: 'not kept either',
    })
    assert.equal(made.status, 201)
    assert.equal(made.headers.get('content-type'), 'application/scim+json')
    assert.equal(made.headers.get('location'), made.body['meta'].location)
    assert.equal(made.headers.get('etag'), made.body['meta'].version)
    assert.equal(await harness.roleOf('ann@acme.test'), 'member')
    const again = await ask('POST', '/Users', { userName: 'ANN@acme.test' })
    assert.deepEqual([again.status, again.body['scimType'], again.body['status']], [409, 'uniqueness', '409'])
    const found = await find('userName eq "ann@ACME.test"')
    assert.deepEqual([found['totalResults'], found['Resources'][0].id], [1, made.body['id']])
    for (const filter of [
      'externalId eq "okta-1" and active eq true',
      'emails[type eq "work"].value eq "ann@acme.test"',
      'emails[type eq "work" and value co "ANN@"]',
      'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "ann" and not (active eq "False")',
      '(userName eq "nobody" or displayName eq "ann ash") and meta.created gt "2020-01-01T00:00:00Z"',
    ])
      assert.equal((await find(filter))['totalResults'], 1, filter)
    assert.equal((await find('externalId eq "OKTA-1"'))['totalResults'], 0)
  })

  test('a member who came otherwise is found, and kept from then on', async () => {
    await harness.user('bob@acme.test', 'admin')
    const [bob] = (await find('userName eq "bob@acme.test"'))['Resources']
    assert.equal((await ask('POST', '/Users', { userName: 'bob@acme.test' })).status, 409)
    const kept = await ask('PUT', `/Users/${bob.id}`, {
      userName: 'bob@acme.test',
      externalId: 'b',
      active: true,
    })
    assert.deepEqual([kept.status, kept.body['id'], kept.body['externalId']], [200, bob.id, 'b'])
    assert.equal(await harness.roleOf('bob@acme.test'), 'admin')
  })

  test('who is made inactive is out, and comes back with role, teams and groups', async () => {
    await harness.team('by-hand')
    const userId = await harness.user('cy@acme.test', 'admin')
    const cookie = await harness.withPassword('cy@acme.test')
    const team = await harness.db
      .selectFrom('team')
      .select('id')
      .where('slug', '=', 'by-hand')
      .executeTakeFirstOrThrow()
    await harness.db
      .insertInto('team_member')
      .values({ team_id: team.id, user_id: userId, created_ms: 1 })
      .execute()
    const group = await ask('POST', '/Groups', { displayName: 'Told', members: [{ value: userId }] })
    assert.deepEqual(await harness.teamsOf('cy@acme.test'), ['by-hand', 'told'])
    // As Entra writes it.
    const out = await patch(`/Users/${userId}`, { op: 'Replace', path: 'active', value: 'False' })
    assert.deepEqual([out.status, out.body['active']], [200, false])
    assert.equal(await harness.roleOf('cy@acme.test'), undefined)
    assert.deepEqual((await harness.viewerBy(cookie))?.memberships, [])
    assert.deepEqual(
      (await ask('GET', `/Groups/${group.body['id']}`)).body['members'].map(({ value }: Body) => value),
      [userId],
    )
    // As Okta writes it.
    const back = await patch(`/Users/${userId}`, { op: 'replace', value: { active: true } })
    assert.equal(back.body['active'], true)
    assert.equal(await harness.roleOf('cy@acme.test'), 'admin')
    assert.deepEqual(await harness.teamsOf('cy@acme.test'), ['by-hand', 'told'])
  })

  test('the last owner is neither made inactive nor deleted', async () => {
    const [owner] = (await find('userName eq "owner@acme.test"'))['Resources']
    assert.equal(
      (await patch(`/Users/${owner.id}`, { op: 'replace', path: 'active', value: false })).status,
      409,
    )
    assert.equal((await ask('DELETE', `/Users/${owner.id}`)).status, 409)
    assert.equal(await harness.roleOf('owner@acme.test'), 'owner')
  })

  test('an address that is not proved, or opens something else, becomes no member', async () => {
    await harness.user('eve@rival.test', 'member', 'rival')
    await harness.user('both@acme.test', 'member', 'rival')
    for (const email of ['eve@rival.test', 'both@acme.test', 'new@elsewhere.test']) {
      await add(email)
      assert.equal(await harness.roleOf(email), undefined, email)
    }
    const made = await harness.db
      .selectFrom('user')
      .select('id')
      .where('email', '=', 'new@elsewhere.test')
      .execute()
    assert.deepEqual(made, [])
    const rival = await harness.db
      .selectFrom('user')
      .select('name')
      .where('email', '=', 'both@acme.test')
      .execute()
    assert.deepEqual(rival, [{ name: 'both' }])
  })

  test('who was deleted is gone here, and keeps the account', async () => {
    const { id } = await add('dan@acme.test')
    assert.equal((await ask('DELETE', `/Users/${id}`)).status, 204)
    assert.equal((await ask('GET', `/Users/${id}`)).status, 404)
    assert.equal((await ask('DELETE', `/Users/${id}`)).status, 404)
    assert.equal(await harness.roleOf('dan@acme.test'), undefined)
    const back = await add('dan@acme.test')
    assert.notEqual(back['id'], id)
    assert.equal(await harness.roleOf('dan@acme.test'), 'member')
  })

  test('groups are teams: made, renamed, filled and deleted', async () => {
    const { id } = await add('fay@acme.test')
    const made = await ask('POST', '/Groups', { displayName: 'Web & Mobile', externalId: 'g-1' })
    assert.equal(made.status, 201)
    const path = `/Groups/${made.body['id']}`
    assert.equal((await ask('POST', '/Groups', { displayName: 'web & mobile' })).status, 409)
    await patch(path, { op: 'Add', path: 'members', value: [{ value: id }] })
    assert.deepEqual(await harness.teamsOf('fay@acme.test'), ['web-mobile'])
    assert.equal((await find(`members eq "${id}"`, 'Groups'))['totalResults'], 1)
    assert.equal((await find('displayName eq "WEB & mobile"', 'Groups'))['Resources'][0].externalId, 'g-1')
    const page = await ask('GET', `/Groups?excludedAttributes=members`)
    assert.ok(page.body['Resources'].every((row: Body) => !('members' in row)))
    await patch(path, { op: 'replace', value: { id: made.body['id'], displayName: 'Web' } })
    await patch(path, { op: 'remove', path: `members[value eq "${id}"]` })
    assert.deepEqual(await harness.teamsOf('fay@acme.test'), [])
    const refused = await patch(path, { op: 'add', path: 'members', value: [{ value: 'nobody' }] })
    assert.deepEqual([refused.status, refused.body['scimType']], [400, 'invalidValue'])
    const filled = await ask('PUT', path, { displayName: 'Web', members: [{ value: id }] })
    assert.deepEqual(
      filled.body['members'].map(({ value }: Body) => value),
      [id],
    )
    assert.equal((await ask('DELETE', path)).status, 204)
    assert.equal(await harness.roleOf('fay@acme.test'), 'member')
  })

  test('no other token opens it, it opens nothing else, and it ends with the switch', async () => {
    const refused = await ask('GET', '/Users', undefined, { authorization: 'Bearer sonde_no' })
    assert.deepEqual([refused.status, refused.body['status']], [401, '401'])
    assert.equal((await ask('GET', '/Users', undefined, {}, 'rival')).status, 401)
    for (const path of ['organizations/acme/members/', 'projects/', 'organizations/acme/teams/']) {
      const request = new Request(`${URL_HERE}/api/0/${path}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      assert.equal((await harness.api.fetch(request)).status, 401, path)
    }
    const before = token
    token = (await makeScimToken(harness.commands, await harness.owner(), AGAIN)).token
    assert.equal((await ask('GET', '/Users', undefined, { authorization: `Bearer ${before}` })).status, 401)
    assert.equal((await ask('GET', '/Users')).status, 200)
    await endScimToken(harness.commands, await harness.owner())
    assert.equal((await ask('GET', '/Users')).status, 401)
    token = (await makeScimToken(harness.commands, await harness.owner(), AGAIN)).token
  })

  test('a change of what was changed meanwhile is refused', async () => {
    const { id, meta } = await add('gus@acme.test')
    const first = await ask(
      'PUT',
      `/Users/${id}`,
      { userName: 'gus@acme.test', displayName: 'G' },
      { 'if-match': meta.version },
    )
    assert.equal(first.status, 200)
    const late = await ask('PUT', `/Users/${id}`, { userName: 'gus@acme.test' }, { 'if-match': meta.version })
    assert.equal(late.status, 412)
    const same = await ask('GET', `/Users/${id}`, undefined, { 'if-none-match': first.body['meta'].version })
    assert.equal(same.status, 304)
  })

  const LONG = `userName eq "${'x'.repeat(3_000)}"`
  const DEEP = `${'('.repeat(200)}userName pr${')'.repeat(200)}`
  for (const [what, method, path, body, status, type] of [
    ['a filter that is none', 'GET', '/Users?filter=userName', undefined, 400, 'invalidFilter'],
    ['a filter of an unknown attribute', 'GET', '/Users?filter=shoe+eq+1', undefined, 400, 'invalidFilter'],
    [
      'a filter that is too long',
      'GET',
      `/Users?filter=${encodeURIComponent(LONG)}`,
      undefined,
      400,
      'invalidFilter',
    ],
    [
      'a filter that is too deep',
      'GET',
      `/Users?filter=${encodeURIComponent(DEEP)}`,
      undefined,
      400,
      'invalidFilter',
    ],
    [
      'SQL in a filter',
      'GET',
      `/Users?filter=${encodeURIComponent(`userName eq "' or 1=1 --"`)}`,
      undefined,
      200,
      undefined,
    ],
    ['a page before the first', 'GET', '/Users?startIndex=-5&count=-1', undefined, 200, undefined],
    ['a count that is none', 'GET', '/Users?count=x', undefined, 400, 'invalidValue'],
    ['no JSON', 'POST', '/Users', '{', 400, 'invalidSyntax'],
    ['a list', 'POST', '/Users', '[]', 400, 'invalidSyntax'],
    ['no user name', 'POST', '/Users', {}, 400, 'invalidValue'],
    ['a number as a name', 'POST', '/Users', { userName: 7 }, 400, 'invalidValue'],
    ['a body that is too long', 'POST', '/Users', `{"a":"${'x'.repeat(100_001)}"}`, 413, undefined],
    ['a group with the id of none', 'GET', '/Groups/1e3', undefined, 404, undefined],
    ['bulk', 'POST', '/Bulk', {}, 501, undefined],
    ['a description that is written', 'PUT', '/Schemas', {}, 405, undefined],
    ['nothing', 'GET', '/Shoes', undefined, 404, undefined],
    ['a filter of a description', 'GET', '/Schemas?filter=id+pr', undefined, 403, undefined],
  ] as const)
    test(`${what} is answered ${status}, in the words of SCIM`, async () => {
      const answer = await ask(method, path, body)
      assert.deepEqual([answer.status, answer.body['scimType']], [status, type])
      assert.equal(answer.headers.get('content-type'), 'application/scim+json')
      if (status >= 400) assert.equal(answer.body['status'], String(status))
    })

  test('odd operations of PATCH are refused, and those of Entra understood', async () => {
    const { id } = await add('hal@acme.test')
    const path = `/Users/${id}`
    for (const [operation, type] of [
      [{ op: 'move', path: 'userName', value: 'x' }, 'invalidSyntax'],
      [{ op: 'remove' }, 'noTarget'],
      [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
      [{ op: 'replace', path: 'shoe', value: 'x' }, 'invalidPath'],
      [{ op: 'replace', path: 'emails[', value: 'x' }, 'invalidPath'],
      [{ op: 'replace', path: '__proto__', value: 'x' }, 'invalidPath'],
      [{ op: 'replace', path: 'constructor', value: 'x' }, 'invalidPath'],
      [{ op: 'remove', path: 'userName' }, 'mutability'],
      [{ op: 'replace', path: 'active', value: 'perhaps' }, 'invalidValue'],
    ] as const) {
      const answer = await patch(path, operation)
      assert.deepEqual([answer.status, answer.body['scimType']], [400, type], JSON.stringify(operation))
    }
    const done = await patch(
      path,
      { op: 'Add', path: 'emails[type eq "work"].value', value: 'hal@acme.test' },
      { op: 'Add', path: 'name.givenName', value: 'Hal' },
      { op: 'Add', value: { 'name.familyName': 'Hart', displayName: 'HH' } },
      {
        op: 'Add',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
        value: 'Sales',
      },
      { op: 'Replace', path: 'title', value: 'not kept' },
    )
    assert.equal(done.status, 200, JSON.stringify(done.body))
    assert.deepEqual(done.body['name'], { givenName: 'Hal', familyName: 'Hart' })
    assert.deepEqual(
      [done.body['displayName'], done.body['emails']],
      ['HH', [{ value: 'hal@acme.test', type: 'work' }]],
    )
  })

  test('each change has a row of the audit, by SCIM', async () => {
    const rows = await harness.db
      .selectFrom('audit_entry')
      .select('action')
      .distinct()
      .where('actor', 'like', 'scim:%')
      .execute()
    const actions = new Set(rows.map(({ action }) => action))
    for (const action of [
      'scim.user-create',
      'scim.user-update',
      'scim.user-delete',
      'user.create',
      'member.set',
      'member.remove',
      'team.create',
      'team.update',
      'team.delete',
      'team.member-add',
      'team.member-remove',
    ] as const)
      assert.ok(actions.has(action), action)
  })
})
