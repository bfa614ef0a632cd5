import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { buildsInUse, openTabs } from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from '../harness.ts'
import { hexId, hexTrace, performanceRows } from '../performance/rows.ts'
import { sessionRows } from '../sessions/session-rows.ts'

const ago = (minutes: number): number => NOW_MS - minutes * MINUTE_MS

let harness: Harness
let rows: ReturnType<typeof performanceRows>
let orgs = 0
const newProject = async (): Promise<ProjectGrant> =>
  harness.project(await harness.org(`org-${++orgs}`), 'shop')

describe('open tabs', () => {
  before(async () => {
    harness = await openHarness()
    rows = performanceRows(harness)
  })
  after(() => harness.close())

  const counted = async (shop: ProjectGrant, environment?: readonly string[]) =>
    (await openTabs(harness.deps, shop, environment)).map(({ build, environment: where, tabs, source }) =>
      [build, where, tabs, source].join(' '),
    )

  it('are counted by the build that they run now, each once', async () => {
    const shop = await newProject()
    const page = { pageId: hexId(0xa1), tabId: hexId(0xa), build: 'shop@1' }
    await rows.tabs(shop.projectId, [
      { ...page, startedMs: ago(40), timestampMs: ago(9), receivedMs: ago(9) },
      { ...page, startedMs: ago(40), timestampMs: ago(2), receivedMs: ago(2) },
      { build: 'shop@1' },
      { build: 'shop@1', environment: 'staging' },
      // Its second page load runs the new build.
      { tabId: hexId(0xb), build: 'shop@1', startedMs: ago(4), timestampMs: ago(4), receivedMs: ago(4) },
      { tabId: hexId(0xb), build: 'shop@2', startedMs: ago(1) },
      // Not seen any more.
      { build: 'shop@1', timestampMs: ago(6), receivedMs: ago(6) },
      // A clock may be four minutes late; what is an hour old was kept while offline.
      { build: 'shop@2', startedMs: ago(8), timestampMs: ago(8), receivedMs: ago(1) },
      { build: 'shop@2', startedMs: ago(61), timestampMs: ago(61), receivedMs: ago(1) },
      { build: 'shop@2', sampleRate: 0.5 },
      { build: 'shop@2', sampleRate: 0.5 },
    ])
    assert.deepEqual(await counted(shop), [
      'shop@2 prod 6 beats',
      'shop@1 prod 2 beats',
      'shop@1 staging 1 beats',
    ])
    assert.deepEqual(await counted(shop, ['staging']), ['shop@1 staging 1 beats'])
  })

  it('of other SDKs are those that did something: by page loads, else sessions, else errors', async () => {
    const shop = await newProject()
    const at = { startMs: ago(1), receivedMs: ago(1) }
    await rows.spans(shop.projectId, [
      { ...at, release: 'web@1', userKey: 'id:1', traceId: hexTrace(1) },
      { ...at, release: 'web@1', userKey: 'id:1', op: 'navigation', traceId: hexTrace(2) },
      { ...at, release: 'web@1', op: 'pageload', traceId: hexTrace(3) },
      { ...at, release: 'web@1', op: 'navigation', traceId: hexTrace(4) },
      { ...at, release: 'web@2', op: 'navigation' },
      { ...at, release: 'api@1', op: 'http.server' },
      { release: 'web@0', startMs: ago(7), receivedMs: ago(7) },
    ])
    await sessionRows(harness)(shop.projectId, [
      { release: 'web@1', environment: 'prod', startedMs: ago(2) },
      { release: 'web@3', environment: 'prod', startedMs: ago(2), userHash: 'ada' },
      { release: 'web@3', environment: 'prod', startedMs: ago(3), userHash: 'ada' },
      { release: 'web@3', environment: 'prod', startedMs: ago(3) },
      { release: 'api@1', environment: 'prod', startedMs: ago(2), sdkName: 'sentry.javascript.node' },
      { release: 'web@3', environment: 'prod', startedMs: ago(2), status: 'counted', healthy: 900 },
    ])
    const [issue = 0] = await harness.issues(shop.projectId, [{}])
    const error = { release: 'web@4', environment: 'prod', url: 'https://shop.example/' }
    await harness.events(shop.projectId, issue, [
      { ...error, userKey: 'id:1' },
      { ...error, userKey: 'id:1' },
      { ...error, release: 'api@1', url: '' },
    ])
    assert.deepEqual(await counted(shop), [
      'web@1 prod 2 pages',
      'web@3 prod 2 sessions',
      'web@2 prod 1 pages',
      'web@4 prod 1 errors',
    ])
  })

  it('tell since when a build is out, as page loads and sessions of other SDKs do', async () => {
    const shop = await newProject()
    await rows.tabs(shop.projectId, [{ build: 'shop@1', startedMs: ago(300), timestampMs: ago(5) }])
    await rows.navigations(shop.projectId, [{ build: 'shop@1', timestampMs: ago(200) }])
    await rows.spans(shop.projectId, [{ release: 'shop@2', startMs: ago(30) }])
    await sessionRows(harness)(shop.projectId, [
      { release: 'shop@2', environment: 'prod', startedMs: ago(40) },
      { release: 'api@9', environment: 'prod', startedMs: ago(40), sdkName: 'sentry.javascript.node' },
    ])
    const builds = await buildsInUse(harness.deps, shop, { fromMs: ago(60), toMs: NOW_MS })
    assert.deepEqual(
      builds.map(({ build, firstMs, tellsTabs }) => [build, firstMs, tellsTabs]),
      [
        ['shop@2', ago(40), false],
        ['shop@1', ago(300), true],
      ],
    )
  })
})
