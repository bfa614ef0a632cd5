/** What alerts can watch, of real rows: each measure of each source, and what narrows it. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { checkMetric, metricRoutes, metricValues } from '@sonde/queries'
import { METRIC_MEASURES, type Metric } from '@sonde/queries/contract'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from '../harness.ts'
import { logRows } from '../logs/log-rows.ts'
import { performanceRows } from '../performance/rows.ts'
import { functionRows } from '../profiles/function-rows.ts'
import { sessionRows } from '../sessions/session-rows.ts'

const WITHIN = { fromMs: NOW_MS - 5 * MINUTE_MS, toMs: NOW_MS }

describe('the measures of alerts', () => {
  let harness: Harness
  let shop: ProjectGrant
  before(async () => {
    harness = await openHarness()
    const org = await harness.org('acme')
    shop = await harness.project(org, 'shop')
    const other = await harness.project(org, 'other')
    const rows = performanceRows(harness)
    const failed = (op: string, prefix: string, facts: Record<string, string>, row: object = {}) => ({
      isSegment: false,
      op,
      name: 'GET /api/cart',
      attributes: {
        ...Object.fromEntries(Object.entries(facts).map(([key, value]) => [prefix + key, value])),
        'sonde.page_start': 1_000,
      },
      ...row,
    })
    const pageData = (facts: Record<string, string>, row: object = {}) =>
      failed('ui.page_data_failure', 'sonde.page_data.', { route: '/cart', seen: 'false', ...facts }, row)
    const chunk = (facts: Record<string, string>, row: object = {}) =>
      failed('ui.chunk_failure', 'sonde.chunk.', { route: '/cart', kind: 'old_build', ...facts }, row)
    const later = { attributes: { 'sonde.page_start': 2_000, 'sonde.chunk.kind': 'not_found' } }
    for (const project of [shop, other])
      await rows.spans(project.projectId, [
        pageData({ seen: 'true' }, { userKey: 'id:1' }),
        pageData({ seen: 'true', route: '/orders' }, { userKey: 'id:1', environment: 'staging' }),
        pageData({}, { userKey: 'id:2', name: 'GET /api/orders', sampleRate: 0.5 }),
        // Received before the window.
        pageData({ seen: 'true' }, { receivedMs: NOW_MS - 10 * MINUTE_MS }),
        chunk({ build: 'shop@1' }),
        chunk({ build: 'shop@1', url: '/a.js' }),
        chunk({}, later),
        failed('http.client', 'sonde.chunk.', { kind: 'old_build' }),
      ])
    for (const project of [shop, other]) {
      await rows.prefetches(project.projectId, [
        { route: '/cart', issued: 90, used: 10, late: 0, stale: 0, wasted: 80 },
        { route: '/orders', issued: 10, used: 5, late: 0, stale: 0, wasted: 5, sampleRate: 0.5 },
        { route: '/cart', issued: 900, wasted: 900, receivedMs: NOW_MS - 10 * MINUTE_MS },
      ])
      const request = (attributes: Record<string, string>, row: object = {}) => ({
        op: 'http.server',
        segmentName: 'GET /cart',
        attributes,
        ...row,
      })
      const ahead = { 'http.request.header.sec_purpose': 'prefetch' }
      await rows.spans(project.projectId, [
        request(ahead),
        request(ahead, { segmentName: 'GET /orders', sampleRate: 0.5 }),
        request({}),
        request({}),
        request({}, { isSegment: false }),
        request(ahead, { receivedMs: NOW_MS - 10 * MINUTE_MS }),
        { op: 'pageload', attributes: ahead },
      ])
    }
    for (const project of [shop, other])
      await sessionRows(harness)(project.projectId, [
        { healthy: 90, errored: 6, crashed: 4 },
        { userHash: 'ada', crashed: 1, version: 7 },
        // It began hours ago; that it crashed is told now.
        { userHash: 'bob', startedMs: NOW_MS - 300 * MINUTE_MS, crashed: 1, environment: 'staging' },
        { userHash: 'eve' },
        { userHash: 'joe' },
        { healthy: 1_000, receivedMs: NOW_MS - 10 * MINUTE_MS },
      ])
    for (const project of [shop, other])
      await logRows(harness)(project.projectId, [
        { severity: 'error', body: 'Connection refused by 10.0.0.7', strings: { 'server.name': 'db-1' } },
        { severity: 'error', body: 'Connection refused by 10.0.0.8', environment: 'staging' },
        { body: 'Started' },
        { severity: 'error', body: 'Connection refused', receivedMs: NOW_MS - 10 * MINUTE_MS },
      ])
    for (const project of [shop, other])
      await functionRows(harness)(project.projectId, [
        { self_ms: 10, release: 'shop@1' },
        { self_ms: 30, release: 'shop@2' },
        { function: 'read', self_ms: 30 },
        { function: 'parse', file: 'lib.py', in_app: 0, self_ms: 500 },
        { self_ms: 900, receivedMs: NOW_MS - 10 * MINUTE_MS },
      ])
    const [issue = 0] = await harness.issues(shop.projectId, [{}])
    const texts = [
      'Failed to fetch dynamically imported module: https://shop.test/a.js',
      'Loading chunk 17 failed.',
      'Loading chunks is hard',
      'x is undefined',
    ]
    const at = { timestampMs: NOW_MS - MINUTE_MS, receivedMs: NOW_MS - MINUTE_MS }
    await harness.events(
      shop.projectId,
      issue,
      texts.map((exceptionValue) => ({ ...at, exceptionValue })),
    )
    await harness.events(shop.projectId, issue, [{ ...at, message: 'Importing a module script failed.' }])
    const others = ['feedback', 'performance_slow_db_query']
    await harness.events(
      shop.projectId,
      issue,
      others.map((type) => ({ ...at, type })),
    )
  })
  after(() => harness.close())

  const metricOf = (source: Metric['source'], measure: string, search = ''): Metric => ({
    source,
    measure,
    search,
  })
  const valueOf = async (...given: Parameters<typeof metricOf>) => {
    const [found] = await metricValues(harness.deps, [{ grant: shop, metric: metricOf(...given), ...WITHIN }])
    return found?.value
  }

  for (const [source, measure, value] of [
    ['page_data', 'failures()', 4],
    ['page_data', 'seen()', 2],
    ['page_data', 'count_unique(user)', 2],
    ['chunks', 'failures()', 3],
    ['chunks', 'old_build()', 2],
    ['chunks', 'tabs()', 2],
    ['errors', 'chunk_failures()', 3],
    ['logs', 'count()', 3],
    ['profile_functions', 'p75(function.self_time)', 30],
    ['profile_functions', 'sum(function.self_time)', 70],
    ['prefetches', 'issued()', 110],
    ['prefetches', 'per_minute()', 22],
    ['prefetches', 'wasted_share()', 90 / 110],
    ['prefetches', 'server_requests()', 3],
    ['prefetches', 'server_share()', 0.6],
    ['sessions', 'sum(session)', 104],
    ['sessions', 'crashed()', 6],
    ['sessions', 'crash_free_rate(session)', 1 - 6 / 104],
    ['sessions', 'crash_free_rate(user)', 0.5],
  ] as const)
    it(`${measure} of ${source}`, async () => assert.equal(await valueOf(source, measure), value))

  it('are narrowed by where, what and which build', async () => {
    assert.equal(await valueOf('page_data', 'failures()', 'environment:staging'), 1)
    assert.equal(await valueOf('page_data', 'failures()', 'endpoint:"GET /api/o*"'), 2)
    assert.equal(await valueOf('page_data', 'seen()', '!route:/orders'), 1)
    assert.equal(await valueOf('chunks', 'failures()', 'build:shop@1 kind:[old_build, blocked]'), 2)
    assert.equal(await valueOf('errors', 'count()', 'issue.category:feedback'), 1)
    assert.equal(await valueOf('errors', 'count()', 'issue.category:error'), 5)
    assert.equal(await valueOf('errors', 'count()', '!issue.category:error issue.type:performance*'), 1)
    assert.equal(await valueOf('logs', 'count()', 'severity:error REFUSED'), 2)
    assert.equal(await valueOf('logs', 'count()', 'refused !environment:staging server.name:db-1'), 1)
    await assert.rejects(valueOf('logs', 'p95(span.duration)'), /cannot be computed of logs/)
    assert.equal(
      await valueOf('profile_functions', 'sum(function.self_time)', 'function:price release:shop@2'),
      30,
    )
    assert.equal(await valueOf('profile_functions', 'sum(function.self_time)', 'package:lib*'), 0)
    assert.equal(await valueOf('sessions', 'crashed()', 'release:shop@* environment:production'), 5)
    assert.equal(await valueOf('prefetches', 'per_minute()', 'route:/cart'), 18)
    assert.equal(await valueOf('prefetches', 'server_share()', 'route:"GET /o*"'), 1)
    await assert.rejects(
      valueOf('prefetches', 'server_share()', 'to_route:/'),
      /server requests are narrowed/,
    )
    await assert.rejects(valueOf('chunks', 'failures()', 'endpoint:x'), /chunks are narrowed by .*build/)
    await assert.rejects(valueOf('chunks', 'seen()'), /cannot be computed of chunks/)
  })

  it('name the routes that have most of it', async () => {
    const metric = metricOf('page_data', 'seen()')
    const window = { grant: shop, metric, ...WITHIN }
    const routes = await metricRoutes(harness.deps, window, { worse: 'above', limit: 5 })
    assert.deepEqual(
      routes.map(({ route, value }) => [route, value]),
      [
        ['/cart', 1],
        ['/orders', 1],
      ],
    )
  })

  it('can all be computed, in one statement', async () => {
    const all = Object.entries(METRIC_MEASURES).flatMap(([source, measures]) =>
      measures.map(({ measure }) => metricOf(source as Metric['source'], measure)),
    )
    for (const metric of all) await checkMetric(harness.deps, shop, metric)
    const found = await metricValues(
      harness.deps,
      all.map((metric) => ({ grant: shop, metric, ...WITHIN })),
    )
    assert.equal(found.length, all.length)
  })
})
