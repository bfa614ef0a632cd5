import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spanLinks } from '../../../src/parts/trace/span-links.ts'

const TRACE = 'A'.repeat(32)

test('links of a span are read, and what is none is left out', () => {
  const told = [
    { trace_id: TRACE, span_id: 'b'.repeat(16) },
    { trace_id: TRACE },
    { trace_id: '0'.repeat(32) },
    null,
    7,
  ]
  assert.deepEqual(spanLinks(JSON.stringify(told)), [
    { traceId: TRACE.toLowerCase(), spanId: 'b'.repeat(16) },
    { traceId: TRACE.toLowerCase(), spanId: undefined },
  ])
})

test('an attribute of that name that is no list has no links', () => {
  for (const attribute of [undefined, 7, '', '{', '{}', 'null', '"x"'])
    assert.deepEqual(spanLinks(attribute), [])
})
