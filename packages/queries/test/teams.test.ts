import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { listMembers, listTeams } from '@sonde/queries'
import { type Harness, NOW_MS, openHarness, type OrgGrant, type ProjectGrant } from './harness.ts'

describe('teams', () => {
  let harness: Harness
  let acme: OrgGrant
  let shop: ProjectGrant
  before(async () => {
    harness = await openHarness()
    acme = await harness.org('acme')
    shop = await harness.project(acme, 'shop')
    const api = await harness.project(acme, 'api')
    const rival = await harness.org('rival')
    const { db } = harness
    const team = async (orgId: number, slug: string): Promise<number> => {
      const row = { org_id: orgId, slug, name: slug.toUpperCase(), created_ms: NOW_MS }
      const { id } = await db.insertInto('team').values(row).returning('id').executeTakeFirstOrThrow()
      return id
    }
    const web = await team(acme.orgId, 'web')
    await team(acme.orgId, 'idle')
    await team(rival.orgId, 'secret')
    for (const id of ['ada', 'bob'])
      await db
        .insertInto('user')
        .values({
          id,
          email: `${id}@acme.test`,
          name: id,
          emailVerified: 1,
          isOperator: 0,
          createdAt: new Date(NOW_MS).toISOString(),
          updatedAt: new Date(NOW_MS).toISOString(),
        } as never)
        .execute()
    for (const user_id of ['ada', 'bob'])
      await db.insertInto('team_member').values({ team_id: web, user_id, created_ms: NOW_MS }).execute()
    await db
      .insertInto('team_project')
      .values([
        { team_id: web, project_id: shop.projectId, role: 'admin' },
        { team_id: web, project_id: api.projectId, role: 'viewer' },
      ])
      .execute()
  })
  after(() => harness.close())

  it('lists those of the organization with how many are in them and their projects', async () => {
    const rows = await listTeams(harness.deps, acme)
    assert.deepEqual(
      rows.map(({ slug, name, memberCount, isMember, projects }) => ({
        slug,
        name,
        memberCount,
        isMember,
        projects: projects.map((project) => `${project.slug} ${project.role}`),
      })),
      [
        { slug: 'idle', name: 'IDLE', memberCount: 0, isMember: false, projects: [] },
        { slug: 'web', name: 'WEB', memberCount: 2, isMember: false, projects: ['api viewer', 'shop admin'] },
      ],
    )
  })

  it('lists those that have a project', async () => {
    const rows = await listTeams(harness.deps, shop)
    assert.deepEqual(
      rows.map(({ slug, projects }) => [slug, projects.map((project) => project.slug)]),
      [['web', ['shop']]],
    )
  })

  it('the members of a project are those who see it', async () => {
    const { db, deps } = harness
    const member = (user_id: string, role: 'viewer' | 'owner') => ({
      org_id: acme.orgId,
      user_id,
      role,
      created_ms: NOW_MS,
    })
    await db
      .insertInto('member')
      .values([member('ada', 'owner'), member('bob', 'viewer')])
      .execute()
    await db.deleteFrom('team_member').where('user_id', '=', 'bob').execute()
    const emails = async () => (await listMembers(deps, shop)).map(({ email }) => email)
    assert.deepEqual(await emails(), ['ada@acme.test', 'bob@acme.test'])
    await db.updateTable('organization').set({ members_see: 'teams' }).where('id', '=', acme.orgId).execute()
    assert.deepEqual(await emails(), ['ada@acme.test'])
    assert.equal((await listMembers(deps, acme)).length, 2)
  })
})
