import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { grantOf } from '@sonde/access/grant'
import { listIssues, matchingIssueIds, searchSuggestions } from '@sonde/queries'
import { type Harness, NOW_MS, openHarness, type OrgGrant } from './harness.ts'

describe('searches for whose issues they are', () => {
  let harness: Harness
  let org: OrgGrant
  let ids: readonly number[]
  let teamId: number
  before(async () => {
    harness = await openHarness()
    org = await harness.org('acme')
    const { projectId } = await harness.project(org, 'shop')
    for (const [id, name] of [
      ['ada', 'Ada Lovelace'],
      ['ben', ''],
    ] as const) {
      await harness.db
        .insertInto('user')
        .values({
          id,
          name,
          email: `${id}@acme.test`,
          emailVerified: 1,
          createdAt: '',
          updatedAt: '',
        } as never)
        .execute()
      await harness.db
        .insertInto('member')
        .values({ org_id: org.orgId, user_id: id, role: 'member', created_ms: NOW_MS })
        .execute()
    }
    const team = await harness.db
      .insertInto('team')
      .values({ org_id: org.orgId, slug: 'checkout', name: 'Checkout', created_ms: NOW_MS })
      .returning('id')
      .executeTakeFirstOrThrow()
    teamId = team.id
    await harness.db
      .insertInto('team_member')
      .values({ team_id: teamId, user_id: 'ada', created_ms: NOW_MS })
      .execute()
    ids = await harness.issues(projectId, [
      { assignee_user_id: 'ada' },
      { assignee_user_id: 'ben' },
      { assignee_team_id: teamId },
      {},
    ])
  })
  after(() => harness.close())

  const as = (userId: string): OrgGrant => {
    const viewer = { kind: 'user' as const, userId, email: '', name: '', isOperator: false, memberships: [] }
    return grantOf(viewer, org) as unknown as OrgGrant
  }
  /** Numbers of the issues, from 1. */
  const found = async (query: string, userId = 'ada'): Promise<number[]> => {
    const matching = await matchingIssueIds(harness.deps, { grant: as(userId), query })
    return matching.map((id) => ids.indexOf(id) + 1).toSorted((a, b) => a - b)
  }

  it('finds those of a person, a team, nobody, and any of them', async () => {
    const expected: readonly (readonly [string, readonly number[]])[] = [
      ['assigned:me', [1]],
      ['assigned:my_teams', [3]],
      ['assigned:[me, my_teams]', [1, 3]],
      ['assigned:[me, none]', [1, 4]],
      ['assigned_or_suggested:me', [1]],
      ['assigned:ben@acme.test', [2]],
      ['assigned:"Ada Lovelace"', [1]],
      ['assigned:#checkout', [3]],
      ['assigned:#other', []],
      ['assigned:none', [4]],
      ['assigned:user:ben', [2]],
      [`assigned:team:${teamId}`, [3]],
      ['is:assigned', [1, 2, 3]],
      ['is:unassigned', [4]],
      ['has:assigned', [1, 2, 3]],
      ['!has:assigned', [4]],
      ['!assigned:me', [2, 3, 4]],
      ['!assigned:#checkout', [1, 2, 4]],
      ['!assigned:my_teams', [1, 2, 4]],
      ['!assigned:ben@acme.test', [1, 3, 4]],
      ['!assigned:none', [1, 2, 3]],
      ['!is:unassigned', [1, 2, 3]],
    ]
    for (const [query, numbers] of expected) assert.deepEqual(await found(query), numbers, query)
    assert.deepEqual(await found('assigned:[me, my_teams]', 'ben'), [2])
  })

  it('says in the list whose each is', async () => {
    const { rows } = await listIssues(harness.deps, { grant: org, query: '', sort: 'new' })
    assert.deepEqual(rows.map(({ assignee }) => assignee).toReversed(), [
      { type: 'user', id: 'ada', name: 'Ada Lovelace', email: 'ada@acme.test' },
      { type: 'user', id: 'ben', name: 'ben@acme.test', email: 'ben@acme.test' },
      { type: 'team', id: String(teamId), name: '#checkout', email: '' },
      undefined,
    ])
  })

  it('offers whoever asks, teams and members while somebody types', async () => {
    const offered = async (text: string): Promise<string[]> => {
      const { suggestions } = await searchSuggestions(harness.deps, as('ada'), { text })
      return suggestions.map((suggestion) => suggestion.text)
    }
    assert.deepEqual(await offered('assigned:'), [
      'me',
      'my_teams',
      'none',
      'ada@acme.test',
      '#checkout',
      'ben@acme.test',
    ])
    assert.deepEqual(await offered('assigned:love'), ['ada@acme.test'])
    assert.deepEqual(await offered('assigned:#che'), ['#checkout'])
    assert.ok((await offered('assi')).includes('assigned:'))
  })

  it('is nobody’s own for a program without an owner', async () => {
    assert.deepEqual(await matchingIssueIds(harness.deps, { grant: org, query: 'assigned:me' }), [])
  })
})
