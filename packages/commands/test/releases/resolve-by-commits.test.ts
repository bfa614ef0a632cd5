import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { operatorViewer, type Viewer } from '@sonde/access'
import { createRelease, createToken, ensureProject, updateIssues, updateRelease } from '@sonde/commands'
import { type Harness, openHarness } from '../harness.ts'

const commit = (id: string, message: string) => ({
  id,
  repository: 'acme/shop',
  author_name: 'Ada',
  author_email: 'ada@acme.test',
  message,
})

describe('commits that say what they fix', () => {
  let harness: Harness
  let ci: Viewer
  const projects = new Map<string, number>()
  let shop: readonly number[]
  let api: readonly number[]
  let rival: readonly number[]
  before(async () => {
    harness = await openHarness()
    for (const [org, slug] of [
      ['acme', 'shop'],
      ['acme', 'api'],
      ['rival', 'shop'],
    ] as const) {
      const { id } = await ensureProject(harness.deps, operatorViewer, { org, slug })
      projects.set(`${org}/${slug}`, id)
    }
    const grant = await harness.deps.access.openOrg(operatorViewer, 'acme', 'token:write')
    const { token } = await createToken(harness.deps, grant, { name: 'ci', scopes: ['org:ci'] })
    const viewer = await harness.access.viewerFromToken(token)
    assert.ok(viewer)
    ci = viewer
  })
  after(() => harness.close())
  beforeEach(async () => {
    for (const table of ['issue', 'issue_redirect', 'release', 'source_commit', 'audit_entry'] as const)
      await harness.db.deleteFrom(table).execute()
    const issuesOf = (name: string) => harness.issues(projects.get(name) ?? 0, 3)
    shop = await issuesOf('acme/shop')
    api = await issuesOf('acme/api')
    rival = await issuesOf('rival/shop')
  })

  const release = async (version: string, commits: readonly object[], inProjects = ['shop']) =>
    createRelease(harness.deps, await harness.deps.access.openOrg(ci, 'acme', 'release:write'), {
      version,
      projects: inProjects,
      commits,
    })
  const resolutions = async (ids: readonly number[]): Promise<string[]> => {
    const rows = await harness.db
      .selectFrom('issue')
      .select(['status', 'resolved_in', 'resolved_release'])
      .where('id', 'in', ids)
      .orderBy('id')
      .execute()
    return rows.map((row) => Object.values(row).join(' ').trim())
  }
  const changes = () =>
    harness.db
      .selectFrom('issue_change')
      .select(['issue_id', 'kind', 'actor', 'is_pending'])
      .orderBy('id')
      .execute()

  it('resolve the issues of the release, tell alerts, and are in the audit', async () => {
    await release('1.0', [
      commit('c2', 'Tidy up'),
      commit('c1', 'Coupons (fixes SHOP-1, shop-2)\n\nResolves API-1, SHOP-99, OTHER-1'),
    ])
    assert.deepEqual(await resolutions(shop), ['resolved release 1.0', 'resolved release 1.0', 'unresolved'])
    const { id } = await harness.db
      .selectFrom('source_commit')
      .select('id')
      .where('sha', '=', 'c1')
      .executeTakeFirstOrThrow()
    const actor = `commit:${id}`
    assert.deepEqual(
      await changes(),
      shop.slice(0, 2).map((issue) => ({ issue_id: issue, kind: 'resolved', actor, is_pending: 1 })),
    )
    const [audit] = await harness.db
      .selectFrom('audit_entry')
      .select(['subject', 'detail'])
      .where('action', '=', 'issue.resolve')
      .execute()
    assert.equal(audit?.subject, 'acme')
    assert.deepEqual(JSON.parse(audit?.detail ?? ''), {
      count: 2,
      ids: shop.slice(0, 2),
      release: '1.0',
      commits: ['c1'],
    })
  })

  it('touch neither projects that the release has not, nor other organizations', async () => {
    await release('1.0', [commit('c1', 'fixes API-1, SHOP-1')], ['shop'])
    assert.deepEqual(await resolutions([...api, ...rival]), Array(6).fill('unresolved'))
    await release('1.1', [commit('c2', 'fixes API-1')], ['api'])
    assert.equal((await resolutions(api))[0], 'resolved release 1.1')
  })

  it('told through one project resolve nothing of the others', async () => {
    await release('1.0', [], ['shop', 'api'])
    const grant = await harness.deps.access.openProject(ci, 'acme', 'shop', 'release:write')
    await updateRelease(harness.deps, grant, {
      version: '1.0',
      commits: [commit('c1', 'fixes API-1, fixes SHOP-1')],
    })
    assert.deepEqual(await resolutions(api), Array(3).fill('unresolved'))
    assert.equal((await resolutions(shop))[0], 'resolved release 1.0')
  })

  it('told again, or in a later release, leave alone what was reopened; another commit resolves it anew', async () => {
    const one = commit('c1', 'fixes SHOP-1')
    await release('1.0', [one])
    const grant = await harness.deps.access.openOrg(operatorViewer, 'acme', 'event:write')
    await updateIssues(harness.deps, grant, { ids: shop.slice(0, 1), status: 'unresolved' })
    await release('1.0', [one])
    await release('1.1', [one])
    assert.equal((await resolutions(shop))[0], 'unresolved')
    assert.equal((await changes()).length, 2)
    await release('1.2', [commit('c2', 'really fixes: SHOP-1'), one])
    assert.equal((await resolutions(shop))[0], 'resolved release 1.2')
    const links = await harness.db.selectFrom('issue_commit').select('version').orderBy('version').execute()
    assert.deepEqual(links, [{ version: '1.0' }, { version: '1.2' }])
  })

  it('add the release to what was resolved without one, and keep the one that was said', async () => {
    await release('1.0', [])
    const grant = await harness.deps.access.openOrg(operatorViewer, 'acme', 'event:write')
    const [first = 0, second = 0, third = 0] = shop
    await updateIssues(harness.deps, grant, { ids: [first], status: 'resolved' })
    const resolution = { kind: 'release', version: '1.0' } as const
    await updateIssues(harness.deps, grant, { ids: [second], status: 'resolved', resolution })
    await updateIssues(harness.deps, grant, { ids: [third], status: 'ignored' })
    const before = (await changes()).length
    await release('2.0', [commit('c1', 'fixes SHOP-1 and SHOP-2 and SHOP-3')])
    assert.deepEqual(await resolutions(shop), [
      'resolved release 2.0',
      'resolved release 1.0',
      'resolved release 2.0',
    ])
    assert.equal((await changes()).length, before + 1)
  })

  it('find an issue that became part of another', async () => {
    const [first = 0] = shop
    await harness.db
      .insertInto('issue_redirect')
      .values({
        from_issue_id: 9_999,
        project_id: projects.get('acme/shop') ?? 0,
        short_number: 77,
        into_issue_id: first,
        at_ms: 1,
      })
      .execute()
    await release('1.0', [commit('c1', 'closes SHOP-77, SHOP-1')])
    assert.equal((await resolutions(shop))[0], 'resolved release 1.0')
  })

  it('of thousands, resolve all', async () => {
    await harness.db.deleteFrom('issue').execute()
    const many = await harness.issues(projects.get('acme/shop') ?? 0, 1_600)
    const commits = Array.from({ length: 32 }, (_, at) =>
      commit(`c${at}`, `fixes ${Array.from({ length: 50 }, (_, n) => `SHOP-${at * 50 + n + 1}`).join(', ')}`),
    )
    await release('1.0', commits)
    assert.deepEqual(new Set(await resolutions(many)), new Set(['resolved release 1.0']))
  })
})
