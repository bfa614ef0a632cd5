import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  formatSentryTrace,
  formatTraceparent,
  parseSentryTrace,
  parseTraceparent,
  readDsc,
} from '@sonde/protocol/trace'
import * as fc from 'fast-check'

const T = '0123456789abcdef0123456789abcdef'
const S = '0123456789abcdef'

for (const [header, parent] of [
  [`${T}-${S}-1`, { traceId: T, spanId: S, sampled: true }],
  [`${T}-${S}-0`, { traceId: T, spanId: S, sampled: false }],
  [`${T}-${S}`, { traceId: T, spanId: S }],
  [` \t${T}-${S}-1\t `, { traceId: T, spanId: S, sampled: true }],
  [T, { traceId: T }],
  [`${T}-1`, { traceId: T, sampled: true }],
  [`${T}-${'0'.repeat(16)}-1`, { traceId: T, sampled: true }],
  [`${'0'.repeat(32)}-${S}-1`, undefined],
  [`-${S}-1`, undefined],
  [`${T.toUpperCase()}-${S}-1`, undefined],
  [`${T}-${S}-2`, undefined],
  [`${T}-${S}-1-x`, undefined],
  [`${T}-${S}-1\n`, undefined],
  [`${T}-${S}-1${' '.repeat(21)}`, undefined],
  ['', undefined],
] as const) {
  test(`sentry-trace ${JSON.stringify(header)}`, () => assert.deepEqual(parseSentryTrace(header), parent))
}

for (const [header, parent] of [
  [`00-${T}-${S}-01`, { traceId: T, spanId: S, sampled: true }],
  [`00-${T}-${S}-00`, { traceId: T, spanId: S, sampled: false }],
  [`00-${T}-${S}-03`, { traceId: T, spanId: S, sampled: true }],
  [` 00-${T}-${S}-01 `, { traceId: T, spanId: S, sampled: true }],
  [`01-${T}-${S}-01-future`, { traceId: T, spanId: S, sampled: true }],
  [`00-${T}-${S}-01-more`, undefined],
  [`ff-${T}-${S}-01`, undefined],
  [`00-${'0'.repeat(32)}-${S}-01`, undefined],
  [`00-${T}-${'0'.repeat(16)}-01`, undefined],
  [`00-${T.toUpperCase()}-${S}-01`, undefined],
  [`00-${T}-${S}`, undefined],
  ['', undefined],
] as const) {
  test(`traceparent ${JSON.stringify(header)}`, () => assert.deepEqual(parseTraceparent(header), parent))
}

const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length - 1}}[1-9a-f]$`))
test('both headers are read back as they were written', () => {
  const sampled = fc.option(fc.boolean(), { nil: undefined })
  fc.assert(
    fc.property(hex(32), hex(16), sampled, (traceId, spanId, decision) => {
      const parent = { traceId, spanId, ...(decision === undefined ? {} : { sampled: decision }) }
      assert.deepEqual(parseSentryTrace(formatSentryTrace(parent)), parent)
      assert.deepEqual(parseTraceparent(formatTraceparent(parent)), {
        traceId,
        spanId,
        sampled: decision ?? false,
      })
    }),
  )
})

test('the trace field of an envelope header becomes text, and is nothing without trace and key', () => {
  assert.deepEqual(
    readDsc({
      trace_id: T,
      public_key: 'k',
      sampled: true,
      sample_rate: 0.5,
      user: {},
      release: null,
      more: 'x',
    }),
    {
      trace_id: T,
      public_key: 'k',
      sampled: 'true',
      sample_rate: '0.5',
      more: 'x',
    },
  )
  for (const value of [
    null,
    'x',
    [],
    {},
    { trace_id: T },
    { public_key: 'k' },
    { trace_id: [], public_key: 'k' },
  ]) {
    assert.equal(readDsc(value), undefined)
  }
})
