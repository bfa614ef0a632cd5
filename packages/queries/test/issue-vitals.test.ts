import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { findIssue, type IssueRow, issueVitals } from '@sonde/queries'
import type { VitalFields } from '@sonde/stores'
import { quantileDifference } from '../src/performance/quantile-difference.ts'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from './harness.ts'
import { vitalRows } from './vital-rows.ts'

const trace = (n: number): string => n.toString(16).padStart(32, '0')

describe('vitals of those who had an error', () => {
  let harness: Harness
  let shop: ProjectGrant
  let insert: ReturnType<typeof vitalRows>
  /** An issue of which these people had an event each, in these traces. */
  async function issueOf(users: readonly string[], traces: readonly string[] = []): Promise<IssueRow> {
    const [id = 0] = await harness.issues(shop.projectId, [
      { title: 'Boom', short_number: ++issues, first_seen_ms: NOW_MS - 60 * MINUTE_MS, last_seen_ms: NOW_MS },
    ])
    const events = Array.from({ length: Math.max(users.length, traces.length) }, (_, n) => ({
      userKey: users[n] ?? '',
      traceId: traces[n] ?? '',
    }))
    await harness.events(shop.projectId, id, events)
    const issue = await findIssue(harness.deps, shop, id)
    assert.ok(issue)
    return issue
  }
  let issues = 0

  before(async () => {
    harness = await openHarness()
    const acme = await harness.org('acme')
    shop = await harness.project(acme, 'shop')
    insert = vitalRows(harness)
    const api = await harness.project(acme, 'api')
    await insert(api.projectId, [{ value: 50_000, userKey: 'id:other 1' }])
    const visit = (userKey: string, value: number, more: Partial<VitalFields> = {}) => ({
      userKey,
      value,
      ...more,
    })
    await insert(shop.projectId, [
      // Forty people with two visits each to the cart; the first twenty-five are slower by 800 ms.
      ...Array.from({ length: 80 }, (_, n) => visit(`id:${n % 40}`, 1000 + n * 5 + (n % 40 < 25 ? 800 : 0))),
      // Where nobody with the error was, everything is slow; that is no reason to call them fast.
      ...Array.from({ length: 60 }, (_, n) => visit(`id:${25 + (n % 15)}`, 20_000, { route: '/reports' })),
      ...Array.from({ length: 60 }, (_, n) => visit(`id:${100 + n}`, 1000 + n * 5)),
      ...Array.from({ length: 60 }, (_, n) =>
        visit('', 900 + n, { name: 'inp', traceId: trace(n), route: '/pay' }),
      ),
      ...Array.from({ length: 90 }, (_, n) =>
        visit('', 100 + n, { name: 'inp', traceId: trace(1000 + n), route: '/pay' }),
      ),
    ])
  })
  after(() => harness.close())

  it('compares people with people, on the routes where those with the error were', async () => {
    const issue = await issueOf(Array.from({ length: 25 }, (_, n) => `id:${n}`))
    const found = await issueVitals(harness.deps, issue)
    assert.deepEqual([found.users.map(({ name }) => name), found.visits], [['lcp'], []])
    const [lcp] = found.users
    const observed = (value: number, cluster: string) => ({ value, weight: 1, stratum: 'cart', cluster })
    const carts = Array.from({ length: 80 }, (_, n) => [n % 40, 1000 + n * 5] as const)
    const expected = quantileDifference(
      carts.flatMap(([user, ms]) => (user < 25 ? [observed(ms + 800, `${user}`)] : [])),
      [
        ...carts.flatMap(([user, ms]) => (user >= 25 ? [observed(ms, `${user}`)] : [])),
        ...Array.from({ length: 60 }, (_, n) => observed(1000 + n * 5, `${100 + n}`)),
      ],
    )
    assert.deepEqual({ ...lcp }, { name: 'lcp', ...expected })
    assert.ok((lcp?.low ?? 0) > 600, `${lcp?.low}`)
    assert.deepEqual([lcp?.first.samples, lcp?.first.clusters, lcp?.second.samples], [50, 25, 90])
    assert.equal(found.affectedVisits, 50)
  })

  it('compares the visits in which it happened with the others, when nobody says who they are', async () => {
    const issue = await issueOf(
      [],
      Array.from({ length: 60 }, (_, n) => trace(n)),
    )
    const found = await issueVitals(harness.deps, issue)
    assert.deepEqual([found.users, found.visits.map(({ name }) => name)], [[], ['inp']])
    const [inp] = found.visits
    assert.deepEqual([inp?.first.value, inp?.second.value], [900 + 44, 100 + 67])
    assert.ok((inp?.low ?? 0) > 700 && (inp?.high ?? 0) < 850)
  })

  it('says nothing of few people, and nothing of an issue that no visit is known of', async () => {
    const few = await issueVitals(harness.deps, await issueOf(['id:1', 'id:2', 'id:3']))
    assert.deepEqual([few.users, few.visits, few.affectedVisits], [[], [], 6])
    const none = await issueVitals(harness.deps, await issueOf(['id:nobody'], ['not a trace']))
    assert.deepEqual([none.users, none.visits, none.affectedVisits], [[], [], 0])
  })

  it('looks at the time in which the issue lived, and at no more of it than is asked for', async () => {
    const issue = await issueOf(Array.from({ length: 25 }, (_, n) => `id:${n}`))
    const before = { fromMs: NOW_MS - 600 * MINUTE_MS, toMs: NOW_MS - 300 * MINUTE_MS }
    const found = await issueVitals(harness.deps, issue, before)
    assert.deepEqual([found.users, found.affectedVisits], [[], 0])
    assert.ok(found.toMs > found.fromMs)
  })

  it('looks at the environments that are asked for', async () => {
    const issue = await issueOf(Array.from({ length: 25 }, (_, n) => `id:${n}`))
    const found = await issueVitals(harness.deps, issue, { environments: ['moon'] })
    assert.deepEqual([found.users, found.affectedVisits], [[], 0])
  })

  it('of many visits takes as many as tell enough, the same each time', async () => {
    const people = Array.from({ length: 50 }, (_, n) => `id:many ${n}`)
    const visits = (from: number, count: number, more: number) =>
      Array.from({ length: count }, (_, n) => ({
        name: 'cls',
        route: '/many',
        value: (n % 1000) / 1000 + more,
        userKey: `id:many ${from + (n % 50)}`,
      }))
    await insert(shop.projectId, [...visits(0, 6000, 0.1), ...visits(50, 6000, 0)])
    const issue = await issueOf(people)
    const [first, again] = [await issueVitals(harness.deps, issue), await issueVitals(harness.deps, issue)]
    const [cls] = first.users
    assert.deepEqual(first, again)
    assert.deepEqual([cls?.first.samples, cls?.second.samples, first.affectedVisits], [2000, 2000, 6000])
    assert.ok(Math.abs((cls?.first.value ?? 0) - 0.85) < 0.03)
    // 2,000 visits tell the percentile within 0.02 (two standard errors), the difference of two within 0.03.
    assert.ok(Math.abs((cls?.difference ?? 0) - 0.1) < 0.04, `${cls?.difference}`)
  })
})
