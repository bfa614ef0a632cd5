import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detect } from '../../src/detect/detectors.ts'
import { normalizeAddress, normalizeStatement } from '../../src/detect/normalize-statement.ts'
import { thinFound } from '../../src/detect/thin-found.ts'
import { DEFAULT_PROCESSING_SETTINGS } from '../../src/process/settings-history.ts'
import { SPAN_STAGES } from '../../src/spans/span-stages.ts'
import type { Span } from '../../src/spans/span.ts'
import { isDropped } from '../../src/stage-runner.ts'

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
