import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { countComments, issueActivity } from '@sonde/queries'
import { type Harness, NOW_MS, openHarness, type OrgGrant, type ProjectGrant } from './harness.ts'

describe('the activity of an issue', () => {
  let harness: Harness
  let acme: OrgGrant
  let shop: ProjectGrant
  before(async () => {
    harness = await openHarness()
    acme = await harness.org('acme')
    shop = await harness.project(acme, 'shop')
  })
  after(() => harness.close())

  const commit = async (sha: string, author: { name?: string; email?: string }, repository = 'acme/shop') => {
    const { id } = await harness.db
      .insertInto('source_commit')
      .values({
        org_id: acme.orgId,
        repository,
        sha,
        author_name: author.name ?? '',
        author_email: author.email ?? '',
        message: `fixes SHOP-1 (${sha})`,
        at_ms: NOW_MS,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  it('tells what happened, the newest first, with who did it and the commits that fix it', async () => {
    const [issue = 0, other = 0] = await harness.issues(shop.projectId, [{}, {}])
    const ada = await commit('0123456789abcdef', { name: 'Ada' })
    const grace = await commit('fedcba9876543210', { email: 'grace@acme.test' }, 'acme/core')
    await harness.db
      .insertInto('repository')
      .values({
        org_id: acme.orgId,
        name: 'acme/shop',
        url: 'https://git.acme.test/shop/',
        provider: 'git',
        created_ms: 0,
      })
      .execute()
    for (const [at, id] of [ada, grace].entries())
      await harness.db
        .insertInto('issue_commit')
        .values({ issue_id: issue, commit_id: id, version: `1.${at}`, at_ms: NOW_MS + at })
        .execute()
    const changes = [
      { kind: 'new', actor: '', issue_id: issue },
      { kind: 'resolved', actor: `commit:${ada}`, issue_id: issue },
      { kind: 'regressed', actor: '', issue_id: issue },
      { kind: 'resolved', actor: `commit:9999`, issue_id: issue },
      { kind: 'ignored', actor: 'operator:cli', issue_id: issue },
      { kind: 'reopened', actor: 'tracker:9999', issue_id: issue },
      { kind: 'ignored', actor: '', issue_id: other },
    ] as const
    for (const [at, change] of changes.entries())
      await harness.db
        .insertInto('issue_change')
        .values({
          ...change,
          project_id: shop.projectId,
          event_id: '',
          at_ms: NOW_MS + at,
          is_pending: 0,
        })
        .execute()
    const { activity, commits } = await issueActivity(harness.deps, shop, { id: issue })
    assert.deepEqual(
      activity.map(({ kind, by, isFromTracker, commit: fix }) => [
        kind,
        by,
        isFromTracker ? 'there' : fix?.sha,
      ]),
      [
        ['reopened', 'an issue tracker', 'there'],
        ['ignored', 'the operator', undefined],
        ['resolved', 'a commit', undefined],
        ['regressed', '', undefined],
        ['resolved', 'commit 01234567 by Ada', '0123456789abcdef'],
        ['new', '', undefined],
      ],
    )
    assert.deepEqual(
      commits.map(({ sha, version, authorEmail, url }) => [sha, version, authorEmail, url]),
      [
        ['fedcba9876543210', '1.1', 'grace@acme.test', undefined],
        ['0123456789abcdef', '1.0', '', 'https://git.acme.test/shop/commit/0123456789abcdef'],
      ],
    )
  })

  it('of an issue that nothing was done about tells nothing', async () => {
    const [issue = 0] = await harness.issues(shop.projectId, [{ short_number: 9 }])
    assert.deepEqual(await issueActivity(harness.deps, shop, { id: issue }), {
      activity: [],
      commits: [],
      olderFrom: undefined,
    })
  })

  it('is told in pages, comments alone where they are asked for, with who is mentioned and who reacted', async () => {
    const [issue = 0] = await harness.issues(shop.projectId, [{ short_number: 12 }])
    const at = new Date(NOW_MS).toISOString()
    for (const id of ['ada', 'bob'])
      await harness.db
        .insertInto('user')
        .values({
          id,
          email: `${id}@acme.test`,
          name: id,
          createdAt: at,
          updatedAt: at,
          emailVerified: 1,
        } as never)
        .execute()
    const ids: number[] = []
    for (const kind of ['comment', 'resolved', 'comment', 'notified'] as const) {
      const { id } = await harness.db
        .insertInto('issue_change')
        .values({
          kind,
          actor: 'user:ada',
          issue_id: issue,
          project_id: shop.projectId,
          event_id: '',
          at_ms: NOW_MS,
          is_pending: 0,
          ...(kind === 'resolved' && { detail: JSON.stringify({ resolvedIn: 'release', release: '2.0' }) }),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      ids.push(id)
      if (kind === 'comment')
        await harness.db.insertInto('issue_comment').values({ change_id: id, body: '@bob' }).execute()
    }
    const [first = 0, resolved = 0, second = 0, notified = 0] = ids
    for (const [handle, user_id] of [
      ['@bob', 'bob'],
      ['@gone', null],
    ] as const)
      await harness.db
        .insertInto('comment_mention')
        .values({ change_id: second, handle, user_id, team_id: null })
        .execute()
    for (const user_id of ['bob', 'ada'])
      await harness.db
        .insertInto('comment_reaction')
        .values({ change_id: second, user_id, reaction: '👀', created_ms: NOW_MS })
        .execute()
    const page = await issueActivity(harness.deps, shop, { id: issue }, { limit: 2 })
    assert.deepEqual(
      page.activity.map(({ id }) => id),
      [notified, second],
    )
    assert.equal(page.olderFrom, resolved)
    assert.deepEqual(page.activity[1]?.comment?.mentions, [
      { handle: '@bob', whom: 'user:bob', name: 'bob', isMe: false },
      { handle: '@gone', whom: '', name: '@gone', isMe: false },
    ])
    const [reaction] = page.activity[1]?.comment?.reactions ?? []
    assert.deepEqual([reaction?.reaction, reaction?.count], ['👀', 2])
    assert.deepEqual(reaction?.by.toSorted(), ['ada', 'bob'])
    const rest = await issueActivity(harness.deps, shop, { id: issue }, { limit: 2, fromId: page.olderFrom })
    assert.deepEqual(
      rest.activity.map(({ id, detail }) => [id, detail.release]),
      [
        [resolved, '2.0'],
        [first, ''],
      ],
    )
    assert.equal(rest.olderFrom, undefined)
    const comments = await issueActivity(harness.deps, shop, { id: issue }, { onlyComments: true })
    assert.deepEqual(
      comments.activity.map(({ id }) => id),
      [second, first],
    )
    assert.equal(await countComments(harness.deps, shop, { id: issue }), 2)
  })
})
