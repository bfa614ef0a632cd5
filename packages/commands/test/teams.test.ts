import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { operatorViewer, type UserViewer, type Viewer } from '@sonde/access'
import type { SondeError } from '@sonde/base'
import {
  addTeamMember,
  createProject,
  createTeam,
  createToken,
  deleteTeam,
  deleteUser,
  ensureProject,
  InvalidInput,
  removeMember,
  removeTeamMember,
  removeTeamProject,
  setMembersSee,
  setMemberRole,
  setTeamProject,
  updateTeam,
} from '@sonde/commands'
import type { Role } from '@sonde/stores'
import { type Harness, openHarness } from './harness.ts'

const kind = (expected: string) => (error: SondeError) => error.kind === expected

describe('teams', () => {
  let harness: Harness
  const people = new Map<Role, UserViewer>()
  const person = (role: Role): UserViewer => people.get(role) as UserViewer
  beforeEach(async () => {
    harness = await openHarness()
    await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop' })
    await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'api' })
    for (const role of ['owner', 'admin', 'member', 'viewer'] as const)
      people.set(role, await harness.viewer('acme', role))
  })
  afterEach(() => harness.close())

  const org = <
    P extends 'team:write' | 'team:delete' | 'member:read' | 'member:write' | 'org:write' | 'project:create',
  >(
    viewer: Viewer,
    permission: P,
  ) => harness.access.openOrg(viewer, 'acme', permission)
  const project = (viewer: Viewer, slug: string) =>
    harness.access.openProject(viewer, 'acme', slug, 'project:write')
  const make = async (name: string) =>
    createTeam(harness.deps, await org(person('admin'), 'team:write'), { name })
  const add = async (by: Viewer, team: string | number, who: UserViewer) =>
    addTeamMember(harness.deps, await org(by, 'member:read'), { team, userId: who.userId })
  const teamsOf = async (who: UserViewer): Promise<number> =>
    (await harness.db.selectFrom('team_member').select('team_id').where('user_id', '=', who.userId).execute())
      .length

  it('are called by any script; what no slug can have is left out', async () => {
    const names = ['Équipe «Données» 📊', '検索', 'الدفع', '2026', '📊 Web']
    const slugs: string[] = []
    for (const name of names) slugs.push((await make(name)).slug)
    assert.deepEqual(slugs, ['equipe-donnees', 'team-1', 'team-2', 'team-2026', 'web'])
    const grant = await org(person('admin'), 'team:delete')
    for (const team of slugs) await deleteTeam(harness.deps, grant, { team })
  })

  it('are made by admins, with a slug out of the name; each step is in the audit log', async () => {
    await assert.rejects(org(person('member'), 'team:write'), kind('forbidden'))
    const web = await make('Web & Mobile')
    assert.equal(web.slug, 'web-mobile')
    await assert.rejects(make('web mobile'), (error: InvalidInput) => 'slug' in error.fields)
    for (const empty of ['', '  '])
      await assert.rejects(make(empty), (error: InvalidInput) => 'name' in error.fields)
    const grant = await org(person('admin'), 'team:write')
    assert.equal((await updateTeam(harness.deps, grant, { team: web.id, slug: 'web' })).slug, 'web')
    await add(person('admin'), 'web', person('viewer'))
    await setTeamProject(harness.deps, await project(person('admin'), 'shop'), {
      team: 'web',
      role: 'member',
    })
    await removeTeamProject(harness.deps, await project(person('admin'), 'shop'), { team: 'web' })
    await removeTeamMember(harness.deps, await org(person('viewer'), 'member:read'), {
      team: 'web',
      userId: person('viewer').userId,
    })
    const mayDelete = await org(person('admin'), 'team:delete')
    await deleteTeam(harness.deps, mayDelete, { team: 'web' })
    const actor = `user:${person('admin').userId}`
    assert.deepEqual((await harness.audit()).slice(-7), [
      `${actor} team.create acme #web-mobile`,
      `${actor} team.update acme #web`,
      `${actor} team.member-add acme #web`,
      `${actor} team.project-set acme #web`,
      `${actor} team.project-remove acme #web`,
      `user:${person('viewer').userId} team.member-remove acme #web`,
      `${actor} team.delete acme #web`,
    ])
    await assert.rejects(deleteTeam(harness.deps, mayDelete, { team: 'web' }), kind('not-found'))
  })

  it('take members alone, and no team of another organization', async () => {
    const { id } = await make('Web')
    await ensureProject(harness.deps, operatorViewer, { org: 'rival', slug: 'secret' })
    const stranger = await harness.viewer('rival', 'owner')
    await assert.rejects(add(person('owner'), id, stranger), kind('not-found'))
    await assert.rejects(
      addTeamMember(harness.deps, await harness.access.openOrg(stranger, 'rival', 'member:read'), {
        team: id,
        userId: stranger.userId,
      }),
      kind('not-found'),
    )
    const secret = await harness.access.openProject(stranger, 'rival', 'secret', 'project:write')
    await assert.rejects(
      setTeamProject(harness.deps, secret, { team: id, role: 'viewer' }),
      kind('not-found'),
    )
  })

  it('a member joins by themselves where that gives nothing, and leaves whenever they want', async () => {
    const { id } = await make('Web')
    const viewer = person('viewer')
    await assert.rejects(add(viewer, id, person('member')), kind('forbidden'))
    assert.deepEqual(await add(viewer, id, viewer), { isNew: true })
    assert.deepEqual(await add(viewer, id, viewer), { isNew: false })
    const input = { team: id, userId: viewer.userId }
    const grant = await org(viewer, 'member:read')
    assert.deepEqual(await removeTeamMember(harness.deps, grant, input), { wasMember: true })

    await setTeamProject(harness.deps, await project(person('admin'), 'shop'), { team: id, role: 'member' })
    await assert.rejects(add(viewer, id, viewer), kind('forbidden'), 'it would make a member of a viewer')
    await add(person('member'), id, person('member'))

    await setMembersSee(harness.deps, await org(person('owner'), 'org:write'), { membersSee: 'teams' })
    const { id: idle } = await make('Idle')
    await assert.rejects(add(viewer, idle, viewer), kind('forbidden'), 'it would show other projects')
    await removeTeamMember(harness.deps, await org(person('member'), 'member:read'), {
      team: id,
      userId: person('member').userId,
    })
  })

  it('whoever has a project by a team gives it to others, and no role beyond their own', async () => {
    const { id } = await make('Web')
    const { id: other } = await make('Other')
    await setTeamProject(harness.deps, await project(person('admin'), 'shop'), { team: id, role: 'admin' })
    await add(person('admin'), id, person('viewer'))
    const shop = await project(person('viewer'), 'shop')
    await assert.rejects(project(person('viewer'), 'api'), kind('forbidden'))
    assert.deepEqual(await setTeamProject(harness.deps, shop, { team: other, role: 'admin' }), {
      isNew: true,
    })
    assert.deepEqual(await setTeamProject(harness.deps, shop, { team: other, role: 'member' }), {
      isNew: false,
    })
  })

  it('a token gives no role beyond its scopes, in a team or in the organization', async () => {
    const { id } = await make('Web')
    const tokenWith = async (scopes: readonly string[]) => {
      const grant = await harness.access.openOrg(person('owner'), 'acme', 'token:write')
      const input = { name: 'test', scopes, currentPassword: 'correct horse' }
      const { token } = await createToken(harness.deps, grant, input)
      const viewer = await harness.access.viewerFromToken(token)
      assert.ok(viewer)
      return viewer
    }
    const edits = await tokenWith(['team:write'])
    await updateTeam(harness.deps, await org(edits, 'team:write'), { team: id, name: 'Webs' })
    await assert.rejects(org(edits, 'team:delete'), kind('forbidden'))
    const teams = await tokenWith(['team:admin', 'project:write', 'member:admin'])
    await setTeamProject(harness.deps, await project(teams, 'shop'), { team: id, role: 'viewer' })
    await add(teams, id, person('viewer'))
    for (const role of ['member', 'admin'] as const)
      await assert.rejects(
        setTeamProject(harness.deps, await project(teams, 'shop'), { team: id, role }),
        kind('forbidden'),
      )
    await setTeamProject(harness.deps, await project(person('admin'), 'shop'), { team: id, role: 'admin' })
    await assert.rejects(add(teams, id, person('member')), kind('forbidden'))

    const members = await org(teams, 'member:write')
    const set = (who: Role, role: Role) =>
      setMemberRole(harness.deps, members, { userId: person(who).userId, role })
    await assert.rejects(set('viewer', 'admin'), kind('forbidden'))
    await assert.rejects(set('viewer', 'member'), kind('forbidden'))
    await assert.rejects(set('admin', 'viewer'), kind('forbidden'))
    await assert.rejects(removeMember(harness.deps, members, person('admin')), kind('forbidden'))
    const work = await tokenWith('member:write org:read project:releases event:write alerts:write'.split(' '))
    await setMemberRole(harness.deps, await org(work, 'member:write'), {
      userId: person('viewer').userId,
      role: 'member',
    })
    await assert.rejects(
      setMemberRole(harness.deps, await org(work, 'member:write'), {
        userId: person('viewer').userId,
        role: 'admin',
      }),
      kind('forbidden'),
    )
  })

  it('whoever leaves the organization leaves its teams in the same step', async () => {
    const { id } = await make('Web')
    await add(person('admin'), id, person('member'))
    await add(person('admin'), id, person('viewer'))
    await removeMember(harness.deps, await org(person('admin'), 'member:write'), person('member'))
    assert.equal(await teamsOf(person('member')), 0)
    await deleteUser(harness.deps, operatorViewer, { email: person('viewer').email })
    assert.equal(await teamsOf(person('viewer')), 0)
  })

  it('a project may be made with its team', async () => {
    await make('Web')
    const grant = await org(person('admin'), 'project:create')
    const { id } = await createProject(harness.deps, grant, { slug: 'blog', team: 'web' })
    const rows = await harness.db
      .selectFrom('team_project')
      .selectAll()
      .where('project_id', '=', id)
      .execute()
    assert.deepEqual(
      rows.map(({ role }) => role),
      ['viewer'],
    )
    await assert.rejects(
      createProject(harness.deps, grant, { slug: 'other', team: 'nobody' }),
      kind('not-found'),
    )
  })
})
