/** Which page views no page told of, on the real engine: servers, pages that blocked the reporter, crawlers, sampling. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pageCoverage } from '@sonde/queries'
import type { SpanFields } from '@sonde/stores'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type OrgGrant, type ProjectGrant } from '../harness.ts'
import { spanIdOf, traceFixture } from '../trace-fixture.ts'

const AT_MS = NOW_MS - 30 * MINUTE_MS
const WINDOW = { fromMs: NOW_MS - 60 * MINUTE_MS, toMs: NOW_MS }
const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const GPT_BOT =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot) Chrome/131.0.0.0'

const traceOf = (project: number, n: number): string => (project * 100_000 + n).toString(16).padStart(32, '0')

/** As @sentry/node tells of a page that it served. */
const served = (traceId: string, more: Partial<SpanFields> = {}): Partial<SpanFields> => ({
  traceId,
  spanId: spanIdOf(1),
  isSegment: true,
  op: 'http.server',
  segmentName: 'GET /c/:category',
  name: 'GET /c/:category',
  startMs: AT_MS,
  browser: 'Chrome',
  ...more,
  attributes: {
    'http.method': 'GET',
    'http.response.status_code': 200,
    'http.user_agent': CHROME,
    'http.request.header.sec_fetch_dest': 'document',
    ...more.attributes,
  },
})
const loaded = (traceId: string, more: Partial<SpanFields> = {}): Partial<SpanFields> => ({
  traceId,
  spanId: spanIdOf(2),
  parentSpanId: spanIdOf(1),
  isSegment: true,
  op: 'pageload',
  segmentName: '/c/:category',
  name: '/c/:category',
  platform: 'javascript',
  startMs: AT_MS + 100,
  browser: 'Chrome',
  ...more,
})

describe('page views that no page told of', () => {
  let harness: Harness
  let org: OrgGrant
  let projects = 0
  before(async () => {
    harness = await openHarness()
    org = await harness.org('acme')
  })
  after(() => harness.close())

  const pair = async () => {
    const number = ++projects
    const page = await harness.project(org, `page-${number}`)
    const server = await harness.project(org, `server-${number}`)
    return { page, server }
  }
  const insert = (project: ProjectGrant, spans: readonly Partial<SpanFields>[]) =>
    traceFixture(harness, traceOf(project.projectId, 0), project.projectId).spans(spans)
  const many = (count: number, of: (n: number) => Partial<SpanFields>) =>
    Array.from({ length: count }, (_, n) => of(n))
  const coverageOf = (project: ProjectGrant, grant: OrgGrant = org) =>
    pageCoverage(harness.deps, grant, { ...WINDOW, projectId: project.projectId })

  it('are a share with an interval, by browser and by route, of the pages alone', async () => {
    const { page, server } = await pair()
    const trace = (n: number) => traceOf(server.projectId, n)
    await insert(server, [
      ...many(90, (n) => served(trace(n))),
      // Ten of a browser that blocks.
      ...many(10, (n) => served(trace(100 + n), { browser: 'Firefox' })),
      // None of these is a page view.
      served(trace(200), { browser: '', attributes: { 'http.user_agent': 'curl/8.5.0' } }),
      served(trace(201), { attributes: { 'http.user_agent': GPT_BOT } }),
      served(trace(202), { browser: 'HeadlessChrome' }),
      served(trace(203), { attributes: { 'http.response.status_code': 302 } }),
      served(trace(204), { attributes: { 'http.response.status_code': 404 } }),
      served(trace(205), { attributes: { 'http.method': 'POST' } }),
      served(trace(206), { attributes: { 'http.request.header.sec_fetch_dest': 'empty' } }),
      served(trace(207), { attributes: { 'http.request.header.sec_purpose': 'prefetch' } }),
      served(trace(208), { parentSpanId: spanIdOf(9) }),
      served(trace(209), { startMs: NOW_MS - MINUTE_MS }),
      // Of a route whose pages name no trace.
      ...many(7, (n) => served(trace(300 + n), { segmentName: 'GET /legal' })),
      // An API: nothing says that it is no page, and no page load ever followed.
      ...many(40, (n) =>
        served(trace(400 + n), {
          segmentName: 'GET /api/stock',
          attributes: { 'http.request.header.sec_fetch_dest': '' },
        }),
      ),
    ])
    await insert(
      page,
      many(88, (n) => loaded(trace(n))),
    )
    // Its load was lost; a vital and an error tell that somebody was there.
    await traceFixture(harness, trace(88), page.projectId).vitals([{ timestampMs: AT_MS }])
    await harness.events(page.projectId, 1, [{ traceId: trace(89), timestampMs: AT_MS }])

    const found = await coverageOf(page)
    assert(found.kind === 'known')
    assert.equal(found.total.views, 100)
    assert.equal(found.total.unseen?.value.toFixed(3), '0.100')
    assert(found.total.unseen.low > 0.05 && found.total.unseen.high < 0.18)
    assert.deepEqual(
      found.browsers.map(({ name, views, unseen }) => [name, views, unseen?.value]),
      [
        ['Chrome', 90, 0],
        // Ten are too few to say.
        ['Firefox', 10, undefined],
      ],
    )
    assert.deepEqual(found.countries, [])
    assert.deepEqual(
      found.routes.map(({ name, views }) => [name, views]),
      [['GET /c/:category', 100]],
    )
    assert.deepEqual(found.servers, [server.projectSlug])
    assert.deepEqual(found.untagged, [{ name: 'GET /legal', views: 7 }])
    assert.deepEqual([found.programs, found.kept, found.oneIn], [3, 1, 1])
    // Seen from the server's project it is the same.
    assert.deepEqual(await coverageOf(server), found)
  })

  it('cannot be told where no HTML names its trace, where no server tells, and where nothing is stored', async () => {
    const { page, server } = await pair()
    assert.deepEqual(await coverageOf(page), { kind: 'nothing' })
    await insert(
      page,
      many(40, (n) => loaded(traceOf(page.projectId, n))),
    )
    const alone = await harness.org('alone')
    const lonely = await harness.project(alone, 'site')
    await insert(
      lonely,
      many(3, (n) => loaded(traceOf(lonely.projectId, n))),
    )
    assert.deepEqual(await coverageOf(lonely, alone), { kind: 'no_server', loads: 3 })
    await insert(
      server,
      many(40, (n) => served(traceOf(server.projectId, n))),
    )
    const found = await coverageOf(server)
    assert.deepEqual(found, { kind: 'no_tags', views: 40, servers: [server.projectSlug] })
  })

  it('of a page that samples by itself are not those that it did not keep', async () => {
    const { page, server } = await pair()
    const trace = (n: number) => traceOf(server.projectId, n)
    // The server keeps half, the page a tenth: of the server's traces a fifth, of people who block none.
    await insert(
      server,
      many(500, (n) => served(trace(n), { sampleRate: 0.5 })),
    )
    await insert(
      page,
      many(90, (n) => loaded(trace(n), { sampleRate: 0.1 })),
    )
    const found = await coverageOf(page)
    assert(found.kind === 'known')
    assert.equal(found.total.views, 1000)
    assert.equal(found.kept.toFixed(3), '0.200')
    assert.equal(found.total.unseen?.value.toFixed(2), '0.10')
    // As wide as of a hundred: nobody knows more of the rest.
    assert(found.total.unseen.high - found.total.unseen.low > 0.1)
  })

  it('of a server that names no routes are told apart by the first part of the address', async () => {
    const { page, server } = await pair()
    const trace = (n: number) => traceOf(server.projectId, n)
    const at = (n: number, path: string) =>
      served(trace(n), { segmentName: `GET ${path}`, attributes: { 'sentry.source': 'url' } })
    await insert(server, [
      ...many(40, (n) => at(n, `/c/${n}?x=1`)),
      // Each is one page of a blog.
      ...many(30, (n) => at(100 + n, `/post-${n}`)),
      ...many(25, (n) => at(200 + n, '/legal')),
    ])
    await insert(page, [...many(40, (n) => loaded(trace(n))), ...many(15, (n) => loaded(trace(100 + n)))])
    const found = await coverageOf(page)
    assert(found.kind === 'known')
    assert.deepEqual(
      found.routes.map(({ name, views, unseen }) => [name, views, unseen?.value]),
      [
        ['/c/…', 40, 0],
        ['other pages without a route name', 30, 0.5],
      ],
    )
    assert.deepEqual(found.untagged, [{ name: '/legal', views: 25 }])
  })

  it('are looked for only in projects of the grant', async () => {
    const { page, server } = await pair()
    const other = await harness.org('globex')
    await insert(
      server,
      many(60, (n) => served(traceOf(server.projectId, n))),
    )
    await insert(
      page,
      many(60, (n) => loaded(traceOf(server.projectId, n))),
    )
    assert.deepEqual(await coverageOf(page, other), { kind: 'nothing' })
  })
})
