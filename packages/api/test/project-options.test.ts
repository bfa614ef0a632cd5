import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Harness, openHarness, PUBLIC_URL } from './harness.ts'

type Body = {
  readonly organization: { readonly slug: string }
  readonly options: Readonly<Record<string, string>>
  readonly allowedDomains: readonly string[]
  readonly rateLimit: object
  readonly public: string
  readonly dsn: Readonly<Record<string, string>>
  readonly codeownersAutoSync: boolean
}

describe('a project as infrastructure code reads and writes it', () => {
  let harness: Harness
  let headers: Record<string, string>
  let projectId: number
  before(async () => {
    harness = await openHarness()
    projectId = (await harness.project('acme', 'shop')).id
    headers = { authorization: `Bearer ${await harness.token(['project:write'], 'acme')}` }
  })
  after(() => harness.close())

  const send = async (method: string, path: string, body?: object) => {
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const answer = await harness.fetch(`/api/0/projects/acme/shop/${path}`, init)
    return { status: answer.status, body: (await answer.json()) as Body }
  }

  it('has its organization, patterns a line each, and the domains that may send', async () => {
    const before = await send('GET', '')
    assert.equal(before.body.organization.slug, 'acme')
    assert.deepEqual(before.body.allowedDomains, ['*'])
    const options = { 'filters:releases': '1.*\n\n 2.* ', 'filters:error_messages': 'TypeError*' }
    const allowedDomains = ['shop.example', '*.shop.example']
    const changed = await send('PUT', '', { options, allowedDomains })
    assert.equal(changed.status, 200)
    assert.deepEqual(changed.body.options, {
      'filters:blacklisted_ips': '',
      'filters:releases': '1.*\n2.*',
      'filters:error_messages': 'TypeError*',
    })
    assert.deepEqual(changed.body.allowedDomains, allowedDomains)
    await send('PUT', '', { options: { 'filters:releases': '' }, allowedDomains: ['*'] })
    const after = await send('GET', '')
    assert.deepEqual(after.body.allowedDomains, ['*'])
    assert.deepEqual(
      [after.body.options['filters:releases'], after.body.options['filters:error_messages']],
      ['', 'TypeError*'],
    )
  })

  it('says beside its name what Sonde cannot do', async () => {
    const ips = await send('PUT', '', { options: { 'filters:blacklisted_ips': '10.0.0.0/8' } })
    assert.deepEqual(ips, {
      status: 400,
      body: { 'filters:blacklisted_ips': ['Sonde does not filter by address'] },
    })
    const long = await send('PUT', '', { options: { 'filters:releases': 'x'.repeat(10_000) } })
    assert.deepEqual([long.status, Object.keys(long.body)], [400, ['filters:releases']])
  })

  it('whose platform nobody named has none', async () => {
    const create = { method: 'POST', headers, body: JSON.stringify({ name: 'Plain' }) }
    const made = await harness.fetch('/api/0/organizations/acme/projects/', create)
    assert.equal(((await made.json()) as { platform: unknown }).platform, null)
  })

  it('a key is made with its limit, or not at all', async () => {
    const rateLimit = { window: 60, count: 5 }
    const made = await send('POST', 'keys/', { name: 'limited', rateLimit })
    assert.deepEqual([made.status, made.body.rateLimit], [201, rateLimit])
    const key = made.body.public
    assert.deepEqual(made.body.dsn['csp'], `${PUBLIC_URL}/api/${projectId}/csp-report/?sentry_key=${key}`)
    assert.deepEqual(made.body.dsn['unreal'], `${PUBLIC_URL}/api/${projectId}/unreal/${key}/`)
    const refused = await send('POST', 'keys/', { name: 'absurd', rateLimit: { window: 0, count: -1 } })
    assert.equal(refused.status, 400)
    const names = ((await send('GET', 'keys/')).body as unknown as readonly { readonly name: string }[]).map(
      ({ name }) => name,
    )
    assert.ok(names.includes('limited') && !names.includes('absurd'))
  })

  it('ownership rules are reset to what Sentry begins with', async () => {
    const raw = 'path:src/* ann@acme.test'
    assert.equal((await send('PUT', 'ownership/', { raw, codeownersAutoSync: true })).status, 400)
    const reset = await send('PUT', 'ownership/', {
      fallthrough: true,
      autoAssignment: 'Auto Assign to Issue Owner',
      codeownersAutoSync: true,
    })
    assert.deepEqual([reset.status, reset.body.codeownersAutoSync], [200, false])
  })
})
