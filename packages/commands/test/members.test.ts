import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { operatorViewer, type UserViewer, type Viewer } from '@sonde/access'
import type { SondeError } from '@sonde/base'
import {
  createPersonalToken,
  ensureProject,
  createToken,
  createUser,
  removeMember,
  setMemberRole,
} from '@sonde/commands'
import type { Role } from '@sonde/stores'
import { type Harness, openHarness } from './harness.ts'

const PASSWORD = 'correct horse'
const kind = (expected: string) => (error: SondeError) => error.kind === expected

describe('members', () => {
  let harness: Harness
  let owner: UserViewer
  let admin: UserViewer
  beforeEach(async () => {
    harness = await openHarness()
    for (const org of ['acme', 'rival'])
      await ensureProject(harness.deps, operatorViewer, { org, slug: 'shop' })
    owner = await harness.viewer('acme', 'owner')
    admin = await harness.viewer('acme', 'admin')
  })
  afterEach(() => harness.close())

  const remove = (viewer: Viewer, who: UserViewer, keepTokens = false) =>
    harness.deps.access
      .openOrg(viewer, 'acme', 'member:write')
      .then((grant) => removeMember(harness.deps, grant, { userId: who.userId, keepTokens }))
  const set = (viewer: Viewer, who: UserViewer, role: Role) =>
    harness.deps.access
      .openOrg(viewer, 'acme', 'member:write')
      .then((grant) => setMemberRole(harness.deps, grant, { userId: who.userId, role }))
  const now = async (who: UserViewer): Promise<UserViewer> => {
    const viewer = await harness.signIn(who.email, PASSWORD)
    assert.ok(viewer)
    return viewer
  }

  it('who was removed is out at the next request, with session and with tokens', async () => {
    const headers = await harness.cookies(admin.email, PASSWORD)
    const made = { org: 'acme', name: 'own', scopes: ['event:read'], currentPassword: PASSWORD }
    const own = await createPersonalToken(
      harness.deps,
      await harness.deps.access.openOrg(admin, made.org, 'org:read'),
      made,
    )
    const shared = await createToken(
      harness.deps,
      await harness.access.openOrg(admin, 'acme', 'token:write'),
      {
        ...made,
        name: 'shared',
      },
    )
    await harness.access.openOrg(
      (await harness.access.viewerFromCookies(headers)) ?? admin,
      'acme',
      'event:read',
    )
    assert.ok(await harness.access.viewerFromToken(own.token))
    assert.ok(await harness.access.viewerFromToken(shared.token))

    assert.deepEqual(await remove(owner, admin), { endedTokens: 2, keptTokens: 0 })
    const later = await harness.access.viewerFromCookies(headers)
    assert.ok(later, 'the account is still there')
    await assert.rejects(harness.access.openOrg(later, 'acme', 'org:read'), kind('not-found'))
    assert.equal(await harness.access.viewerFromToken(own.token), undefined)
    assert.equal(await harness.access.viewerFromToken(shared.token), undefined)
    assert.deepEqual((await harness.audit()).slice(-1), [
      `user:${owner.userId} member.remove ${admin.userId}`,
    ])

    // Who comes back does not find their old tokens alive.
    await createUser(
      harness.deps,
      await harness.deps.access.openOrg(operatorViewer, 'acme', 'member:write'),
      {
        email: admin.email,
        role: 'admin',
      },
    )
    assert.equal(await harness.access.viewerFromToken(own.token), undefined)
  })

  it('a token of the organization stays when that is asked for; in other organizations nothing changes', async () => {
    const made = { name: 'build', scopes: ['org:ci'], currentPassword: PASSWORD, expiresInDays: null }
    const shared = await createToken(
      harness.deps,
      await harness.deps.access.openOrg(admin, 'acme', 'token:write'),
      { ...made },
    )
    await createUser(
      harness.deps,
      await harness.deps.access.openOrg(operatorViewer, 'rival', 'member:write'),
      {
        email: admin.email,
        role: 'member',
      },
    )
    const elsewhere = await createPersonalToken(
      harness.deps,
      await harness.deps.access.openOrg(await now(admin), 'rival', 'org:read'),
      { ...made },
    )
    assert.deepEqual(await remove(owner, admin, true), { endedTokens: 0, keptTokens: 1 })
    assert.ok(await harness.access.viewerFromToken(shared.token))
    assert.ok(await harness.access.viewerFromToken(elsewhere.token))
    assert.deepEqual(
      (await now(admin)).memberships.map(({ orgSlug }) => orgSlug),
      ['rival'],
    )
  })

  it('the last owner is neither removed nor made less, by whichever way', async () => {
    for (const viewer of [owner, operatorViewer]) {
      await assert.rejects(remove(viewer, owner), kind('conflict'))
      await assert.rejects(set(viewer, owner, 'admin'), kind('conflict'))
    }
    const demotion = { org: 'acme', email: owner.email, role: 'viewer' } as const
    await assert.rejects(
      harness.deps.access
        .openOrg(operatorViewer, demotion.org, 'member:write')
        .then((grant) => createUser(harness.deps, grant, demotion)),
      kind('conflict'),
    )
    // An owner who is locked out looks after nothing.
    const second = await harness.viewer('acme', 'owner', 'second@acme.test')
    await harness.db.updateTable('user').set({ disabledMs: 1 }).where('id', '=', second.userId).execute()
    await assert.rejects(remove(owner, owner), kind('conflict'))
    await harness.db.updateTable('user').set({ disabledMs: null }).where('id', '=', second.userId).execute()
    await set(owner, owner, 'viewer')
    assert.equal((await now(owner)).memberships[0]?.role, 'viewer')
  })

  const MAY = `
                     viewer member admin owner
  remove a member      -      -      x     x
  remove an owner      -      -      -     x
  make an admin        -      -      x     x
  make an owner        -      -      -     x
  demote an owner      -      -      -     x`
  const [head = '', ...lines] = MAY.trim().split('\n')
  const roles = head.trim().split(/\s+/) as Role[]
  for (const line of lines) {
    const [, what = '', marks = ''] = /^\s+(.+?)\s{2,}(.+)$/.exec(line) ?? []
    it(`to ${what}: ${roles.filter((_, at) => marks.split(/\s+/)[at] === 'x').join(', ')}`, async () => {
      const touched = await harness.viewer(
        'acme',
        what.includes('an owner') && !what.includes('make') ? 'owner' : 'member',
        'touched@acme.test',
      )
      for (const [at, role] of roles.entries()) {
        const viewer = await harness.viewer('acme', role, `${role}-who@acme.test`)
        const attempt = (): Promise<unknown> => {
          if (what.startsWith('remove')) return remove(viewer, touched)
          if (what.startsWith('demote')) return set(viewer, touched, 'member')
          return set(viewer, touched, what === 'make an owner' ? 'owner' : 'admin')
        }
        if (marks.split(/\s+/)[at] === '-') await assert.rejects(attempt(), kind('forbidden'), role)
        else {
          await attempt()
          await createUser(
            harness.deps,
            await harness.deps.access.openOrg(operatorViewer, 'acme', 'member:write'),
            { email: touched.email, role: touched.memberships[0]?.role ?? 'member' },
          )
        }
      }
      const stranger = await harness.viewer('rival', 'owner')
      await assert.rejects(remove(stranger, touched), kind('not-found'))
      await assert.rejects(set(stranger, touched, 'viewer'), kind('not-found'))
    })
  }

  it('a token of a program touches nobody, and who is not a member is not found', async () => {
    const made = await createToken(
      harness.deps,
      await harness.deps.access.openOrg(operatorViewer, 'acme', 'token:write'),
      { name: 'x', scopes: ['member:read'] },
    )
    const token = await harness.access.viewerFromToken(made.token)
    assert.ok(token)
    await assert.rejects(remove(token, admin), kind('forbidden'))
    const stranger = await harness.viewer('rival', 'owner')
    await assert.rejects(remove(owner, stranger), kind('not-found'))
    await assert.rejects(set(owner, stranger, 'viewer'), kind('not-found'))
  })
})
