/** Orders by counts: from an index where the records know them, and exact where only telemetry does. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer } from '@sonde/access'
import { grantOf } from '@sonde/access/grant'
import { fixedClock, silentLogger } from '@sonde/base'
import { listIssues, type QueryDeps, SearchError } from '@sonde/queries'
import { openRecords } from '@sonde/stores'
import { CompiledQuery } from 'kysely'
import { type Harness, NOW_MS, openHarness, type ProjectGrant } from './harness.ts'

describe('issues by what is counted', () => {
  let harness: Harness
  let shop: ProjectGrant
  /** Many events of one person each. */
  const LOUD = 40
  before(async () => {
    harness = await openHarness()
    shop = await harness.project(await harness.org('acme'), 'shop')
    const loud = Array.from({ length: LOUD }, (_, at) => ({ title: `Loud ${at}`, event_count: 100 - at }))
    const ids = await harness.issues(shop.projectId, [
      ...loud,
      { title: 'Everybody', event_count: 4, status: 'ignored' },
      { title: 'Two people', event_count: 3, first_seen_ms: NOW_MS - 86_400_000 * 2 },
    ])
    for (const id of ids.slice(0, LOUD)) await harness.events(shop.projectId, id, [{ userKey: 'id:1' }])
    const people = (count: number) => Array.from({ length: count }, (_, at) => ({ userKey: `id:${at}` }))
    await harness.events(shop.projectId, ids[LOUD] ?? 0, people(4))
    await harness.events(shop.projectId, ids[LOUD + 1] ?? 0, [
      ...people(2),
      { userKey: 'id:9', timestampMs: NOW_MS - 86_400_000 * 2 },
    ])
  })
  after(() => harness.close())

  const first = async (input: object): Promise<readonly string[]> =>
    (await listIssues(harness.deps, { grant: shop, limit: 2, ...input })).rows.map((row) => row.title)

  it('finds the issue with the most people behind many with more events', async () => {
    assert.deepEqual(await first({ query: '', sort: 'user' }), ['Everybody', 'Two people'])
    assert.deepEqual(await first({ sort: 'user' }), ['Two people', 'Loud 0'])
  })

  it('counts within the period alone', async () => {
    const [row] = (
      await listIssues(harness.deps, { grant: shop, sort: 'freq', statsPeriod: '24h', limit: 1 })
    ).rows
    assert.equal(row?.title, 'Two people')
    assert.deepEqual(await first({ query: '', sort: 'freq', statsPeriod: '24h' }), [
      'Everybody',
      'Two people',
    ])
  })

  it('takes two times instead of a period', async () => {
    const at = (daysAgo: number) => new Date(NOW_MS - daysAgo * 86_400_000).toISOString()
    const earlier = { start: at(3), end: at(1) }
    const [row] = (
      await listIssues(harness.deps, { grant: shop, query: 'user.id:9', ...earlier, sort: 'freq' })
    ).rows
    assert.equal(row?.title, 'Two people')
    assert.deepEqual(await first({ query: 'user.id:9', start: at(1), end: at(0) }), [])
    // The others were seen first an hour ago: not before the end.
    assert.deepEqual(await first({ query: '', ...earlier }), ['Two people'])
    assert.deepEqual(await first({ query: '', sort: 'user', start: at(1), end: at(-1) }), [
      'Everybody',
      'Two people',
    ])
    for (const wrong of [{ start: at(1) }, { start: at(1), end: at(1) }, { start: 'soon', end: at(0) }]) {
      await assert.rejects(first(wrong), SearchError)
    }
  })

  it('merges the states for counts ever', async () => {
    const { rows, next } = await listIssues(harness.deps, { grant: shop, query: '', sort: 'freq', limit: 39 })
    assert.equal(rows.length, 39)
    const rest = await first({ query: '', sort: 'freq', limit: 9, cursor: next.cursor })
    assert.deepEqual(rest, ['Loud 39', 'Everybody', 'Two people'])
    assert.deepEqual(await first({ query: 'is:ignored', sort: 'freq' }), ['Everybody'])
    assert.deepEqual(await first({ query: '!is:unresolved', sort: 'freq' }), ['Everybody'])
  })
})

describe('the orders of a list are walks along an index, without a sort', () => {
  const ORDERS = [
    ['date', 'issue_by_status'],
    ['new', 'sqlite_autoindex_issue_1'],
    ['freq', 'issue_by_events'],
  ] as const
  for (const [sort, index] of ORDERS) {
    it(`${sort}: ${index}`, async () => {
      const { db, close } = await openRecords({ file: ':memory:' }, { logger: silentLogger })
      // The very statement of the list, as the engine is given it.
      const asked: { sql: string; parameters: readonly unknown[] }[] = []
      const records = db.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: ({ result }) => Promise.resolve(result),
      })
      const executor = records.getExecutor()
      const compile = executor.compileQuery.bind(executor)
      executor.compileQuery = (node, id) => {
        const query = compile(node, id)
        asked.push(query)
        return query
      }
      const telemetry = { query: () => Promise.resolve([]), command: () => Promise.resolve() }
      const deps = { records, telemetry, clock: fixedClock(NOW_MS), publicUrl: '' } as unknown as QueryDeps
      const subject = { orgId: 1, orgSlug: 'a', projectId: 1, projectSlug: 'b' }
      const grant = grantOf<'event:read', 'project'>(operatorViewer, subject)
      await listIssues(deps, { grant, sort })
      const list = asked.find(({ sql }) => sql.includes('"project_slug"'))
      const explained = await db.executeQuery<{ detail: string }>(
        CompiledQuery.raw(`EXPLAIN QUERY PLAN ${list?.sql}`, [...(list?.parameters ?? [])]),
      )
      const steps = explained.rows.map(({ detail }) => detail).join('; ')
      assert.ok(steps.includes(index), steps)
      assert.ok(!steps.includes('TEMP B-TREE'), steps)
      await close()
    })
  }
})
