import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openHarness, PUBLIC_URL } from './harness.ts'

type Harness = Awaited<ReturnType<typeof openHarness>>
type AuditRow = { readonly id: string; readonly event: string }
type AuditAnswer = { readonly rows: readonly AuditRow[]; readonly options: readonly string[] }
type Member = {
  id: string
  email: string
  orgRole: string
  user: Record<string, unknown>
  dateCreated: string
}
type Token = { id: string; name: string; token?: string; scopes: string[]; dateExpires: string | null }

describe('members and tokens of an organization', () => {
  let harness: Harness
  const cookies = new Map<string, string>()
  before(async () => {
    harness = await openHarness()
    await harness.project('acme', 'shop')
    await harness.project('rival', 'secret')
    for (const role of ['owner', 'admin', 'member', 'viewer'] as const) {
      await harness.user('acme', `${role}@acme.test`, role)
      cookies.set(role, await harness.signIn(`${role}@acme.test`))
    }
    await harness.user('rival', 'eve@rival.test', 'owner')
    cookies.set('stranger', await harness.signIn('eve@rival.test'))
  })
  after(() => harness.close())

  const ask = (who: string, path: string, method = 'GET', body?: object): Promise<Response> =>
    harness.fetch(`/api/0/organizations/acme/${path}`, {
      method,
      headers: { cookie: cookies.get(who) ?? '', origin: PUBLIC_URL },
      ...(body && { body: JSON.stringify(body) }),
    })
  const members = async (): Promise<Member[]> => (await (await ask('owner', 'members/')).json()) as Member[]
  const idOf = async (email: string): Promise<string> =>
    (await members()).find((member) => member.email === email)?.id ?? ''

  it('members are listed in the public shape, also for a token that may', async () => {
    const token = await harness.token(['member:read'], 'acme')
    const answer = await harness.fetch('/api/0/organizations/acme/members/', {
      headers: { authorization: `Bearer ${token}` },
    })
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('link') ?? '', /rel="next"; results="false"/)
    const list = (await answer.json()) as Member[]
    assert.deepEqual(
      list.map(({ email, orgRole }) => [email, orgRole]),
      ['owner', 'admin', 'member', 'viewer'].map((role) => [`${role}@acme.test`, role]),
    )
    const [first] = list
    assert.deepEqual([first?.user['has2fa'], first?.user['isActive']], [false, true])
    assert.match(first?.dateCreated ?? '', /^2026-01-31T12:00:00\.000000Z$/)
    const me = (await (await ask('viewer', 'members/me/')).json()) as Member
    assert.equal(me.email, 'viewer@acme.test')
    assert.equal((await ask('owner', 'members/nobody/')).status, 404)
  })

  it('the audit log is read page by page with a token, the newest first', async () => {
    const viewer = await idOf('viewer@acme.test')
    for (const orgRole of ['member', 'admin', 'viewer'])
      assert.equal((await ask('owner', `members/${viewer}/`, 'PUT', { orgRole })).status, 200)
    const token = await harness.token(['audit:read'], 'acme')
    const page = async (path: string) => {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await harness.fetch(path, { headers })
      assert.equal(answer.status, 200)
      const [, next, more] =
        /<([^>]+)>; rel="next"; results="(true|false)"/.exec(answer.headers.get('link') ?? '') ?? []
      return { ...((await answer.json()) as AuditAnswer), next: more === 'true' ? next : undefined }
    }
    const all = await page('/api/0/organizations/acme/audit-logs/')
    assert.ok(all.rows.length > 2 && all.options.includes('member.set'))
    assert.ok(all.rows.every(({ event }) => all.options.includes(event)))
    const read: AuditRow[] = []
    for (let at: string | undefined = '/api/0/organizations/acme/audit-logs/?limit=2'; at !== undefined;) {
      const { rows, next } = await page(at.replace(PUBLIC_URL, ''))
      assert.ok(rows.length <= 2)
      read.push(...rows)
      at = next
    }
    assert.deepEqual(read, all.rows)
    const members = await page('/api/0/organizations/acme/audit-logs/?event=member.set&actor=owner@acme.test')
    assert.ok(members.rows.length === 3 && members.rows.every(({ event }) => event === 'member.set'))
    assert.deepEqual((await page('/api/0/organizations/acme/audit-logs/?end=2020-01-01T00:00:00')).rows, [])
  })

  const TABLE = `
                                 stranger viewer member admin owner
    GET    members/                404     200    200    200   200
    GET    org-auth-tokens/        404     403    403    200   200
    GET    audit-logs/             404     403    403    200   200
    GET    audit-logs/?event=x     404     403    403    400   400
    GET    audit-logs/?start=never 404     403    403    400   400
    GET    audit-logs/?cursor=x    404     403    403    400   400
    POST   org-auth-tokens/        404     403    403    400   400
    POST   members/                404     403    403    400   400
    PUT    members/ADMIN/          404     403    403    400   400
    PUT    members/OWNER/ member   404     403    403    403   409
    DELETE members/OWNER/          404     403    403    403   409`
  const [head = '', ...lines] = TABLE.trim().split('\n')
  for (const line of lines) {
    const parts = line.trim().split(/\s+/)
    const marks = parts.splice(-5)
    const [method = '', path = '', role] = parts
    it(`${method} ${path} ${role ?? ''}: ${marks.join(' ')}`, async () => {
      for (const [at, who] of head.trim().split(/\s+/).entries()) {
        const named = path
          .replace('ADMIN', await idOf('admin@acme.test'))
          .replace('OWNER', await idOf('owner@acme.test'))
        const body = method === 'GET' ? undefined : role === undefined ? {} : { orgRole: role }
        assert.equal((await ask(who, named, method, body)).status, Number(marks[at]), who)
      }
    })
  }

  it('no token changes members or sees tokens, whatever its scopes', async () => {
    const token = await harness.token(['member:read', 'project:admin', 'event:admin'], 'acme')
    const headers = { authorization: `Bearer ${token}` }
    const id = await idOf('viewer@acme.test')
    for (const [method, path] of [
      ['PUT', `members/${id}/`],
      ['DELETE', `members/${id}/`],
      ['GET', 'org-auth-tokens/'],
      ['POST', 'org-auth-tokens/'],
    ] as const) {
      const body = method === 'PUT' ? JSON.stringify({ orgRole: 'owner' }) : null
      const answer = await harness.fetch(`/api/0/organizations/acme/${path}`, {
        method,
        headers,
        ...(method !== 'GET' && { body }),
      })
      assert.equal(answer.status, 403, `${method} ${path}`)
    }
  })

  it('a page elsewhere removes nobody with the cookie of an owner', async () => {
    const answer = await harness.fetch(
      `/api/0/organizations/acme/members/${await idOf('viewer@acme.test')}/`,
      {
        method: 'DELETE',
        headers: { cookie: cookies.get('owner') ?? '', origin: 'https://elsewhere.test' },
      },
    )
    assert.equal(answer.status, 403)
  })

  it('a role is changed, and a member who is removed is out at the next request', async () => {
    const id = await idOf('member@acme.test')
    const changed = await ask('admin', `members/${id}/`, 'PUT', { orgRole: 'viewer' })
    assert.deepEqual([changed.status, ((await changed.json()) as Member).orgRole], [200, 'viewer'])
    assert.equal((await ask('member', 'projects/')).status, 200)
    assert.equal((await ask('admin', `members/${id}/`, 'DELETE')).status, 204)
    assert.equal((await ask('member', 'projects/')).status, 404)
    assert.equal((await ask('admin', `members/${id}/`, 'DELETE')).status, 404)
  })

  it('a token is made with the password, listed, renamed, and refused once it is deleted', async () => {
    const input = { name: 'Nightly', scopes: ['event:read'], expiresInDays: 30 }
    const refused = await ask('admin', 'org-auth-tokens/', 'POST', { ...input, currentPassword: 'a guess' })
    assert.deepEqual(
      [refused.status, await refused.json()],
      [400, { currentPassword: ['this is not your current password'] }],
    )
    const answer = await ask('admin', 'org-auth-tokens/', 'POST', {
      ...input,
      currentPassword: 'correct horse',
    })
    const made = (await answer.json()) as Token
    assert.deepEqual(
      [answer.status, made.scopes, made.dateExpires],
      [201, ['event:read'], '2026-03-02T12:00:00.000000Z'],
    )
    const use = async (): Promise<Response> =>
      harness.fetch('/api/0/', { headers: { authorization: `Bearer ${made.token}` } })
    assert.equal((await use()).status, 200)
    const list = async () => (await (await ask('owner', 'org-auth-tokens/')).json()) as Token[]
    assert.ok(!JSON.stringify(await list()).includes(made.token ?? '?'))
    assert.equal((await ask('admin', `org-auth-tokens/${made.id}/`, 'PUT', { name: 'Daily' })).status, 204)
    assert.equal((await list()).find(({ id }) => id === made.id)?.name, 'Daily')
    assert.equal((await ask('stranger', `org-auth-tokens/${made.id}/`, 'DELETE')).status, 404)
    assert.equal((await ask('admin', `org-auth-tokens/${made.id}/`, 'DELETE')).status, 204)
    assert.equal((await use()).status, 401)
    assert.equal((await ask('admin', `org-auth-tokens/${made.id}/`)).status, 404)
  })

  it('a token that has expired is refused in words', async () => {
    const token = await harness.token(['event:read'], 'acme')
    await harness.db.updateTable('api_token').set({ expires_ms: 1 }).where('name', '=', 'test').execute()
    const answer = await harness.fetch('/api/0/', { headers: { authorization: `Bearer ${token}` } })
    assert.equal(answer.status, 401)
    assert.deepEqual(await answer.json(), { detail: 'This token expired on 1970-01-01. Make a new one.' })
  })

  it('who is invited is a pending member, until the invitation is taken back', async () => {
    const body = { email: 'New@acme.test', orgRole: 'viewer', teamRoles: [] }
    const made = await ask('owner', 'members/', 'POST', body)
    assert.equal(made.status, 201)
    const pending = (await made.json()) as Member & {
      pending: boolean
      invite_link: string
      inviterName: string
    }
    assert.deepEqual([pending.email, pending.orgRole, pending.pending], ['new@acme.test', 'viewer', true])
    assert.match(pending.invite_link, /\/settings\/invitation\?token=[\w-]{43}$/)
    assert.deepEqual((await members()).at(-1)?.id, pending.id)
    const seen = (await (await ask('viewer', 'members/')).json()) as Member[]
    assert.ok(!seen.some(({ id }) => id === pending.id))
    assert.equal((await ask('viewer', `members/${pending.id}/`)).status, 404)
    const again = await ask('owner', `members/${pending.id}/`, 'PUT', { reinvite: true })
    assert.notEqual(((await again.json()) as typeof pending).invite_link, pending.invite_link)
    assert.equal((await ask('owner', `members/${pending.id}/`, 'PUT', { orgRole: 'admin' })).status, 400)
    const refusals: readonly (readonly [object, RegExp])[] = [
      [{ email: 'viewer@acme.test' }, /"email":\["viewer@acme.test is a member already"\]/],
      [{ email: 'x' }, /"email":\["is not an e-mail address: x"\]/],
      [{ email: 'y@acme.test', orgRole: 'king' }, /"orgRole":\["is one of /],
      [{ email: 'y@acme.test', teamRoles: [{ teamSlug: 'none' }] }, /no team \\"none\\" is here/],
    ]
    for (const [refused, words] of refusals) {
      const answer = await ask('owner', 'members/', 'POST', refused)
      assert.equal(answer.status, 400)
      assert.match(await answer.text(), words)
    }
    assert.equal(
      (await ask('admin', 'members/', 'POST', { email: 'z@acme.test', orgRole: 'owner' })).status,
      403,
    )
    assert.equal((await ask('owner', `members/${pending.id}/`, 'DELETE')).status, 204)
    assert.equal((await ask('owner', `members/${pending.id}/`)).status, 404)
  })
})
