/** The calls of sentry-cli and the bundler plugins about releases, in the order in which they make them. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Harness, NOW_MS, openHarness, PUBLIC_URL } from './harness.ts'

type Json = Record<string, unknown>

describe('releases in the public API', () => {
  let harness: Harness
  let shop: number
  let ci: string
  before(async () => {
    harness = await openHarness()
    shop = (await harness.project('acme', 'shop')).id
    await harness.project('acme', 'api')
    await harness.project('rival', 'secret')
    ci = await harness.token(['org:ci'], 'acme')
  })
  after(() => harness.close())

  const ask = async (method: string, path: string, body?: unknown, token = ci) => {
    const response = await harness.fetch(`/api/0${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      text,
      json: JSON.parse(text || 'null') as Json & readonly Json[],
      link: response.headers.get('link') ?? '',
    }
  }
  const ORG = '/organizations/acme/releases'
  const PROJECT = '/projects/acme/shop/releases'
  const commit = (id: string, paths: readonly string[] = []) => ({
    id,
    repository: 'acme/shop',
    author_name: 'Ada',
    author_email: 'ada@acme.test',
    timestamp: '2026-01-30T10:00:00Z',
    message: `change ${id}`,
    patch_set: paths.map((path) => ({ path, type: 'M' })),
  })

  it('a build makes a release, tells its commits, finalises and deploys it', async () => {
    const made = await ask('POST', `${PROJECT}/`, {
      version: 'shop@1.0.0',
      projects: ['shop'],
      dateStarted: '2026-01-31T09:00:00Z',
    })
    assert.equal(made.status, 201)
    assert.equal((await ask('POST', `${ORG}/`, { version: 'shop@1.0.0', projects: ['api'] })).status, 208)
    assert.deepEqual((await ask('GET', '/organizations/acme/repos/?cursor=')).json, [])
    assert.deepEqual((await ask('GET', `${ORG}/shop@1.0.0/previous-with-commits/`)).json, {})
    assert.equal(
      (await ask('PUT', `${ORG}/shop@1.0.0/`, { commits: [commit('bbb', ['src/a.ts']), commit('aaa')] }))
        .status,
      200,
    )
    const put = await ask('PUT', `${PROJECT}/shop%401.0.0/`, {
      projects: ['shop'],
      dateReleased: '2026-01-31T10:00:00Z',
    })
    assert.deepEqual([put.status, put.json['dateReleased']], [200, '2026-01-31T10:00:00.000000Z'])
    const deploy = await ask('POST', `${ORG}/shop@1.0.0/deploys/`, {
      environment: 'production',
      name: null,
      url: null,
      dateStarted: null,
      dateFinished: '2026-01-31T10:05:00Z',
    })
    assert.equal(deploy.status, 201)
    assert.deepEqual(
      { ...(deploy.json as Json), id: '' },
      {
        id: '',
        environment: 'production',
        name: null,
        url: null,
        dateStarted: null,
        dateFinished: '2026-01-31T10:05:00.000000Z',
      },
    )
    const { json } = await ask('GET', `${ORG}/shop@1.0.0/`)
    assert.deepEqual(
      {
        ...(json as Json),
        id: 0,
        versionInfo: 0,
        projects: (json['projects'] as Json[]).map(({ slug, name }) => [slug, name]),
      },
      {
        id: 0,
        version: 'shop@1.0.0',
        shortVersion: '1.0.0',
        versionInfo: 0,
        status: 'open',
        ref: null,
        url: null,
        data: {},
        dateCreated: '2026-01-31T12:00:00.000000Z',
        dateStarted: '2026-01-31T09:00:00.000000Z',
        dateReleased: '2026-01-31T10:00:00.000000Z',
        firstEvent: null,
        lastEvent: null,
        newGroups: 0,
        commitCount: 2,
        deployCount: 1,
        lastDeploy: deploy.json,
        lastCommit: {
          id: 'bbb',
          shortId: 'bbb',
          message: 'change bbb',
          dateCreated: '2026-01-30T10:00:00.000000Z',
          author: { name: 'Ada', email: 'ada@acme.test' },
          repository: { name: 'acme/shop' },
        },
        authors: [{ name: 'Ada', email: 'ada@acme.test' }],
        owner: null,
        projects: [
          ['api', 'api'],
          ['shop', 'shop'],
        ],
      },
    )
    const commits = await ask('GET', `${PROJECT}/shop@1.0.0/commits/?per_page=1`)
    assert.deepEqual(
      commits.json.map(({ id }) => id),
      ['bbb'],
    )
    assert.match(commits.link, /rel="next"; results="true"; cursor="0:1:0"/)
    assert.deepEqual(
      (await ask('GET', `${ORG}/shop@1.0.0/deploys/`)).json.map(({ environment }) => environment),
      ['production'],
    )
  })

  it('the next build is told which release with commits was before it, in its projects', async () => {
    await ask('POST', `${ORG}/`, { version: 'api-only', projects: ['api'], commits: [commit('ccc')] })
    await ask('POST', `${PROJECT}/`, { version: 'shop@1.1.0', projects: ['shop'] })
    await ask('POST', `${PROJECT}/`, { version: 'shop@1.2.0', projects: ['shop'] })
    const { json } = await ask('GET', `${ORG}/shop@1.2.0/previous-with-commits/`)
    assert.deepEqual([json['version'], (json['lastCommit'] as Json)['id']], ['shop@1.0.0', 'bbb'])
    await ask('PUT', `${ORG}/shop@1.1.0/`, {
      refs: [{ repository: 'acme/shop', commit: 'ddd', previousCommit: 'bbb' }],
    })
    const after = (await ask('GET', `${ORG}/shop@1.2.0/previous-with-commits/`)).json
    assert.deepEqual([after['version'], (after['lastCommit'] as Json)['id']], ['shop@1.1.0', 'ddd'])
    assert.equal((await ask('GET', `${ORG}/none/previous-with-commits/`)).status, 404)
  })

  it('lists have pages, parts of versions and an order; a project knows its own', async () => {
    await ask('POST', `${PROJECT}/`, { version: 'shop@1.10.0', projects: ['shop'] })
    const versions = async (query: string, base = PROJECT) =>
      (await ask('GET', `${base}/?${query}`)).json.map(({ version }) => version)
    assert.deepEqual(await versions('query=SHOP@&sort=semver'), [
      'shop@1.10.0',
      'shop@1.2.0',
      'shop@1.1.0',
      'shop@1.0.0',
    ])
    assert.deepEqual(await versions('sort=semver&per_page=2&cursor=0:2:0'), ['shop@1.1.0', 'shop@1.0.0'])
    assert.ok(!(await versions('')).includes('api-only'))
    assert.ok((await versions('', ORG)).includes('api-only'))
    assert.match((await ask('GET', `${ORG}/?per_page=2`)).link, /rel="next"; results="true"; cursor="0:2:0"/)
    assert.equal((await ask('GET', `${ORG}/?cursor=x`)).status, 400)
  })

  it('an archived one leaves the list and comes back, as sentry-cli does it: by making it again', async () => {
    const archive = (status: string) =>
      ask('POST', `${ORG}/`, { version: 'shop@1.1.0', projects: [], status })
    const listed = async () =>
      (await ask('GET', `${ORG}/`)).json.some(({ version }) => version === 'shop@1.1.0')
    assert.deepEqual([(await archive('archived')).status, await listed()], [208, false])
    assert.deepEqual([(await archive('open')).json['status'], await listed()], ['open', true])
    assert.equal((await ask('PUT', `${ORG}/shop@1.1.0/`, { status: 'eaten' })).status, 400)
  })

  it('new issues are counted where they are', async () => {
    const { issueId } = await harness.issue(shop)
    await harness.db
      .updateTable('issue')
      .set({ first_release: 'shop@1.2.0' })
      .where('id', '=', issueId)
      .execute()
    const newGroups = async (base: string) => (await ask('GET', `${base}/shop@1.2.0/`)).json['newGroups']
    assert.deepEqual([await newGroups(ORG), await newGroups(PROJECT)], [1, 1])
  })

  it('what is wrong is said by field, what is not there or not allowed as such', async () => {
    const bad = await ask('POST', `${ORG}/`, { version: 'a/b', projects: ['nowhere'] })
    assert.deepEqual([bad.status, Object.keys(bad.json)], [400, ['version']])
    assert.match(
      (await ask('POST', `${ORG}/`, { version: '9', projects: ['nowhere'] })).text,
      /acme has no project \\"nowhere\\"/,
    )
    assert.match((await ask('POST', `${ORG}/`, { version: '9', projects: [] })).text, /at least one project/)
    assert.equal((await ask('PUT', `${ORG}/9/`, { dateReleased: '2026-01-31T10:00:00Z' })).status, 404)
    assert.equal((await ask('DELETE', `${ORG}/9/`)).status, 404)
    assert.equal((await ask('GET', '/projects/acme/api/releases/shop@1.2.0/')).status, 404)
    assert.equal((await ask('POST', `${ORG}/shop@1.0.0/deploys/`, {})).status, 400)
    const other = await ask('POST', '/organizations/rival/releases/', { version: '1', projects: ['secret'] })
    assert.equal(other.status, 403)
    assert.match(other.text, /this token is for the organization \\"acme\\"/)
    const reader = await harness.token(['event:read'], 'acme')
    assert.equal((await ask('POST', `${ORG}/`, { version: '1', projects: ['shop'] }, reader)).status, 403)
    assert.equal((await ask('GET', `${ORG}/`, undefined, reader)).status, 403)
  })

  it('one is deleted with an empty 204', async () => {
    const deleted = await ask('DELETE', `${ORG}/api-only/`)
    assert.deepEqual([deleted.status, deleted.text], [204, ''])
    assert.equal((await ask('GET', `${ORG}/api-only/`)).status, 404)
  })

  it('the way to them: who the token is, regions, organizations', async () => {
    const info = (await ask('GET', '/')).json
    assert.deepEqual([info['version'], info['auth'], info['user']], ['0', { scopes: ['org:ci'] }, null])
    assert.deepEqual((await ask('GET', '/users/me/regions/')).json, {
      regions: [{ name: 'sonde', url: PUBLIC_URL }],
    })
    const { json } = await ask('GET', '/organizations/acme/')
    assert.deepEqual(json['links'], { organizationUrl: `${PUBLIC_URL}/acme`, regionUrl: PUBLIC_URL })
  })

  it('projects have pages', async () => {
    const first = await ask('GET', '/organizations/acme/projects/?per_page=1&cursor=')
    assert.deepEqual(
      first.json.map(({ slug }) => slug),
      ['api'],
    )
    assert.match(first.link, /rel="next"; results="true"; cursor="0:1:0"/)
    const second = await ask('GET', '/organizations/acme/projects/?per_page=1&cursor=0:1:0')
    assert.deepEqual(
      second.json.map(({ slug }) => slug),
      ['shop'],
    )
    assert.match(second.link, /rel="next"; results="false"/)
    assert.equal((await ask('GET', '/organizations/?cursor=x')).status, 400)
  })

  it('what is not there yet is said in words', async () => {
    const path = 'code-mappings/bulk/'
    const { status, json } = await ask('GET', `/organizations/acme/${path}`)
    assert.deepEqual(
      [status, json],
      [501, { detail: 'Mapping stack traces to repositories is not in Sonde yet.' }],
    )
    assert.equal((await ask('GET', `/organizations/rival/${path}`)).status, 403)
  })

  it('is made at the time of the clock', async () => {
    const row = await harness.db.selectFrom('release').select('created_ms').executeTakeFirst()
    assert.equal(row?.created_ms, NOW_MS)
  })
})
