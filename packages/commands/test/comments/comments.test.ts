import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer, type UserViewer } from '@sonde/access'
import type { SondeError } from '@sonde/base'
import {
  addComment,
  deleteComment,
  deleteUser,
  editComment,
  ensureProject,
  InvalidInput,
  reactToComment,
} from '@sonde/commands'
import { moveActivity } from '@sonde/stores'
import { type Harness, NOW_MS, openHarness } from '../harness.ts'

const kind = (expected: string) => (error: SondeError) => error.kind === expected

describe('comments', () => {
  let harness: Harness
  let ada: UserViewer
  let bob: UserViewer
  let admin: UserViewer
  let issue: number
  let other: number
  let rival: number
  let team: number
  before(async () => {
    harness = await openHarness()
    const shop = await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop' })
    const secret = await ensureProject(harness.deps, operatorViewer, { org: 'rival', slug: 'secret' })
    ;[issue = 0, other = 0] = await harness.issues(shop.id, 2)
    ;[rival = 0] = await harness.issues(secret.id, 1)
    ada = await harness.viewer('acme', 'member', 'ada@acme.test')
    bob = await harness.viewer('acme', 'member', 'bob@acme.test')
    admin = await harness.viewer('acme', 'admin')
    await harness.viewer('rival', 'member', 'mallory@rival.test')
    const { org_id } = await harness.db
      .selectFrom('project')
      .select('org_id')
      .where('id', '=', shop.id)
      .executeTakeFirstOrThrow()
    const made = await harness.db
      .insertInto('team')
      .values({ org_id, slug: 'checkout', name: 'Checkout', created_ms: NOW_MS })
      .returning('id')
      .executeTakeFirstOrThrow()
    team = made.id
    await harness.db
      .insertInto('team_member')
      .values({ team_id: team, user_id: admin.userId, created_ms: NOW_MS })
      .execute()
  })
  after(() => harness.close())

  const grant = (viewer: UserViewer, org = 'acme') => harness.deps.access.openOrg(viewer, org, 'event:write')
  const add = async (viewer: UserViewer, text: string, mentions: string[] = [], issueId = issue) =>
    (await addComment(harness.deps, await grant(viewer), { issueId, text, mentions })).id
  const bodyOf = async (id: number) =>
    (
      await harness.db
        .selectFrom('issue_comment')
        .select('body')
        .where('change_id', '=', id)
        .executeTakeFirst()
    )?.body
  const subscribers = async (issueId = issue) => {
    const rows = await harness.db
      .selectFrom('issue_subscription')
      .select(['user_id', 'reason'])
      .where('issue_id', '=', issueId)
      .execute()
    return Object.fromEntries(rows.map((row) => [row.user_id, row.reason]))
  }
  const mentioned = (id: number) =>
    harness.db
      .selectFrom('comment_mention')
      .select(['handle', 'user_id', 'team_id'])
      .where('change_id', '=', id)
      .orderBy('id')
      .execute()

  it('are changes of the issue that wait to be told, and subscribe whom they concern', async () => {
    const id = await add(ada, '  @Bob look, #checkout too; @mallory@rival.test is nobody here ')
    assert.equal(await bodyOf(id), '@Bob look, #checkout too; @mallory@rival.test is nobody here')
    const change = await harness.db
      .selectFrom('issue_change')
      .select(['kind', 'actor', 'is_untold', 'is_pending', 'at_ms'])
      .where('id', '=', id)
      .executeTakeFirst()
    const actor = `user:${ada.userId}`
    assert.deepEqual(change, { kind: 'comment', actor, is_untold: 1, is_pending: 0, at_ms: NOW_MS })
    assert.deepEqual(await mentioned(id), [
      { handle: '@bob', user_id: bob.userId, team_id: null },
      { handle: '#checkout', user_id: null, team_id: team },
    ])
    assert.deepEqual(await subscribers(), {
      [ada.userId]: 'comment',
      [bob.userId]: 'mentioned',
      [admin.userId]: 'team_mentioned',
    })
    assert.ok((await harness.audit()).includes(`user:${ada.userId} comment.create acme/shop`))
  })

  it('may name people beside the text, as programs do', async () => {
    const id = await add(
      ada,
      'look',
      [`user:${bob.userId}`, `team:${team}`, 'user:nobody', 'team:999'],
      other,
    )
    assert.deepEqual(await mentioned(id), [
      { handle: '', user_id: bob.userId, team_id: null },
      { handle: '', user_id: null, team_id: team },
    ])
  })

  it('are refused when they are empty, too long, or about an issue of others', async () => {
    await assert.rejects(add(ada, '   '), InvalidInput)
    await assert.rejects(add(ada, 'x'.repeat(10_001)), InvalidInput)
    await assert.rejects(add(ada, 'hello', [], rival), kind('not-found'))
    const viewer = await harness.viewer('acme', 'viewer')
    await assert.rejects(add(viewer, 'hello'), kind('forbidden'))
  })

  it('are edited by who wrote them; who is mentioned anew is to be told', async () => {
    const id = await add(ada, 'first', [], other)
    const edit = async (viewer: UserViewer, text: string) =>
      editComment(harness.deps, await grant(viewer), { issueId: other, commentId: id, text })
    const untold = async () =>
      (
        await harness.db
          .selectFrom('issue_change')
          .select('is_untold')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).is_untold
    await harness.db.updateTable('issue_change').set({ is_untold: 0 }).where('id', '=', id).execute()
    await assert.rejects(edit(bob, 'mine now'), kind('forbidden'))
    await assert.rejects(edit(admin, 'mine now'), kind('forbidden'))
    await edit(ada, 'second')
    assert.deepEqual([await bodyOf(id), await untold()], ['second', 0])
    await edit(ada, 'third @bob')
    assert.deepEqual([await bodyOf(id), await untold()], ['third @bob', 1])
    assert.equal((await mentioned(id))[0]?.user_id, bob.userId)
  })

  it('have reactions that are put and taken back, one of a kind of each person', async () => {
    const id = await add(ada, 'react', [], other)
    const react = async (viewer: UserViewer, reaction: '👍' | '🎉', isOn?: boolean) =>
      reactToComment(harness.deps, await grant(viewer), { issueId: other, commentId: id, reaction, isOn })
    assert.deepEqual(await react(ada, '👍'), { isOn: true })
    assert.deepEqual(await react(bob, '👍'), { isOn: true })
    assert.deepEqual(await react(bob, '🎉', true), { isOn: true })
    assert.deepEqual(await react(bob, '🎉', true), { isOn: true })
    assert.deepEqual(await react(ada, '👍'), { isOn: false })
    const rows = await harness.db
      .selectFrom('comment_reaction')
      .select(['user_id', 'reaction'])
      .where('change_id', '=', id)
      .execute()
    assert.deepEqual(
      new Set(rows.map(({ user_id, reaction }) => `${user_id} ${reaction}`)),
      new Set([`${bob.userId} 🎉`, `${bob.userId} 👍`]),
    )
    await assert.rejects(react(ada, '💥' as '👍'), InvalidInput)
  })

  it('are deleted by who wrote them and by admins, with all that belongs to them and what waits of them', async () => {
    const id = await add(ada, 'gone @bob', [], other)
    const remove = async (viewer: UserViewer) =>
      deleteComment(harness.deps, await grant(viewer), { issueId: other, commentId: id })
    await harness.db
      .insertInto('notification')
      .values(
        [`activity:${id}:inbox:x`, `activity:${id}1:inbox:x`].map((dedup_key) => ({
          dedup_key,
          org_id: 1,
          project_id: null,
          incident_id: null,
          medium: 'inbox' as const,
          channel_id: null,
          user_id: bob.userId,
          message: '{}',
          state: 'sent' as const,
          next_attempt_ms: 0,
          created_ms: 0,
        })),
      )
      .execute()
    await assert.rejects(remove(bob), kind('forbidden'))
    await remove(admin)
    assert.equal(await bodyOf(id), undefined)
    assert.deepEqual(await mentioned(id), [])
    const left = await harness.db.selectFrom('notification').select('dedup_key').execute()
    assert.deepEqual(left, [{ dedup_key: `activity:${id}1:inbox:x` }])
    await assert.rejects(remove(ada), kind('not-found'))
  })

  it('go with the activity when their issue becomes part of another', async () => {
    const [from, into] = [other, issue]
    const id = await add(bob, 'before the merge', [], from)
    await moveActivity(harness.db, from, into)
    const row = await harness.db
      .selectFrom('issue_change')
      .select('issue_id')
      .where('id', '=', id)
      .executeTakeFirst()
    assert.equal(row?.issue_id, into)
    assert.equal((await subscribers(into))[ada.userId], 'comment')
  })

  it('forget the name of a person who is deleted', async () => {
    const eve = await harness.viewer('acme', 'member', 'eve@acme.test')
    const id = await add(ada, '@Eve and @eve@acme.test, not @everybody or eve@eve')
    const own = await add(eve, 'I was here')
    await reactToComment(harness.deps, await grant(eve), { issueId: issue, commentId: id, reaction: '👍' })
    await deleteUser(harness.deps, operatorViewer, { email: 'eve@acme.test' })
    assert.equal(await bodyOf(id), '@someone-removed and @someone-removed, not @everybody or eve@eve')
    assert.equal(await bodyOf(own), 'I was here')
    assert.deepEqual(
      (await mentioned(id)).map(({ user_id }) => user_id),
      [null, null],
    )
    const reactions = await harness.db
      .selectFrom('comment_reaction')
      .select('user_id')
      .where('change_id', '=', id)
      .execute()
    assert.deepEqual(reactions, [])
  })
})
