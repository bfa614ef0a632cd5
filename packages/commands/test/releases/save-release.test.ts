import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer, type Viewer } from '@sonde/access'
import {
  createDeploy,
  ensureProject,
  createRelease,
  createToken,
  deleteRelease,
  InvalidInput,
  updateRelease,
} from '@sonde/commands'
import { type Harness, NOW_MS, openHarness } from '../harness.ts'

const fieldsOf = (wanted: Record<string, RegExp>) => (error: unknown) => {
  assert.ok(error instanceof InvalidInput, String(error))
  assert.deepEqual(Object.keys(error.fields), Object.keys(wanted))
  for (const [field, text] of Object.entries(wanted)) assert.match(error.fields[field]?.join() ?? '', text)
  return true
}
const kind = (wanted: string) => (error: unknown) => (error as { kind?: string }).kind === wanted

const commit = (id: string, paths: readonly string[] = [], more: object = {}) => ({
  id,
  repository: 'acme/shop',
  author_name: 'Ada',
  author_email: 'ada@acme.test',
  message: `change ${id}`,
  timestamp: '2026-01-30T10:00:00+01:00',
  patch_set: paths.map((path) => ({ path, type: 'M' })),
  ...more,
})

describe('releases', () => {
  let harness: Harness
  let ci: Viewer
  before(async () => {
    harness = await openHarness()
    for (const [org, slug] of [
      ['acme', 'shop'],
      ['acme', 'api'],
      ['rival', 'secret'],
    ] as const)
      await ensureProject(harness.deps, operatorViewer, { org, slug })
    const { token } = await createToken(
      harness.deps,
      await harness.deps.access.openOrg(operatorViewer, 'acme', 'token:write'),
      { name: 'ci', scopes: ['org:ci'] },
    )
    const viewer = await harness.access.viewerFromToken(token)
    assert.ok(viewer)
    ci = viewer
  })
  after(() => harness.close())

  const projectsOf = async (version: string): Promise<string[]> => {
    const rows = await harness.db
      .selectFrom('release')
      .innerJoin('release_project', 'release_project.release_id', 'release.id')
      .innerJoin('project', 'project.id', 'release_project.project_id')
      .select('project.slug')
      .where('version', '=', version)
      .orderBy('project.slug')
      .execute()
    return rows.map(({ slug }) => slug)
  }
  const commitsOf = async (id: number): Promise<string[]> => {
    const rows = await harness.db
      .selectFrom('release_commit')
      .innerJoin('source_commit', 'source_commit.id', 'release_commit.commit_id')
      .select(['sha', 'message', 'at_ms'])
      .where('release_id', '=', id)
      .orderBy('position')
      .execute()
    return rows.map(({ sha, message, at_ms }) => `${sha} ${message} ${new Date(at_ms).toISOString()}`)
  }

  it('one that is made again stays what it was and gains projects', async () => {
    const made = await createRelease(
      harness.deps,
      await harness.deps.access.openOrg(ci, 'acme', 'release:write'),
      { version: 'shop@1.0.0', projects: ['shop'], url: 'https://ci.acme.test/1' },
    )
    const again = await createRelease(
      harness.deps,
      await harness.deps.access.openOrg(ci, 'acme', 'release:write'),
      { version: 'shop@1.0.0', projects: ['api', 'shop'] },
    )
    assert.deepEqual([made.isNew, again.isNew, again.id], [true, false, made.id])
    assert.deepEqual(await projectsOf('shop@1.0.0'), ['api', 'shop'])
    const row = await harness.db
      .selectFrom('release')
      .selectAll()
      .where('id', '=', made.id)
      .executeTakeFirstOrThrow()
    assert.deepEqual(
      { ...row, id: 0, org_id: 0 },
      {
        id: 0,
        org_id: 0,
        version: 'shop@1.0.0',
        status: 'open',
        url: 'https://ci.acme.test/1',
        date_started_ms: null,
        date_released_ms: null,
        created_ms: NOW_MS,
      },
    )
  })

  it('what cannot be is told by field', async () => {
    const good = { org: 'acme', version: '2', projects: ['shop'] }
    for (const version of ['', 'a/b', 'a\\b', 'a\nb', '.', '..', 'latest', 'x'.repeat(201), undefined])
      await assert.rejects(
        harness.deps.access
          .openOrg(ci, good.org, 'release:write')
          .then((grant) => createRelease(harness.deps, grant, { ...good, version })),
        fieldsOf({ version: /./ }),
        String(version),
      )
    await assert.rejects(
      harness.deps.access
        .openOrg(ci, good.org, 'release:write')
        .then((grant) => createRelease(harness.deps, grant, { ...good, projects: [] })),
      fieldsOf({ projects: /at least one/ }),
    )
    await assert.rejects(
      harness.deps.access
        .openOrg(ci, good.org, 'release:write')
        .then((grant) => createRelease(harness.deps, grant, { ...good, projects: ['shop', 'secret'] })),
      fieldsOf({ projects: /acme has no project "secret"/ }),
    )
    await assert.rejects(
      harness.deps.access
        .openOrg(ci, good.org, 'release:write')
        .then((grant) => createRelease(harness.deps, grant, { ...good, url: 'javascript:alert(1)' })),
      fieldsOf({ url: /http/ }),
    )
    await assert.rejects(
      harness.deps.access
        .openOrg(ci, good.org, 'release:write')
        .then((grant) => createRelease(harness.deps, grant, { ...good, dateReleased: 'soon' })),
      fieldsOf({ dateReleased: /time/ }),
    )
    await assert.rejects(
      harness.deps.access
        .openOrg(ci, good.org, 'release:write')
        .then((grant) => createRelease(harness.deps, grant, { ...good, commits: [commit('a..b')] })),
      fieldsOf({ 'commits.0.id': /range/ }),
    )
    const huge = Array.from({ length: 101 }, (_, at) =>
      commit(
        `${at}`,
        Array.from({ length: 1_000 }, (__, n) => `f${n}`),
      ),
    )
    await assert.rejects(
      harness.deps.access
        .openOrg(ci, good.org, 'release:write')
        .then((grant) => createRelease(harness.deps, grant, { ...good, commits: huge })),
      fieldsOf({ commits: /at most 100000 files/ }),
    )
    assert.deepEqual(await projectsOf('2'), [])
    await assert.rejects(
      harness.deps.access
        .openOrg(ci, 'acme', 'release:write')
        .then((grant) => updateRelease(harness.deps, grant, { version: '2' })),
      kind('not-found'),
    )
  })

  it('commits replace those before, and one that two releases have is kept once', async () => {
    const input = { org: 'acme', projects: ['shop'] }
    const one = await createRelease(
      harness.deps,
      await harness.deps.access.openOrg(ci, input.org, 'release:write'),
      {
        ...input,
        version: 'c1',
        commits: [commit('b', ['src/a.ts', 'src/b.ts']), commit('a')],
      },
    )
    await updateRelease(harness.deps, await harness.deps.access.openOrg(ci, input.org, 'release:write'), {
      ...input,
      version: 'c1',
      commits: [commit('c', ['src/c.ts']), commit('b', ['src/b.ts'], { message: 'told better' })],
    })
    assert.deepEqual(await commitsOf(one.id), [
      'c change c 2026-01-30T09:00:00.000Z',
      'b told better 2026-01-30T09:00:00.000Z',
    ])
    const two = await createRelease(
      harness.deps,
      await harness.deps.access.openOrg(ci, input.org, 'release:write'),
      {
        ...input,
        version: 'c2',
        commits: [commit('b'), commit('b')],
      },
    )
    assert.equal((await commitsOf(two.id)).length, 1)
    const rows = await harness.db.selectFrom('source_commit').select('sha').where('sha', '=', 'b').execute()
    assert.equal(rows.length, 1)
    await updateRelease(harness.deps, await harness.deps.access.openOrg(ci, input.org, 'release:write'), {
      ...input,
      version: 'c1',
      commits: [],
    })
    assert.deepEqual(await commitsOf(one.id), [])
  })

  it('a range of a repository is kept as one, however it is written', async () => {
    const { id } = await createRelease(
      harness.deps,
      await harness.deps.access.openOrg(ci, 'acme', 'release:write'),
      {
        version: 'r1',
        projects: ['shop'],
        refs: [
          { repository: 'acme/shop', commit: 'new', previousCommit: 'old' },
          { repository: 'acme/api', commit: 'first..last' },
          { repository: 'acme/web', commit: 'only' },
        ],
      },
    )
    const rows = await harness.db
      .selectFrom('release_ref')
      .selectAll()
      .where('release_id', '=', id)
      .orderBy('repository')
      .execute()
    assert.deepEqual(
      rows.map((row) => [row.repository, row.previous_sha, row.sha]),
      [
        ['acme/api', 'first', 'last'],
        ['acme/shop', 'old', 'new'],
        ['acme/web', null, 'only'],
      ],
    )
  })

  it('is finalised, archived, restored, deployed and deleted; each is in the audit, and events would make it again', async () => {
    const own = { org: 'acme', version: 'd1' }
    const { id } = await createRelease(
      harness.deps,
      await harness.deps.access.openOrg(ci, own.org, 'release:write'),
      {
        ...own,
        projects: ['shop', 'api'],
        commits: [commit('d-only'), commit('b')],
      },
    )
    await updateRelease(harness.deps, await harness.deps.access.openOrg(ci, own.org, 'release:write'), {
      ...own,
      dateReleased: '2026-01-31T10:00:00Z',
    })
    await updateRelease(harness.deps, await harness.deps.access.openOrg(ci, own.org, 'release:write'), {
      ...own,
      status: 'archived',
    })
    const row = await harness.db
      .selectFrom('release')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    assert.deepEqual([row.status, row.date_released_ms], ['archived', Date.UTC(2026, 0, 31, 10)])
    await createDeploy(harness.deps, await harness.deps.access.openOrg(ci, own.org, 'release:write'), {
      ...own,
      environment: 'production',
    })
    await createDeploy(harness.deps, await harness.deps.access.openOrg(ci, own.org, 'release:write'), {
      ...own,
      environment: 'staging',
      projects: ['api'],
      dateFinished: 1_700_000_000,
    })
    const deploys = await harness.db
      .selectFrom('deploy')
      .innerJoin('deploy_project', 'deploy_project.deploy_id', 'deploy.id')
      .innerJoin('project', 'project.id', 'deploy_project.project_id')
      .select(['environment', 'slug', 'finished_ms'])
      .orderBy('deploy.id')
      .orderBy('slug')
      .execute()
    assert.deepEqual(
      deploys.map((deploy) => Object.values(deploy).join(' ')),
      [`production api ${NOW_MS}`, `production shop ${NOW_MS}`, 'staging api 1700000000000'],
    )
    await assert.rejects(
      harness.deps.access
        .openOrg(ci, own.org, 'release:write')
        .then((grant) => createDeploy(harness.deps, grant, { ...own, environment: 'a/b' })),
      fieldsOf({ environment: /slash/ }),
    )
    await deleteRelease(harness.deps, await harness.deps.access.openOrg(ci, own.org, 'release:write'), own)
    await assert.rejects(
      harness.deps.access
        .openOrg(ci, own.org, 'release:write')
        .then((grant) => deleteRelease(harness.deps, grant, own)),
      kind('not-found'),
    )
    assert.deepEqual(await harness.db.selectFrom('deploy').selectAll().execute(), [])
    const shas = await harness.db
      .selectFrom('source_commit')
      .select('sha')
      .where('sha', 'in', ['d-only', 'b'])
      .execute()
    assert.deepEqual(shas, [{ sha: 'b' }])
    assert.deepEqual(
      (await harness.audit()).filter((line) => line.endsWith('acme d1')).map((line) => line.split(' ')[1]),
      [
        'release.create',
        'release.update',
        'release.update',
        'deploy.create',
        'deploy.create',
        'release.delete',
      ],
    )
  })

  it('who may not, does not', async () => {
    const viewer = await harness.viewer('acme', 'viewer')
    const stranger = await harness.viewer('rival', 'owner')
    await assert.rejects(harness.access.openOrg(viewer, 'acme', 'release:write'), kind('forbidden'))
    await assert.rejects(harness.access.openOrg(stranger, 'acme', 'release:write'), kind('not-found'))
  })
})
