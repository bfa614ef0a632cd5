import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { actorOf, operatorViewer, type UserViewer } from '@sonde/access'
import type { SondeError } from '@sonde/base'
import {
  ensureProject,
  InvalidInput,
  updateIssues,
  type UpdateIssuesInput,
  createRelease,
  type Resolution,
} from '@sonde/commands'
import { subscribe } from '@sonde/stores'
import { type Harness, openHarness } from './harness.ts'

const kind = (expected: string) => (error: SondeError) => error.kind === expected

describe('updateIssues', () => {
  let harness: Harness
  let member: UserViewer
  let viewer: UserViewer
  let shop: readonly number[]
  let api: readonly number[]
  let rival: readonly number[]
  const issues = async (org: string, slug: string): Promise<number[]> => {
    const project = await ensureProject(harness.deps, operatorViewer, { org, slug })
    return harness.issues(project.id, 2)
  }
  before(async () => {
    harness = await openHarness()
    shop = await issues('acme', 'shop')
    api = await issues('acme', 'api')
    rival = await issues('rival', 'secret')
    member = await harness.viewer('acme', 'member')
    viewer = await harness.viewer('acme', 'viewer')
  })
  after(() => harness.close())

  const states = (ids: readonly number[]): Promise<string[]> => harness.states(ids)

  it('resolves, ignores and reopens', async () => {
    const update = (status: UpdateIssuesInput['status']) =>
      harness.deps.access
        .openOrg(member, 'acme', 'event:write')
        .then((grant) => updateIssues(harness.deps, grant, { ids: shop, status }))
    assert.deepEqual((await update('resolved')).ids, shop)
    assert.deepEqual(await states(shop), ['resolved', 'resolved'])
    await update('ignored')
    assert.deepEqual(await states(shop), ['ignored archived_forever', 'ignored archived_forever'])
    await update('unresolved')
    assert.deepEqual(await states(shop), ['unresolved ongoing', 'unresolved ongoing'])
    const changes = await harness.deps.records
      .selectFrom('issue_change')
      .select(['kind', 'actor'])
      .where('issue_id', '=', shop[0] ?? 0)
      .orderBy('id')
      .execute()
    const actor = actorOf(member)
    assert.deepEqual(changes, [
      { kind: 'resolved', actor },
      { kind: 'ignored', actor },
      { kind: 'reopened', actor },
    ])
  })

  it('who changes what an issue is hears of it from then on, unless they unsubscribed', async () => {
    const { records } = harness.deps
    const subscribed = () =>
      records
        .selectFrom('issue_subscription')
        .select(['issue_id', 'reason', 'is_active'])
        .where('user_id', '=', member.userId)
        .where('issue_id', 'in', shop)
        .orderBy('issue_id')
        .execute()
    const reason = 'changed_status' as const
    const row = (issue_id: number | undefined, is_active: number) => ({ issue_id, reason, is_active })
    assert.deepEqual(await subscribed(), [row(shop[0], 1), row(shop[1], 1)])
    const [first = 0] = shop
    await records
      .updateTable('issue_subscription')
      .set({ is_active: 0 })
      .where('issue_id', '=', first)
      .execute()
    const grant = await harness.deps.access.openOrg(member, 'acme', 'event:write')
    await updateIssues(harness.deps, grant, { ids: shop, status: 'ignored' })
    await updateIssues(harness.deps, grant, { ids: shop, status: 'unresolved' })
    assert.deepEqual(await subscribed(), [row(first, 0), row(shop[1], 1)])
    // A mention and an assignment mean this person.
    await subscribe(records, { issueIds: shop, userIds: [member.userId] }, 'assigned', 1)
    assert.deepEqual(await subscribed(), [row(first, 1), row(shop[1], 1)])
  })

  it('a repeated change is no change: nothing in the audit, new issues stay new', async () => {
    const entries = (await harness.audit()).length
    const answer = await updateIssues(
      harness.deps,
      await harness.deps.access.openOrg(member, 'acme', 'event:write'),
      { ids: api, status: 'unresolved' },
    )
    assert.deepEqual(answer, { ids: api, before: [], undo: undefined })
    assert.deepEqual(await states(api), ['unresolved new', 'unresolved new'])
    assert.equal((await harness.audit()).length, entries)
  })

  it('issues of another organization or project are left alone and left out', async () => {
    const ids = [...shop, ...api, ...rival, 9_999]
    const answer = await updateIssues(
      harness.deps,
      await harness.deps.access.openProject(member, 'acme', 'shop', 'event:write'),
      { ids, status: 'resolved' },
    )
    assert.deepEqual(answer.ids, shop)
    assert.deepEqual(await states(rival), ['unresolved new', 'unresolved new'])
    assert.deepEqual(await states(api), ['unresolved new', 'unresolved new'])
    await assert.rejects(
      harness.deps.access
        .openOrg(member, 'rival', 'event:write')
        .then((grant) => updateIssues(harness.deps, grant, { ids: rival, status: 'resolved' })),
      kind('not-found'),
    )
  })

  it('who may only look cannot change', async () => {
    await assert.rejects(
      harness.deps.access
        .openOrg(viewer, 'acme', 'event:write')
        .then((grant) => updateIssues(harness.deps, grant, { ids: api, status: 'resolved' })),
      kind('forbidden'),
    )
    assert.deepEqual(await states(api), ['unresolved new', 'unresolved new'])
  })

  it('names the field that is wrong', async () => {
    for (const [input, field] of [
      [{ ids: [], status: 'resolved' }, 'ids'],
      [{ ids: Array.from({ length: 5_001 }, (_, id) => id + 1), status: 'resolved' }, 'ids'],
      [{ ids: [1.5], status: 'resolved' }, 'ids'],
      [{ ids: [1], status: 'eaten' as 'resolved' }, 'status'],
    ] as const) {
      await assert.rejects(
        harness.deps.access
          .openOrg(member, 'acme', 'event:write')
          .then((grant) => updateIssues(harness.deps, grant, { ...input })),
        (error) => {
          assert.ok(error instanceof InvalidInput)
          assert.deepEqual(Object.keys(error.fields), [field])
          return true
        },
      )
    }
  })

  it('says what those that changed were, and of the others nothing', async () => {
    const [first = 0, second = 0] = api
    await updateIssues(harness.deps, await harness.deps.access.openOrg(member, 'acme', 'event:write'), {
      ids: [second],
      status: 'ignored',
    })
    const { before } = await updateIssues(
      harness.deps,
      await harness.deps.access.openOrg(member, 'acme', 'event:write'),
      { ids: api, status: 'ignored' },
    )
    const atOnce = { resolvedIn: '', resolvedRelease: '' }
    assert.deepEqual(before, [{ id: first, status: 'unresolved', substatus: 'new', ...atOnce }])
  })

  it('reopens into the state that is asked for, which only an open issue has', async () => {
    const change = { org: 'acme', ids: api, status: 'unresolved', substatus: 'regressed' } as const
    await updateIssues(
      harness.deps,
      await harness.deps.access.openOrg(member, change.org, 'event:write'),
      change,
    )
    assert.deepEqual(await states(api), ['unresolved regressed', 'unresolved regressed'])
    await updateIssues(harness.deps, await harness.deps.access.openOrg(member, change.org, 'event:write'), {
      ...change,
      substatus: 'new',
    })
    assert.deepEqual(await states(api), ['unresolved new', 'unresolved new'])
    await assert.rejects(
      harness.deps.access
        .openOrg(member, change.org, 'event:write')
        .then((grant) => updateIssues(harness.deps, grant, { ...change, status: 'ignored' })),
      InvalidInput,
    )
  })

  it('thousands at once are one change and one entry', async () => {
    const entries = (await harness.audit()).length
    const ids = [...api, ...Array.from({ length: 4_000 }, (_, index) => 100_000 + index)]
    const answer = await updateIssues(
      harness.deps,
      await harness.deps.access.openOrg(member, 'acme', 'event:write'),
      { ids, status: 'resolved' },
    )
    assert.deepEqual(answer.ids, api)
    assert.equal((await harness.audit()).length, entries + 1)
  })

  it('is resolved in a release, in the next one, or in a commit: of each project its own', async () => {
    const orgId = (
      await harness.db
        .selectFrom('organization')
        .select('id')
        .where('slug', '=', 'acme')
        .executeTakeFirstOrThrow()
    ).id
    const resolve = async (resolution: Resolution, ids = [...shop, ...api]) => {
      await updateIssues(harness.deps, await harness.deps.access.openOrg(member, 'acme', 'event:write'), {
        ids,
        status: 'resolved',
        resolution,
      })
      const rows = await harness.db
        .selectFrom('issue')
        .selectAll()
        .where('id', 'in', [shop[0] ?? 0, api[0] ?? 0])
        .orderBy('id')
        .execute()
      return rows.map((row) => `${row.status} ${row.resolved_in} ${row.resolved_release}`.trim())
    }
    const refused = (text: RegExp) => (error: unknown) => {
      assert.ok(error instanceof InvalidInput)
      assert.match(error.fields['statusDetails']?.[0] ?? '', text)
      return true
    }
    await updateIssues(harness.deps, await harness.deps.access.openOrg(member, 'acme', 'event:write'), {
      ids: [...shop, ...api],
      status: 'unresolved',
    })
    await assert.rejects(resolve({ kind: 'next_release' }), refused(/has no release yet/))
    const commit = {
      id: 'abcdef0123',
      repository: 'acme/shop',
      author_name: '',
      author_email: '',
      message: '',
    }
    for (const [version, projects, commits] of [
      ['1.10.0', ['shop', 'api'], [commit]],
      ['1.9.0', ['shop'], [commit]],
      ['1.8.0', ['shop', 'api'], []],
    ] as const)
      await createRelease(
        harness.deps,
        await harness.deps.access.openOrg(operatorViewer, orgId, 'release:write'),
        { version, projects, commits },
      )
    assert.deepEqual(await resolve({ kind: 'next_release' }), [
      'resolved next_release 1.10.0',
      'resolved next_release 1.10.0',
    ])
    assert.deepEqual(await resolve({ kind: 'commit', sha: 'abcdef' }), [
      'resolved release 1.9.0',
      'resolved release 1.10.0',
    ])
    assert.deepEqual(await resolve({ kind: 'commit', sha: 'feedface' }), [
      'resolved next_release 1.10.0',
      'resolved next_release 1.10.0',
    ])
    assert.deepEqual(await resolve({ kind: 'release', version: 'latest' }), [
      'resolved release 1.10.0',
      'resolved release 1.10.0',
    ])
    await assert.rejects(
      resolve({ kind: 'release', version: '1.9.0' }),
      refused(/api has no release "1\.9\.0"/),
    )
    assert.deepEqual(await resolve({ kind: 'release', version: '1.9.0' }, [...shop]), [
      'resolved release 1.9.0',
      'resolved release 1.10.0',
    ])
    const plain = { org: 'acme', ids: [...shop, ...api], status: 'resolved' } as const
    const entries = (await harness.audit()).length
    await updateIssues(
      harness.deps,
      await harness.deps.access.openOrg(member, plain.org, 'event:write'),
      plain,
    )
    assert.equal((await harness.audit()).length, entries, 'resolved is resolved')
    await updateIssues(harness.deps, await harness.deps.access.openOrg(member, plain.org, 'event:write'), {
      ...plain,
      status: 'ignored',
    })
    await updateIssues(
      harness.deps,
      await harness.deps.access.openOrg(member, plain.org, 'event:write'),
      plain,
    )
    const row = await harness.db
      .selectFrom('issue')
      .selectAll()
      .where('id', '=', shop[0] ?? 0)
      .executeTakeFirst()
    assert.deepEqual([row?.resolved_in, row?.resolved_release], ['', ''])
    await assert.rejects(
      harness.deps.access.openOrg(member, plain.org, 'event:write').then((grant) =>
        updateIssues(harness.deps, grant, {
          ...plain,
          status: 'ignored',
          resolution: { kind: 'next_release' },
        }),
      ),
      refused(/only a resolved issue/),
    )
  })
})
