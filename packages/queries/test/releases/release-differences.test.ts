import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { releaseDifferences, type ReleaseDifferencesInput } from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from '../harness.ts'
import { performanceRows } from '../performance/rows.ts'

const ago = (minutes: number): number => NOW_MS - minutes * MINUTE_MS
const ASKED: ReleaseDifferencesInput = {
  release: 'shop@2',
  before: 'shop@1',
  fromMs: ago(60),
  toMs: NOW_MS,
  limit: 10,
}
const people = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `id:${from + at}`)

let harness: Harness
let shop: ProjectGrant
const ids: number[] = []

describe('release differences', () => {
  before(async () => {
    harness = await openHarness()
    const org = await harness.org('acme')
    shop = await harness.project(org, 'shop')
    const other = await harness.project(org, 'other')
    ids.push(...(await harness.issues(shop.projectId, [{}, {}, {}, {}])))
    const [both = 0, fresh = 0, gone = 0, often = 0] = ids
    const sent = (release: string, userKey: string, more = {}) => ({ release, userKey, ...more })
    await harness.events(shop.projectId, both, [sent('shop@1', 'id:0'), sent('shop@2', 'id:100')])
    await harness.events(shop.projectId, fresh, [
      sent('shop@2', 'id:100', { environment: 'staging' }),
      sent('shop@1', 'id:0', { timestampMs: ago(61), receivedMs: ago(61) }),
    ])
    await harness.events(shop.projectId, gone, [sent('shop@1', 'id:1'), sent('shop@3', 'id:1')])
    await harness.events(
      shop.projectId,
      often,
      people(30, 100).flatMap((user) => [sent('shop@2', user), sent('shop@2', user)]),
    )
    const [theirs = 0] = await harness.issues(other.projectId, [{}])
    await harness.events(other.projectId, theirs, [sent('shop@2', 'id:7')])
    await performanceRows(harness).spans(shop.projectId, [
      ...people(40).map((userKey) => ({ release: 'shop@1', op: 'pageload', userKey })),
      ...people(40, 100).map((userKey) => ({ release: 'shop@2', op: 'pageload', userKey })),
    ])
  })

  after(() => harness.close())

  it('names the issues that only one of them has in this time, most events first', async () => {
    const { onlyRelease, onlyBefore } = await releaseDifferences(harness.deps, shop, ASKED)
    const told = (rows: typeof onlyRelease) => rows.map(({ id, eventsHere }) => [id, eventsHere])
    assert.deepEqual(told(onlyRelease), [
      [ids[3], 60],
      [ids[1], 1],
    ])
    assert.deepEqual(told(onlyBefore), [[ids[2], 1]])
    assert.deepEqual(
      told((await releaseDifferences(harness.deps, shop, { ...ASKED, limit: 1 })).onlyRelease),
      [[ids[3], 60]],
    )
  })

  it('compares how many people had an error, with an interval that leaves no doubt here', async () => {
    const { release, before: then, change } = await releaseDifferences(harness.deps, shop, ASKED)
    assert.deepEqual([release.events, release.visits, release.people?.value], [62, 40, 30 / 40])
    assert.deepEqual([then.events, then.visits, then.people?.value], [2, 40, 2 / 40])
    assert.ok(change.kind === 'known' && change.low > 0 && Math.abs(change.by - 0.7) < 1e-9)
  })

  it('says nothing of rates with too few people, and only of the environments that are asked for', async () => {
    const asked = { ...ASKED, environment: ['staging'] }
    const { onlyRelease, release, change } = await releaseDifferences(harness.deps, shop, asked)
    assert.deepEqual(
      onlyRelease.map(({ id }) => id),
      [ids[1]],
    )
    assert.deepEqual([release.events, release.visits, release.people, change.kind], [1, 0, undefined, 'few'])
  })
})
