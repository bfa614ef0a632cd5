/** The service map on the real engine: a page, its API, a worker behind a queue, and what they ask. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { serviceMap } from '@sonde/queries'
import { mapOf } from '../../src/services/service-map.ts'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type OrgGrant } from '../harness.ts'
import { spanIdOf, traceFixture } from '../trace-fixture.ts'

const TRACE = 'd'.repeat(32)
const byText = (a: unknown, b: unknown): number => (String(a) < String(b) ? -1 : 1)
const WINDOW = { fromMs: NOW_MS - 60 * MINUTE_MS, toMs: NOW_MS }

describe('the service map', () => {
  let harness: Harness
  let org: OrgGrant
  let other: OrgGrant
  before(async () => {
    harness = await openHarness()
    org = await harness.org('acme')
    other = await harness.org('globex')
    const shop = await harness.project(org, 'shop')
    const api = await harness.project(org, 'api')
    const foreign = await harness.project(other, 'mill')
    const named = (service: string, more: object = {}) => ({ 'service.name': service, ...more })
    await traceFixture(harness, TRACE, shop.projectId).spans([
      { spanId: spanIdOf(1), isSegment: true, op: 'pageload', name: '/cart', durationMs: 900 },
      { spanId: spanIdOf(2), parentSpanId: spanIdOf(1), op: 'http.client', name: 'GET /api/cart' },
      {
        spanId: spanIdOf(3),
        parentSpanId: spanIdOf(1),
        op: 'http.client',
        name: 'GET https://maps.test/tile',
        durationMs: 70,
        status: 'internal_error',
      },
    ])
    await traceFixture(harness, TRACE, api.projectId).spans([
      {
        spanId: spanIdOf(10),
        parentSpanId: spanIdOf(2),
        isSegment: true,
        op: 'http.server',
        durationMs: 40,
        status: 'internal_error',
        attributes: named('cart-api'),
      },
      ...[11, 12].map((id) => ({
        spanId: spanIdOf(id),
        parentSpanId: spanIdOf(10),
        attributes: named('cart-api', { 'db.system.name': 'postgresql', 'db.namespace': 'shop' }),
      })),
      {
        spanId: spanIdOf(13),
        op: 'queue.publish',
        attributes: named('cart-api', { 'messaging.destination.name': 'mails' }),
      },
      {
        spanId: spanIdOf(14),
        parentSpanId: spanIdOf(13),
        isSegment: true,
        op: 'queue.process',
        durationMs: 5,
        attributes: named('mailer', { 'messaging.destination.name': 'mails' }),
      },
      {
        spanId: spanIdOf(15),
        parentSpanId: spanIdOf(99),
        isSegment: true,
        op: 'http.server',
        attributes: named('mailer'),
      },
    ])
    await traceFixture(harness, TRACE, foreign.projectId).spans([
      { spanId: spanIdOf(20), parentSpanId: spanIdOf(10), isSegment: true, op: 'http.server' },
    ])
  })
  after(() => harness.close())

  it('joins services by the spans of which they are children, and shows nobody else’s', async () => {
    const map = await serviceMap(harness.deps, org, WINDOW)
    assert.deepEqual(map.nodes.map(({ id }) => id).toSorted(), [
      'database postgresql shop',
      'host maps.test',
      'queue mails',
      'service cart-api',
      'service mailer',
      'service shop',
    ])
    const edges = map.edges.map(({ from, to, count, failureRate }) => [from, to, count, failureRate])
    assert.deepEqual(edges.toSorted(byText), [
      ['queue mails', 'service mailer', 1, 0],
      ['service cart-api', 'database postgresql shop', 2, 0],
      ['service cart-api', 'queue mails', 1, 0],
      ['service shop', 'host maps.test', 1, 1],
      ['service shop', 'service cart-api', 1, 1],
    ])
    assert.equal(map.unknownCallers, 1)
    assert.equal(map.oneIn, 1)
    const foreign = await serviceMap(harness.deps, other, WINDOW)
    assert.deepEqual(
      foreign.nodes.map(({ id }) => id),
      ['service mill'],
    )
  })

  it('is empty without spans, and narrowed like every screen', async () => {
    assert.deepEqual((await serviceMap(harness.deps, org, { ...WINDOW, release: ['none'] })).nodes, [])
  })

  it('100,000 calls in a circle of one trace are counted once each, and a sample is counted up', () => {
    const calls = Array.from({ length: 100_000 }, (_, at) => ({
      projectId: at % 2,
      service: '',
      trace: TRACE,
      id: String(at),
      parent: String((at + 1) % 100_000),
      root: 1,
      taken: 0,
      platform: 'node',
      target: '',
      durationMs: at % 100,
      failed: 0,
      weight: 1,
    }))
    const map = mapOf({ calls, stores: [], oneIn: 3, isCut: false }, String, 1)
    assert.deepEqual(
      map.edges.map(({ from, to, count }) => [from, to, count]),
      [
        ['service 0', 'service 1', 150_000],
        ['service 1', 'service 0', 150_000],
      ],
    )
    assert.equal(map.nodes[0]?.p95Ms, 94)
  })
})
