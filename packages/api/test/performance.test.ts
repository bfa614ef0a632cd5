import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { FILTER_COLUMNS } from '@sonde/queries'
import { encodeNavigationRow, encodeSpanRow, encodeVitalRow } from '@sonde/stores'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const TRACE = 'a'.repeat(32)
const FILTERS = {
  release: '1.0',
  environment: 'prod',
  platform: 'javascript',
  sdkName: '',
  sdkVersion: '',
  userKey: '',
  browser: 'Chrome',
  os: '',
  device: '',
  country: '',
  connection: '',
  sampleRate: 1,
}

describe('performance over the public API', () => {
  let harness: Harness
  let headers: Record<string, string>
  const get = async (path: string): Promise<{ status: number; body: unknown }> => {
    const response = await harness.fetch(`/api/0${path}`, { headers })
    return { status: response.status, body: await response.json() }
  }

  before(async () => {
    harness = await openHarness()
    const shop = await harness.project('acme', 'shop')
    await harness.project('rival', 'secret')
    headers = { authorization: `Bearer ${await harness.token(['event:read'], 'acme')}` }
    const origin = { projectId: shop.id, receivedMs: NOW_MS - 1000, logPosition: 1, itemIndex: 0, ...FILTERS }
    const ids = { traceId: TRACE, spanId: 'b'.repeat(16) }
    const vital = {
      ...origin,
      ...ids,
      route: '/cart',
      pageId: 'p',
      timestampMs: NOW_MS - 60_000,
      isFinal: true,
    }
    const about = { element: '', source: '', attribution: {} }
    await harness.telemetry.insert(
      'vitals',
      [
        encodeVitalRow({ ...vital, ...about, name: 'lcp', value: 1000 }),
        encodeVitalRow({ ...vital, ...about, name: 'cls', value: 0.5 }),
      ],
      'vitals',
    )
    const navigation = {
      ...origin,
      traceId: TRACE,
      navigationId: 'c'.repeat(16),
      timestampMs: NOW_MS - 60_000,
      durationMs: 500,
      isFinal: true,
      fromRoute: '/',
      toRoute: '/cart',
      fromPath: '/',
      toPath: '/cart',
      trigger: 'click',
      outcome: 'errored',
      reason: '',
      visibleAfterMs: undefined,
      dataMs: 120,
      prefetch: 'none',
      cache: '',
      cacheAgeMs: undefined,
      bytes: undefined,
      requests: undefined,
      build: '',
      router: '',
      waitingFor: '',
    }
    await harness.telemetry.insert('navigations', [encodeNavigationRow(navigation)], 'navigations')
    const chain = Array.from({ length: 3000 }, (_, n) =>
      encodeSpanRow({
        ...origin,
        isSegment: n === 0,
        op: 'http.server',
        segmentName: '/api',
        startMs: NOW_MS - 60_000 + n,
        durationMs: 5,
        traceId: TRACE,
        spanId: (n + 1).toString(16).padStart(16, '0'),
        parentSpanId: n === 0 ? '' : n.toString(16).padStart(16, '0'),
        segmentId: '',
        name: `span ${n}`,
        status: 'ok',
        origin: '',
        attributes: {},
      }),
    )
    await harness.telemetry.insert('spans', chain, 'spans')
  })
  after(() => harness.close())

  it('vitals of a project by route, rated', async () => {
    const { status, body } = await get('/projects/acme/shop/vitals/?statsPeriod=24h')
    const one = { count: 1, samples: 1, needsImprovement: 0 }
    assert.equal(status, 200)
    assert.deepEqual(body, [
      {
        route: '/cart',
        count: 1,
        samples: 1,
        lcp: { ...one, p75: 1000, good: 1, poor: 0 },
        cls: { ...one, p75: 0.5, good: 0, poor: 1 },
      },
    ])
    assert.deepEqual((await get('/projects/acme/shop/vitals/?release=2.0')).body, [])
    assert.equal(
      (await get('/projects/acme/shop/vitals/?release=2.0&release=1.0&environment=prod')).status,
      200,
    )
  })

  it('navigations by pair of routes, with null where nothing was shown', async () => {
    const { body } = await get('/projects/acme/shop/navigations/')
    assert.deepEqual(body, [
      {
        from: '/',
        to: '/cart',
        count: 1,
        samples: 1,
        p50: null,
        p75: null,
        p95: null,
        outcomes: { errored: 1 },
        prefetch: { none: 1 },
        phases: { data: 120 },
        meanPhases: {},
      },
    ])
    const to = async (route: string) => (await get(`/projects/acme/shop/navigations/?to=${route}`)).body
    assert.deepEqual([await to('%2Fcart'), await to('%2F')], [body, []])
  })

  it('vitals and navigations are narrowed by every column of the screens’ filter, to any of its values', async () => {
    for (const list of ['vitals', 'navigations']) {
      for (const column of FILTER_COLUMNS)
        assert.deepEqual(
          (await get(`/projects/acme/shop/${list}/?${column}=other`)).body,
          [],
          `${list} ${column}`,
        )
      const all = (await get(`/projects/acme/shop/${list}/`)).body
      const said = 'release=other&release=1.0&environment=prod&browser=Chrome&os='
      assert.deepEqual((await get(`/projects/acme/shop/${list}/?${said}`)).body, all, list)
    }
  })

  it('times that are none are refused with what to write instead', async () => {
    for (const query of [
      'statsPeriod=soon',
      'statsPeriod=0d',
      'start=2026-01-02&end=2026-01-01',
      'start=x&end=y',
    ])
      assert.equal((await get(`/projects/acme/shop/vitals/?${query}`)).status, 400, query)
    assert.equal(
      (await get('/projects/acme/shop/vitals/?start=2026-01-31T00:00:00&end=2026-01-31T13:00:00')).status,
      200,
    )
  })

  it('a trace is a tree, and the deepest one is still JSON', async () => {
    type Node = { readonly children: readonly Node[] }
    const { status, body } = await get(`/organizations/acme/trace/${TRACE.toUpperCase()}/`)
    assert.equal(status, 200)
    const { transactions, span_count, is_cut } = body as {
      readonly transactions: readonly Node[]
      readonly span_count: number
      readonly is_cut: boolean
    }
    assert.deepEqual([span_count, is_cut], [3000, false])
    const open: Node[] = [...transactions]
    let spans = 0
    for (let node = open.pop(); node; node = open.pop()) {
      spans++
      open.push(...node.children)
    }
    assert.deepEqual([transactions.length, spans], [1, 3000])
  })

  it('what is not there, or not one’s own, is not found', async () => {
    assert.equal((await get(`/organizations/acme/trace/${'f'.repeat(32)}/`)).status, 404)
    assert.equal((await get(`/organizations/rival/trace/${TRACE}/`)).status, 403)
    assert.equal((await get('/projects/rival/secret/vitals/')).status, 403)
  })
})
