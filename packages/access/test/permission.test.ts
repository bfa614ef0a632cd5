import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Permission, PERMISSIONS, type Scope, SCOPES, type UserViewer } from '@sonde/access'
import type { SondeError } from '@sonde/base'
import { ROLES } from '@sonde/stores'
import { type Harness, openHarness } from './harness.ts'

/** Written out here a second time, on purpose: a change of who may do what must be made twice. */
const ROLE_TABLE = `
                  viewer member admin owner
  org:read          x      x      x     x
  org:write         -      -      -     x
  member:read       x      x      x     x
  member:write      -      -      x     x
  team:write        -      -      x     x
  team:delete       -      -      x     x
  project:read      x      x      x     x
  project:create    -      -      x     x
  project:write     -      -      x     x
  project:delete    -      -      -     x
  release:write     -      x      x     x
  event:read        x      x      x     x
  event:write       -      x      x     x
  event:delete      -      -      x     x
  token:write       -      -      x     x
  alert:read        x      x      x     x
  alert:write       -      x      x     x
  integration:write -      -      x     x
  audit:read        -      -      x     x`

const SCOPE_TABLE: Readonly<Record<Scope, string>> = {
  'org:read': 'org:read',
  'org:ci': 'org:read project:read release:write',
  'project:read': 'org:read project:read',
  'project:write': 'org:read project:read project:create project:write',
  'project:releases': 'org:read project:read release:write',
  'project:admin': 'org:read project:read project:create project:write project:delete',
  'event:read': 'event:read',
  'event:write': 'event:read event:write',
  'event:admin': 'event:read event:write event:delete',
  'member:read': 'member:read',
  'member:write': 'org:read member:read member:write',
  'member:admin': 'org:read member:read member:write',
  'team:read': 'member:read',
  'team:write': 'org:read member:read team:write',
  'team:admin': 'org:read member:read team:write team:delete',
  'alerts:read': 'alert:read',
  'alerts:write': 'org:read project:read alert:read alert:write',
  'org:integrations': 'org:read alert:read integration:write',
  'audit:read': 'org:read member:read audit:read',
}

const outcome = async (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'open',
    (error: SondeError) => error.kind,
  )

describe('the one permission check', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())

  const viewerWith = (role: UserViewer['memberships'][number]['role']): UserViewer => ({
    kind: 'user',
    userId: 'u',
    email: 'u@acme.test',
    name: 'U',
    isOperator: false,
    memberships: [{ orgId: harness.acme, orgSlug: 'acme', orgName: 'ACME', role }],
  })

  const lines = ROLE_TABLE.trim().split('\n').slice(1)
  assert.deepEqual(
    lines.map((line) => line.trim().split(/\s+/)[0]),
    [...PERMISSIONS],
  )
  for (const line of lines) {
    const [permission, ...marks] = line.trim().split(/\s+/)
    for (const [column, role] of ['viewer', 'member', 'admin', 'owner'].entries()) {
      const expected = marks[column] === 'x' ? 'open' : 'forbidden'
      it(`${permission} is ${expected} to a ${role}`, async () => {
        const viewer = viewerWith(ROLES.find((name) => name === role) ?? 'viewer')
        const wanted = permission as Permission
        assert.equal(await outcome(harness.access.openOrg(viewer, 'acme', wanted)), expected)
        assert.equal(await outcome(harness.access.openProject(viewer, 'acme', 'shop', wanted)), expected)
        assert.equal(await outcome(harness.access.openOrg(viewer, 'rival', wanted)), 'not-found')
        assert.equal(
          await outcome(harness.access.openProject(viewer, 'rival', 'secret', wanted)),
          'not-found',
        )
      })
    }
  }

  for (const scope of SCOPES) {
    it(`a token with ${scope} may ${SCOPE_TABLE[scope]}`, async () => {
      const viewer = await harness.access.viewerFromToken(await harness.token([scope]))
      assert.ok(viewer)
      const open: Permission[] = []
      for (const permission of PERMISSIONS) {
        if ((await outcome(harness.access.openOrg(viewer, 'acme', permission))) === 'open')
          open.push(permission)
        assert.equal(await outcome(harness.access.openOrg(viewer, 'rival', permission)), 'forbidden')
      }
      assert.deepEqual(open.join(' '), SCOPE_TABLE[scope])
    })
  }

  it('what is not there and what is not for you are the same error', async () => {
    const viewer = viewerWith('owner')
    const message = async (slug: string): Promise<string> =>
      harness.access
        .openOrg(viewer, slug, 'org:read')
        .then(() => 'open')
        .catch(
          (error: SondeError) =>
            `${error.kind} ${error.message} ${error.operation} ${error.subject} ${error.hint}`,
        )
    const [hidden, missing] = [await message('rival'), await message('nowhere')]
    assert.equal(hidden.replaceAll('rival', '?'), missing.replaceAll('nowhere', '?'))
  })

  it('a token of another organization is told which one it is for, in the same words when there is no such one', async () => {
    const viewer = await harness.access.viewerFromToken(await harness.token(['org:read', 'org:ci']))
    assert.ok(viewer)
    for (const slug of ['rival', 'nowhere']) {
      await assert.rejects(harness.access.openOrg(viewer, slug, 'org:read'), {
        kind: 'forbidden',
        message: `this token is for the organization "acme" and opens no other: "${slug}" was asked for`,
      })
    }
  })

  it('a project is looked up only after its permission, so that "forbidden" names nothing', async () => {
    const viewer = viewerWith('viewer')
    assert.equal(
      await outcome(harness.access.openProject(viewer, 'acme', 'shop', 'project:write')),
      'forbidden',
    )
    assert.equal(
      await outcome(harness.access.openProject(viewer, 'acme', 'none', 'project:write')),
      'forbidden',
    )
    assert.equal(
      await outcome(harness.access.openProject(viewer, 'acme', 'none', 'project:read')),
      'not-found',
    )
  })

  it('ids work like slugs, also those of others', async () => {
    const viewer = viewerWith('admin')
    const grant = await harness.access.openProject(viewer, String(harness.acme), harness.shop, 'project:read')
    const subject = { orgId: harness.acme, orgSlug: 'acme', projectId: harness.shop, projectSlug: 'shop' }
    assert.deepEqual({ ...grant }, { ...subject, viewer })
    assert.equal(await outcome(harness.access.openOrg(viewer, harness.rival, 'org:read')), 'not-found')
    assert.equal(
      await outcome(harness.access.openProject(viewer, 'acme', harness.secret, 'project:read')),
      'not-found',
    )
  })

  it('hostile references find nothing', async () => {
    const viewer = viewerWith('owner')
    for (const ref of ["acme' OR 1=1 --", '__proto__', '1 OR 1=1', '99999999999999999999', '', '%']) {
      assert.equal(await outcome(harness.access.openOrg(viewer, ref, 'org:read')), 'not-found', ref)
    }
  })

  it('openOrgs lists only what the permission opens', async () => {
    const viewer = viewerWith('member')
    const slugs = async (permission: Permission): Promise<string[]> =>
      (await harness.access.openOrgs(viewer, permission)).map((scope) => scope.orgSlug)
    assert.deepEqual(await slugs('org:read'), ['acme'])
    assert.deepEqual(await slugs('project:create'), [])
  })
})
