import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { buildsInUse, deployments } from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type OrgGrant, type ProjectGrant } from '../harness.ts'
import { hexId, performanceRows } from '../performance/rows.ts'
import { releaseFixture } from '../releases/release-fixture.ts'

const ago = (minutes: number): number => NOW_MS - minutes * MINUTE_MS
const WINDOW = { fromMs: ago(24 * 60), toMs: NOW_MS }

let harness: Harness
let rows: ReturnType<typeof performanceRows>
let orgs = 0
let org: OrgGrant
let shop: ProjectGrant

const many = <Row>(count: number, row: (index: number) => Row): Row[] =>
  Array.from({ length: count }, (_, index) => row(index))
/** A page load so many minutes ago, last seen at the second time. */
const load = (build: string, minutes: number, seen = minutes) => ({
  build,
  environment: 'prod',
  startedMs: ago(minutes),
  timestampMs: ago(seen),
  receivedMs: ago(seen),
})

describe('what is served after a rollback', () => {
  before(async () => {
    harness = await openHarness()
    rows = performanceRows(harness)
  })
  after(() => harness.close())
  const open = async (): Promise<void> => {
    org = await harness.org(`org-${++orgs}`)
    shop = await harness.project(org, 'shop')
  }
  const served = async () =>
    (await buildsInUse(harness.deps, shop, WINDOW)).map(({ build, servedMs }) => [
      build,
      (NOW_MS - servedMs) / MINUTE_MS,
    ])
  const told = async () =>
    (await deployments(harness.deps, shop, WINDOW)).builds.map(({ build, replacedBy, leftTabs, open: now }) =>
      [build, replacedBy ? `until ${replacedBy.build}` : 'now', leftTabs, now?.tabs ?? 0].join(' '),
    )

  it('is the older release again, once pages load it and the newer one no more', async () => {
    await open()
    await rows.tabs(shop.projectId, [
      ...many(8, (n) => load('shop@1', 600 - n)),
      // Left behind by the deployment, and still open after the rollback: on the right build again.
      ...many(4, () => load('shop@1', 500, 1)),
      ...many(6, (n) => load('shop@2', 120 - n * 5)),
      // Opened before the rollback and still there: these are on another build than the site's.
      ...many(3, () => load('shop@2', 90, 2)),
      ...many(5, (n) => load('shop@1', 60 - n * 10, 1)),
    ])
    assert.deepEqual(await served(), [
      ['shop@1', 60],
      ['shop@2', 120],
    ])
    assert.deepEqual(await told(), ['shop@1 now 0 9', 'shop@2 until shop@1 3 3'])
  })

  it('stays the newer one while it is loaded too, or somebody reloads a page of a cache', async () => {
    await open()
    // Every tenth gets it.
    await rows.tabs(shop.projectId, [load('shop@1', 400)])
    await rows.tabs(
      shop.projectId,
      many(200, (n) => load(n % 10 === 0 ? 'shop@2' : 'shop@1', 300 - n)),
    )
    assert.deepEqual((await served())[0], ['shop@2', 300])
    await open()
    await rows.tabs(shop.projectId, [
      load('shop@1', 400),
      ...many(20, (n) => load('shop@2', 300 - n)),
      ...many(20, (n) => ({ ...load('shop@1', 200 - n), tabId: hexId(0xa), pageId: hexId(0x100 + n) })),
    ])
    assert.deepEqual((await served())[0], ['shop@2', 300])
  })

  it('is told by page loads of other SDKs, by environment', async () => {
    await open()
    const page = (release: string, minutes: number, environment = 'prod') => ({
      release,
      environment,
      startMs: ago(minutes),
      receivedMs: ago(minutes),
      userKey: `id:${minutes}`,
    })
    await rows.spans(shop.projectId, [
      page('web@1', 400),
      ...many(6, (n) => page('web@2', 300 - n)),
      ...many(6, (n) => page('web@1', 200 - n)),
      page('web@1', 350, 'staging'),
      ...many(6, (n) => page('web@2', 310 - n, 'staging')),
    ])
    const builds = await buildsInUse(harness.deps, shop, WINDOW)
    const newest = (name: string) => builds.find(({ environment }) => environment === name)?.build
    assert.deepEqual([newest('prod'), newest('staging')], ['web@1', 'web@2'])
  })

  it('is what was deployed last, before anybody loads it, and each release for its own time', async () => {
    await open()
    const add = releaseFixture(harness, org.orgId)
    const deploys = (...minutes: readonly number[]) =>
      minutes.map((each) => ({ to: 'prod', atMs: ago(each) }))
    await add({ version: 'shop@1', projects: [shop], deploys: deploys(601, 60) })
    await add({ version: 'shop@2', projects: [shop], deploys: deploys(121, 100) })
    await add({ version: 'shop@0', projects: [shop], deploys: [{ to: 'staging', atMs: ago(5) }] })
    await rows.tabs(shop.projectId, [
      load('shop@0', 900),
      ...many(8, (n) => load('shop@1', 600 - n)),
      ...many(6, (n) => load('shop@2', 120 - n * 5)),
      load('shop@2', 80, 2),
    ])
    assert.deepEqual(await told(), [
      'shop@1 now 0 0',
      // Deployed a second time in a row it is no other build.
      'shop@2 until shop@1 1 1',
      'shop@0 until shop@1 0 0',
    ])
    await add({ version: 'shop@3', projects: [shop], deploys: deploys(3) })
    await rows.tabs(shop.projectId, [load('shop@3', 2)])
    assert.deepEqual(await told(), [
      'shop@3 now 0 1',
      'shop@1 until shop@3 0 0',
      'shop@2 until shop@1 1 1',
      'shop@0 until shop@1 0 0',
    ])
  })
})
