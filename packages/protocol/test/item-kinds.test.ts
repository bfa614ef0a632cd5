import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  categoryOf,
  ITEM_KINDS,
  type ItemKind,
  itemKind,
  itemQuantity,
  needsEventId,
  UNKNOWN_ITEM_KIND,
} from '@sonde/protocol/item-kinds'
import { isDataCategory } from '@sonde/protocol/outcome'

test('each type is counted in the category that upstream counts it in', () => {
  const byCategory = Object.groupBy(Object.keys(ITEM_KINDS), (type) => itemKind(type).category)
  assert.deepEqual(
    { ...byCategory },
    {
      error: ['event', 'form_data', 'unreal_report'],
      transaction: ['transaction'],
      span: ['span', 'otel_traces_data'],
      session: ['session', 'sessions'],
      internal: ['client_report'],
      attachment: ['attachment'],
      user_report_v2: ['user_report'],
      feedback: ['feedback'],
      monitor: ['check_in'],
      log_item: ['log', 'otel_logs_data'],
      trace_metric: ['trace_metric', 'otel_metrics_data'],
      profile: ['profile'],
      profile_chunk: ['profile_chunk', 'profile_chunk_ui'],
      replay: ['replay_event', 'replay_recording', 'replay_video'],
      security: ['raw_security', 'security', 'nel'],
      metric_bucket: ['statsd', 'metric_buckets', 'metric_meta'],
      default: ['otel_span', 'otel_log', 'integration'],
    },
  )
  for (const category of Object.keys(byCategory)) assert.ok(isDataCategory(category))
})

test('a kind that is only counted says why, and no other does', () => {
  for (const [type, kind] of Object.entries<ItemKind>(ITEM_KINDS)) {
    assert.equal(kind.unsupported !== undefined, kind.handling === 'counted', type)
  }
})

test('only kinds that no SDK sends, or sends no more, are not kept', () => {
  const counted = Object.entries<ItemKind>(ITEM_KINDS).filter(([, kind]) => kind.handling === 'counted')
  const byReason = Object.groupBy(counted, ([, kind]) => kind.unsupported ?? '')
  assert.deepEqual(
    Object.entries(byReason).map(([reason, kinds]) => [reason, kinds?.map(([type]) => type)]),
    [
      ['internal_kind', ['form_data', 'otel_span', 'otel_log', 'integration']],
      ['discontinued', ['statsd', 'metric_buckets', 'metric_meta']],
    ],
  )
})

test('client reports and user reports are never limited', () => {
  const free = Object.entries<ItemKind>(ITEM_KINDS).filter(([, kind]) => kind.neverLimited)
  assert.deepEqual(
    free.map(([type]) => type),
    ['client_report', 'user_report'],
  )
})

for (const type of ['never heard of', '', '__proto__', 'constructor', 'toString', 'Event']) {
  test(`"${type}" is an unknown type, counted as default`, () => {
    assert.equal(itemKind(type), UNKNOWN_ITEM_KIND)
    assert.equal(categoryOf({ type }), 'default')
    assert.equal(needsEventId({ type }), false)
  })
}

test('an attachment needs an event unless it belongs to a trace', () => {
  assert.equal(needsEventId({ type: 'attachment' }), true)
  assert.equal(needsEventId({ type: 'attachment', span_id: null }), false)
  assert.equal(needsEventId({ type: 'attachment', meta_length: 3 }), false)
  assert.equal(needsEventId({ type: 'event', span_id: null }), true)
})

for (const [count, quantity] of [
  [undefined, 1],
  [100, 100],
  [0, 1],
  [-5, 1],
  [1.5, 1],
  ['7', 1],
  [1e15, 10_000],
  [null, 1],
]) {
  test(`item_count ${JSON.stringify(count)} counts as ${String(quantity)}`, () => {
    assert.equal(itemQuantity({ type: 'log', item_count: count }), quantity)
  })
}
