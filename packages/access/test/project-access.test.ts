/** What teams add to and take from what somebody sees and may do: every role, role of a team and permission. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  type Grant,
  mayAlso,
  type Permission,
  PERMISSIONS,
  requireAlso,
  type UserViewer,
} from '@sonde/access'
import type { SondeError } from '@sonde/base'
import { MEMBERS_SEE, type Role } from '@sonde/stores'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

/** The least role that has it. Written out here a second time, on purpose. */
const LEAST: Readonly<Record<Permission, Role>> = {
  'org:read': 'viewer',
  'org:write': 'owner',
  'member:read': 'viewer',
  'member:write': 'admin',
  'team:write': 'admin',
  'team:delete': 'admin',
  'project:read': 'viewer',
  'project:create': 'admin',
  'project:write': 'admin',
  'project:delete': 'owner',
  'release:write': 'member',
  'event:read': 'viewer',
  'event:write': 'member',
  'event:delete': 'admin',
  'token:write': 'admin',
  'alert:read': 'viewer',
  'alert:write': 'member',
  'integration:write': 'admin',
  'audit:read': 'admin',
}
const RANK: Readonly<Record<Role | 'none', number>> = { none: 0, viewer: 1, member: 2, admin: 3, owner: 4 }
const ROLES = ['viewer', 'member', 'admin', 'owner'] as const
const TEAM_ROLES = ['none', 'viewer', 'member', 'admin'] as const
const OF_EVENTS: readonly Permission[] = ['event:read', 'event:write', 'event:delete']

const outcome = async (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'open',
    (error: SondeError) => error.kind,
  )

describe('what teams decide', () => {
  let harness: Harness
  let other: number
  const people = new Map<string, string>()
  before(async () => {
    harness = await openHarness()
    const { db, acme, shop, rival, secret } = harness
    const row = { org_id: acme, slug: 'api', name: 'api', platform: 'node', created_ms: NOW_MS }
    const { id } = await db.insertInto('project').values(row).returning('id').executeTakeFirstOrThrow()
    other = id
    for (const role of ROLES)
      for (const byTeam of TEAM_ROLES) {
        const userId = await harness.member(`${role}-${byTeam}@acme.test`, role)
        people.set(`${role} ${byTeam}`, userId)
        if (byTeam === 'none') continue
        await team(acme, `${role}-${byTeam}`, userId, [[shop, byTeam]])
      }
    // A team of another organization gives nothing here, whoever is in it.
    await team(rival, 'strangers', people.get('viewer none') ?? '', [[secret, 'admin']])
  })
  after(() => harness.close())

  async function team(
    orgId: number,
    slug: string,
    userId: string,
    projects: readonly (readonly [number, 'admin' | 'member' | 'viewer'])[],
  ): Promise<void> {
    const { db } = harness
    const row = { org_id: orgId, slug, name: slug, created_ms: NOW_MS }
    const { id } = await db.insertInto('team').values(row).returning('id').executeTakeFirstOrThrow()
    await db.insertInto('team_member').values({ team_id: id, user_id: userId, created_ms: NOW_MS }).execute()
    for (const [project_id, role] of projects)
      await db.insertInto('team_project').values({ team_id: id, project_id, role }).execute()
  }
  const see = (members_see: 'all' | 'teams') =>
    harness.db.updateTable('organization').set({ members_see }).where('id', '=', harness.acme).execute()
  const viewerOf = (role: Role, byTeam: string): UserViewer => ({
    kind: 'user',
    userId: people.get(`${role} ${byTeam}`) ?? '',
    email: 'u@acme.test',
    name: 'U',
    isOperator: false,
    memberships: [{ orgId: harness.acme, orgSlug: 'acme', orgName: 'ACME', role }],
  })

  for (const members of MEMBERS_SEE)
    for (const role of ROLES)
      for (const byTeam of TEAM_ROLES)
        it(`${role}, ${byTeam} by a team, members see ${members}`, async () => {
          await see(members)
          const { access, shop } = harness
          const viewer = viewerOf(role, byTeam)
          const isLimited = members === 'teams' && (role === 'viewer' || role === 'member')
          for (const permission of PERMISSIONS) {
            const least = RANK[LEAST[permission]]
            const inOrg = RANK[role] >= least
            const inShop = Math.max(RANK[role], RANK[byTeam]) >= least
            const isShopSeen = !isLimited || byTeam !== 'none'

            const ofShop = isShopSeen ? inShop : inOrg
            assert.equal(
              await outcome(access.openProject(viewer, 'acme', 'shop', permission)),
              !ofShop ? 'forbidden' : isShopSeen ? 'open' : 'not-found',
              `${permission} of shop`,
            )
            for (const project of ['api', other])
              assert.equal(
                await outcome(access.openProject(viewer, 'acme', project, permission)),
                !inOrg ? 'forbidden' : isLimited ? 'not-found' : 'open',
                `${permission} of ${project}`,
              )
            // What is hidden is answered like what is not there.
            if (isLimited)
              assert.equal(
                await outcome(access.openProject(viewer, 'acme', 'nowhere', permission)),
                await outcome(access.openProject(viewer, 'acme', 'api', permission)),
              )

            const opened = access.openOrg(viewer, 'acme', permission)
            const isByTeam = !inOrg && OF_EVENTS.includes(permission) && byTeam !== 'none' && inShop
            assert.equal(
              await outcome(opened),
              inOrg || isByTeam ? 'open' : 'forbidden',
              `${permission} of acme`,
            )
            if (!inOrg && !isByTeam) continue
            const grant = (await opened) as Grant<'event:read', 'org'>
            const expected =
              isByTeam || (isLimited && byTeam !== 'none') ? [shop] : isLimited ? [] : undefined
            assert.deepEqual(grant.projects, expected, `projects of ${permission}`)
            const [listed] = await access.openOrgs(viewer, permission)
            assert.deepEqual(listed?.projects, expected)
          }
        })

  it('a further permission of an organization is for the projects that have it', async () => {
    await see('all')
    const grant = await harness.access.openOrg(viewerOf('viewer', 'member'), 'acme', 'event:read')
    assert.equal(grant.projects, undefined)
    assert.equal(mayAlso(grant, 'event:write'), true)
    assert.equal(mayAlso(grant, 'alert:write'), false)
    assert.deepEqual(requireAlso(grant, 'event:write').projects, [harness.shop])
    const own = await harness.access.openProject(viewerOf('viewer', 'member'), 'acme', 'shop', 'event:read')
    assert.equal(mayAlso(own, 'alert:write'), true)
    const others = await harness.access.openProject(viewerOf('viewer', 'member'), 'acme', 'api', 'event:read')
    assert.equal(mayAlso(others, 'event:write'), false)
    assert.throws(() => requireAlso(others, 'event:write'), { kind: 'forbidden' })
  })

  it('the greatest role of several teams counts', async () => {
    await see('teams')
    const userId = await harness.member('two@acme.test', 'viewer')
    people.set('viewer two', userId)
    await team(harness.acme, 'first', userId, [
      [harness.shop, 'admin'],
      [other, 'viewer'],
    ])
    await team(harness.acme, 'second', userId, [
      [harness.shop, 'viewer'],
      [other, 'member'],
    ])
    const viewer = viewerOf('viewer', 'two')
    const open = (project: string, permission: Permission) =>
      outcome(harness.access.openProject(viewer, 'acme', project, permission))
    assert.equal(await open('shop', 'project:write'), 'open')
    assert.equal(await open('api', 'event:write'), 'open')
    assert.equal(await open('api', 'project:write'), 'forbidden')
    const writable = await harness.access.openOrg(viewer, 'acme', 'event:write')
    assert.deepEqual(writable.projects, [harness.shop, other])
  })

  it('a personal token sees what its person sees, within its scopes; a token of the organization sees everything', async () => {
    await see('teams')
    const { access, shop } = harness
    const userId = people.get('viewer member')
    assert.ok(userId)
    const personal = await access.viewerFromToken(await harness.token(['event:write'], { userId }))
    assert.ok(personal)
    assert.deepEqual((await access.openOrg(personal, 'acme', 'event:write')).projects, [shop])
    assert.equal(await outcome(access.openProject(personal, 'acme', 'api', 'event:read')), 'not-found')
    assert.equal(await outcome(access.openProject(personal, 'acme', 'shop', 'event:write')), 'open')
    assert.equal(await outcome(access.openProject(personal, 'acme', 'shop', 'alert:write')), 'forbidden')
    assert.equal(await outcome(access.openOrg(personal, 'acme', 'alert:read')), 'forbidden')
    const ofOrg = await access.viewerFromToken(await harness.token(['event:read', 'project:read']))
    assert.ok(ofOrg)
    assert.equal((await access.openOrg(ofOrg, 'acme', 'event:read')).projects, undefined)
    assert.equal(await outcome(access.openProject(ofOrg, 'acme', 'api', 'event:read')), 'open')
  })

  it('holds at the next request', async () => {
    await see('all')
    const viewer = viewerOf('member', 'none')
    assert.equal(await outcome(harness.access.openProject(viewer, 'acme', 'api', 'event:read')), 'open')
    await see('teams')
    assert.equal(await outcome(harness.access.openProject(viewer, 'acme', 'api', 'event:read')), 'not-found')
  })
})
