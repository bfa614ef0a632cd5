import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NAVIGATION_OP } from '@sonde/protocol/navigation'
import type { SamplingRule, SamplingRules } from '@sonde/stores'
import { rowOutcomes, storedSpans } from '../../src/commit/store-rows.ts'
import { DEFAULT_PROCESSING_SETTINGS } from '../../src/process/settings-history.ts'
import { spansThatEnd } from '../../src/spans/span-outcomes.ts'
import { SPAN_STAGES } from '../../src/spans/span-stages.ts'
import { isDropped } from '../../src/stage-runner.ts'
import { cells } from '../spans/row-cells.ts'
import { type Given, RECEIVED, RECEIVED_MS, spanInput } from '../spans/span-input-of.ts'
import { metrics } from '../spans/wire-vitals.ts'

const ROOT = 'b'.repeat(16)
const CONTAINER = { type: 'span', content_type: 'application/vnd.sentry.items.span.v2+json' }
// By what trace-share.test.ts pins: 0.59, 0.86 and 0.96.
const [LOW, MIDDLE, HIGH] = ['a', 'b', 'f'].map((digit) => digit.repeat(32)) as [string, string, string]

const rule = (fields: Partial<SamplingRule>): SamplingRule => ({
  route: '',
  op: '',
  release: '',
  environment: '',
  rate: 0,
  ...fields,
})
const times = { start_timestamp: RECEIVED - 2, timestamp: RECEIVED - 1 }

const pageLoad = (traceId: string, more: object = {}): Given => ({
  payload: {
    type: 'transaction',
    event_id: 'e'.repeat(32),
    transaction: '/cart',
    release: 'shop@1',
    environment: 'production',
    ...times,
    contexts: { trace: { trace_id: traceId, span_id: ROOT, op: 'pageload' } },
    measurements: { lcp: { value: 1200, unit: 'millisecond' } },
    spans: [
      { trace_id: traceId, span_id: '1'.repeat(16), parent_span_id: ROOT, op: 'http.client', ...times },
    ],
    ...more,
  },
  trace: { sample_rate: '0.5' },
})

const streamed = (traceId: string, spanId: string, isSegment: boolean, op: string) => ({
  trace_id: traceId,
  span_id: spanId,
  is_segment: isSegment,
  name: isSegment ? '/api/cart' : 'SELECT',
  start_timestamp: times.start_timestamp,
  end_timestamp: times.timestamp,
  status: 'ok',
  attributes: {
    'sentry.op': { type: 'string', value: op },
    'sentry.segment.name': { type: 'string', value: '/api/cart' },
    'sentry.segment.id': { type: 'string', value: ROOT },
  },
})

function digest(given: Given, rules: readonly SamplingRule[], sampleMeasured = false) {
  const sampling: SamplingRules = { rules, sampleMeasured }
  const input = spanInput({ ...given, settings: { ...DEFAULT_PROCESSING_SETTINGS, sampling } })
  const processed = SPAN_STAGES.run(input, new Map())
  assert.ok(!isDropped(processed), JSON.stringify(processed))
  const ends = [
    ...rowOutcomes(processed.item, { outcome: 'accepted', reason: '' }),
    ...spansThatEnd(processed),
  ]
  return {
    spans: cells('spans', processed),
    vitals: cells('vitals', processed),
    navigations: cells('navigations', processed),
    rows: processed.item.rows,
    used: storedSpans(processed.item).spans,
    ends: ends.map((each) => `${each.category} ${each.outcome} ${each.reason} ${each.quantity}`),
  }
}
const ratesOf = (rows: readonly Record<string, string>[]): number[] =>
  rows.map((row) => Number(row['sample_rate']))

test('a kept trace stands for as many as the sender’s rate and the rule’s say together', () => {
  const { spans, vitals, ends } = digest(pageLoad(LOW), [rule({ route: '/cart', rate: 0.6 })])
  assert.deepEqual(ratesOf(spans), [0.3, 0.3])
  assert.ok(spans.every(({ numbers }) => numbers?.includes("'sonde.server_sample_rate':0.6")))
  assert.deepEqual(ratesOf(vitals), [0.5], 'vitals are kept whatever the rule, so they stand for fewer')
  assert.deepEqual(ends, ['transaction accepted  1', 'span accepted  2'])
})

test('a dropped trace leaves what it measured, and each of its spans ends as filtered by the rule', () => {
  const { spans, vitals, ends } = digest(pageLoad(MIDDLE), [
    rule({ route: '/c*', op: 'pageload', rate: 0.6 }),
  ])
  assert.deepEqual(spans, [])
  assert.deepEqual(ratesOf(vitals), [0.5])
  assert.deepEqual(ends, [
    'transaction filtered sampled:/c* op:pageload 1',
    'span filtered sampled:/c* op:pageload 2',
  ])
})

test('vitals share the fate of their trace when the project says so', () => {
  const rules = [rule({ rate: 0.6 })]
  assert.deepEqual(digest(pageLoad(MIDDLE), rules, true).rows, {})
  assert.deepEqual(ratesOf(digest(pageLoad(LOW), rules, true).vitals), [0.3])
})

test('what no rule matches, and what a rule keeps wholly, is as it came', () => {
  const before = digest(pageLoad(HIGH), [])
  assert.deepEqual(digest(pageLoad(HIGH), [rule({ route: '/api/*' })]).rows, before.rows)
  assert.deepEqual(digest(pageLoad(HIGH), [rule({ rate: 1 }), rule({})]).rows, before.rows)
})

test('a rate of 0 drops and a rate of 1 keeps, whatever the trace', () => {
  for (const traceId of [LOW, MIDDLE, HIGH]) {
    assert.equal(digest(pageLoad(traceId), [rule({ rate: 0 })]).spans.length, 0)
    assert.equal(digest(pageLoad(traceId), [rule({ rate: 1 })]).spans.length, 2)
  }
})

test('a trace over a page and a server is kept or dropped as a whole, in whatever shape each sends', () => {
  const server = (traceId: string): Given => ({
    header: CONTAINER,
    payload: {
      items: [streamed(traceId, '2'.repeat(16), false, 'db'), streamed(traceId, ROOT, true, 'http.server')],
    },
  })
  const rules = [rule({ op: 'pageload', rate: 0.65 }), rule({ op: 'http.server', rate: 0.65 })]
  for (const [traceId, kept] of [
    [LOW, 2],
    [MIDDLE, 0],
    [HIGH, 0],
  ] as const) {
    assert.equal(digest(pageLoad(traceId), rules).spans.length, kept, `page of ${traceId}`)
    assert.equal(digest(server(traceId), rules).spans.length, kept, `server of ${traceId}`)
  }
})

test('traces of one container have each their own fate', () => {
  const items = [LOW, HIGH].map((traceId) => streamed(traceId, ROOT, true, 'http.server'))
  const { spans, ends } = digest({ header: CONTAINER, payload: { items } }, [
    rule({ route: '/api/*', rate: 0.6 }),
  ])
  assert.deepEqual(
    spans.map((row) => row['trace_id']),
    [LOW],
  )
  assert.deepEqual(ends, ['span accepted  1', 'span filtered sampled:/api/* 1'])
})

test('navigations are kept at the sender’s rate unless the project samples what was measured', () => {
  const attributes = { 'sonde.navigation.outcome': { type: 'string', value: 'committed' } }
  const navigation = { ...streamed(HIGH, ROOT, true, 'ui.navigation'), attributes }
  const op = { type: 'string', value: NAVIGATION_OP }
  const given = {
    header: CONTAINER,
    payload: { items: [{ ...navigation, attributes: { ...attributes, 'sentry.op': op } }] },
  }
  assert.deepEqual(ratesOf(digest(given, [rule({})]).navigations), [1])
  assert.deepEqual(digest(given, [rule({})]).ends, ['span accepted  1'])
  assert.deepEqual(digest(given, [rule({})], true).ends, ['span filtered sampled:everything 1'])
})

test('vitals that travel as metrics are vitals, and use nothing of a cap of spans', () => {
  const given = metrics({ 'browser.web_vital.lcp': 2300, 'browser.inp': 190 })
  const kept = digest(given, [rule({})])
  assert.deepEqual([kept.vitals.length, kept.ends, kept.used], [2, ['trace_metric accepted  2'], 0])
  const left = digest(given, [rule({})], true)
  assert.deepEqual([left.rows, left.ends], [{}, ['trace_metric filtered sampled:everything 2']])
})

test('spans of OpenTelemetry follow the rules by the route and op that they are stored with', () => {
  const span = (spanId: string, parentSpanId: string, kind: number) => ({
    traceId: HIGH,
    spanId,
    parentSpanId,
    kind,
    name: kind === 2 ? 'GET /cart/:id' : 'SELECT',
    startTimeUnixNano: `${RECEIVED_MS - 2_000}000000`,
    endTimeUnixNano: `${RECEIVED_MS - 1_000}000000`,
    attributes: kind === 2 ? [{ key: 'http.request.method', value: { stringValue: 'GET' } }] : [],
  })
  const spans = [span('1'.repeat(16), ROOT, 3), span(ROOT, '', 2)]
  const given = {
    header: { type: 'otel_traces_data', content_type: 'application/json' },
    payload: { resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ spans }] }] },
  }
  assert.deepEqual(digest(given, [rule({ route: '/other' })]).ends, ['span accepted  2'])
  const { ends, used } = digest(given, [rule({ route: '*/cart/*', op: 'http.server', rate: 0.5 })])
  assert.deepEqual([ends, used], [['span filtered sampled:*/cart/* op:http.server 2'], 0])
})
