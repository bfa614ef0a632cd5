import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { prescanJson } from '../../src/endpoints/otlp/prescan-json.ts'
import { prescanProtobuf } from '../../src/endpoints/otlp/prescan-protobuf.ts'
import { MalformedOtlp, TooManyInOtlp } from '../../src/endpoints/otlp/prescan.ts'
import { bytesField, GOOD, jsonRequest, protobufRequest, type SpanIds } from '../support/otlp-request.ts'

const hex = (bytes: number) =>
  fc
    .oneof(
      fc.uint8Array({ minLength: bytes, maxLength: bytes }),
      fc.uint8Array({ maxLength: bytes + 2 }),
      fc.constant(new Uint8Array(bytes)),
    )
    .map((id) => Buffer.from(id).toString('hex'))
const anySpan: fc.Arbitrary<SpanIds> = fc.oneof(
  fc.constant(GOOD),
  fc.record({ traceId: hex(16), spanId: hex(8), startNanos: fc.constantFrom(0n, 1n, GOOD.startNanos) }),
)
const anyRequest = fc.array(fc.array(anySpan, { maxLength: 6 }), { maxLength: 3 })

const isUsable = ({ traceId, spanId, startNanos }: SpanIds): boolean =>
  traceId.length === 32 &&
  /[^0]/.test(traceId) &&
  spanId.length === 16 &&
  /[^0]/.test(spanId) &&
  startNanos > 0n

test('both encodings are counted alike: how many spans, and how many of them are none', () => {
  fc.assert(
    fc.property(anyRequest, (scopes) => {
      const all = scopes.flat()
      const counted = { count: all.length, unusable: all.filter((span) => !isUsable(span)).length }
      assert.deepEqual(prescanJson(Buffer.from(jsonRequest(scopes))), counted)
      assert.deepEqual(prescanProtobuf(protobufRequest(scopes)), counted)
    }),
  )
})

test('ids in upper case and with hyphens count, and so do numbers and spaces in JSON', () => {
  const spans = [
    { traceId: '0AF76519-16CD-43DD-8448-EB211C80319C', spanId: 'B7AD6B7169203331', startTimeUnixNano: 17e17 },
    { trace_id: GOOD.traceId, span_id: GOOD.spanId, start_time_unix_nano: '1700000000000000000' },
    { traceId: GOOD.traceId, spanId: GOOD.spanId, startTimeUnixNano: 0 },
    { traceId: null, spanId: GOOD.spanId, startTimeUnixNano: 17e17 },
  ]
  const text = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }, null, 2)
  assert.deepEqual(prescanJson(Buffer.from(text)), { count: 4, unusable: 2 })
})

test('an element of `spans` that is no object counts as an invalid span, as it does in the pipeline', () => {
  const spans = [[[{}]], {}, 1, -0.5, 'a', '', null, true, [], ['b', 2]]
  const request = {
    resourceSpans: [{ scopeSpans: [{ spans }, { spans: [] }, { spans: 'c' }, { spans: { d: 1 } }] }],
  }
  for (const indent of [0, 2]) {
    const text = JSON.stringify(request, null, indent)
    assert.deepEqual(prescanJson(Buffer.from(text)), { count: 10, unusable: 10 })
  }
})

test('a body that is cut anywhere is refused', () => {
  const json = Buffer.from(jsonRequest([[GOOD], [GOOD]]))
  for (let end = 0; end < json.length; end++)
    assert.throws(() => prescanJson(json.subarray(0, end)), MalformedOtlp, `JSON cut at ${end}`)
  const protobuf = protobufRequest([[GOOD, GOOD]])
  for (let end = 1; end < protobuf.length; end++)
    assert.throws(() => prescanProtobuf(protobuf.subarray(0, end)), MalformedOtlp, `protobuf cut at ${end}`)
})

test('any bytes are counted or refused, nothing else is thrown', () => {
  const parts = fc.constantFrom(
    ...'{}[],:"\\0 '.split(''),
    '"spans"',
    '"resourceSpans"',
    '"scopeSpans"',
    'null',
  )
  const text = fc.array(parts, { maxLength: 60 }).map((list) => Buffer.from(list.join('')))
  const bytes = fc.uint8Array({ maxLength: 200 }).map((list) => Buffer.from(list))
  fc.assert(
    fc.property(fc.oneof(text, bytes), (body) => {
      for (const prescan of [prescanJson, prescanProtobuf])
        try {
          const { count, unusable } = prescan(body)
          assert.ok(unusable <= count && count <= body.length)
        } catch (error) {
          assert.ok(error instanceof MalformedOtlp, String(error))
        }
    }),
    { numRuns: 2_000 },
  )
})

test('a span whose own bytes are broken is one that is none', () => {
  const broken = bytesField(2, Buffer.of(0x0a, 100))
  const request = bytesField(1, bytesField(2, broken))
  assert.deepEqual(prescanProtobuf(request), { count: 1, unusable: 1 })
})

test('brackets without end cost one pass and no stack', () => {
  assert.throws(() => prescanJson(Buffer.from('['.repeat(1_000_000))), MalformedOtlp)
  const { count } = prescanJson(Buffer.from(`{"a":"${'\\\\'.repeat(500_000)}","b":[]}`))
  assert.equal(count, 0)
})

test('millions of empty parts are refused at the first that is too many', () => {
  const millions = (field: number): Buffer => Buffer.alloc(6_000_000, bytesField(field, ''))
  const list = (text: string): Buffer => Buffer.from(text.replace('MANY', '{},'.repeat(3_000_000)))
  const bodies: readonly (readonly [string, Buffer, string])[] = [
    ['resources', millions(1), '{"resourceSpans":[MANY{}]}'],
    ['scopes', bytesField(1, millions(2)), '{"resourceSpans":[{"scopeSpans":[MANY{}]}]}'],
    [
      'spans',
      bytesField(1, bytesField(2, millions(2))),
      '{"resourceSpans":[{"scopeSpans":[{"spans":[MANY{}]}]}]}',
    ],
  ]
  for (const [what, protobuf, json] of bodies) {
    const text = list(json)
    const before = process.threadCpuUsage()
    const message = new RegExp(`at most 10000 ${what}`)
    assert.throws(
      () => prescanProtobuf(protobuf),
      (error) => error instanceof TooManyInOtlp && message.test(error.message),
    )
    assert.throws(
      () => prescanJson(text),
      (error) => error instanceof TooManyInOtlp && message.test(error.message),
    )
    const { user } = process.threadCpuUsage(before)
    // Some milliseconds; walking over them all took seconds.
    assert.ok(user < 300_000, `${what}: ${user} µs`)
  }
})
