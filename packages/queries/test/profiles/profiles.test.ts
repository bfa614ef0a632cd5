/** Profiles on the real engine: lists, one profile, many as one tree, and none of another organization. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  aggregateProfile,
  compareProfiles,
  functionTrends,
  newestProfiles,
  openProfile,
  profiledReleases,
  profiledTransactions,
  slowFunctions,
} from '@sonde/queries'
import { MINUTE_MS, NOW_MS, openHarness, type Harness, type ProjectGrant } from '../harness.ts'
import { functionRows } from './function-rows.ts'

let harness: Harness
let shop: ProjectGrant
let foreign: ProjectGrant
const WINDOW = { fromMs: NOW_MS - 60 * MINUTE_MS, toMs: NOW_MS }
const timeText = (ms: number): string => new Date(ms).toISOString().slice(0, -1).replace('T', ' ')
const FIRST = 'a'.repeat(32)
const SECOND = 'b'.repeat(32)
const PROFILER = 'e'.repeat(32)

const BODY = JSON.stringify({
  frames: [
    ['main', 'app.py', 1, 0, '', 1, ''],
    ['price', 'shop.py', 7, 0, '', 1, ''],
    ['a', 'min.js', 1, 0, '', 0, 'no_artifact'],
  ],
  nodes: [-1, 0, 0, 1, 0, 2],
  samples: [0, 1, 0, 10_000, 2, 0, 20_000, -1, 1],
  weights: [10_000, 30_000, 5_000],
  threads: [
    ['1', 'main'],
    ['2', 'worker'],
  ],
})

async function put(table: string, rows: readonly object[]): Promise<void> {
  const common = { received: timeText(NOW_MS), timestamp: timeText(NOW_MS - MINUTE_MS), sample_rate: 1 }
  const text = rows.map((row) => JSON.stringify({ ...common, ...row })).join('\n')
  await harness.telemetry.command(`INSERT INTO ${table} FORMAT JSONEachRow ${text}`)
}

describe('profiles', () => {
  before(async () => {
    harness = await openHarness()
    shop = await harness.project(await harness.org('acme'), 'shop')
    foreign = await harness.project(await harness.org('globex'), 'foreign')
    const of = { project_id: shop.projectId, body: BODY, body_size: BODY.length, samples: 3 }
    await put('profiles', [
      { ...of, profile_id: FIRST, transaction: 'GET /cart', duration_ms: 20, release: 'shop@1' },
      { ...of, profile_id: SECOND, transaction: 'GET /cart', duration_ms: 40, release: 'shop@2' },
      { ...of, profile_id: 'c'.repeat(32), profiler_id: PROFILER, duration_ms: 20 },
    ])
    const fn = { project_id: shop.projectId, profile_id: FIRST, transaction: 'GET /cart' }
    await put('profile_functions', [
      { ...fn, function: 'price', file: 'shop.py', in_app: 1, self_ms: 30, total_ms: 30, release: 'shop@1' },
      { ...fn, function: 'price', file: 'shop.py', in_app: 1, self_ms: 10, total_ms: 10, release: 'shop@2' },
      { ...fn, function: 'read', file: 'lib.py', in_app: 0, self_ms: 90, total_ms: 90 },
    ])
  })
  after(() => harness?.close())

  it('lists transactions, own functions and the newest', async () => {
    const [only, ...others] = await profiledTransactions(harness.deps, shop, WINDOW)
    assert.deepEqual([only?.transaction, only?.profiles, others.length], ['GET /cart', 2, 0])
    const functions = await slowFunctions(harness.deps, shop, WINDOW)
    assert.deepEqual(
      functions.map((each) => [each.function, each.sumMs, each.releases]),
      [['price', 40, 2]],
    )
    const newest = await newestProfiles(harness.deps, shop, { ...WINDOW, transaction: 'GET /cart', limit: 9 })
    assert.deepEqual(newest.map(({ profileId }) => profileId).toSorted(), [FIRST, SECOND])
  })

  it('tells how a function runs over the window, and that it became slower than in the window before', async () => {
    const project = await harness.project(await harness.org('trends'), 'shop')
    const [early, late] = [NOW_MS - 90 * MINUTE_MS, NOW_MS - 30 * MINUTE_MS]
    // A hundred in each hour, with some spread: three times as slow.
    const rows = Array.from({ length: 200 }, (_, index) => ({
      self_ms: (index < 100 ? 10 : 30) + (index % 10) / 10,
      atMs: index < 100 ? early : late,
    }))
    const put = functionRows(harness)
    await put(project.projectId, rows)
    await put(project.projectId, [
      { function: 'rare', atMs: late },
      { file: 'other.py', atMs: late },
    ])
    const functions = [
      { function: 'rare', file: 'shop.py' },
      { function: 'price', file: 'shop.py' },
    ]
    const { trends } = await functionTrends(harness.deps, project, { ...WINDOW, functions })
    const [rare, price] = trends
    assert.deepEqual(rare?.change, { kind: 'few' })
    assert.deepEqual([rare?.before, rare?.samples], [undefined, [1, 0]])
    assert.ok(price?.change.kind === 'known')
    assert.ok(price.change.low > 1.5 && price.change.high < 2.5, JSON.stringify(price.change))
    assert.deepEqual(price.samples, [100, 100])
    assert.equal(
      price.spark.reduce((sum, count) => sum + count),
      100,
    )
    assert.equal(price.spark.filter((count) => count > 0).length, 1)
    const elsewhere = await functionTrends(harness.deps, foreign, { ...WINDOW, functions })
    assert.deepEqual(
      elsewhere.trends.map(({ samples }) => samples),
      [
        [0, 0],
        [0, 0],
      ],
    )
  })

  it('opens one with the time of each call, and one thread of it', async () => {
    const opened = await openProfile(harness.deps, shop, { id: FIRST })
    assert.ok(opened)
    const { nodes, functions, totalMs, idleMs, threads } = opened.tree
    assert.deepEqual([totalMs, idleMs], [40, 5])
    assert.deepEqual(
      nodes.map(({ parent, fn, totalMs: ms }) => [parent, functions[fn]?.name, ms]),
      [
        [-1, 'main', 40],
        [0, 'price', 10],
        [0, 'a', 30],
      ],
    )
    assert.equal(functions.find(({ name }) => name === 'a')?.problem, 'no_artifact')
    assert.deepEqual(
      threads.map(({ name, samples }) => [name, samples]),
      [
        ['main', 2],
        ['worker', 1],
      ],
    )
    const worker = await openProfile(harness.deps, shop, { id: FIRST, thread: '2' })
    assert.deepEqual([worker?.tree.totalMs, worker?.tree.idleMs], [0, 5])
    assert.equal((await openProfile(harness.deps, shop, { id: PROFILER }))?.profiles.length, 1)
  })

  it('adds up several as one tree', async () => {
    const { tree, profiles } = await aggregateProfile(harness.deps, shop, {
      ...WINDOW,
      transaction: 'GET /cart',
    })
    assert.deepEqual([profiles.length, tree.totalMs, tree.nodes.length], [2, 80, 3])
  })

  it('compares two releases, and names those that have profiles', async () => {
    const releases = await profiledReleases(harness.deps, shop, { ...WINDOW, release: ['shop@1'] })
    assert.deepEqual(
      releases.map(({ release, profiles, samples }) => [release, profiles, samples]),
      [
        ['shop@2', 1, 3],
        ['shop@1', 1, 3],
      ],
    )
    const compared = await compareProfiles(harness.deps, shop, {
      before: { ...WINDOW, release: ['shop@1'] },
      after: { ...WINDOW, release: ['shop@2'] },
    })
    assert.deepEqual([compared.profiles, compared.isTooFew], [{ before: 1, after: 1 }, true])
    assert.deepEqual(compared.functions.find((each) => each.function === 'price')?.self, {
      before: 0.25,
      after: 0.25,
    })
    assert.deepEqual(await profiledReleases(harness.deps, foreign, WINDOW), [])
  })

  it('nothing of another organization, and nothing for what is no id', async () => {
    assert.equal(await openProfile(harness.deps, foreign, { id: FIRST }), undefined)
    assert.equal(await openProfile(harness.deps, shop, { id: "' OR 1=1" }), undefined)
    assert.deepEqual(await newestProfiles(harness.deps, foreign, { ...WINDOW, limit: 9 }), [])
  })
})
