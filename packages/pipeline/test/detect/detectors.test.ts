import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectorRulesFrom } from '@sonde/protocol/performance-detectors'
import { detect } from '../../src/detect/detectors.ts'
import { normalizeAddress, normalizeStatement } from '../../src/detect/normalize-statement.ts'
import { thinFound } from '../../src/detect/thin-found.ts'
import { DEFAULT_PROCESSING_SETTINGS } from '../../src/process/settings-history.ts'
import { SPAN_STAGES } from '../../src/spans/span-stages.ts'
import type { Span } from '../../src/spans/span.ts'
import { isDropped } from '../../src/stage-runner.ts'
import { RECEIVED, spanInput } from '../spans/span-input-of.ts'

const NOW_MS = Date.UTC(2026, 10, 24)

function spanOf(at: number, own: Partial<Span> = {}): Span {
  return {
    traceId: 'a'.repeat(32),
    spanId: (at + 1).toString(16).padStart(16, '0'),
    parentSpanId: 'b'.repeat(16),
    segmentId: 'b'.repeat(16),
    isSegment: false,
    startMs: NOW_MS + at * 20,
    durationMs: 15,
    op: 'db',
    name: `SELECT * FROM item WHERE id = ${at}`,
    status: 'ok',
    origin: 'manual',
    attributes: {},
    measurements: {},
    ...own,
  }
}
const many = (count: number, own: Partial<Span> = {}) =>
  Array.from({ length: count }, (_, at) => spanOf(at, own))

test('values of a statement become question marks, lists of them one', () => {
  assert.equal(
    normalizeStatement("SELECT a1 FROM t\n WHERE id IN (1, 2,3) AND n = 'it''s'"),
    'SELECT a1 FROM t WHERE id IN (?) AND n = ?',
  )
  assert.equal(normalizeStatement('SELECT 1 WHERE a = $1 AND b = %s'), 'SELECT ? WHERE a = ? AND b = ?')
  assert.equal(normalizeAddress('GET https://a.test/users/12/x?y=1'), 'GET https://a.test/users/*/x')
})

test('five queries that differ in a value alone, one after the other, are an N+1; four are none', () => {
  const [found, ...others] = detect(many(5))
  assert.equal(found?.type, 'performance_n_plus_one_db_queries')
  assert.equal(found?.description, 'SELECT * FROM item WHERE id = ?')
  assert.equal(found?.count, 5)
  assert.deepEqual(others, [])
  assert.deepEqual(detect(many(4)), [])
})

test('queries at the same time, or too quick together, are none', () => {
  assert.deepEqual(detect(many(9, { startMs: NOW_MS })), [])
  assert.deepEqual(detect(many(9, { durationMs: 1 })), [])
})

test('a slow query, a large answer and a blocking stylesheet are found alone', () => {
  const types = detect([
    spanOf(0, { durationMs: 1500 }),
    spanOf(1, {
      op: 'http.client',
      name: 'GET /a',
      attributes: { 'http.response_content_length': 2_000_000 },
    }),
    spanOf(2, {
      op: 'resource.css',
      name: '/a.css',
      durationMs: 800,
      attributes: { 'resource.render_blocking_status': 'blocking' },
    }),
  ]).map(({ type }) => type)
  assert.deepEqual(types, [
    'performance_slow_db_query',
    'performance_large_http_payload',
    'performance_render_blocking_asset_span',
  ])
})

test('different queries one after the other are found by those that need no answer of another; beside each other they are not', () => {
  const queries = (own: Partial<Span> = {}, gapMs = 0) =>
    ['SELECT * FROM a', 'SELECT * FROM b WHERE id = 1', 'SELECT count(*) FROM c'].map((name, at) =>
      spanOf(at, { name, startMs: NOW_MS + at * (90 + gapMs), durationMs: 90, ...own }),
    )
  const [found, ...others] = detect(queries())
  assert.deepEqual(others, [])
  assert.equal(found?.type, 'performance_consecutive_db_queries')
  assert.deepEqual([found.count, found.savedMs, found.description], [3, 180, 'SELECT * FROM a'])
  assert.deepEqual(detect(queries({ startMs: NOW_MS })), [])
  assert.deepEqual(detect(queries({}, 600)), [])
  assert.deepEqual(detect(queries().map((span) => ({ ...span, name: `${span.name} WHERE x = 1` }))), [])
})

test('three slow requests to different addresses are found when two seconds could be saved', () => {
  const requests = (durationMs: number) =>
    ['/a', '/b', '/c'].map((path, at) =>
      spanOf(at, {
        op: 'http.client',
        name: `GET https://api.test${path}`,
        startMs: NOW_MS + at * durationMs,
        durationMs,
      }),
    )
  const [found] = detect(requests(1100))
  assert.equal(found?.type, 'performance_consecutive_http')
  assert.equal(found.savedMs, 2200)
  assert.deepEqual(detect(requests(900)), [])
})

test('a script as large on the wire as in memory, slow page data and a long frame are found', () => {
  const size = { 'http.response_content_length': 600_000, 'http.decoded_response_content_length': 600_000 }
  const script = { op: 'resource.script', name: '/main.js', durationMs: 400 }
  const types = detect([
    spanOf(0, { ...script, attributes: size }),
    spanOf(1, {
      op: 'ui.navigation',
      name: '/shop',
      attributes: {
        'sonde.navigation.phase.data': 1500,
        'sonde.navigation.outcome': 'committed',
        'sonde.navigation.to_route': '/[org]',
      },
    }),
    spanOf(2, {
      op: 'ui.long-animation-frame',
      name: 'Main UI thread blocked',
      durationMs: 700,
      attributes: { 'code.filepath': 'https://a.test/app.js?v=1' },
    }),
  ])
  assert.deepEqual(
    types.map(({ type, description, totalMs }) => [type, description, totalMs]),
    [
      ['performance_uncompressed_assets', '/main.js', 400],
      ['performance_slow_page_data', '/[org]', 1500],
      ['performance_long_animation_frame', 'https://a.test/app.js', 700],
    ],
  )
  const compressed = { ...size, 'http.response_content_length': 90_000 }
  assert.deepEqual(detect([spanOf(0, { ...script, attributes: compressed })]), [])
})

test('a script that forced layout within a long frame is found, and what it cost is the time of that', () => {
  const frame = (forcedMs: number | undefined) =>
    spanOf(0, {
      op: 'ui.long-animation-frame',
      name: 'Main UI thread blocked',
      durationMs: 300,
      attributes: {
        'code.filepath': 'https://a.test/cart.js',
        ...(forcedMs !== undefined && { 'browser.script.forced_style_and_layout_duration': forcedMs }),
      },
    })
  assert.deepEqual(
    detect([frame(180)]).map(({ type, description, totalMs }) => [type, description, totalMs]),
    [['performance_layout_thrashing', 'https://a.test/cart.js', 180]],
  )
  assert.deepEqual(detect([frame(90)]), [])
  assert.deepEqual(detect([frame(undefined)]), [])
  const elsewhere = { ...frame(180), op: 'ui.render' }
  assert.deepEqual(detect([elsewhere]), [])
})

const hung = (facts: Readonly<Record<string, string | number>>, own: Partial<Span> = {}) =>
  spanOf(0, {
    op: 'ui.navigation',
    name: '/orders/[id]',
    durationMs: 5000,
    attributes: Object.fromEntries(
      Object.entries({ outcome: 'pending', to_route: '/orders/[id]', ...facts }).map(([key, value]) => [
        `sonde.navigation.${key}`,
        value,
      ]),
    ),
    ...own,
  })

test('a navigation that hangs is found by its route and what it waits for longest', () => {
  const described = (facts: Readonly<Record<string, string>>) => detect([hung(facts)])[0]?.description
  const waits = { stuck_in: 'data', waits: 'GET /api/cart 120, GET /api/orders/[id] 4810' }
  assert.equal(described(waits), '/orders/[id] waits for GET /api/orders/[id]')
  assert.equal(described({ waiting_for: '/api/cart' }), '/orders/[id] waits for /api/cart')
  assert.equal(described({ stuck_in: 'chunk' }), '/orders/[id] waits for code of the route')
  assert.match(described({ stuck_in: 'data' }) ?? '', /a promise of the page, nothing on the network/)
  const [found] = detect([hung(waits)])
  assert.deepEqual(found?.facts, {
    navigation: {
      id: '0000000000000001',
      from: '',
      to: '',
      from_route: '',
      to_route: '/orders/[id]',
      outcome: 'pending',
      trigger: '',
      build: '',
      router: '',
      phase: 'data',
      requests: [
        { name: 'GET /api/orders/[id]', waited_ms: 4810 },
        { name: 'GET /api/cart', waited_ms: 120 },
      ],
    },
  })
})

test('given up and left after long are found too; shown in the end, left soon, and of unknown end are not', () => {
  const isFound = (outcome: string, durationMs: number): boolean =>
    detect([hung({ outcome }, { durationMs })]).length === 1
  assert.deepEqual(
    (['timed_out', 'left', 'committed', 'superseded', 'unknown'] as const).map((outcome) =>
      isFound(outcome, 7000),
    ),
    [true, true, false, false, false],
  )
  assert.equal(isFound('left', 2000), false)
  const patient = detectorRulesFrom({
    performance_hung_navigation: { isOn: true, thresholds: { min_duration_ms: 20_000 } },
  })
  assert.deepEqual(detect([hung({})], patient), [])
})

test('all that is told of one hung navigation is one event, and each of another person is kept', () => {
  const eventOf = (facts: Readonly<Record<string, string>>, spanId: string, receivedSec: number) => {
    const span = hung(facts)
    const item = {
      trace_id: span.traceId,
      span_id: spanId,
      name: span.name,
      is_segment: false,
      start_timestamp: receivedSec - 6,
      end_timestamp: receivedSec,
      attributes: Object.fromEntries(
        Object.entries({
          ...span.attributes,
          'sentry.op': span.op,
          'user.id': 'u-1',
          'sentry.release': 'shop@1',
        }).map(([key, value]) => [key, { type: typeof value === 'number' ? 'double' : 'string', value }]),
      ),
    }
    const header = { type: 'span', content_type: 'application/vnd.sentry.items.span.v2+json' } as const
    const processed = SPAN_STAGES.run(spanInput({ header, payload: { items: [item] } }), new Map())
    assert.ok(!isDropped(processed))
    return processed.found
  }
  const at = RECEIVED - 1
  const [pending] = eventOf({ outcome: 'pending', waiting_for: '/api/orders/[id]' }, '1'.repeat(16), at - 60)
  const [gaveUp] = eventOf({ outcome: 'timed_out', waiting_for: '/api/orders/[id]' }, '1'.repeat(16), at)
  const [another] = eventOf({ outcome: 'pending', waiting_for: '/api/orders/[id]' }, '2'.repeat(16), at)
  assert.ok(pending && gaveUp && another)
  assert.equal(gaveUp.eventId, pending.eventId)
  assert.notEqual(another.eventId, pending.eventId)
  assert.deepEqual(another.hashes, pending.hashes)
  assert.deepEqual(eventOf({ outcome: 'committed', waiting_for: '/api/orders/[id]' }, '1'.repeat(16), at), [])
  assert.equal(pending.issue.title, 'Route load hangs: /orders/[id] waits for /api/orders/[id]')
  assert.equal(pending.issue.release, 'shop@1')
  assert.equal(
    thinFound(
      [pending, another],
      new Map([
        [pending, 1],
        [another, 1],
      ]),
    ).size,
    0,
  )
})

test('a detector that is off finds nothing, and thresholds of the project decide', () => {
  const rules = detectorRulesFrom({
    performance_n_plus_one_db_queries: { isOn: true, thresholds: { min_count: 3, min_total_ms: 1e9 } },
    performance_slow_db_query: { isOn: false },
    unknown: { isOn: false },
  })
  assert.deepEqual(rules, {
    performance_n_plus_one_db_queries: { isOn: true, thresholds: { min_count: 3 } },
    performance_slow_db_query: { isOn: false, thresholds: {} },
  })
  assert.deepEqual(detect(many(3), rules), [])
  assert.equal(detect(many(4), rules).length, 1)
  assert.deepEqual(detect([spanOf(0, { durationMs: 1500 })], rules), [])
})

test('100,000 spans that are their own parents, each with another statement, give a bounded answer', () => {
  const spans = Array.from({ length: 100_000 }, (_, at) =>
    spanOf(at, {
      name: `SELECT c${at}`,
      durationMs: 2000,
      parentSpanId: (at + 1).toString(16).padStart(16, '0'),
    }),
  )
  assert.equal(detect(spans).length, 20)
})

function transaction(eventId: string) {
  const seconds = NOW_MS / 1000
  const payload = {
    type: 'transaction',
    transaction: 'GET /orders',
    release: 'shop@1',
    start_timestamp: seconds - 1,
    timestamp: seconds,
    contexts: { trace: { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16), op: 'http.server' } },
    spans: many(6).map((span) => ({
      trace_id: span.traceId,
      span_id: span.spanId,
      parent_span_id: span.parentSpanId,
      op: 'db',
      description: span.name,
      start_timestamp: span.startMs / 1000 - 1,
      timestamp: (span.startMs + span.durationMs) / 1000 - 1,
    })),
  }
  const facts = { trace: undefined, userAgent: undefined, sdkClient: undefined }
  const result = SPAN_STAGES.run(
    {
      payload: Buffer.from(JSON.stringify(payload)),
      position: 0,
      itemIndex: 0,
      projectId: 1,
      keyId: 1,
      eventId,
      receivedMs: NOW_MS,
      context: {
        ...facts,
        receivedMs: NOW_MS,
        sentAtMs: NOW_MS,
        clientIp: undefined,
        itemType: 'transaction',
      },
      settings: DEFAULT_PROCESSING_SETTINGS,
      header: { type: 'transaction' },
      envelope: facts,
    },
    new Map(),
  )
  assert.ok(!isDropped(result))
  return result
}

test('a transaction with an N+1 gives an event of an issue, with its evidence, release and trace', () => {
  const [event, ...others] = transaction('1'.repeat(32)).found
  assert.ok(event)
  assert.deepEqual(others, [])
  assert.equal(event.category, 'performance')
  assert.equal(event.issue.type, 'performance_n_plus_one_db_queries')
  assert.equal(event.issue.title, 'N+1 Query: SELECT * FROM item WHERE id = ?')
  assert.equal(event.issue.culprit, 'GET /orders')
  assert.equal(event.issue.release, 'shop@1')
  const row = String(event.row)
  assert.ok(row.includes('"times":6') && row.includes('a'.repeat(32)))
})

test('the same transaction makes the same event; another one another event of the same issue', () => {
  const [first, again, other] = ['1', '1', '2'].map((digit) => transaction(digit.repeat(32)).found[0])
  assert.ok(first && again && other)
  assert.equal(first.eventId, again.eventId)
  assert.notEqual(first.eventId, other.eventId)
  assert.deepEqual(first.hashes, other.hashes)
  const issueOf = new Map([first, other].map((event) => [event, 7]))
  assert.deepEqual([...thinFound([first, other], issueOf)], [[other, first]])
})

test('spans of OpenTelemetry in one request are looked at by segment; its event has release, route and trace', () => {
  const nano = (ms: number): string => `${BigInt(Math.round(ms)) * 1_000_000n}`
  const span = (at: number, own: object) => ({
    traceId: 'c'.repeat(32),
    spanId: (at + 1).toString(16).padStart(16, '0'),
    startTimeUnixNano: nano(NOW_MS - 1000 + at * 20),
    endTimeUnixNano: nano(NOW_MS - 1000 + at * 20 + 15),
    ...own,
  })
  const query = (at: number) =>
    span(at, {
      parentSpanId: '0000000000000001',
      name: 'SELECT',
      kind: 3,
      attributes: [
        { key: 'db.system.name', value: { stringValue: 'postgresql' } },
        { key: 'db.query.text', value: { stringValue: `SELECT * FROM item WHERE id = ${at}` } },
      ],
    })
  const root = span(0, { name: 'GET /orders', kind: 2, endTimeUnixNano: nano(NOW_MS) })
  const payload = {
    resourceSpans: [
      {
        resource: { attributes: [{ key: 'service.version', value: { stringValue: 'shop@2' } }] },
        scopeSpans: [{ spans: [root, ...[1, 2, 3, 4, 5, 6].map(query)] }],
      },
    ],
  }
  const result = SPAN_STAGES.run(
    spanInput({
      header: { type: 'otel_traces_data', content_type: 'application/json' },
      payload,
      sentAtMs: NOW_MS,
    }),
    new Map(),
  )
  assert.ok(!isDropped(result))
  const [event, ...others] = result.found
  assert.ok(event)
  assert.deepEqual(others, [])
  assert.equal(event.issue.title, 'N+1 Query: SELECT * FROM item WHERE id = ?')
  assert.deepEqual([event.issue.culprit, event.issue.release], ['GET /orders', 'shop@2'])
  assert.ok(String(event.row).includes('c'.repeat(32)))
})

test('20,000 slow queries in as many traces of one item give twenty events', () => {
  const items = Array.from({ length: 20_000 }, (_, at) => ({
    trace_id: at.toString(16).padStart(32, '1'),
    span_id: (at + 1).toString(16).padStart(16, '0'),
    name: `SELECT a${at}`,
    start_timestamp: NOW_MS / 1000 - 9,
    end_timestamp: NOW_MS / 1000,
    attributes: { 'sentry.op': { type: 'string', value: 'db' } },
  }))
  const header = { type: 'span', content_type: 'application/vnd.sentry.items.span.v2+json' }
  const result = SPAN_STAGES.run(spanInput({ header, payload: { items } }), new Map())
  assert.ok(!isDropped(result))
  assert.equal(result.found.length, 20)
})
