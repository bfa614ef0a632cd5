import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SPAN_STAGES } from '../../src/spans/span-stages.ts'
import type { ProcessedSpans } from '../../src/spans/span.ts'
import { isDropped } from '../../src/stage-runner.ts'
import { cells, spanCountOf } from './row-cells.ts'
import { type Given, RECEIVED, RECEIVED_MS, spanInput } from './span-input-of.ts'

const TRACE = 'a'.repeat(32)
const ROOT = 'b'.repeat(16)
const V2 = { type: 'span', content_type: 'application/vnd.sentry.items.span.v2+json' }

const run = (given: Given) => SPAN_STAGES.run(spanInput(given), new Map())
function stored(given: Given): ProcessedSpans {
  const result = run(given)
  assert.ok(!isDropped(result), JSON.stringify(result))
  return result
}
function reasonOf(given: Given): string {
  const result = run(given)
  assert.ok(isDropped(result))
  return `${result.dropped.outcome}:${result.dropped.reason}`
}

const transaction = (fields: Record<string, unknown> = {}) => ({
  type: 'transaction',
  event_id: 'e'.repeat(32),
  platform: 'javascript',
  transaction: '/[org]/cart',
  transaction_info: { source: 'route' },
  release: 'shop@1',
  environment: 'production',
  start_timestamp: RECEIVED - 3,
  timestamp: RECEIVED - 1,
  contexts: {
    trace: { trace_id: TRACE, span_id: ROOT, op: 'pageload', status: 'ok', data: { 'lcp.element': '#hero' } },
  },
  measurements: { lcp: { value: 2500, unit: 'millisecond' }, ttfb: { value: 0.12, unit: 'second' } },
  user: { id: '42' },
  spans: [
    {
      trace_id: TRACE,
      span_id: '1'.repeat(16),
      parent_span_id: ROOT,
      op: 'http.client',
      description: 'GET /api/cart',
      start_timestamp: RECEIVED - 2,
      timestamp: RECEIVED - 1.5,
      data: { 'http.response.status_code': 200 },
    },
    { span_id: 'no times' },
  ],
  ...fields,
})

test('a transaction becomes its root and its children, and what is no span is counted', () => {
  const processed = stored({ payload: transaction() })
  assert.equal(processed.item.category, 'transaction')
  assert.equal(processed.item.eventId, 'e'.repeat(32))
  assert.equal(spanCountOf(processed), 2)
  assert.equal(processed.lost, 1)
  const [root, child] = cells('spans', processed)
  assert.deepEqual(
    [root?.is_segment, root?.op, root?.segment_name, root?.duration_ms, root?.release, root?.user_key],
    ['1', 'pageload', '/[org]/cart', '2000', 'shop@1', 'id:42'],
  )
  assert.deepEqual(
    [
      child?.is_segment,
      child?.name,
      child?.parent_span_id,
      child?.segment_id,
      child?.duration_ms,
      child?.numbers,
    ],
    ['0', 'GET /api/cart', ROOT, ROOT, '500', "{'http.response.status_code':200}"],
  )
})

test('measurements of a page load are vitals in milliseconds, and those that may still grow are not final', () => {
  const vitals = cells('vitals', stored({ payload: transaction() }))
  assert.deepEqual(
    vitals.map(({ name, value, is_final, page_id, route, element }) => [
      name,
      value,
      is_final,
      page_id,
      route,
      element,
    ]),
    [
      ['lcp', '2500', '0', ROOT, '/[org]/cart', '#hero'],
      ['ttfb', '120', '1', ROOT, '/[org]/cart', ''],
    ],
  )
})

test('a transaction without trace ids or without a start is refused with a reason', () => {
  assert.equal(reasonOf({ payload: transaction({ contexts: {} }) }), 'invalid:bad_span')
  assert.equal(reasonOf({ payload: transaction({ start_timestamp: null }) }), 'invalid:bad_span')
  assert.equal(reasonOf({ payload: '[1]' }), 'invalid:bad_payload')
  assert.equal(reasonOf({ payload: '{"a":' }), 'invalid:bad_json')
})

test('an end before the start is kept as no time at all, with a remark', () => {
  const [root] = cells('spans', stored({ payload: transaction({ timestamp: RECEIVED - 9, spans: [] }) }))
  assert.equal(root?.duration_ms, '0')
  assert.match(root?.strings ?? '', /'sonde.remark':'end_before_start'/)
})

test('ids in upper case and with hyphens are the same ids', () => {
  const trace = {
    trace_id: 'AAAAAAAA-AAAA-AAAA-AAAA-AAAAAAAAAAAA',
    span_id: 'BBBBBBBBBBBBBBBB',
    op: 'http.server',
  }
  const [root] = cells('spans', stored({ payload: transaction({ contexts: { trace }, spans: [] }) }))
  assert.deepEqual([root?.trace_id, root?.span_id], [TRACE, ROOT])
})

test('the root among its own children is one span', () => {
  const own = { trace_id: TRACE, span_id: ROOT, start_timestamp: RECEIVED - 3, timestamp: RECEIVED - 1 }
  const processed = stored({ payload: transaction({ spans: [own] }) })
  assert.deepEqual([spanCountOf(processed), processed.lost], [1, 0])
})

test('a clock that is hours off is set right by the time of sending, spans included', () => {
  const offSec = -7200
  const payload = transaction({
    start_timestamp: RECEIVED + offSec - 3,
    timestamp: RECEIVED + offSec - 1,
    spans: [
      {
        trace_id: TRACE,
        span_id: '1'.repeat(16),
        start_timestamp: RECEIVED + offSec - 2,
        timestamp: RECEIVED + offSec - 1,
      },
    ],
  })
  const [root, child] = cells('spans', stored({ payload, sentAtMs: RECEIVED_MS + offSec * 1000 }))
  assert.deepEqual([root?.timestamp, child?.timestamp], [`${RECEIVED - 3}.000000`, `${RECEIVED - 2}.000000`])
})

test('streamed spans carry their own release, route and vitals', () => {
  const value = (type: string, given: unknown) => ({ type, value: given })
  const payload = {
    items: [
      {
        trace_id: TRACE,
        span_id: '2'.repeat(16),
        name: 'lcp',
        status: 'ok',
        is_segment: false,
        start_timestamp: RECEIVED - 2,
        end_timestamp: RECEIVED - 2,
        attributes: {
          'sentry.op': value('string', 'ui.webvital.lcp'),
          'sentry.release': value('string', 'shop@2'),
          'sentry.transaction': value('string', '/[org]/cart'),
          'sentry.pageload.span_id': value('string', ROOT),
          'browser.web_vital.lcp.value': value('double', 1800.5),
          'browser.web_vital.lcp.element': value('string', '#hero'),
          big: value('integer', '9007199254740993'),
        },
      },
      { name: 'no ids' },
    ],
  }
  const processed = stored({
    header: { ...V2, item_count: 2 },
    payload,
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
  })
  assert.deepEqual([processed.item.category, spanCountOf(processed), processed.lost], ['span', 1, 1])
  const [vital] = cells('vitals', processed)
  assert.deepEqual(
    [
      vital?.value,
      vital?.is_final,
      vital?.page_id,
      vital?.route,
      vital?.release,
      vital?.device,
      vital?.element,
    ],
    ['1800.5', '1', ROOT, '/[org]/cart', 'shop@2', 'mobile', '#hero'],
  )
  assert.match(cells('spans', processed)[0]?.strings ?? '', /'big':'9007199254740993'/)
})

test('an interaction that stands alone (v1) gives INP with the element that was used', () => {
  const payload = {
    trace_id: TRACE,
    span_id: '3'.repeat(16),
    segment_id: ROOT,
    op: 'ui.interaction.click',
    description: 'button#buy',
    start_timestamp: RECEIVED - 2,
    timestamp: RECEIVED - 1.7,
    exclusive_time: 300,
    measurements: { inp: { value: 300, unit: 'millisecond' } },
    data: { release: 'shop@3', environment: 'production', transaction: '/checkout', user: 'ann@example.com' },
  }
  const [vital] = cells('vitals', stored({ header: { type: 'span' }, payload }))
  assert.deepEqual(
    [
      vital?.name,
      vital?.value,
      vital?.is_final,
      vital?.element,
      vital?.page_id,
      vital?.route,
      vital?.user_key,
    ],
    ['inp', '300', '1', 'button#buy', ROOT, '/checkout', 'email:ann@example.com'],
  )
})

test('an interaction keeps the script and the function that took longest', () => {
  const data = {
    'browser.web_vital.inp.value': 300,
    'browser.script.source_url': 'https://shop.example/cart.js',
    'code.function': 'recount',
    'other.attribute': 'not about it',
  }
  const payload = { trace_id: TRACE, span_id: ROOT, start_timestamp: RECEIVED, data }
  const [vital] = cells('vitals', stored({ header: { type: 'span' }, payload }))
  assert.equal(vital?.source, 'https://shop.example/cart.js')
  assert.match(vital?.strings ?? '', /'code\.function':'recount'/)
  assert.doesNotMatch(vital?.strings ?? '', /not about it/)
})

test('the script of an interaction is known by the name that spans of long frames have for it', () => {
  const told = { 'code.filepath': 'https://shop.example/cart.js', 'sentry.dist': '7' }
  const vitalWith = (name: string) => {
    const data = { [`browser.web_vital.${name}.value`]: 300, ...told }
    const payload = { trace_id: TRACE, span_id: ROOT, start_timestamp: RECEIVED, data }
    return cells('vitals', stored({ header: { type: 'span' }, payload }))[0]
  }
  assert.equal(vitalWith('inp')?.source, 'https://shop.example/cart.js')
  assert.match(vitalWith('inp')?.strings ?? '', /'sentry\.dist':'7'/)
  assert.equal(vitalWith('lcp')?.source, '')
})

test('a long frame and a script of a transaction have the dist of the event around it', () => {
  const script = { 'browser.script.source_char_position': 7 }
  const child = (spanId: string, data: object) => ({
    trace_id: TRACE,
    span_id: spanId,
    start_timestamp: RECEIVED,
    data,
  })
  const payload = {
    type: 'transaction',
    release: 'shop@1',
    dist: '42',
    start_timestamp: RECEIVED,
    timestamp: RECEIVED,
    contexts: { trace: { trace_id: TRACE, span_id: ROOT } },
    spans: [
      child('5'.repeat(16), script),
      child('6'.repeat(16), {}),
      { ...child('7'.repeat(16), {}), op: 'resource.script' },
    ],
  }
  const spans = cells('spans', stored({ header: { type: 'transaction' }, payload }))
  const dists = spans.map((row) => /'sentry\.dist':'(\d+)'/.exec(row['strings'] ?? '')?.[1])
  assert.deepEqual(dists, [undefined, '42', undefined, '42'])
})

test('a navigation within the page has no time to first byte', () => {
  const span = (name: string) => ({
    trace_id: TRACE,
    span_id: ROOT,
    op: `ui.webvital.${name}`,
    start_timestamp: RECEIVED,
    data: { [`browser.web_vital.${name}.value`]: 0, 'sonde.navigation.id': '4'.repeat(16) },
  })
  const vitalsFor = (name: string) =>
    cells('vitals', stored({ header: { type: 'span' }, payload: span(name) }))
  assert.equal(vitalsFor('ttfb').length, 0)
  assert.equal(vitalsFor('cls')[0]?.page_id, '4'.repeat(16))
})

test('the same bytes again have the same id, other bytes another', () => {
  const payload = { trace_id: TRACE, span_id: ROOT, start_timestamp: RECEIVED, timestamp: RECEIVED }
  const id = (fields: object) =>
    stored({ header: { type: 'span' }, payload: { ...payload, ...fields } }).item.eventId
  assert.equal(id({}), id({}))
  assert.notEqual(id({}), id({ op: 'x' }))
  assert.match(id({}), /^[0-9a-f]{32}$/)
})

test('secrets leave names and attributes, addresses when the project says so', () => {
  const payload = transaction({
    spans: [
      {
        trace_id: TRACE,
        span_id: '1'.repeat(16),
        start_timestamp: RECEIVED,
        timestamp: RECEIVED,
        op: 'http.client',
        description: 'GET /login?password=hunter2',
        data: { authorization: 'Bearer abcdef', 'client.address': '198.51.100.7' },
      },
    ],
  })
  const scrub = { enabled: true, sensitiveFields: [], safeFields: [], scrubIp: true }
  const text = JSON.stringify(cells('spans', stored({ payload, settings: { scrub } })))
  assert.doesNotMatch(text, /hunter2|abcdef|198\.51|203\.0\.113/)
  assert.match(text, /GET \/login/)
})

test('a secret in the route of a span that stands alone leaves the columns too', () => {
  const data = {
    transaction: '/reset?password=hunter2',
    'browser.web_vital.cls.value': 0,
    'client.address': '198.51.100.7',
  }
  const payload = { trace_id: TRACE, span_id: ROOT, start_timestamp: RECEIVED, data }
  const scrub = { enabled: true, sensitiveFields: [], safeFields: [], scrubIp: true }
  const processed = stored({ header: { type: 'span' }, payload, settings: { scrub } })
  for (const table of ['spans', 'vitals'] as const) {
    const text = JSON.stringify(cells(table, processed))
    assert.doesNotMatch(text, /hunter2|198\.51/)
    assert.match(text, /\/reset/)
  }
})

test('a release that the project does not want is filtered, for spans of every form', () => {
  const settings = {
    filters: {
      localhost: false,
      browserExtensions: false,
      crawlers: true,
      releases: ['shop@*'],
      messages: [],
    },
  } as unknown as NonNullable<Given['settings']>
  assert.equal(reasonOf({ payload: transaction(), settings }), 'filtered:release')
  const alone = { trace_id: TRACE, span_id: ROOT, start_timestamp: RECEIVED, data: { release: 'shop@9' } }
  assert.equal(reasonOf({ header: { type: 'span' }, payload: alone, settings }), 'filtered:release')
  const crawler = { ...alone, data: {} }
  assert.equal(
    reasonOf({ header: { type: 'span' }, payload: crawler, settings, userAgent: 'Googlebot/2.1' }),
    'filtered:crawler',
  )
})

function navigationRecord(facts: Record<string, string | number>) {
  const attributes = Object.entries(facts).map(([key, value]) => [
    `sonde.navigation.${key}`,
    { type: typeof value === 'number' ? 'double' : 'string', value },
  ])
  const span = {
    trace_id: TRACE,
    span_id: ROOT,
    name: facts['to_route'] ?? facts['to'],
    status: 'ok',
    is_segment: false,
    start_timestamp: RECEIVED - 1,
    end_timestamp: RECEIVED - 0.5,
    attributes: {
      'sentry.op': { type: 'string', value: 'ui.navigation' },
      ...Object.fromEntries(attributes),
    },
  }
  return stored({ header: V2, payload: { items: [span] } })
}

test('without a router that names routes a record is filed under the templates of its paths', () => {
  const [row] = cells(
    'navigations',
    navigationRecord({ outcome: 'committed', from: '/orders/41/items', to: '/orders/42', router: 'history' }),
  )
  assert.deepEqual(
    [row?.from_route, row?.to_route, row?.from_path, row?.to_path],
    ['/orders/[id]/items', '/orders/[id]', '/orders/41/items', '/orders/42'],
  )
})

test('a navigation record becomes a row of the ledger and no span', () => {
  const processed = navigationRecord({
    outcome: 'committed',
    trigger: 'hologram',
    from_route: '/[org]',
    to_route: '/[org]/cart',
    from: '/acme',
    to: '/acme/cart',
    'phase.data': 120,
    router: 'react-router',
  })
  assert.deepEqual(cells('spans', processed), [])
  const [row] = cells('navigations', processed)
  assert.deepEqual(
    [
      row?.outcome,
      row?.trigger,
      row?.from_route,
      row?.to_route,
      row?.data_ms,
      row?.chunk_ms,
      row?.is_final,
      row?.duration_ms,
    ],
    ['committed', '', '/[org]', '/[org]/cart', '120', '\\N', '1', '500'],
  )
})

test('what a hung load waits for and what fetching ahead costs are kept', () => {
  const record = (op: string, attributes: Record<string, unknown>) => ({
    trace_id: TRACE,
    span_id: ROOT,
    name: '/cart',
    status: 'ok',
    is_segment: false,
    start_timestamp: RECEIVED - 1,
    end_timestamp: RECEIVED,
    attributes: Object.fromEntries(
      Object.entries({ 'sentry.op': op, 'user.id': '7', ...attributes }).map(([key, value]) => [
        key,
        { type: typeof value === 'number' ? 'double' : 'string', value },
      ]),
    ),
  })
  const hung = record('ui.navigation', {
    'sonde.navigation.outcome': 'pending',
    'sonde.navigation.waiting_for': '/api/invoices',
  })
  const ahead = record('ui.prefetch', { 'sonde.prefetch.requests': 3, 'sonde.prefetch.bytes': 800 })
  const tab = record('ui.tab', {
    'sonde.tab.id': '00000000000000ab',
    'sonde.tab.build': 'shop@1',
    'sonde.tab.recovered': 'true',
  })
  const processed = stored({ header: V2, payload: { items: [hung, ahead, tab] } })
  const [navigation] = cells('navigations', processed)
  assert.deepEqual(
    [navigation?.is_final, navigation?.waiting_for, navigation?.user_key],
    ['0', '/api/invoices', 'id:7'],
  )
  const [prefetch] = cells('prefetches', processed)
  assert.deepEqual([prefetch?.requests, prefetch?.bytes, prefetch?.wasted_bytes], ['3', '800', '\\N'])
  const [open] = cells('tabs', processed)
  assert.deepEqual(
    [open?.page_id, open?.tab_id, open?.build, open?.recovered, open?.user_key],
    [ROOT, '00000000000000ab', 'shop@1', '1', 'id:7'],
  )
  assert.deepEqual([Number(open?.started), Number(open?.timestamp)], [RECEIVED - 1, RECEIVED])
  assert.deepEqual(cells('spans', processed), [])
})

test('real transactions are processed whole', () => {
  const dir = join(import.meta.dirname, '..', '..', '..', '..', 'fixtures', 'sentry-event-samples')
  for (const name of ['transaction-consecutive-db-queries', 'transaction-n-plus-one-api-call']) {
    const payload = readFileSync(join(dir, `${name}.json`), 'utf8')
    const { spans } = JSON.parse(payload) as { spans: unknown[] }
    const processed = stored({ payload })
    assert.deepEqual([spanCountOf(processed), processed.lost], [spans.length + 1, 0], name)
  }
})

test('a request that fetched ahead is known by the headers that came with its transaction', () => {
  const isPrefetch = (headers: unknown): boolean => {
    const payload = transaction({ request: { url: 'https://shop.test/cart', headers } })
    const [root, child] = cells('spans', stored({ payload }))
    assert.doesNotMatch(child!['strings']!, /prefetch/)
    return /'http\.request\.prefetch':'true'/.test(root!['strings']!)
  }
  assert.equal(isPrefetch({ 'sec-purpose': 'prefetch;prerender' }), true)
  assert.equal(isPrefetch([['Next-Router-Prefetch', '1']]), true)
  assert.equal(isPrefetch({ 'x-middleware-prefetch': '1' }), true)
  assert.equal(isPrefetch({ 'sec-purpose': '', purpose: 'navigate', 'x-moz': 'on' }), false)
  assert.equal(isPrefetch(undefined), false)
})
