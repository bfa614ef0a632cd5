import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import * as fc from 'fast-check'
import { PbfWriter } from 'pbf'
import { readOtlpJson } from '../../src/otlp/read-json.ts'
import { readOtlpProtobuf } from '../../src/otlp/read-protobuf.ts'
import { spansOfOtlp } from '../../src/otlp/spans-of-otlp.ts'
import { type Exported, exportShop } from './exported.ts'

let exported: Exported

/** What is read is complete: ids, a start, a time that is not negative, and nothing without a bound. */
function assertSound(resources: ReturnType<typeof readOtlpJson>): void {
  if (resources === undefined) return
  for (const span of spansOfOtlp(resources, 0).spans) {
    assert.match(span.traceId, /^[0-9a-f]{32}$/)
    assert.match(span.spanId, /^[0-9a-f]{16}$/)
    assert.match(span.parentSpanId, /^([0-9a-f]{16})?$/)
    assert.ok(span.startMs > 0 && Number.isFinite(span.startMs + span.durationMs) && span.durationMs >= 0)
    assert.ok(Object.keys(span.attributes).length <= 129)
    for (const value of Object.values(span.attributes))
      assert.ok(typeof value === 'number' ? Number.isFinite(value) : value.length <= 4096)
  }
}

describe('properties', () => {
  before(async () => {
    exported = await exportShop(Date.UTC(2026, 10, 18, 12))
  })

  test('any bytes are read or refused, never thrown over', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => assertSound(readOtlpProtobuf(bytes))),
      { numRuns: 1_000 },
    )
  })

  test('a request in which bytes were changed is read or refused, and what is read is sound', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 }), (changes) => {
        const bytes = Uint8Array.from(exported.protobuf)
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte
        assertSound(readOtlpProtobuf(bytes))
      }),
      { numRuns: 1_000 },
    )
  })

  test('a request that is cut anywhere is refused', () => {
    for (let end = 1; end < exported.protobuf.length; end++)
      assert.equal(readOtlpProtobuf(exported.protobuf.subarray(0, end)), undefined, `cut at ${end}`)
  })

  test('a span that cannot be read costs no other', () => {
    const good = spansOfOtlp(readOtlpProtobuf(exported.protobuf) ?? [], 0).spans.length
    // Field 1 of the span says that 100 bytes follow, and none do.
    const broken = message((scope) => scope.writeBytesField(2, Uint8Array.of(0x0a, 100)))
    const request = message((all) =>
      all.writeBytesField(
        1,
        message((resource) => resource.writeBytesField(2, broken)),
      ),
    )
    const resources = readOtlpProtobuf(Buffer.concat([exported.protobuf, request]))
    const { spans, lost } = spansOfOtlp(resources ?? [], 0)
    assert.deepEqual([spans.length, lost], [good, 1])
  })

  test('lists within lists do not exhaust the stack', () => {
    let value = message((any) => any.writeStringField(1, 'bottom'))
    for (let depth = 0; depth < 5_000; depth++) {
      const inner = value
      const list = message((array) => array.writeBytesField(1, inner))
      value = message((any) => any.writeBytesField(5, list))
    }
    const pair = message((each) => {
      each.writeStringField(1, 'deep')
      each.writeBytesField(2, value)
    })
    const span = message((each) => {
      each.writeBytesField(1, Buffer.alloc(16, 1))
      each.writeBytesField(2, Buffer.alloc(8, 1))
      each.writeFixed64Field(7, 1.7e18)
      each.writeBytesField(9, pair)
    })
    const scope = message((each) => each.writeBytesField(2, span))
    const request = message((all) =>
      all.writeBytesField(
        1,
        message((resource) => resource.writeBytesField(2, scope)),
      ),
    )
    assert.equal(spansOfOtlp(readOtlpProtobuf(request) ?? [], 0).spans.length, 1)
  })

  test('any JSON is read or refused, never thrown over', () => {
    const names = ['resourceSpans', 'scopeSpans', 'spans', 'attributes', 'key', 'value', 'events', 'status']
    const anything = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: 'medium' },
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie('node'), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom(...names), tie('node'), { maxKeys: 4 }),
      ),
    })).node
    fc.assert(
      fc.property(anything, anything, (spans, resource) => {
        assertSound(readOtlpJson(spans))
        assertSound(readOtlpJson({ resourceSpans: [{ resource, scopeSpans: [{ spans: [spans] }] }] }))
      }),
      { numRuns: 500 },
    )
  })

  test('any value of a field of a span is read or left out', () => {
    const fields = [
      'traceId',
      'spanId',
      'parentSpanId',
      'name',
      'kind',
      'startTimeUnixNano',
      'endTimeUnixNano',
    ]
    const more = ['attributes', 'events', 'links', 'status', 'flags', 'traceState']
    const [span] = (
      JSON.parse(exported.json.toString()) as { resourceSpans: [{ scopeSpans: [{ spans: object[] }] }] }
    ).resourceSpans[0].scopeSpans[0].spans
    fc.assert(
      fc.property(fc.constantFrom(...fields, ...more), fc.jsonValue(), (field, value) => {
        const spans = [{ ...span, [field]: value }]
        const resources = readOtlpJson({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
        assertSound(resources)
        const found = spansOfOtlp(resources ?? [], 0)
        assert.equal(found.spans.length + found.lost, 1)
      }),
      { numRuns: 1_000 },
    )
  })
})

function message(write: (pbf: PbfWriter) => void): Uint8Array {
  const pbf = new PbfWriter()
  write(pbf)
  return pbf.finish()
}
