import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { AutoAssignment } from '@sonde/stores'
import { errorEnvelope, type Harness, openHarness, until } from './harness.ts'

let harness: Harness
let shop: number
let orgId: number
let teamId: number
let version = 0
let eventCount = 0

async function own(rules: string, auto_assignment: AutoAssignment = 'owners'): Promise<void> {
  const values = { rules, auto_assignment, is_for_all: 1, version: ++version, updated_ms: 0, updated_by: '' }
  await harness.records
    .insertInto('project_ownership')
    .values({ project_id: shop, ...values })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(values))
    .execute()
}

const stackOf = (...files: readonly string[]) => ({
  frames: files.map((filename) => ({ filename, in_app: true, lineno: 1, function: 'f' })),
})

/** One event of an issue that nobody has seen before, stored; returns the issue. */
async function digest(kind: string, files: readonly string[], more: object = {}) {
  const id = ++eventCount
  const exception = [{ type: kind, value: 'it broke', stacktrace: stackOf(...files) }]
  await harness.append(shop, errorEnvelope(id, kind, { exception, ...more }))
  const pipeline = await harness.start()
  const stored = async () => (await harness.events(shop)).length === id
  await until(stored, 'the event is stored')
  const counted = async () =>
    (await harness.issues(shop)).reduce((sum, { event_count: n }) => sum + n, 0) === id
  await until(counted, 'the event is counted')
  await pipeline.stop()
  const events = await harness.events(shop)
  const issue = (await harness.issues(shop)).find((each) => each.id === events.at(-1)?.issue_id)
  assert.ok(issue)
  return issue
}

const changesOf = async (issueId: number) =>
  (
    await harness.records
      .selectFrom('issue_change')
      .select(['kind', 'actor', 'detail'])
      .where('issue_id', '=', issueId)
      .where('kind', 'in', ['assigned', 'unassigned'])
      .execute()
  ).map(({ kind, actor, detail }) => ({ kind, actor, detail: JSON.parse(detail) as unknown }))

const ownersOf = async (issueId: number) =>
  (
    await harness.records
      .selectFrom('issue_owner')
      .select(['kind', 'user_id', 'team_id', 'reason'])
      .where('issue_id', '=', issueId)
      .orderBy('position')
      .execute()
  ).map(({ kind, user_id, team_id, reason }) => [kind, user_id ?? team_id, reason])

async function person(id: string): Promise<void> {
  const at = new Date(0).toISOString()
  await harness.records
    .insertInto('user')
    .values({
      id,
      email: `${id}@acme.test`,
      name: id,
      emailVerified: 1,
      createdAt: at,
      updatedAt: at,
    } as never)
    .execute()
  await harness.records
    .insertInto('member')
    .values({ org_id: orgId, user_id: id, role: 'member', created_ms: 0 })
    .execute()
}

describe('owners of new issues', () => {
  before(async () => {
    harness = await openHarness()
    shop = await harness.createProject('shop')
    orgId = (await harness.records.selectFrom('organization').select('id').executeTakeFirstOrThrow()).id
    await person('ada')
    await person('grace')
    const team = { org_id: orgId, slug: 'payments', name: 'Payments', created_ms: 0 }
    teamId = (await harness.records.insertInto('team').values(team).returning('id').executeTakeFirstOrThrow())
      .id
    await harness.records
      .insertInto('team_project')
      .values({ team_id: teamId, project_id: shop, role: 'member' })
      .execute()
    await harness.records
      .insertInto('team_member')
      .values({ team_id: teamId, user_id: 'grace', created_ms: 0 })
      .execute()
  })
  after(() => harness.close())

  it('nobody is, while there are no rules', async () => {
    const issue = await digest('NoRules', ['src/pay/card.ts'])
    assert.deepEqual([issue.assignee_team_id, issue.assignee_user_id], [null, null])
  })

  it('the first owner of the last rule that matches is assigned in the transaction that counts, and subscribed', async () => {
    await own('path:src/* ada@acme.test\npath:src/pay/* #payments ada@acme.test\npath:src/x/* #payments')
    const issue = await digest('Rules', ['src/pay/card.ts'])
    assert.deepEqual([issue.assignee_team_id, issue.assignee_user_id], [teamId, null])
    const rule = 'path:src/pay/* #payments ada@acme.test'
    assert.deepEqual(await changesOf(issue.id), [
      { kind: 'assigned', actor: '', detail: { assignee: `team:${teamId}`, by: 'ownership_rule', rule } },
    ])
    assert.deepEqual(await ownersOf(issue.id), [
      ['ownership_rule', teamId, rule],
      ['ownership_rule', 'ada', rule],
    ])
    const subscribed = await harness.records
      .selectFrom('issue_subscription')
      .select(['user_id', 'reason'])
      .where('issue_id', '=', issue.id)
      .execute()
    assert.deepEqual(subscribed, [{ user_id: 'grace', reason: 'assigned' }])
  })

  it('an owner who is nobody here is passed over, and then the rule before decides', async () => {
    await own('path:src/* ada@acme.test\npath:src/pay/* #strangers gone@acme.test')
    const issue = await digest('Strangers', ['src/pay/card.ts'])
    assert.equal(issue.assignee_user_id, 'ada')
  })

  it('switched off, owners are noted and nobody is assigned', async () => {
    await own('path:src/* ada@acme.test', 'off')
    const issue = await digest('Off', ['src/pay/card.ts'])
    assert.equal(issue.assignee_user_id, null)
    assert.deepEqual(await ownersOf(issue.id), [['ownership_rule', 'ada', 'path:src/* ada@acme.test']])
  })

  it('what came back is assigned when nobody ever was; what a person decided stays', async () => {
    await own('')
    const first = await digest('Back', ['src/pay/card.ts'])
    await own('path:src/* ada@acme.test')
    const resolve = () =>
      harness.records.updateTable('issue').set({ status: 'resolved' }).where('id', '=', first.id).execute()
    await resolve()
    assert.equal((await digest('Back', ['src/pay/card.ts'])).assignee_user_id, 'ada')
    await harness.records
      .updateTable('issue')
      .set({ assignee_user_id: null })
      .where('id', '=', first.id)
      .execute()
    await harness.records
      .insertInto('issue_change')
      .values({
        project_id: shop,
        issue_id: first.id,
        kind: 'unassigned',
        event_id: '',
        actor: 'user:grace',
        at_ms: 1,
        is_pending: 0,
      })
      .execute()
    await resolve()
    assert.equal((await digest('Back', ['src/pay/card.ts'])).assignee_user_id, null)
  })

  it('CODEOWNERS stand behind rules, in the paths of the repository, by the names that were mapped', async () => {
    const file = {
      project_id: shop,
      repository: 'acme/shop',
      content: '* @acme/all\n/web/src/pay/ @acme/pay\n/web/src/none/\n',
      stack_root: 'src/',
      source_root: 'web/src/',
      created_ms: 0,
      updated_ms: 0,
      updated_by: '',
    }
    await harness.records.insertInto('codeowners_file').values(file).execute()
    await harness.records
      .insertInto('codeowners_owner')
      .values([
        { project_id: shop, name: '@acme/pay', user_id: null, team_id: teamId },
        { project_id: shop, name: '@acme/all', user_id: 'grace', team_id: null },
      ])
      .execute()
    await own('path:src/rules/* ada@acme.test')
    const issue = await digest('Files', ['src/pay/card.ts'])
    assert.equal(issue.assignee_team_id, teamId)
    assert.deepEqual(await ownersOf(issue.id), [
      ['codeowners', teamId, '/web/src/pay/ @acme/pay'],
      ['codeowners', 'grace', '* @acme/all'],
    ])
    assert.equal((await digest('RulesFirst', ['src/pay/x.ts', 'src/rules/a.ts'])).assignee_user_id, 'ada')
    const unowned = await digest('Unowned', ['src/none/a.ts'])
    assert.deepEqual([unowned.assignee_user_id, unowned.assignee_team_id], [null, null])
  })

  it('the author of the suspect commit is assigned first where the project says so', async () => {
    const { records } = harness
    const release = { org_id: orgId, version: 'shop@2', created_ms: 0 }
    const { id: releaseId } = await records
      .insertInto('release')
      .values(release)
      .returning('id')
      .executeTakeFirstOrThrow()
    const commit = {
      org_id: orgId,
      repository: 'acme/shop',
      sha: 'c0ffee',
      author_name: 'Grace',
      author_email: 'Grace@acme.test',
      message: 'm',
      at_ms: Date.now(),
    }
    const { id: commitId } = await records
      .insertInto('source_commit')
      .values(commit)
      .returning('id')
      .executeTakeFirstOrThrow()
    await records
      .insertInto('source_commit_file')
      .values({ commit_id: commitId, path: 'web/src/cart/sum.ts', change: 'M' })
      .execute()
    await records
      .insertInto('release_commit')
      .values({ release_id: releaseId, position: 0, commit_id: commitId })
      .execute()
    await own('path:src/cart/* ada@acme.test', 'suspect_commits')
    const issue = await digest('Suspect', ['src/cart/sum.ts'], { release: 'shop@2' })
    assert.equal(issue.assignee_user_id, 'grace')
    assert.deepEqual(await changesOf(issue.id), [
      {
        kind: 'assigned',
        actor: '',
        detail: { assignee: 'user:grace', by: 'suspect_commit', commit: 'c0ffee' },
      },
    ])
    await own('path:src/cart/* ada@acme.test')
    assert.equal((await digest('Rule', ['src/cart/sum.ts'], { release: 'shop@2' })).assignee_user_id, 'ada')
  })
})
