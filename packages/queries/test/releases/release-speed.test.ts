import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { releaseErrorRate, releaseNavigations, releaseVitalChanges, verdictOf } from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from '../harness.ts'
import { performanceRows } from '../performance/rows.ts'

const WINDOW = { fromMs: NOW_MS - 60 * MINUTE_MS, toMs: NOW_MS }
const PAIR = { ...WINDOW, release: 'shop@2', before: 'shop@1' }
const many = <Row>(count: number, row: (index: number) => Row): Row[] =>
  Array.from({ length: count }, (_, index) => row(index))

let harness: Harness
let shop: ProjectGrant
let rows: ReturnType<typeof performanceRows>

describe('release speed', () => {
  before(async () => {
    harness = await openHarness()
    shop = await harness.project(await harness.org('acme'), 'shop')
    rows = performanceRows(harness)
    const visits = (release: string, value: (index: number) => number) =>
      many(400, (index) => ({ release, value: value(index), userKey: `id:${release}${index}` }))
    await rows.vitals(shop.projectId, [
      ...visits('shop@1', (index) => 1000 + index),
      ...visits('shop@2', (index) => 2000 + index),
      // Another release, another environment, another time: none of it may be counted.
      ...visits('shop@3', () => 9000),
      ...visits('shop@1', () => 9000).map((row) => ({ ...row, timestampMs: NOW_MS - 61 * MINUTE_MS })),
      ...many(10, () => ({ release: 'shop@2', name: 'inp' as const, value: 300 })),
      ...many(10, () => ({ release: 'shop@1', name: 'inp' as const, value: 100 })),
      { release: 'shop@2', name: 'cls', value: 0.1 },
    ])
    const navigations = (release: string, failing: number, hanging = 0) =>
      many(400, (index) => ({
        release,
        userKey: `id:${release}${index}`,
        outcome:
          index < hanging
            ? ('timed_out' as const)
            : index < failing
              ? ('full_load' as const)
              : ('committed' as const),
      }))
    const transactions = (release: string, failing: number) =>
      many(400, (index) => ({
        release,
        userKey: `id:${release}${index}`,
        status: index < failing ? 'internal_error' : index % 2 === 0 ? 'ok' : 'cancelled',
      }))
    await rows.spans(shop.projectId, [
      ...transactions('shop@1', 4),
      ...transactions('shop@2', 60),
      ...transactions('shop@3', 400),
      // A part of a transaction is none.
      ...many(50, () => ({ release: 'shop@2', isSegment: false, status: 'internal_error' })),
    ])
    await rows.navigations(shop.projectId, [
      ...navigations('shop@1', 8),
      ...navigations('shop@2', 80, 40),
      ...navigations('shop@3', 400),
      // Nobody waited for these.
      ...many(50, () => ({ release: 'shop@2', outcome: 'superseded' as const, durationMs: 9000 })),
    ])
  })

  after(() => harness.close())

  it('tells by how much the vitals of a release differ from those of another, and when it is too few', async () => {
    const changes = await releaseVitalChanges(harness.deps, shop, PAIR)
    assert.deepEqual(
      changes.map(({ name, samples }) => [name, samples]),
      [
        ['lcp', [400, 400]],
        ['inp', [10, 10]],
      ],
    )
    const [lcp, inp] = changes.map(({ change }) => change)
    assert.ok(lcp?.kind === 'known' && Math.abs(lcp.by - 1000 / 1300) < 0.02, JSON.stringify(lcp))
    assert.equal(verdictOf(lcp), 'worse')
    assert.equal(inp?.kind, 'few')
    const back = await releaseVitalChanges(harness.deps, shop, {
      ...PAIR,
      release: 'shop@1',
      before: 'shop@2',
    })
    assert.equal(back[0] && verdictOf(back[0].change), 'better')
  })

  it('tells by how much more navigations of a release go wrong', async () => {
    const { release, before: past, change, hungChange } = await releaseNavigations(harness.deps, shop, PAIR)
    assert.deepEqual(release, { count: 400, samples: 400, troubled: 80, hung: 40 })
    assert.deepEqual(past, { count: 400, samples: 400, troubled: 8, hung: 0 })
    assert.ok(change.kind === 'known' && Math.abs(change.by - 0.18) < 1e-9, JSON.stringify(change))
    assert.equal(verdictOf(change), 'worse')
    assert.ok(hungChange.kind === 'known' && Math.abs(hungChange.by - 0.1) < 1e-9, JSON.stringify(hungChange))
  })

  it('tells by how much more transactions of a release fail, without sessions and add-ons', async () => {
    const { release, before: past, change } = await releaseErrorRate(harness.deps, shop, PAIR)
    assert.deepEqual(release, { count: 400, samples: 400, failed: 60 })
    assert.deepEqual(past, { count: 400, samples: 400, failed: 4 })
    assert.ok(change.kind === 'known' && Math.abs(change.by - 0.14) < 1e-9, JSON.stringify(change))
    assert.equal(verdictOf(change), 'worse')
    const none = await releaseErrorRate(harness.deps, shop, { ...PAIR, environment: ['staging'] })
    assert.deepEqual([none.release, none.before, none.change.kind], [undefined, undefined, 'few'])
  })

  it('is not made more certain by many transactions of few people', async () => {
    const few = await harness.project(await harness.org('few'), 'shop')
    const of = (release: string, failing: number) =>
      many(400, (index) => ({
        release,
        userKey: `id:${index % 8}`,
        status: index % 8 < failing ? 'internal_error' : 'ok',
      }))
    await rows.spans(few.projectId, [...of('shop@1', 0), ...of('shop@2', 4)])
    const { release, change } = await releaseErrorRate(harness.deps, few, PAIR)
    assert.deepEqual([release?.failed, change.kind], [200, 'few'])
  })

  it('keeps to the environment, and says that there is nothing to compare with', async () => {
    const elsewhere = { ...PAIR, environment: ['staging'] }
    assert.deepEqual(await releaseVitalChanges(harness.deps, shop, elsewhere), [])
    const none = await releaseNavigations(harness.deps, shop, elsewhere)
    assert.deepEqual(none, {
      release: undefined,
      before: undefined,
      change: { kind: 'few' },
      hungChange: { kind: 'few' },
    })
    const alone = await releaseNavigations(harness.deps, shop, { ...PAIR, before: 'shop@0' })
    assert.deepEqual([alone.release?.count, alone.before, alone.change.kind], [400, undefined, 'few'])
    const empty = await harness.org('bare')
    assert.equal((await releaseNavigations(harness.deps, empty, PAIR)).release, undefined)
  })
})
