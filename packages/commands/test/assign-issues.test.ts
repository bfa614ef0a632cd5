import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { actorOf, operatorViewer, type UserViewer, type Viewer } from '@sonde/access'
import {
  assignIssues,
  changeIssues,
  ensureProject,
  InvalidInput,
  removeMember,
  undoIssues,
} from '@sonde/commands'
import { assigneeOf } from '@sonde/stores'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

describe('assignIssues', () => {
  let harness: Harness
  let ada: UserViewer
  let ben: UserViewer
  let ids: readonly number[]
  let teamId: number
  const team = async (org: string, slug: string): Promise<number> => {
    const { orgId } = await harness.deps.access.openOrg(operatorViewer, org, 'org:read')
    const row = await harness.db
      .insertInto('team')
      .values({ org_id: orgId, slug, name: slug, created_ms: NOW_MS })
      .returning('id')
      .executeTakeFirstOrThrow()
    return row.id
  }
  before(async () => {
    harness = await openHarness()
    const shop = await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop' })
    await ensureProject(harness.deps, operatorViewer, { org: 'rival', slug: 'secret' })
    ids = await harness.issues(shop.id, 3)
    ada = await harness.viewer('acme', 'member', 'ada@acme.test')
    ben = await harness.viewer('acme', 'admin', 'ben@acme.test')
    await harness.viewer('rival', 'member', 'eve@rival.test')
    teamId = await team('acme', 'checkout')
    await harness.db
      .insertInto('team_member')
      .values({ team_id: teamId, user_id: ben.userId, created_ms: NOW_MS })
      .execute()
  })
  after(() => harness.close())

  const grant = (viewer: Viewer = ada) => harness.deps.access.openOrg(viewer, 'acme', 'event:write')
  const assign = async (assignee: string, of = ids, viewer: Viewer = ada) =>
    assignIssues(harness.deps, await grant(viewer), { ids: of, assignee })
  const assignees = async (): Promise<string[]> => {
    const rows = await harness.db
      .selectFrom('issue')
      .selectAll()
      .where('id', 'in', ids)
      .orderBy('id')
      .execute()
    return rows.map((row) => assigneeOf(row))
  }
  const lastChanges = async (count: number) => {
    const rows = await harness.db
      .selectFrom('issue_change')
      .select(['issue_id', 'kind', 'actor', 'detail'])
      .orderBy('id', 'desc')
      .limit(count)
      .execute()
    return rows.toReversed().map(({ detail, ...row }) => ({ ...row, detail: JSON.parse(detail) as unknown }))
  }

  it('takes every form that Sentry’s API has for a person and a team', async () => {
    const toBen = `user:${ben.userId}`
    const forms = [
      ['me', `user:${ada.userId}`],
      ['ben@acme.test', toBen],
      [' BEN@acme.test ', toBen],
      [ben.userId, toBen],
      ['#checkout', `team:${teamId}`],
      [toBen, toBen],
      [`team:${teamId}`, `team:${teamId}`],
      ['', ''],
    ] as const
    for (const [form, expected] of forms) {
      await assign(form)
      assert.deepEqual(await assignees(), [expected, expected, expected], form)
    }
  })

  it('says in the activity who had it, and in the audit how many', async () => {
    const [first = 0] = ids
    await assign('me', [first])
    await assign('#checkout', [first])
    await assign('', [first])
    const actor = actorOf(ada)
    const own = `user:${ada.userId}`
    assert.deepEqual(await lastChanges(3), [
      { issue_id: first, kind: 'assigned', actor, detail: { assignee: own, before: '' } },
      { issue_id: first, kind: 'assigned', actor, detail: { assignee: `team:${teamId}`, before: own } },
      { issue_id: first, kind: 'unassigned', actor, detail: { before: `team:${teamId}` } },
    ])
    assert.deepEqual((await harness.audit()).slice(-2), [
      `${actor} issue.assign acme`,
      `${actor} issue.unassign acme`,
    ])
  })

  it('changes nothing for what is assigned so already', async () => {
    await assign('me')
    const audited = await harness.audit()
    const again = await assign('me')
    assert.deepEqual([again.ids, again.before, again.undo], [ids, [], undefined])
    assert.deepEqual(await harness.audit(), audited)
  })

  it('subscribes whoever is assigned, and everybody in a team', async () => {
    await assign('#checkout')
    const rows = await harness.db
      .selectFrom('issue_subscription')
      .select(['issue_id', 'reason', 'is_active'])
      .where('user_id', '=', ben.userId)
      .orderBy('issue_id')
      .execute()
    assert.deepEqual(
      rows,
      ids.map((issue_id) => ({ issue_id, reason: 'assigned', is_active: 1 })),
    )
  })

  it('knows nobody of another organization, and nobody at all', async () => {
    const rivals = await team('rival', 'rivals')
    for (const form of [
      'eve@rival.test',
      '#rivals',
      `team:${rivals}`,
      'user:nobody',
      'nobody',
      '#none',
      'team:x',
    ])
      await assert.rejects(assign(form), InvalidInput, form)
    await assert.rejects(assign('me', ids, operatorViewer), InvalidInput)
  })

  it('does not touch issues of another organization', async () => {
    const other = await harness.deps.access.openOrg(operatorViewer, 'rival', 'event:write')
    const outcome = await assignIssues(harness.deps, other, { ids, assignee: 'eve@rival.test' })
    assert.deepEqual([outcome.ids, outcome.undo], [[], undefined])
  })

  it('is undone to whoever had each, but not where somebody has assigned it since', async () => {
    const [first = 0, second = 0, third = 0] = ids
    await assign('')
    await assign('ben@acme.test', [first])
    await assign('#checkout', [second])
    const { undo = '' } = await assign('me')
    await assign('ben@acme.test', [third])
    const undone = await undoIssues(harness.deps, await grant(), { undo })
    assert.deepEqual(undone, { count: 2 })
    assert.deepEqual(await assignees(), [`user:${ben.userId}`, `team:${teamId}`, `user:${ben.userId}`])
  })

  it('resolves and assigns in one change, which one undo takes back', async () => {
    await assign('')
    const { count, undo = '' } = await changeIssues(
      harness.deps,
      await grant(),
      { state: { status: 'resolved' }, assignee: 'me' },
      { ids },
    )
    assert.equal(count, 3)
    assert.deepEqual(await harness.states(ids), ['resolved', 'resolved', 'resolved'])
    await undoIssues(harness.deps, await grant(), { undo })
    assert.deepEqual(await assignees(), ['', '', ''])
    assert.deepEqual(
      await harness.states(ids),
      ids.map(() => 'unresolved new'),
    )
  })

  it('refuses what is no undo, whatever stands beside one', async () => {
    for (const undo of [
      'assignee=<',
      'assignee=<:',
      'priority=x<:1',
      'assignee=<:1|',
      'assignee=%<:1',
      `a=<:1`,
    ])
      await assert.rejects(
        harness.deps.access
          .openOrg(ada, 'acme', 'event:write')
          .then((own) => undoIssues(harness.deps, own, { undo })),
        InvalidInput,
        undo,
      )
  })

  it('who leaves the organization has no issues of it any more', async () => {
    await assign('me')
    const admin = await harness.deps.access.openOrg(ben, 'acme', 'member:write')
    await removeMember(harness.deps, admin, { userId: ada.userId })
    assert.deepEqual(await assignees(), ['', '', ''])
    const [last] = await lastChanges(1)
    assert.deepEqual([last?.kind, last?.actor], ['unassigned', actorOf(ben)])
    await assert.rejects(assign('ada@acme.test', ids, ben), InvalidInput)
  })

  it('nobody is given issues of a project that they do not see', async () => {
    const { db } = harness
    const see = (members_see: 'all' | 'teams') =>
      db.updateTable('organization').set({ members_see }).where('slug', '=', 'acme').execute()
    await assign('')
    const cleo = await harness.viewer('acme', 'member', 'cleo@acme.test')
    await see('teams')
    await assert.rejects(assign(`user:${cleo.userId}`, ids, ben), (error: InvalidInput) =>
      /does not see the project shop/.test(error.fields['assignedTo']?.[0] ?? ''),
    )
    await assert.rejects(assign(`team:${teamId}`, ids, ben), (error: InvalidInput) =>
      /this team does not see the project shop/.test(error.fields['assignedTo']?.[0] ?? ''),
    )
    assert.deepEqual(await assignees(), ['', '', ''])
    const { project_id } = await db
      .selectFrom('issue')
      .select('project_id')
      .where('id', '=', ids[0] ?? 0)
      .executeTakeFirstOrThrow()
    await db.insertInto('team_project').values({ team_id: teamId, project_id, role: 'member' }).execute()
    await db
      .insertInto('team_member')
      .values({ team_id: teamId, user_id: cleo.userId, created_ms: NOW_MS })
      .execute()
    await assign(`user:${cleo.userId}`, ids, ben)
    assert.deepEqual(new Set(await assignees()), new Set([`user:${cleo.userId}`]))

    // Who is removed leaves nothing of their own behind.
    const marks = async () =>
      Promise.all(
        (['issue_subscription', 'issue_bookmark', 'saved_search'] as const).map(
          async (table) =>
            (await db.selectFrom(table).select('user_id').where('user_id', '=', cleo.userId).execute())
              .length,
        ),
      )
    const [issue_id = 0] = ids
    await db.insertInto('issue_bookmark').values({ issue_id, user_id: cleo.userId, at_ms: 1 }).execute()
    const own = { user_id: cleo.userId, name: 'own', query: '', sort: 'date', created_by: '', created_ms: 1 }
    const { orgId } = await grant(ben)
    await db
      .insertInto('saved_search')
      .values({ org_id: orgId, ...own })
      .execute()
    assert.deepEqual(await marks(), [ids.length, 1, 1])
    const mayRemove = await harness.deps.access.openOrg(ben, 'acme', 'member:write')
    await removeMember(harness.deps, mayRemove, { userId: cleo.userId })
    assert.deepEqual(await marks(), [0, 0, 0])
    assert.deepEqual(await assignees(), ['', '', ''])
    await see('all')
  })
})
