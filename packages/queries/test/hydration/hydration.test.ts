/** Hydration by route and component, from spans of the reporter and from errors of Sentry's SDKs. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { benignCounts, hydrationRanks, hydrationRoutes } from '@sonde/queries'
import type { EventFields } from '@sonde/stores'
import { type Harness, NOW_MS, openHarness, type ProjectGrant } from '../harness.ts'
import { hexTrace, performanceRows } from '../performance/rows.ts'
import { WINDOW } from '../vital-rows.ts'

describe('hydration', () => {
  let harness: Harness
  let shop: ProjectGrant
  let rows: ReturnType<typeof performanceRows>
  const only = (environment: string) => ({ ...WINDOW, environment: [environment] })
  let pages = 0
  type Given = { route?: string; environment: string; user?: string; sampleRate?: number }
  const span = (
    op: string,
    { route = '/cart', environment, user = '', sampleRate = 1 }: Given,
    own: object,
  ) => ({
    isSegment: false,
    op,
    segmentName: route,
    environment,
    sampleRate,
    userKey: user,
    traceId: hexTrace(0xf000 + ++pages),
    durationMs: 200,
    attributes: Object.fromEntries(
      Object.entries(own).map(([key, value]) => [`sonde.hydration.${key}`, value as string | number]),
    ),
  })
  const page = (given: Given, own: object = {}) => span('ui.hydration', given, own)
  const mismatch = (given: Given, own: object) =>
    span('ui.hydration.mismatch', given, { kind: 'mismatch', component: 'Clock', ...own })

  before(async () => {
    harness = await openHarness()
    shop = await harness.project(await harness.org('acme'), 'shop')
    rows = performanceRows(harness)
  })
  after(() => harness.close())

  it('is ranked by mean milliseconds × people, with the rate of the route and the issue', async () => {
    const [issue = 0] = await harness.issues(shop.projectId, [{ title: 'Error: Minified React error #418' }])
    const [event = ''] = await harness.events(shop.projectId, issue, [
      { sdkName: 'sonde.javascript.browser' },
    ])
    const of = { environment: 'rank' }
    const text = { difference: 'text', node: 'time', before: '99:99', after: '9:99 XX', scope: 'root' }
    await rows.spans(shop.projectId, [
      ...Array.from({ length: 20 }, () => page(of)),
      mismatch({ ...of, user: 'id:1' }, { ...text, cost: 300, event_id: event }),
      mismatch({ ...of, user: 'id:2' }, { ...text, cost: 100 }),
      // Costs more each time, and one person has it.
      mismatch({ ...of, user: 'id:1' }, { component: 'Price', scope: 'boundary', cost: 350 }),
      mismatch({ ...of, user: 'id:3' }, { component: 'Badge', difference: 'attribute', cost: 0 }),
      mismatch({ ...of, user: 'id:3', route: '/other' }, { component: 'Late' }),
      mismatch(of, { benign: 'extension', cost: 9000 }),
    ])
    const ranks = await hydrationRanks(harness.deps, shop, only('rank'))
    assert.deepEqual(
      ranks.map(({ route, component, pages, ofPages, users, meanMs, msUsers, rootPages }) => [
        route,
        component,
        pages,
        ofPages,
        users,
        meanMs,
        msUsers,
        rootPages,
      ]),
      [
        ['/cart', 'Clock', 2, 20, 2, 200, 400, 2],
        ['/cart', 'Price', 1, 20, 1, 350, 350, 0],
        ['/cart', 'Badge', 1, 20, 1, 0, 0, 0],
        ['/other', 'Late', 1, 0, 1, undefined, undefined, 0],
      ],
    )
    assert.deepEqual(ranks[0]?.shown, { difference: 'text', node: 'time', before: '99:99', after: '9:99 XX' })
    assert.deepEqual([ranks[0]?.issue?.id, ranks[1]?.issue, ranks[3]?.shown], [issue, undefined, undefined])
  })

  it('of Sentry’s SDKs has route, component and rate, and no cost; other errors are none of it', async () => {
    const stack = '\n    at time (<anonymous>)\n    at Clock (https://shop.example/a.js:1:2)'
    const event = (own: Partial<EventFields>, componentStack = stack): Partial<EventFields> => ({
      environment: 'stock',
      sdkName: 'sentry.javascript.react',
      exceptionValue: 'Minified React error #418; visit https://react.dev/errors/418',
      transaction: '/news',
      payload: JSON.stringify({ contexts: { react: { componentStack } } }),
      ...own,
    })
    const [stock = 0, other = 0] = await harness.issues(shop.projectId, [
      { title: 'Error: Minified React error #418; visit https://react.dev/errors/418', short_number: 41 },
      { title: 'Error: Minified React error #482; visit https://react.dev/errors/482', short_number: 42 },
    ])
    await harness.events(shop.projectId, stock, [
      event({ traceId: hexTrace(1), userKey: 'id:1' }),
      // React 18 tells several errors of one page.
      event({ traceId: hexTrace(1), userKey: 'id:1' }),
      event({ traceId: hexTrace(2), userKey: 'id:2' }),
      event({ transaction: '', url: 'https://shop.example/about?x=1' }, ''),
      event({ sdkName: 'sonde.javascript.browser' }),
      event({ environment: 'elsewhere' }),
    ])
    await harness.events(shop.projectId, other, [event({ exceptionValue: 'Minified React error #482' })])
    await rows.spans(
      shop.projectId,
      Array.from({ length: 4 }, () => ({ segmentName: '/news', environment: 'stock', sampleRate: 0.5 })),
    )
    const ranks = await hydrationRanks(harness.deps, shop, only('stock'))
    assert.deepEqual(
      ranks.map(({ route, component, source, pages, ofPages, users, msUsers, issue }) => [
        route,
        component,
        source,
        pages,
        ofPages,
        users,
        msUsers,
        issue?.shortId,
      ]),
      [
        ['/news', 'Clock', 'sdk', 2, 8, 2, undefined, 'SHOP-41'],
        ['/about', 'unknown', 'sdk', 1, 0, 0, undefined, 'SHOP-41'],
      ],
    )
  })

  it('counts lost clicks by route, and differences that are nobody’s fault by kind', async () => {
    const of = { environment: 'counts' }
    await rows.spans(shop.projectId, [
      page(of, { lost_clicks: 2, mismatches: 1, 'benign.extension': 3 }),
      page({ ...of, sampleRate: 0.5 }, { lost_clicks: 1, mismatches: 0, 'benign.whitespace': 1 }),
      page({ ...of, route: '/' }, { lost_clicks: 0, mismatches: 0 }),
      mismatch(of, { benign: 'extension', scope: 'root', cost: 80 }),
      mismatch(of, { benign: 'translation' }),
    ])
    const routes = await hydrationRoutes(harness.deps, shop, only('counts'))
    assert.deepEqual(
      routes.map(({ route, pages, mismatched, lostClicks, clickedPages }) => [
        route,
        pages,
        mismatched,
        lostClicks,
        clickedPages,
      ]),
      [
        ['/cart', 3, 1, 4, 3],
        ['/', 1, 0, 0, 0],
      ],
    )
    assert.ok(Math.abs((routes[0]?.p75 ?? 0) - 200) < 2)
    assert.deepEqual(await benignCounts(harness.deps, shop, only('counts')), [
      { kind: 'extension', count: 3, ms: 80 },
      { kind: 'whitespace', count: 2, ms: 0 },
      { kind: 'translation', count: 1, ms: 0 },
    ])
  })

  it('of another project is not seen', async () => {
    const rival = await harness.project(await harness.org('rival'), 'secret')
    const all = { fromMs: 0, toMs: NOW_MS }
    assert.deepEqual(await hydrationRanks(harness.deps, rival, all), [])
    assert.deepEqual(await hydrationRoutes(harness.deps, rival, all), [])
    assert.deepEqual(await benignCounts(harness.deps, rival, all), [])
  })
})
