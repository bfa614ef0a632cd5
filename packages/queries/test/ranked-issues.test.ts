/** Orders by counts: from an index where the records know them, and exact where only telemetry does. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { listIssues, SearchError } from '@sonde/queries'
import { openRecords, type ProjectScope } from '@sonde/stores'
import { silentLogger } from '@sonde/base'
import { type House, NOW_MS, openHouse } from './house.ts'

describe('issues by what is counted', () => {
  let house: House
  let shop: ProjectScope
  /** Many events of one person each. */
  const LOUD = 40
  before(async () => {
    house = await openHouse()
    shop = await house.project(await house.org('acme'), 'shop')
    const loud = Array.from({ length: LOUD }, (_, at) => ({ title: `Loud ${at}`, event_count: 100 - at }))
    const ids = await house.issues(shop.projectId, [
      ...loud,
      { title: 'Everybody', event_count: 4, status: 'ignored' },
      { title: 'Two people', event_count: 3, first_seen_ms: NOW_MS - 86_400_000 * 2 },
    ])
    for (const id of ids.slice(0, LOUD)) await house.events(shop.projectId, id, [{ userKey: 'id:1' }])
    const people = (count: number) => Array.from({ length: count }, (_, at) => ({ userKey: `id:${at}` }))
    await house.events(shop.projectId, ids[LOUD] ?? 0, people(4))
    await house.events(shop.projectId, ids[LOUD + 1] ?? 0, [
      ...people(2),
      { userKey: 'id:9', timestampMs: NOW_MS - 86_400_000 * 2 },
    ])
  })
  after(() => house.close())

  const first = async (input: object): Promise<readonly string[]> =>
    (await listIssues(house.deps, { scope: shop, limit: 2, ...input })).rows.map((row) => row.title)

  it('finds the issue with the most people behind many with more events', async () => {
    assert.deepEqual(await first({ query: '', sort: 'user' }), ['Everybody', 'Two people'])
    assert.deepEqual(await first({ sort: 'user' }), ['Two people', 'Loud 0'])
  })

  it('counts within the period alone', async () => {
    const [row] = (await listIssues(house.deps, { scope: shop, sort: 'freq', statsPeriod: '24h', limit: 1 }))
      .rows
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
      await listIssues(house.deps, { scope: shop, query: 'user.id:9', ...earlier, sort: 'freq' })
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
    const { rows, next } = await listIssues(house.deps, { scope: shop, query: '', sort: 'freq', limit: 39 })
    assert.equal(rows.length, 39)
    const rest = await first({ query: '', sort: 'freq', limit: 9, cursor: next.cursor })
    assert.deepEqual(rest, ['Loud 39', 'Everybody', 'Two people'])
    assert.deepEqual(await first({ query: 'is:ignored', sort: 'freq' }), ['Everybody'])
    assert.deepEqual(await first({ query: '!is:unresolved', sort: 'freq' }), ['Everybody'])
  })
})

it('an order by events is a walk along its index, without a sort', async () => {
  const { sqlite, close } = await openRecords({ file: ':memory:' }, { logger: silentLogger })
  const plan = sqlite
    .prepare(
      `EXPLAIN QUERY PLAN SELECT issue.* FROM issue JOIN project ON project.id = issue.project_id
       WHERE issue.event_count > 0 AND issue.project_id = ? AND issue.status = ? AND issue.status = ?
       ORDER BY issue.event_count DESC, issue.id DESC LIMIT 51`,
    )
    .all(1, 'unresolved', 'unresolved')
    .map((row) => String(row['detail']))
  assert.ok(
    plan.some((step) => step.includes('issue_by_events')),
    plan.join('; '),
  )
  assert.ok(!plan.some((step) => step.includes('TEMP B-TREE')), plan.join('; '))
  await close()
})
