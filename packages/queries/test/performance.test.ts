import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  routeNavigations,
  transactionPage,
  routeVitals,
  spanTree,
  traceById,
  type TraceSpan,
} from '@sonde/queries'
import {
  encodeNavigationRow,
  encodeSpanRow,
  encodeVitalRow,
  type FilterFields,
  type NavigationFields,
  type SpanFields,
  type VitalFields,
} from '@sonde/stores'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type OrgGrant, type ProjectGrant } from './harness.ts'

const FILTERS: FilterFields = {
  release: '1.0',
  environment: 'prod',
  platform: 'javascript',
  sdkName: 'sonde',
  sdkVersion: '1',
  userKey: '',
  browser: 'Chrome',
  os: 'Windows',
  device: 'desktop',
  country: 'DE',
  connection: '4g',
  sampleRate: 1,
}
const TRACE = 'a'.repeat(32)
const id = (n: number): string => n.toString(16).padStart(16, '0')
const WINDOW = { fromMs: NOW_MS - 60 * MINUTE_MS, toMs: NOW_MS }

describe('performance', () => {
  let harness: Harness
  let acme: OrgGrant
  let shop: ProjectGrant
  let rival: ProjectGrant
  let batch = 0
  const origin = (projectId: number) => ({
    projectId,
    receivedMs: NOW_MS - MINUTE_MS,
    logPosition: ++batch,
    itemIndex: 0,
  })
  const vitals = (projectId: number, rows: readonly Partial<VitalFields>[]) =>
    harness.telemetry.insert(
      'vitals',
      rows.map((row, index) =>
        encodeVitalRow({
          ...origin(projectId),
          ...FILTERS,
          name: 'lcp',
          route: '/cart',
          pageId: id(++batch + index),
          timestampMs: NOW_MS - MINUTE_MS,
          value: 1000,
          isFinal: true,
          traceId: TRACE,
          spanId: id(1),
          element: '',
          source: '',
          attribution: {},
          ...row,
        }),
      ),
      `vitals-${++batch}`,
    )
  const navigations = (projectId: number, rows: readonly Partial<NavigationFields>[]) =>
    harness.telemetry.insert(
      'navigations',
      rows.map((row) =>
        encodeNavigationRow({
          ...origin(projectId),
          ...FILTERS,
          navigationId: id(++batch),
          traceId: TRACE,
          timestampMs: NOW_MS - MINUTE_MS,
          durationMs: 500,
          isFinal: true,
          fromRoute: '/',
          toRoute: '/cart',
          fromPath: '/',
          toPath: '/cart',
          trigger: 'click',
          outcome: 'committed',
          reason: '',
          visibleAfterMs: 300,
          prefetch: 'none',
          cache: '',
          cacheAgeMs: undefined,
          bytes: undefined,
          requests: undefined,
          build: '1.0',
          router: 'sonde',
          waitingFor: '',
          ...row,
        }),
      ),
      `navigations-${++batch}`,
    )
  const spans = (projectId: number, rows: readonly Partial<SpanFields>[]) =>
    harness.telemetry.insert(
      'spans',
      rows.map((row) =>
        encodeSpanRow({
          ...origin(projectId),
          ...FILTERS,
          isSegment: true,
          op: 'pageload',
          segmentName: '/cart',
          startMs: NOW_MS - MINUTE_MS,
          durationMs: 100,
          traceId: TRACE,
          spanId: id(++batch),
          parentSpanId: '',
          segmentId: '',
          name: '/cart',
          status: 'ok',
          origin: 'manual',
          attributes: {},
          ...row,
        }),
      ),
      `spans-${++batch}`,
    )

  before(async () => {
    harness = await openHarness()
    acme = await harness.org('acme')
    shop = await harness.project(acme, 'shop')
    rival = await harness.project(await harness.org('rival'), 'secret')
  })
  after(() => harness.close())

  it('rates the vitals of each route by the 75th percentile, and no other project’s', async () => {
    const values = Array.from({ length: 200 }, (_, n) => ({ value: (n + 1) * 30 }))
    await vitals(shop.projectId, values)
    await vitals(shop.projectId, [
      { name: 'cls', value: 0.3 },
      { route: '/', value: 5 },
    ])
    await vitals(rival.projectId, [{ value: 59_000 }])
    const [cart, home] = await routeVitals(harness.deps, acme, WINDOW)
    assert.equal(cart?.route, '/cart')
    const { lcp } = cart
    assert.deepEqual([lcp?.count, lcp?.good, lcp?.poor, lcp?.needsImprovement], [200, 83, 67, 50])
    assert.ok(Math.abs((lcp?.p75 ?? 0) - 4500) <= 45, `p75 is ${lcp?.p75}, exactly it is 4500`)
    assert.deepEqual([cart.cls?.poor, cart.inp], [1, undefined])
    assert.deepEqual([home?.route, home?.count], ['/', 1])
  })

  it('counts a page once, by its last final value, and a sampled one for as many as it stands for', async () => {
    const pageId = id(0xabc)
    const to = { ...WINDOW, release: ['once'] }
    await vitals(shop.projectId, [{ release: 'once', pageId, value: 900, isFinal: true, sampleRate: 0.1 }])
    await vitals(shop.projectId, [{ release: 'once', pageId, value: 400, isFinal: false, sampleRate: 0.1 }])
    const [row] = await routeVitals(harness.deps, shop, to)
    assert.deepEqual([row?.lcp?.count, row?.lcp?.good, row?.lcp?.samples], [10, 10, 1])
    assert.deepEqual([row?.count, row?.samples], [10, 1], 'so that the screen can say it was counted up')
    assert.ok(Math.abs((row?.lcp?.p75 ?? 0) - 900) <= 9)
  })

  it('tells pairs of routes with what they took, how they ended and where the time went', async () => {
    await navigations(shop.projectId, [
      { visibleAfterMs: 100, dataMs: 80, prefetch: 'used' },
      { visibleAfterMs: 200, dataMs: 160, chunkMs: 20 },
      { outcome: 'superseded', visibleAfterMs: undefined, durationMs: 9000 },
      { fromRoute: '/cart', toRoute: '/', outcome: 'errored', visibleAfterMs: undefined },
    ])
    await navigations(rival.projectId, [{ toRoute: '/secret' }])
    const [pair, back, ...others] = await routeNavigations(harness.deps, acme, WINDOW)
    assert.deepEqual([pair?.from, pair?.to, pair?.count], ['/', '/cart', 3])
    assert.ok((pair?.p95 ?? 0) <= 202, 'what did not commit is in no percentile')
    assert.deepEqual(pair?.outcomes, { committed: 2, superseded: 1 })
    assert.deepEqual(pair?.prefetch, { used: 1, none: 2 })
    assert.deepEqual(Object.keys(pair?.phases ?? {}), ['data', 'chunk'])
    assert.deepEqual([back?.outcomes, back?.p75], [{ errored: 1 }, undefined])
    assert.deepEqual(others, [])
  })

  it('a navigation that hung and then ended is counted by its end', async () => {
    const navigationId = id(0xdef)
    const own = { release: 'hung', navigationId }
    await navigations(shop.projectId, [
      { ...own, outcome: 'pending', isFinal: false, visibleAfterMs: undefined },
    ])
    await navigations(shop.projectId, [{ ...own, outcome: 'committed' }])
    const [pair] = await routeNavigations(harness.deps, shop, { ...WINDOW, release: ['hung'] })
    assert.deepEqual(pair?.outcomes, { committed: 1 })
  })

  it('tells routes by throughput, failures and the people who waited', async () => {
    await spans(shop.projectId, [
      { segmentName: '/api', op: 'http.server', status: 'internal_error', userKey: 'id:1', durationMs: 2000 },
      { segmentName: '/api', op: 'http.server', status: 'cancelled', userKey: 'id:1' },
      { segmentName: '/api', op: 'http.server', userKey: 'id:2' },
      { segmentName: '/api', op: 'http.server', isSegment: false, durationMs: 99_999 },
    ])
    const [row, ...others] = (await transactionPage(harness.deps, shop, { ...WINDOW, op: 'http.server' }))
      .rows
    assert.deepEqual([row?.name, row?.count, row?.samples, others], ['/api', 3, 3, []])
    assert.ok(Math.abs((row?.failureRate ?? 0) - 1 / 3) < 1e-9)
    assert.deepEqual([row?.users, row?.miserableUsers, row?.perMinute], [2, 1, 3 / 60])
    const sorted = (await transactionPage(harness.deps, shop, { ...WINDOW, sort: 'p95' })).rows
    assert.equal(sorted[0]?.name, '/api')
  })

  it('gives a trace of several projects with its errors, and nothing of what one may not see', async () => {
    const trace = 'c'.repeat(32)
    const api = await harness.project(acme, 'api')
    await spans(shop.projectId, [{ traceId: trace, spanId: id(1), name: 'page' }])
    await spans(api.projectId, [{ traceId: trace, spanId: id(2), parentSpanId: id(1), name: 'server' }])
    await spans(rival.projectId, [{ traceId: trace, spanId: id(3), name: 'secret' }])
    const [issue = 0] = await harness.issues(shop.projectId, [{ title: 'Boom' }])
    await harness.events(shop.projectId, issue, [{ traceId: trace, title: 'Boom' }])
    const found = await traceById(harness.deps, acme, trace.toUpperCase())
    assert.deepEqual(
      found?.spans.map(({ name }) => name),
      ['page', 'server'],
    )
    assert.deepEqual(
      found?.errors.map(({ title, issueId }) => [title, issueId]),
      [['Boom', issue]],
    )
    assert.equal(await traceById(harness.deps, acme, 'f'.repeat(32)), undefined)
    assert.equal(await traceById(harness.deps, acme, 'no trace'), undefined)
  })
})

describe('a tree of spans', () => {
  const span = (spanId: string, parentSpanId: string) => ({ spanId, parentSpanId }) as TraceSpan
  const shape = (spans: readonly TraceSpan[]): unknown => {
    type Shape = readonly [string, readonly Shape[]]
    const of = (nodes: ReturnType<typeof spanTree<TraceSpan>>): Shape[] =>
      nodes.map((node) => [node.span.spanId, of(node.children)])
    return of(spanTree(spans))
  }

  it('hangs children below their parents, and those whose parent is missing beside the root', () => {
    assert.deepEqual(shape([span('a', ''), span('b', 'a'), span('c', 'b'), span('d', 'gone')]), [
      ['a', [['b', [['c', []]]]]],
      ['d', []],
    ])
  })

  it('cuts a cycle at one place, and loses no span', () => {
    assert.deepEqual(shape([span('a', 'c'), span('b', 'a'), span('c', 'b'), span('x', 'x')]), [
      ['a', [['b', [['c', []]]]]],
      ['x', []],
    ])
  })

  it('takes a chain of 50,000 in a moment', () => {
    const chain = Array.from({ length: 50_000 }, (_, n) => span(`s${n}`, n === 0 ? '' : `s${n - 1}`))
    assert.equal(spanTree(chain.toReversed()).length, 1)
  })
})
