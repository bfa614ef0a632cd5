/** What people decided, marked and linked goes with an issue that is merged, and is back when that is given back. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Pipeline } from '../../src/index.ts'
import { type MovesHarness, openMovesHarness } from './moves-harness.ts'

let harness: MovesHarness
let pipeline: Pipeline

describe('what people decided about issues that are merged', () => {
  before(async () => {
    harness = await openMovesHarness()
    pipeline = await harness.start()
    for (const id of ['ada', 'bob', 'eve'])
      await harness.records
        .insertInto('user')
        .values({
          id,
          email: `${id}@acme.test`,
          name: id,
          createdAt: '',
          updatedAt: '',
          emailVerified: 1,
        } as never)
        .execute()
  })
  after(async () => {
    await pipeline.stop()
    await harness.close()
  })

  /** Issues 1, 2 and 3 with two, three and one events. */
  const prepare = async (name: string) => {
    const project = await harness.createProject(name)
    await harness.send(project, ['A', 'A', 'B', 'B', 'B', 'C'])
    const [a, b, c] = (await harness.issues(project)).map(({ id }) => id) as [number, number, number]
    return { project, a, b, c }
  }
  const merge = async (projectId: number, intoId: number, ...issueIds: number[]) => {
    const done = await harness.moves.merge(
      { projectId, intoId, issueIds, actor: 'user:ada' },
      async () => undefined,
    )
    assert.ok('into' in done)
  }
  const giveBack = async (projectId: number, issueId: number, backTo: number) => {
    const done = await harness.moves.takeOut(
      { projectId, issueId, hashes: [], backTo },
      async () => undefined,
    )
    assert.ok('to' in done, JSON.stringify(done))
  }
  type Changes = Readonly<Record<string, string | number | null>>
  const set = (id: number, changes: Changes) =>
    harness.records.updateTable('issue').set(changes).where('id', '=', id).execute()
  const read = async (
    id: number,
    ...columns: ('priority' | 'is_priority_set' | 'status' | 'assignee_user_id')[]
  ) => {
    const row = await harness.records
      .selectFrom('issue')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return columns.map((column) => row[column])
  }
  const priority = (id: number) => read(id, 'priority', 'is_priority_set')

  it('is the higher priority that somebody set, and each has its own again', async () => {
    const { project, a, b, c } = await prepare('priority')
    await set(a, { priority: 25, is_priority_set: 1 })
    await set(b, { priority: 50, is_priority_set: 1 })
    await merge(project, a, b, c)
    assert.deepEqual(await priority(a), [50, 1])
    await giveBack(project, a, b)
    assert.deepEqual(await priority(a), [25, 1])
    assert.deepEqual(await priority(b), [50, 1])
    await giveBack(project, a, c)
    assert.deepEqual(
      [await priority(a), await priority(c)],
      [
        [25, 1],
        [50, 0],
      ],
    )
  })

  it('is what the rule says of the whole where nobody set a priority', async () => {
    const { project, a, b } = await prepare('rule')
    await set(b, { is_unhandled: 1, priority: 75 })
    await merge(project, a, b)
    assert.deepEqual(await priority(a), [75, 0])
    await giveBack(project, a, b)
    assert.deepEqual(
      [await priority(a), await priority(b)],
      [
        [50, 0],
        [75, 0],
      ],
    )
  })

  it('stays as somebody decided it of the whole, each thing on its own, also when more is merged later', async () => {
    const { project, a, b, c } = await prepare('since')
    await set(b, { assignee_user_id: 'bob' })
    await merge(project, a, b)
    assert.deepEqual(await read(a, 'status', 'assignee_user_id'), ['unresolved', 'bob'])
    await set(a, { status: 'resolved', substatus: '' })
    await merge(project, a, c)
    assert.deepEqual(await read(a, 'status', 'assignee_user_id'), ['unresolved', 'bob'])
    await giveBack(project, a, c)
    assert.deepEqual(await read(a, 'status', 'assignee_user_id'), ['resolved', 'bob'])
    await giveBack(project, a, b)
    assert.deepEqual(await read(a, 'status', 'assignee_user_id'), ['resolved', null])
    assert.deepEqual(await read(b, 'status', 'assignee_user_id'), ['unresolved', 'bob'])
  })

  it('waits for so many more events of the one that stays, and those that come with another are none', async () => {
    const { project, a, b } = await prepare('snooze')
    const archived = { status: 'ignored', substatus: 'archived_until_condition_met' } as const
    for (const [id, count] of [
      [a, 2],
      [b, 3],
    ] as const) {
      await set(id, archived)
      await harness.records
        .insertInto('issue_snooze')
        .values({
          issue_id: id,
          event_count: 2,
          is_until_escalating: 0,
          started_ms: 1,
          base_count: count,
          looked_count: count,
        })
        .execute()
    }
    const more = async (id: number) => {
      const row = await harness.records
        .selectFrom('issue_snooze')
        .innerJoin('issue', 'issue.id', 'issue_snooze.issue_id')
        .select(['issue.event_count', 'base_count', 'looked_count'])
        .where('issue_id', '=', id)
        .executeTakeFirstOrThrow()
      return [row.event_count - row.base_count, row.event_count - row.looked_count]
    }
    await merge(project, a, b)
    assert.deepEqual([await read(a, 'status'), await more(a)], [['ignored'], [0, 0]])
    await harness.send(project, ['A', 'B'])
    assert.deepEqual(await more(a), [2, 2])
    await giveBack(project, a, b)
    assert.deepEqual(
      [await more(a), await more(b)],
      [
        [1, 1],
        [1, 1],
      ],
    )
    // A part that is split off waits as the whole does, from now on.
    await merge(project, a, b)
    const [hash] = await harness.records
      .selectFrom('issue_hash')
      .select('hash')
      .where('issue_id', '=', a)
      .orderBy('hash')
      .execute()
    const done = await harness.moves.takeOut(
      { projectId: project, issueId: a, hashes: [hash?.hash ?? ''], backTo: undefined },
      async () => undefined,
    )
    assert.ok('to' in done)
    assert.deepEqual([await read(done.to.id, 'status'), await more(done.to.id)], [['ignored'], [0, 0]])
  })

  it('bookmarks, subscriptions, commits and links lead to the one that stays, and back', async () => {
    const { project, a, b } = await prepare('things')
    const { records } = harness
    const bookmark = (issue_id: number, user_id: string) =>
      records.insertInto('issue_bookmark').values({ issue_id, user_id, at_ms: 1 }).execute()
    const subscribe = (issue_id: number, user_id: string, is_active: number) =>
      records
        .insertInto('issue_subscription')
        .values({ issue_id, user_id, is_active, reason: 'unknown', created_ms: 1 })
        .execute()
    await bookmark(a, 'ada')
    await bookmark(b, 'ada')
    await bookmark(b, 'bob')
    await subscribe(a, 'ada', 0)
    await subscribe(b, 'ada', 1)
    await subscribe(b, 'bob', 1)
    await subscribe(b, 'eve', 0)
    const { org_id } = await records
      .selectFrom('project')
      .select('org_id')
      .where('id', '=', project)
      .executeTakeFirstOrThrow()
    const commits = await records
      .insertInto('source_commit')
      .values(
        ['1', '2'].map((sha) => ({
          org_id,
          repository: 'acme/shop',
          sha,
          author_name: 'Ada',
          author_email: 'ada@acme.test',
          message: '',
          at_ms: 1,
        })),
      )
      .returning('id')
      .execute()
    const [first, second] = commits.map(({ id }) => id) as [number, number]
    const fixed = { version: 'shop@1', at_ms: 1 }
    await records
      .insertInto('issue_commit')
      .values([
        { issue_id: a, commit_id: first, ...fixed },
        { issue_id: b, commit_id: first, ...fixed },
        { issue_id: b, commit_id: second, ...fixed },
      ])
      .execute()
    const things = async () => ({
      bookmarks: await records
        .selectFrom('issue_bookmark')
        .select(['issue_id', 'user_id'])
        .orderBy('issue_id')
        .orderBy('user_id')
        .execute(),
      subscriptions: await records
        .selectFrom('issue_subscription')
        .select(['issue_id', 'user_id', 'is_active'])
        .orderBy('issue_id')
        .orderBy('user_id')
        .execute(),
      commits: await records
        .selectFrom('issue_commit')
        .select(['issue_id', 'commit_id'])
        .orderBy('issue_id')
        .orderBy('commit_id')
        .execute(),
    })
    const before = await things()
    await merge(project, a, b)
    const merged = await things()
    const ofWhole = <Row extends { readonly issue_id: number }>(rows: readonly Row[]): Row[] =>
      rows.filter((row) => row.issue_id === a)
    assert.deepEqual(ofWhole(merged.bookmarks), [
      { issue_id: a, user_id: 'ada' },
      { issue_id: a, user_id: 'bob' },
    ])
    assert.deepEqual(ofWhole(merged.subscriptions), [
      { issue_id: a, user_id: 'ada', is_active: 0 },
      { issue_id: a, user_id: 'bob', is_active: 1 },
    ])
    assert.deepEqual(ofWhole(merged.commits), [
      { issue_id: a, commit_id: first },
      { issue_id: a, commit_id: second },
    ])
    await giveBack(project, a, b)
    assert.deepEqual(await things(), before)
  })
})
