import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { chunkFailures, chunkOutcomes } from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from '../harness.ts'
import { hexId, hexTrace, performanceRows } from '../performance/rows.ts'

const WINDOW = { fromMs: NOW_MS - 60 * MINUTE_MS, toMs: NOW_MS - 5 * MINUTE_MS }
const ago = (minutes: number): number => NOW_MS - minutes * MINUTE_MS

let harness: Harness
let shop: ProjectGrant
let rows: ReturnType<typeof performanceRows>
let orgs = 0

const failure = (tab: number, page: number, minutes: number, more: object = {}) => ({
  isSegment: false,
  op: 'ui.chunk_failure',
  startMs: ago(minutes),
  attributes: {
    'sonde.chunk.kind': 'old_build',
    'sonde.chunk.url': '/assets/cart-1.js',
    'sonde.chunk.build': 'shop@1',
    'sonde.chunk.tab': hexId(tab),
    'sonde.chunk.page': hexId(page),
    'sonde.page_start': ago(minutes) - 5_000,
  },
  ...more,
})
const load = (tab: number, page: number, minutes: number, build: string, isRecovered = false) => ({
  tabId: hexId(tab),
  pageId: hexId(page),
  build,
  startedMs: ago(minutes),
  timestampMs: ago(minutes - 1),
  receivedMs: ago(minutes - 1),
  isRecovered,
})

describe('tabs that could not load code', () => {
  before(async () => {
    harness = await openHarness()
    rows = performanceRows(harness)
  })
  after(() => harness.close())
  const open = async (): Promise<void> => {
    shop = await harness.project(await harness.org(`org-${++orgs}`), 'shop')
  }
  const outcomes = async () =>
    (await chunkOutcomes(harness.deps, shop, WINDOW)).map(({ outcomes: each }) => each)

  it('recovered, reloaded, looped or are stuck', async () => {
    await open()
    await rows.tabs(shop.projectId, [
      // Recovered: the file came later, though the tab never saw the new build.
      load(1, 0x11, 50, 'shop@1', true),
      // Reloaded, after the end of the window.
      load(2, 0x21, 50, 'shop@1'),
      load(2, 0x22, 3, 'shop@2'),
      // Stuck: the newer build was loaded before, and then the tab went back.
      load(3, 0x31, 55, 'shop@2'),
      load(3, 0x32, 50, 'shop@1'),
      // Looped: four page loads of the old build, each failed.
      ...[40, 39.5, 39, 38.4].map((minutes, at) => load(4, 0x41 + at, minutes, 'shop@1')),
      // Looped, and came through in the end.
      ...[40, 39.5, 39].map((minutes, at) => load(5, 0x51 + at, minutes, 'shop@1')),
      load(5, 0x5f, 30, 'shop@2'),
      // Three page loads that failed over half an hour are no loop.
      ...[40, 30, 20].map((minutes, at) => load(6, 0x61 + at, minutes, 'shop@1')),
    ])
    await rows.spans(shop.projectId, [
      failure(1, 0x11, 45),
      failure(1, 0x11, 44),
      failure(2, 0x21, 45),
      failure(3, 0x32, 45),
      ...[40, 39.5, 39, 38.4].map((minutes, at) => failure(4, 0x41 + at, minutes)),
      ...[40, 39.5, 39].map((minutes, at) => failure(5, 0x51 + at, minutes)),
      ...[40, 30, 20].map((minutes, at) => failure(6, 0x61 + at, minutes)),
    ])
    assert.deepEqual(await outcomes(), [{ recovered: 1, reloaded: 2, stuck: 2, looped: 1 }])
    const [card] = await chunkFailures(harness.deps, shop, WINDOW)
    assert.equal(card?.tabs, 6)
  })

  it('of stock Sentry SDKs are one card, and what followed is told by the person', async () => {
    await open()
    const [chunk = 0, other = 0] = await harness.issues(shop.projectId, [
      { title: 'ChunkLoadError: Loading chunk 17 failed.' },
      { title: 'TypeError: x is undefined' },
    ])
    const event = {
      release: 'web@1',
      environment: 'prod',
      sdkName: 'sentry.javascript.nextjs',
      exceptionType: 'ChunkLoadError',
      exceptionValue:
        'Loading chunk 17 failed.\n(error: https://shop.example/_next/static/chunks/17.4f2c.js)',
      transaction: '/cart',
      timestampMs: ago(40),
    }
    await harness.events(shop.projectId, chunk, [
      { ...event, userKey: 'id:1', traceId: hexTrace(1) },
      { ...event, userKey: 'id:1', traceId: hexTrace(2), timestampMs: ago(39) },
      { ...event, userKey: 'id:2', traceId: hexTrace(3) },
      { ...event, userKey: 'id:3', traceId: hexTrace(4) },
      { ...event, traceId: hexTrace(5) },
      // The reporter's own error says less than the failure beside it.
      { ...event, sdkName: 'sonde.javascript.browser' },
    ])
    await harness.events(shop.projectId, other, [{ ...event, exceptionValue: 'x is undefined' }])
    const page = { isSegment: true, op: 'pageload', environment: 'prod' }
    await rows.spans(shop.projectId, [
      { ...page, release: 'web@1', userKey: 'id:1', startMs: ago(41) },
      { ...page, release: 'web@2', userKey: 'id:1', startMs: ago(30) },
      { ...page, release: 'web@1', userKey: 'id:2', startMs: ago(41) },
      { ...page, release: 'web@2', userKey: 'id:9', startMs: ago(35) },
    ])
    const [card, ...more] = await chunkFailures(harness.deps, shop, WINDOW)
    assert.deepEqual(more, [])
    assert.deepEqual(
      [card?.build, card?.tabs, card?.users, card?.count, card?.routes, card?.files.map(({ url }) => url)],
      ['web@1', 4, 3, 5, ['/cart'], ['/_next/static/chunks/17.4f2c.js']],
    )
    assert.equal(card?.issue?.id, chunk)
    assert.deepEqual(await outcomes(), [{ reloaded: 1, stuck: 1, unknown: 2 }])
  })

  it('are none where nothing failed', async () => {
    await open()
    assert.deepEqual(await outcomes(), [])
  })
})
