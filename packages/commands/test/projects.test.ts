import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openInstallation, operatorViewer, type UserViewer } from '@sonde/access'
import type { SondeError } from '@sonde/base'
import {
  createKey,
  createProject,
  ensureProject,
  createToken,
  deleteToken,
  InvalidInput,
  updateKey,
} from '@sonde/commands'
import { type Harness, openHarness } from './harness.ts'

const kind = (expected: string) => (error: SondeError) => error.kind === expected

describe('projects, keys and tokens', () => {
  let harness: Harness
  let owner: UserViewer
  let member: UserViewer
  let stranger: UserViewer
  before(async () => {
    harness = await openHarness()
    await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop', platform: 'javascript' })
    await ensureProject(harness.deps, operatorViewer, { org: 'rival', slug: 'secret' })
    owner = await harness.viewer('acme', 'owner')
    member = await harness.viewer('acme', 'member')
    stranger = await harness.viewer('rival', 'owner')
  })
  after(() => harness.close())

  it('the command line makes the organization with the project, and once only', async () => {
    const again = { org: 'acme', slug: 'shop', platform: 'python' }
    const first = await ensureProject(harness.deps, operatorViewer, again)
    const second = await ensureProject(harness.deps, operatorViewer, again)
    assert.equal(first.isNew, false)
    assert.equal(first.platform, 'javascript')
    assert.match(first.publicKey, /^[0-9a-f]{32}$/)
    assert.deepEqual(second, first)
  })

  it('racing callers get the same project', async () => {
    const input = { org: 'race', slug: 'track' }
    const made = await Promise.all(
      Array.from({ length: 5 }, () => ensureProject(harness.deps, operatorViewer, input)),
    )
    assert.equal(new Set(made.map((project) => `${project.id} ${project.publicKey}`)).size, 1)
    assert.equal(made.filter((project) => project.isNew).length, 1)
  })

  it('an owner makes projects, a member does not, a stranger sees nothing', async () => {
    const project = await createProject(
      harness.deps,
      await harness.deps.access.openOrg(owner, 'acme', 'project:create'),
      { slug: 'api', name: 'The API' },
    )
    assert.equal(project.isNew, true)
    assert.equal(project.platform, 'other')
    const input = { org: 'acme', slug: 'more' }
    await assert.rejects(
      harness.deps.access
        .openOrg(member, input.org, 'project:create')
        .then((grant) => createProject(harness.deps, grant, input)),
      kind('forbidden'),
    )
    await assert.rejects(
      harness.deps.access
        .openOrg(stranger, input.org, 'project:create')
        .then((grant) => createProject(harness.deps, grant, input)),
      kind('not-found'),
    )
    await assert.rejects(
      harness.deps.access
        .openOrg(owner, 'new-org', 'project:create')
        .then((grant) => createProject(harness.deps, grant, { slug: 'x' })),
      kind('not-found'),
    )
  })

  const WRONG = [
    [{ org: 'acme', slug: '' }, 'slug'],
    [{ org: 'acme', slug: 'Shop' }, 'slug'],
    [{ org: 'acme', slug: '123' }, 'slug'],
    [{ org: 'acme', slug: '../etc' }, 'slug'],
    [{ org: 'acme', slug: 'settings' }, 'slug'],
    [{ org: 'acme', slug: 'x'.repeat(51) }, 'slug'],
    [{ org: 'acme', slug: '<b>' }, 'slug'],
    [{ org: 'api', slug: 'x' }, 'slug'],
    [{ org: '__proto__', slug: 'x' }, 'slug'],
    [{ org: 'acme', slug: 'ok', platform: 'a b' }, 'platform'],
    [{ org: 'acme', slug: 'ok', name: '  ' }, 'name'],
  ] as const
  for (const [input, field] of WRONG) {
    it(`refuses ${JSON.stringify(input)} and names ${field}`, async () => {
      await assert.rejects(ensureProject(harness.deps, operatorViewer, input), (error) => {
        assert.ok(error instanceof InvalidInput)
        assert.deepEqual(Object.keys(error.fields), [field])
        return true
      })
    })
  }

  it('a key is disabled and enabled, within its project only; the number that others poll moves', async () => {
    const epoch = async (): Promise<number> =>
      (await harness.db.selectFrom('key_epoch').select('value').executeTakeFirstOrThrow()).value
    const first = await epoch()
    const target = { org: 'acme', project: 'shop' }
    const key = await createKey(
      harness.deps,
      await harness.deps.access.openProject(owner, target.org, target.project, 'project:write'),
      { ...target, label: 'Second' },
    )
    await updateKey(harness.deps, await harness.access.openProject(owner, 'acme', 'shop', 'project:write'), {
      keyId: key.id,
      isActive: false,
    })
    const row = await harness.db
      .selectFrom('project_key')
      .selectAll()
      .where('id', '=', key.id)
      .executeTakeFirst()
    assert.equal(row?.is_active, 0)
    assert.ok((await epoch()) >= first + 2)
    const other = await harness.access.openProject(owner, 'acme', 'api', 'project:write')
    await assert.rejects(updateKey(harness.deps, other, { keyId: key.id, isActive: true }), kind('not-found'))
  })

  it('a project whose keys are all disabled gets a new one when it is asked for', async () => {
    const project = await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'quiet' })
    await harness.db
      .updateTable('project_key')
      .set({ is_active: 0 })
      .where('project_id', '=', project.id)
      .execute()
    const again = await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'quiet' })
    assert.notEqual(again.publicKey, project.publicKey)
  })

  it('a token is shown once, works, and ends when it is deleted', async () => {
    const input = {
      org: 'acme',
      name: 'ci',
      scopes: ['event:read', 'event:read'],
      currentPassword: 'correct horse',
    }
    const created = await createToken(
      harness.deps,
      await harness.deps.access.openOrg(owner, input.org, 'token:write'),
      input,
    )
    assert.deepEqual(created.scopes, ['event:read'])
    const stored = JSON.stringify(await harness.db.selectFrom('api_token').selectAll().execute())
    assert.ok(!stored.includes(created.token.slice(6)))
    const viewer = await harness.access.viewerFromToken(created.token)
    assert.deepEqual([viewer?.tokenId, viewer?.userId], [created.id, undefined])
    await assert.rejects(
      harness.deps.access
        .openOrg(stranger, 'rival', 'token:write')
        .then((grant) => deleteToken(harness.deps, grant, { tokenId: created.id })),
      kind('not-found'),
    )
    await deleteToken(harness.deps, await harness.deps.access.openOrg(owner, 'acme', 'token:write'), {
      tokenId: created.id,
    })
    assert.equal(await harness.access.viewerFromToken(created.token), undefined)
  })

  it('a token for builds says where and for whom it is, and works; for all organizations it is a short one', async () => {
    const { token } = await createToken(
      harness.deps,
      await harness.deps.access.openOrg(owner, 'acme', 'token:write'),
      { name: 'ci', scopes: ['org:ci'], currentPassword: 'correct horse' },
    )
    const facts = JSON.parse(Buffer.from(token.split('_')[1] ?? '', 'base64').toString()) as object
    assert.match(token, /^sntrys_/)
    assert.deepEqual(
      { ...facts, iat: 0 },
      { iat: 0, url: 'http://sonde.test', region_url: 'http://sonde.test', org: 'acme' },
    )
    assert.deepEqual((await harness.access.viewerFromToken(token))?.scopes, ['org:ci'])
    assert.equal(
      await harness.access.viewerFromToken(`${token.slice(0, -1)}${token.endsWith('x') ? 'y' : 'x'}`),
      undefined,
    )
    const all = await createToken(harness.deps, openInstallation(operatorViewer), {
      name: 'ci',
      scopes: ['org:ci'],
    })
    assert.match(all.token, /^sonde_/)
  })

  it('who may not, makes none: members, tokens, and people for every organization', async () => {
    const input = { org: 'acme', name: 'x', scopes: ['org:read'] }
    await assert.rejects(
      harness.deps.access
        .openOrg(member, input.org, 'token:write')
        .then((grant) => createToken(harness.deps, grant, input)),
      kind('forbidden'),
    )
    assert.throws(() => openInstallation(owner), kind('forbidden'))
    const all = await createToken(harness.deps, openInstallation(operatorViewer), {
      name: 'all',
      scopes: ['org:read', 'project:admin'],
    })
    const viewer = await harness.access.viewerFromToken(all.token)
    assert.ok(viewer)
    await assert.rejects(
      harness.deps.access
        .openOrg(viewer, input.org, 'token:write')
        .then((grant) => createToken(harness.deps, grant, input)),
      kind('forbidden'),
    )
    const unknown = { ...input, scopes: ['org:everything'] }
    await assert.rejects(
      harness.deps.access
        .openOrg(owner, unknown.org, 'token:write')
        .then((grant) => createToken(harness.deps, grant, unknown)),
      (error) => {
        assert.ok(error instanceof InvalidInput)
        assert.match(error.fields['scopes']?.[0] ?? '', /org:read/)
        return true
      },
    )
  })

  it('each change is in the audit, with who made it', async () => {
    const entries = await harness.audit()
    for (const entry of [
      'operator:cli organization.create acme',
      'operator:cli project.create acme/shop',
      `user:${owner.userId} project.create acme/api`,
      `user:${owner.userId} key.update acme/shop`,
      `user:${owner.userId} token.create ci`,
      `user:${owner.userId} token.delete ci`,
    ]) {
      assert.ok(entries.includes(entry), entry)
    }
  })
})
