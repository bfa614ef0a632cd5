import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SPAN_STAGES } from '../../src/spans/span-stages.ts'
import { isDropped } from '../../src/stage-runner.ts'
import { cells } from './row-cells.ts'
import { type Given, RECEIVED, spanInput } from './span-input-of.ts'

const TRACE = 'a'.repeat(32)
const ROOT = 'b'.repeat(16)
const V2 = { type: 'span', content_type: 'application/vnd.sentry.items.span.v2+json' } as const

function rowsOf(given: Given) {
  const processed = SPAN_STAGES.run(spanInput(given), new Map())
  assert.ok(!isDropped(processed))
  return { navigations: cells('navigations', processed), spans: cells('spans', processed) }
}

type Trace = { readonly op?: string; readonly origin?: string; readonly data?: object }

const transaction = (more: object = {}, trace: Trace = {}) => ({
  type: 'transaction',
  event_id: 'e'.repeat(32),
  platform: 'javascript',
  transaction: '/orders/:id',
  transaction_info: { source: 'route' },
  start_timestamp: RECEIVED - 3,
  timestamp: RECEIVED - 1,
  release: 'shop@1',
  environment: 'production',
  user: { id: '7' },
  sdk: { name: 'sentry.javascript.react', version: '10.0.0', integrations: ['BrowserTracing'] },
  request: { url: 'https://shop.test/orders/42?tab=all', headers: {} },
  breadcrumbs: [
    { category: 'navigation', timestamp: RECEIVED - 60, data: { from: '/', to: '/cart/9' } },
    { category: 'navigation', timestamp: RECEIVED - 3, data: { from: '/cart/9?x=1', to: '/orders/42' } },
    { category: 'navigation', timestamp: RECEIVED - 0.5, data: { from: '/orders/42', to: '/' } },
  ],
  contexts: {
    trace: {
      trace_id: TRACE,
      span_id: ROOT,
      op: 'navigation',
      origin: 'auto.navigation.react.reactrouter_v6',
      ...trace,
      data: { 'sentry.idle_span_finish_reason': 'idleTimeout', ...trace.data },
    },
  },
  ...more,
})

test('a stock navigation transaction is a row whose end is not known, beside its span', () => {
  const { navigations, spans } = rowsOf({ payload: transaction() })
  assert.deepEqual(
    spans.map(({ op, is_segment }) => [op, is_segment]),
    [['navigation', '1']],
  )
  const [row, ...others] = navigations
  assert.deepEqual(others, [])
  assert.ok(row)
  const { navigation_id, trace_id, outcome, trigger, is_final, duration_ms, reason, router } = row
  assert.deepEqual(
    { navigation_id, trace_id, outcome, trigger, is_final, duration_ms, reason, router },
    {
      navigation_id: ROOT,
      trace_id: TRACE,
      outcome: 'unknown',
      trigger: '',
      is_final: '1',
      duration_ms: '2000',
      reason: 'idleTimeout',
      router: 'sentry:auto.navigation.react.reactrouter_v6',
    },
  )
  assert.deepEqual(
    [row['from_route'], row['to_route'], row['from_path'], row['to_path']],
    ['/cart/[id]', '/orders/:id', '/cart/9', '/orders/42'],
  )
  assert.deepEqual([row['visible_after_ms'], row['data_ms'], row['requests']], ['\\N', '\\N', '\\N'])
  assert.deepEqual(
    [row['release'], row['environment'], row['user_key'], row['sdk_name']],
    ['shop@1', 'production', 'id:7', 'sentry.javascript.react'],
  )
})

test('a name that is an address becomes a template, and what was left is not guessed', () => {
  const { navigations } = rowsOf({
    payload: transaction({
      transaction: '/orders/42/items/3f2a99bc',
      transaction_info: { source: 'url' },
      request: undefined,
      breadcrumbs: undefined,
    }),
  })
  const [row] = navigations
  assert.deepEqual(
    [row?.['from_route'], row?.['to_route'], row?.['to_path']],
    ['', '/orders/[id]/items/[id]', '/orders/42/items/3f2a99bc'],
  )
})

test('a streamed root of a navigation says where to by its address', () => {
  const streamed = (attributes: Record<string, unknown>, more: object = {}) => ({
    trace_id: TRACE,
    span_id: ROOT,
    name: 'Navigation',
    status: 'ok',
    is_segment: true,
    start_timestamp: RECEIVED - 2,
    end_timestamp: RECEIVED - 1,
    attributes: Object.fromEntries(
      Object.entries({
        'sentry.op': 'navigation',
        'sentry.origin': 'auto.navigation.browser',
        'sentry.segment.name.source': 'url',
        'sentry.sdk.name': 'sentry.javascript.browser',
        'url.path': '/orders/42',
        ...attributes,
      }).map(([key, value]) => [key, { type: Array.isArray(value) ? 'array' : 'string', value }]),
    ),
    ...more,
  })
  const rowOf = (span: object) => rowsOf({ header: V2, payload: { items: [span] } }).navigations[0]
  const row = rowOf(streamed({}))
  assert.deepEqual(
    [row?.['to_route'], row?.['outcome'], row?.['platform']],
    ['/orders/[id]', 'unknown', 'javascript'],
  )
  const named = rowOf(streamed({ 'sentry.segment.name.source': 'route' }, { name: '/orders/:id' }))
  assert.equal(named?.['to_route'], '/orders/:id')

  assert.equal(rowOf(streamed({ 'sentry.op': 'pageload' })), undefined)
  assert.equal(rowOf(streamed({}, { is_segment: false })), undefined, 'a redirect within a navigation')
  assert.equal(rowOf(streamed({ 'sentry.sdk.name': 'sentry.javascript.node' })), undefined)
  // Someone else tells of the same one.
  assert.equal(rowOf(streamed({ 'sonde.navigation.id': 'c'.repeat(16) })), undefined)
  assert.equal(
    rowOf(streamed({ 'sentry.sdk.integrations': ['BrowserTracing', 'SondeNavigations'] })),
    undefined,
  )
})

test('page loads, servers, apps, and pages with the recorder make no row', () => {
  const none = (payload: object, why: string): void =>
    assert.deepEqual(rowsOf({ payload }).navigations, [], why)
  none(transaction({}, { op: 'pageload' }), 'a page load')
  none(transaction({ platform: 'node', sdk: { name: 'sentry.javascript.node', version: '10' } }), 'a server')
  none(transaction({ sdk: { name: 'sentry.javascript.react-native', version: '7' } }), 'an app')
  none(transaction({ sdk: { name: 'sonde.javascript.browser', version: '0.1.0' } }), 'our reporter')
  none(
    transaction({
      sdk: { name: 'sentry.javascript.react', version: '10', integrations: ['SondeNavigations'] },
    }),
    'the integration',
  )
  none(transaction({}, { data: { 'sonde.navigation.id': 'c'.repeat(16) } }), 'a marked span')
})
