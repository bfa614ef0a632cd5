import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  findSpans,
  incomingLinks,
  spanDetail,
  traceById,
  traceNavigations,
  traceNeighbours,
  traceOutline,
  traceVitals,
  usualDuration,
} from '@sonde/queries'
import { type Harness, openHarness, type OrgGrant, type ProjectGrant } from './harness.ts'
import { spanIdOf, START_MS, traceFixture } from './trace-fixture.ts'

describe('what the screen of a trace asks for', () => {
  let harness: Harness
  let acme: OrgGrant
  let rivals: OrgGrant
  let shop: ProjectGrant
  let secret: ProjectGrant
  let traces = 0
  const newTrace = (): string => (++traces).toString(16).padStart(32, 'a')

  before(async () => {
    harness = await openHarness()
    acme = await harness.org('acme')
    rivals = await harness.org('rival')
    shop = await harness.project(acme, 'shop')
    secret = await harness.project(rivals, 'secret')
  })
  after(() => harness.close())

  it('gives lines by start, what roots say, and nothing of another organization', async () => {
    const trace = newTrace()
    const attributes = { 'service.name': 'checkout', 'sentry.previous_trace': `${'9'.repeat(32)}-x-1` }
    await traceFixture(harness, trace, shop.projectId).spans([
      { spanId: spanIdOf(2), parentSpanId: spanIdOf(1), startMs: START_MS + 5, name: 'x'.repeat(900) },
      { spanId: spanIdOf(1), isSegment: true, attributes, name: '', segmentName: 'GET /cart' },
    ])
    await traceFixture(harness, trace, secret.projectId).spans([{ spanId: spanIdOf(3), name: 'secret' }])
    const outline = await traceOutline(harness.deps, acme, { traceId: trace.toUpperCase() })
    assert.deepEqual(
      outline?.spans.map(({ spanId, isSegment }) => [spanId, isSegment]),
      [
        [spanIdOf(1), true],
        [spanIdOf(2), false],
      ],
    )
    assert.deepEqual([outline?.spans[0]?.name, outline?.spans[1]?.name.length], ['GET /cart', 200])
    assert.deepEqual([outline?.spanCount, outline?.segments[0]?.service], [2, 'checkout'])
    assert.equal(await traceOutline(harness.deps, acme, { traceId: 'no id' }), undefined)
    assert.equal((await traceOutline(harness.deps, rivals, { traceId: trace }))?.spanCount, 1)
  })

  it('of more than can be read keeps roots, failures and what took longest, and says how many there are', async () => {
    const trace = newTrace()
    const { spans } = traceFixture(harness, trace, shop.projectId)
    const many = Array.from({ length: 1_100 }, (_, n) => ({
      spanId: spanIdOf(n + 10),
      parentSpanId: spanIdOf(1),
      startMs: START_MS + n,
      durationMs: n,
    }))
    await spans(many)
    await spans([
      { spanId: spanIdOf(1), isSegment: true, startMs: START_MS + 500_000, durationMs: 0 },
      { spanId: spanIdOf(2), status: 'internal_error', startMs: START_MS + 400_000, durationMs: 0 },
    ])
    const outline = await traceOutline(harness.deps, acme, { traceId: trace, maxSpans: 1_000 })
    assert.deepEqual([outline?.spanCount, outline?.spans.length], [1_102, 1_000])
    const ids = new Set(outline?.spans.map(({ spanId }) => spanId))
    assert.ok(ids.has(spanIdOf(1)) && ids.has(spanIdOf(2)))
    assert.ok(ids.has(spanIdOf(1_099 + 10)) && !ids.has(spanIdOf(10)))
    assert.ok(
      outline?.spans.every(({ startMs }, at, all) => at === 0 || startMs >= (all[at - 1]?.startMs ?? 0)),
    )
    const part = await traceOutline(harness.deps, acme, {
      traceId: trace,
      maxSpans: 1_000,
      within: spanIdOf(2),
    })
    assert.deepEqual([part?.spanCount, part?.spans.map(({ spanId }) => spanId)], [1_102, [spanIdOf(2)]])
    const whole = await traceById(harness.deps, acme, trace, 500)
    assert.deepEqual([whole?.isCut, whole?.spanCount, whole?.spans.length], [true, 1_102, 500])
  })

  it('finds a text in names, statuses and attributes, whatever its letters are', async () => {
    const trace = newTrace()
    await traceFixture(harness, trace, shop.projectId).spans([
      { spanId: spanIdOf(1), name: 'GET /Cart', startMs: START_MS },
      { spanId: spanIdOf(2), attributes: { 'cart.id': 'abc', rows: 17 }, startMs: START_MS + 1 },
      { spanId: spanIdOf(3), status: 'not_found', startMs: START_MS + 2 },
      { spanId: spanIdOf(4), attributes: { other: 'abcd' }, startMs: START_MS + 3 },
    ])
    const found = async (text: string): Promise<readonly string[]> =>
      (await findSpans(harness.deps, acme, { traceId: trace, text })).spanIds.map((id) =>
        String(Number.parseInt(id, 16)),
      )
    assert.deepEqual(await found('cArT'), ['1', '2', '3', '4'], 'the route of all of them is GET /cart')
    assert.deepEqual(await found('GET /C'), ['1', '2', '3', '4'])
    assert.deepEqual(await found('ABC'), ['2', '4'])
    assert.deepEqual(await found('cart.id:AB'), ['2'])
    assert.deepEqual(await found('rows=17'), ['2'])
    assert.deepEqual(await found('17'), ['2'])
    assert.deepEqual(await found('not_found'), ['3'])
    assert.deepEqual(await found("it's \\ nowhere"), [])
    assert.deepEqual(await found(' '), [])
  })

  it('tells all of a span, and how long such a span usually takes in its route', async () => {
    const trace = newTrace()
    const { spans } = traceFixture(harness, trace, shop.projectId)
    const route = { segmentName: '/usual', name: 'SELECT usual' }
    await spans(
      Array.from({ length: 8 }, (_, n) => ({ ...route, durationMs: (n + 1) * 10, startMs: START_MS - n })),
    )
    await spans([
      { ...route, durationMs: 9_999, startMs: START_MS + 3_600_000 },
      { ...route, name: 'SELECT other', durationMs: 9_999 },
      { ...route, spanId: spanIdOf(0xff), durationMs: 90, attributes: { rows: 3, kind: 'a' } },
    ])
    const span = await spanDetail(harness.deps, acme, {
      traceId: trace.toUpperCase(),
      spanId: spanIdOf(0xff),
    })
    assert.deepEqual([span?.attributes, span?.facts['release']], [{ rows: 3, kind: 'a' }, '1.0'])
    if (!span) return
    assert.deepEqual(await usualDuration(harness.deps, acme, span), {
      count: 9,
      p50Ms: 50,
      p75Ms: 70,
      p95Ms: 90,
    })
    assert.equal(await usualDuration(harness.deps, rivals, span), undefined)
    assert.equal(await usualDuration(harness.deps, acme, { ...span, name: 'SELECT other' }), undefined)
  })

  it('leads to linked spans and back, over projects that one may see', async () => {
    const [message, batch, hidden] = [newTrace(), newTrace(), newTrace()]
    const api = await harness.project(acme, 'links-api')
    await traceFixture(harness, message, api.projectId).spans([
      { spanId: spanIdOf(1), op: 'queue.publish', name: 'send orders', startMs: START_MS - 60_000 },
      { spanId: spanIdOf(2) },
    ])
    const link = {
      linkTraceIds: [message, 'f'.repeat(32)],
      linkSpanIds: [spanIdOf(1), spanIdOf(9)],
      linkAttributes: ['{"n":1}', '{"sampled":"false"}'],
    }
    await traceFixture(harness, batch, shop.projectId).spans([
      { spanId: spanIdOf(3), name: 'process orders', ...link },
      { spanId: spanIdOf(4), name: 'later', startMs: START_MS + 1, ...link },
    ])
    await traceFixture(harness, hidden, secret.projectId).spans([{ spanId: spanIdOf(5), ...link }])
    // Of the same trace: shown among its own spans.
    await traceFixture(harness, message, api.projectId).spans([{ spanId: spanIdOf(6), ...link }])
    const span = await spanDetail(harness.deps, acme, { traceId: batch, spanId: spanIdOf(3) })
    assert.deepEqual(span?.links, [
      {
        traceId: message,
        spanId: spanIdOf(1),
        attributes: { n: 1 },
        span: { project: 'links-api', op: 'queue.publish', name: 'send orders', startMs: START_MS - 60_000 },
      },
      {
        traceId: 'f'.repeat(32),
        spanId: spanIdOf(9),
        attributes: { sampled: 'false' },
        span: undefined,
      },
    ])
    const incoming = await incomingLinks(harness.deps, acme, { traceId: message, spanId: spanIdOf(1) })
    assert.deepEqual(
      incoming.links.map(({ traceId, spanId, attributes, span: from }) => [
        traceId,
        spanId,
        attributes,
        from.name,
        from.project,
      ]),
      [
        [batch, spanIdOf(4), { n: 1 }, 'later', 'shop'],
        [batch, spanIdOf(3), { n: 1 }, 'process orders', 'shop'],
      ],
    )
    assert.equal(incoming.hasMore, false)
    const of = (grant: OrgGrant | ProjectGrant, spanId: string) =>
      incomingLinks(harness.deps, grant, { traceId: message, spanId })
    assert.deepEqual((await of(acme, spanIdOf(2))).links, [])
    assert.deepEqual(
      (await of(rivals, spanIdOf(1))).links.map(({ traceId }) => traceId),
      [hidden],
    )
    const seenFromRivals = await spanDetail(harness.deps, rivals, { traceId: hidden, spanId: spanIdOf(5) })
    assert.deepEqual(
      seenFromRivals?.links.map((each) => each.span),
      [undefined, undefined],
    )
  })

  it('shows the latest twenty of those that link to a span', async () => {
    const [message, batch] = [newTrace(), newTrace()]
    const link = { linkTraceIds: [message], linkSpanIds: [spanIdOf(1)], linkAttributes: ['{}'] }
    await traceFixture(harness, batch, shop.projectId).spans(
      Array.from({ length: 21 }, (_, n) => ({ spanId: spanIdOf(n + 1), startMs: START_MS + n, ...link })),
    )
    const { links, hasMore } = await incomingLinks(harness.deps, acme, {
      traceId: message,
      spanId: spanIdOf(1),
    })
    assert.deepEqual([links.length, hasMore, links[0]?.spanId], [20, true, spanIdOf(21)])
  })

  it('tells vitals and navigations of the trace, the last of each', async () => {
    const trace = newTrace()
    const { vitals, navigations } = traceFixture(harness, trace, shop.projectId)
    await vitals([
      { value: 500, isFinal: false },
      { value: 800 },
      { name: 'cls', value: 0.2, element: 'img.hero' },
    ])
    await navigations([{ outcome: 'pending', isFinal: false }])
    await navigations([{ toRoute: '', toPath: '/cart/7', visibleAfterMs: undefined, outcome: 'errored' }])
    assert.deepEqual(
      (await traceVitals(harness.deps, acme, trace)).map(({ name, value, element }) => [
        name,
        value,
        element,
      ]),
      [
        ['cls', 0.2, 'img.hero'],
        ['lcp', 800, ''],
      ],
    )
    const [navigation, ...others] = await traceNavigations(harness.deps, acme, trace)
    assert.deepEqual(
      [navigation?.to, navigation?.outcome, navigation?.visibleAfterMs, navigation?.phases, others.length],
      ['/cart/7', 'errored', null, { data: 120, paint: 30 }, 0],
    )
    assert.deepEqual(await traceVitals(harness.deps, rivals, trace), [])
  })

  it('knows the page before and the page after', async () => {
    const [first, second, third] = [newTrace(), newTrace(), newTrace()]
    const page = (trace: string, previous: string | undefined, atMs: number) =>
      traceFixture(harness, trace, shop.projectId).spans([
        {
          isSegment: true,
          op: 'pageload',
          startMs: atMs,
          attributes:
            previous === undefined ? {} : { 'sentry.previous_trace': `${previous}-${spanIdOf(1)}-1` },
        },
      ])
    await page(first, undefined, START_MS)
    await page(second, first, START_MS + 60_000)
    await page(third, second, START_MS + 120_000)
    const neighbours = async (trace: string) => {
      const outline = await traceOutline(harness.deps, acme, { traceId: trace })
      assert.ok(outline)
      return traceNeighbours(harness.deps, acme, outline)
    }
    assert.deepEqual(await neighbours(first), { previous: undefined, next: second })
    assert.deepEqual(await neighbours(second), { previous: first, next: third })
    assert.deepEqual(await neighbours(third), { previous: second, next: undefined })
  })
})
