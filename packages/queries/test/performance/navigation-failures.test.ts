import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { chunkFailures, fullLoads, pageDataFailures, replacementOf } from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from '../harness.ts'
import { hexId, hexTrace, performanceRows } from './rows.ts'

const WINDOW = { fromMs: NOW_MS - 60 * MINUTE_MS, toMs: NOW_MS }
const ago = (minutes: number): number => NOW_MS - minutes * MINUTE_MS

let harness: Harness
let shop: ProjectGrant
let rows: ReturnType<typeof performanceRows>

const prefixed = (prefix: string, facts: Readonly<Record<string, string | number>>) =>
  Object.fromEntries(Object.entries(facts).map(([key, value]) => [prefix + key, value]))

describe('navigation failures', () => {
  before(async () => {
    harness = await openHarness()
    shop = await harness.project(await harness.org('acme'), 'shop')
    rows = performanceRows(harness)
  })

  after(() => harness.close())

  it('failures of page data are one row an endpoint, with what answered, who saw it and the issue it became', async () => {
    const failure = (facts: Record<string, string | number>, row: object = {}) => ({
      isSegment: false,
      op: 'ui.page_data_failure',
      name: 'GET /api/orders/[id]',
      status: 'internal_error',
      startMs: ago(20),
      attributes: {
        ...prefixed('sonde.page_data.', {
          kind: 'server_error',
          status: 503,
          attempts: 3,
          seen: 'false',
          recovered: 'false',
          route: '/orders/[id]',
          ...facts,
        }),
        'sonde.page_start': 1000,
      },
      ...row,
    })
    const seenTrace = hexTrace(0x5ee)
    await rows.spans(shop.projectId, [
      failure(
        { seen: 'true', navigation: hexId(7) },
        { userKey: 'id:1', traceId: seenTrace, startMs: ago(30) },
      ),
      failure({ recovered: 'true', attempts: 1 }, { userKey: 'id:2' }),
      failure({ status: 404, kind: 'client_error', attempts: 1 }, { userKey: 'id:2' }),
      failure({ kind: 'offline', attempts: 1, route: '/cart' }, { name: 'GET /api/cart' }),
      failure({}, { startMs: ago(120) }),
      failure({}, { op: 'http.client' }),
    ])
    // A failure without an answer has no status.
    const [issue = 0] = await harness.issues(shop.projectId, [{ title: 'ApiError: 503' }])
    await harness.events(shop.projectId, issue, [{ traceId: seenTrace, timestampMs: ago(29) }])
    const [orders, cart, ...others] = await pageDataFailures(harness.deps, shop, WINDOW)
    assert.deepEqual(others, [])
    assert.deepEqual(
      { ...orders, answers: undefined },
      {
        endpoint: 'GET /api/orders/[id]',
        count: 3,
        seen: 1,
        stale: 0,
        recovered: 1,
        attempts: 5,
        answers: undefined,
        users: 2,
        usersWhoSaw: 1,
        pages: 1,
        routes: ['/orders/[id]'],
        lastMs: ago(20),
        traceId: seenTrace,
        navigationId: hexId(7),
        issue: { id: issue, projectSlug: 'shop', title: 'ApiError: 503' },
      },
    )
    assert.deepEqual(orders?.answers, [
      { answer: '503', count: 2 },
      { answer: '404', count: 1 },
    ])
    assert.deepEqual([cart?.endpoint, cart?.seen, cart?.issue], ['GET /api/cart', 0, undefined])
    const onTheWay = await pageDataFailures(harness.deps, shop, { ...WINDOW, to: '/cart' })
    assert.deepEqual(
      onTheWay.map(({ endpoint }) => endpoint),
      ['GET /api/cart'],
    )
    const [inOne, ...more] = await pageDataFailures(harness.deps, shop, { ...WINDOW, navigation: hexId(7) })
    assert.deepEqual([inOne?.endpoint, inOne?.count, more], ['GET /api/orders/[id]', 1, []])
  })

  it('full loads are told by reason, with the routes that were asked for', async () => {
    await rows.navigations(shop.projectId, [
      { outcome: 'full_load', reason: 'timeout', userKey: 'id:1' },
      { outcome: 'full_load', reason: 'timeout', userKey: 'id:2', toRoute: '/orders' },
      { outcome: 'full_load', reason: 'timeout', userKey: 'id:2' },
      { outcome: 'full_load', reason: 'build' },
      { outcome: 'errored', reason: 'http_500' },
    ])
    const found = await fullLoads(harness.deps, shop, WINDOW)
    assert.deepEqual(
      found.map(({ reason, count, users, routes }) => [reason, count, users, routes]),
      [
        ['timeout', 3, 2, ['/cart', '/orders']],
        ['build', 1, 0, ['/cart']],
      ],
    )
  })

  describe('tabs that could not load code', () => {
    const failure = (url: string, page: number, row: object = {}, kind = 'old_build') => ({
      isSegment: false,
      op: 'ui.chunk_failure',
      name: kind,
      startMs: ago(20),
      environment: 'live',
      attributes: {
        ...prefixed('sonde.chunk.', { kind, url, build: 'shop@1', route: '/cart' }),
        'sonde.page_start': page,
      },
      ...row,
    })

    it('are one finding, however many files and errors they made, and say which release replaced theirs', async () => {
      const trace = hexTrace(0xc4)
      await rows.navigations(shop.projectId, [
        { environment: 'live', build: 'shop@1', timestampMs: ago(50) },
        { environment: 'live', build: 'shop@2', timestampMs: ago(25) },
        { environment: 'live', build: 'shop@3', timestampMs: ago(2) },
        { environment: 'staging', build: 'shop@4', timestampMs: ago(22) },
      ])
      await rows.spans(shop.projectId, [
        failure('/assets/cart-1.js', 101, { userKey: 'id:1', traceId: trace }),
        failure('/assets/cart-1.js', 102, { userKey: 'id:2', startMs: ago(10) }),
        failure('/assets/list-1.js', 102, { userKey: 'id:2', startMs: ago(9) }, 'not_found'),
        failure('/assets/cart-4.js', 103, { environment: 'staging' }),
      ])
      const [unrelated = 0, chunk = 0] = await harness.issues(shop.projectId, [
        { title: 'TypeError: x', short_number: 8 },
        { title: 'TypeError: Failed to fetch dynamically imported module', short_number: 9 },
      ])
      const own = { traceId: trace, timestampMs: ago(20) }
      await harness.events(shop.projectId, unrelated, [own, own])
      const exceptionValue =
        'Failed to fetch dynamically imported module: https://shop.example/assets/cart-1.js'
      await harness.events(shop.projectId, chunk, [{ ...own, exceptionValue }])
      const [live, staging, ...others] = await chunkFailures(harness.deps, shop, WINDOW)
      assert.deepEqual(others, [])
      assert.deepEqual(
        { ...live, traceId: undefined },
        {
          build: 'shop@1',
          environment: 'live',
          replacedBy: { build: 'shop@2', servedMs: ago(25) },
          tabs: 2,
          users: 2,
          count: 3,
          kinds: { old_build: 2, not_found: 1 },
          files: ['/assets/cart-1.js', '/assets/list-1.js'].map((url) => ({
            url,
            sources: [],
            unreadable: undefined,
            uploaded: undefined,
          })),
          fileCount: 2,
          routes: ['/cart'],
          firstMs: ago(20),
          lastMs: ago(9),
          traceId: undefined,
          issue: {
            id: chunk,
            projectSlug: 'shop',
            title: 'TypeError: Failed to fetch dynamically imported module',
          },
        },
      )
      assert.deepEqual([staging?.environment, staging?.tabs, staging?.issue], ['staging', 1, undefined])
    })

    it('are none where none failed', async () => {
      assert.deepEqual(await chunkFailures(harness.deps, shop, { ...WINDOW, release: ['none'] }), [])
    })

    it('were replaced by the newest build of their environment that was out when they failed', () => {
      const build = (name: string, firstMs: number, environment = '') => ({
        build: name,
        firstMs,
        lastMs: firstMs,
        servedMs: firstMs,
        cameMs: [firstMs],
        tellsTabs: true,
        environment,
      })
      const builds = [build('a', 1e6), build('b', 5e6), build('c', 9e6), build('d', 6e6, 'staging')]
      const replaced = (name: string, firstMs: number) =>
        replacementOf(builds, { build: name, environment: '', firstMs })?.build
      assert.equal(replaced('a', 7e6), 'b')
      // Told a little after the first tab of the old build failed.
      assert.equal(replaced('a', 8.9e6), 'c')
      assert.equal(replaced('c', 2e7), undefined, 'nothing newer is out')
      assert.equal(replaced('unknown', 7e6), 'b')
      assert.equal(replaced('a', 1e6), undefined)
      // Went back to it: tabs of the newest release are on an old build now, and its own were before.
      builds[0] = { ...build('a', 1e6), servedMs: 2e7, cameMs: [1e6, 2e7] }
      assert.deepEqual(
        [replaced('c', 2.1e7), replaced('a', 1e7), replaced('a', 2.1e7)],
        ['a', 'c', undefined],
      )
    })
  })
})
