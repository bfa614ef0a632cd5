import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { OtlpResource } from '../../src/otlp/otlp-request.ts'
import { readOtlpJson } from '../../src/otlp/read-json.ts'
import { readOtlpProtobuf } from '../../src/otlp/read-protobuf.ts'
import { spansOfOtlp } from '../../src/otlp/spans-of-otlp.ts'
import type { Span } from '../../src/spans/span.ts'
import { type Exported, exportShop, REMOTE_PARENT } from './exported.ts'

const START_MS = Date.UTC(2026, 10, 18, 12)
let exported: Exported

const spansOf = (resources: readonly OtlpResource[] | undefined): readonly Span[] => {
  assert.ok(resources)
  const { spans, lost } = spansOfOtlp(resources, 0)
  assert.equal(lost, 0)
  return spans
}
const fromJson = () => spansOf(readOtlpJson(JSON.parse(exported.json.toString())))
const fromProtobuf = () => spansOf(readOtlpProtobuf(exported.protobuf))
const json = (spans: readonly object[], resource: object = {}) =>
  spansOf(readOtlpJson({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] }))

const TRACE = 'a'.repeat(32)
const base = { traceId: TRACE, spanId: 'b'.repeat(16), name: 'x', startTimeUnixNano: '1700000000000000000' }
const attributes = (values: Record<string, string | number>) =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
  }))

const OPS: readonly (readonly [kind: number, attributes: Record<string, string | number>, op: string])[] = [
  [1, {}, 'default'],
  [2, {}, 'server'],
  [2, { 'http.method': 'GET' }, 'http.server'],
  [3, { 'http.request.method': 'GET' }, 'http.client'],
  [1, { 'http.request.method': 'GET' }, 'http'],
  [3, { 'db.system': 'redis' }, 'db'],
  [2, { 'rpc.system': 'grpc' }, 'rpc.server'],
  [3, { 'rpc.system': 'grpc' }, 'rpc.client'],
  [4, { 'messaging.system': 'kafka' }, 'queue.publish'],
  [5, { 'messaging.system': 'kafka' }, 'queue.process'],
  [5, { 'messaging.system': 'kafka', 'messaging.operation.type': 'receive' }, 'queue.receive'],
  [5, { 'messaging.system': 'kafka', 'messaging.operation.type': 'constructor' }, 'queue.process'],
  [1, { 'gen_ai.operation.name': 'chat' }, 'gen_ai.chat'],
  [2, { 'faas.trigger': 'timer' }, 'faas.timer'],
  [1, { 'sentry.op': 'task' }, 'task'],
]

const STATUSES: readonly (readonly [
  status: object,
  attributes: Record<string, string | number>,
  is: string,
])[] = [
  [{}, {}, ''],
  [{ code: 1 }, { 'http.response.status_code': 500 }, 'ok'],
  [{ code: 2 }, {}, 'error'],
  [{ code: 'STATUS_CODE_ERROR' }, {}, 'error'],
  [{ code: 2, message: 'deadline_exceeded' }, {}, 'deadline_exceeded'],
  [{ code: 2 }, { 'http.response.status_code': 200 }, 'error'],
  [{}, { 'http.status_code': 404 }, 'not_found'],
  [{}, { 'http.response.status_code': 302 }, 'ok'],
  [{ code: 2 }, { 'rpc.grpc.status_code': 14 }, 'unavailable'],
]

describe('spans of otlp', () => {
  before(async () => {
    exported = await exportShop(START_MS)
  })

  test('both exporters of OpenTelemetry say the same', () => {
    assert.deepEqual(fromProtobuf(), fromJson())
    assert.equal(fromJson().length, 3)
  })

  test('a request from another service is a root here, its query and its call belong to it', () => {
    const [query, call, server] = fromProtobuf()
    assert.deepEqual(
      [server?.op, server?.name, server?.isSegment, server?.parentSpanId, server?.status, server?.durationMs],
      ['http.server', 'GET /cart/:id', true, REMOTE_PARENT, 'internal_error', 100.5],
    )
    assert.deepEqual(
      [query?.op, query?.name, query?.isSegment, query?.segmentId, query?.parentSpanId, query?.status],
      ['db', 'SELECT * FROM cart WHERE id = $1', false, exported.serverId, exported.serverId, ''],
    )
    assert.deepEqual(
      [call?.op, call?.name, call?.status, call?.startMs, call?.durationMs, call?.traceId],
      ['http.client', 'POST https://pay.example/charge', 'error', START_MS + 40, 20, exported.traceId],
    )
    for (const span of [query, call, server])
      assert.equal(span?.attributes['sentry.segment.name'], 'GET /cart/:id')
  })

  test('attributes keep their types, lists become text, and the resource stands on every span', () => {
    const server = fromProtobuf()[2]
    const { tags, big, share, yes } = server?.attributes ?? {}
    assert.deepEqual(
      { tags, big, share, yes },
      { tags: '["a","b"]', big: 2 ** 53 - 1, share: 0.25, yes: 'true' },
    )
    for (const span of fromProtobuf()) {
      assert.equal(span.attributes['telemetry.sdk.language'], 'nodejs')
      assert.equal(span.attributes['otel.scope.name'], 'shop-http')
      assert.equal(span.attributes['otel.scope.version'], '1.2.3')
    }
  })

  test('what was thrown stands in the attributes of its span, and so do events; links are its own', () => {
    const [, span] = fromProtobuf()
    const call = span?.attributes
    assert.equal(call?.['exception.type'], 'TypeError')
    assert.equal(call['exception.message'], 'card declined')
    assert.match(String(call['exception.stacktrace']), /TypeError: card declined\n\s+at /)
    assert.equal(call['otel.status_description'], 'no luck')
    const [event] = JSON.parse(String(call['otel.events'])) as [{ name: string; after_ms: number }]
    assert.deepEqual([event.name, event.after_ms], ['exception', 10])
    assert.deepEqual(span?.links, [
      {
        traceId: 'b'.repeat(32),
        spanId: 'c'.repeat(16),
        attributes: { sampled: 'true', 'messaging.message.id': 'm-7', batch: 3 },
      },
    ])
  })

  for (const [kind, given, op] of OPS)
    test(`kind ${kind} with ${JSON.stringify(given)} is ${op}`, () => {
      assert.equal(json([{ ...base, kind, attributes: attributes(given) }])[0]?.op, op)
    })

  for (const [status, given, is] of STATUSES)
    test(`status ${JSON.stringify(status)} with ${JSON.stringify(given)} is "${is}"`, () => {
      assert.equal(json([{ ...base, status, attributes: attributes(given) }])[0]?.status, is)
    })

  test('ids in upper case are the same ids; names of protobuf and text for times are taken too', () => {
    const [span] = json([
      {
        trace_id: TRACE.toUpperCase(),
        span_id: 'B'.repeat(16),
        parent_span_id: 'C'.repeat(16),
        start_time_unix_nano: '2026-11-18T12:00:00.250Z',
        end_time_unix_nano: (START_MS + 500) * 1e6,
      },
    ])
    assert.deepEqual(
      [span?.traceId, span?.spanId, span?.parentSpanId, span?.startMs, span?.durationMs],
      [TRACE, 'b'.repeat(16), 'c'.repeat(16), START_MS + 250, 250],
    )
  })

  test('spans without ids or a start are counted as lost, the others are kept', () => {
    const spans = [base, { ...base, traceId: '0'.repeat(32) }, { ...base, spanId: 'xyz' }, null, 7, {}]
    const noStart = { ...base, spanId: 'd'.repeat(16), startTimeUnixNano: '0' }
    const resources = readOtlpJson({ resourceSpans: [{ scopeSpans: [{ spans: [...spans, noStart] }] }] })
    const found = spansOfOtlp(resources ?? [], 0)
    assert.deepEqual([found.spans.length, found.lost], [1, 6])
  })

  test('what should be a number and is an object is read as absent', () => {
    // `Number` throws for each of them.
    for (const odd of [{ toString: '' }, { valueOf: 1, toString: 1 }, [{ toString: '' }]])
      for (const fields of [{ flags: odd }, { kind: odd }, { status: { code: odd } }]) {
        const [span] = json([{ ...base, ...fields }])
        assert.deepEqual([span?.spanId, span?.status, span?.op], ['b'.repeat(16), '', 'default'])
      }
  })

  test('a start of zero is none, however it is written', () => {
    for (const startTimeUnixNano of ['0', '-0', ' 0', '0.0', '1970-01-01T00:00:00Z', 0]) {
      const spans = [{ ...base, startTimeUnixNano }]
      const resources = readOtlpJson({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
      assert.deepEqual(spansOfOtlp(resources ?? [], 0), { spans: [], lost: 1 })
    }
  })

  test('without a flag, what answers somebody is a root unless its parent is of the same process', () => {
    const server = { ...base, spanId: '1'.repeat(16), parentSpanId: '9'.repeat(16), kind: 2 }
    const inner = { ...base, spanId: '2'.repeat(16), parentSpanId: '1'.repeat(16), kind: 2 }
    const orphan = { ...base, spanId: '3'.repeat(16), parentSpanId: '8'.repeat(16), kind: 1 }
    assert.deepEqual(
      json([inner, orphan, server]).map(({ isSegment, segmentId }) => [isSegment, segmentId]),
      [
        [false, '1'.repeat(16)],
        [false, ''],
        [true, '1'.repeat(16)],
      ],
    )
  })

  test('spans whose parents go round in a circle belong to no root', () => {
    const ids = ['1', '2', '3'].map((digit) => digit.repeat(16))
    const circle = ids.map((spanId, at) => ({ ...base, spanId, parentSpanId: ids[(at + 1) % 3] }))
    const own = { ...base, spanId: '4'.repeat(16), parentSpanId: '4'.repeat(16) }
    const below = { ...base, spanId: '5'.repeat(16), parentSpanId: '1'.repeat(16) }
    const spans = json([...circle, own, below])
    assert.deepEqual(
      spans.map(({ isSegment, segmentId }) => [isSegment, segmentId]),
      [...[0, 1, 2].map(() => [false, '']), [true, '4'.repeat(16)], [false, '']],
    )
    assert.equal(spans[3]?.attributes['sonde.remark'], 'own_parent')
  })

  test('whole numbers beyond 2^53 keep their digits, in both encodings', () => {
    const [span] = json([{ ...base, attributes: [{ key: 'id', value: { intValue: '9007199254740993' } }] }])
    assert.equal(span?.attributes['id'], '9007199254740993')
  })

  test('attributes deeper or longer than anybody needs are cut, and the span says so', () => {
    let value: object = { stringValue: 'bottom' }
    for (let depth = 0; depth < 100; depth++) value = { arrayValue: { values: [value] } }
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`k${at}`, at]))
    const [span] = json([
      {
        ...base,
        attributes: [
          { key: 'deep', value },
          { key: 'long', value: { stringValue: 'x'.repeat(10_000_000) } },
          ...attributes(many),
        ],
      },
    ])
    assert.equal(Object.keys(span?.attributes ?? {}).length, 129)
    assert.equal(span?.attributes['sonde.remark'], 'attributes_cut')
    assert.equal(String(span?.attributes['long']).length, 4096)
    assert.doesNotMatch(String(span?.attributes['deep']), /bottom/)
  })

  test('what a resource says is bounded, since every span repeats it: the service first', () => {
    const many = Array.from({ length: 100 }, (_, at) => [`k${at}`, 'v'.repeat(100)] as const)
    const long = { 'process.command_args': 'x'.repeat(1_000_000), 'service.version': '1.4.2' }
    const resource = { attributes: attributes({ ...Object.fromEntries(many), ...long }) }
    const name = 'GET /'.padEnd(3_000, 'x')
    const [root, child] = json(
      [
        { ...base, name },
        { ...base, spanId: 'c'.repeat(16), parentSpanId: base.spanId },
      ],
      resource,
    )
    for (const span of [root, child]) {
      assert.equal(span?.attributes['service.version'], '1.4.2')
      assert.equal(span.attributes['k0'], 'v'.repeat(100))
      assert.equal(span.attributes['sonde.remark'], 'attributes_cut')
      assert.ok(JSON.stringify(span.attributes).length < 5_000)
    }
    assert.equal(root?.name, name)
    assert.equal(String(child?.attributes['sentry.segment.name']).length, 200)
  })

  test('how likely a span was to be kept is read from its trace state', () => {
    const rate = (traceState: string) => json([{ ...base, traceState }])[0]?.attributes['sentry.sample_rate']
    assert.equal(rate('ot=th:c'), 0.25)
    assert.equal(rate('a=b, ot=rv:12345678901234;th:8'), 0.5)
    assert.equal(rate('ot=th:0'), 1)
    assert.equal(rate('other=th:8'), undefined)
    assert.equal(rate(''), undefined)
  })
})
