import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseClientReport, readClientReport } from '@sonde/protocol/client-report'
import * as fc from 'fast-check'

test('losses of all four lists are read, with where they were decided', () => {
  const report = parseClientReport(
    new TextEncoder().encode(
      JSON.stringify({
        timestamp: '2026-01-01T00:00:00Z',
        discarded_events: [{ reason: 'sample_rate', category: 'transaction', quantity: 3 }],
        rate_limited_events: [{ reason: 'never heard of', category: 'also not', quantity: 1 }],
        filtered_events: [{ reason: 'a', category: 'error', quantity: 2 }],
        filtered_sampling_events: [{ reason: 'b', category: 'error', quantity: 4 }],
      }),
    ),
  )
  assert.deepEqual(report, {
    timestampMs: Date.UTC(2026, 0, 1),
    discarded: [
      { source: 'discarded', reason: 'sample_rate', category: 'transaction', quantity: 3 },
      { source: 'rate_limited', reason: 'never heard of', category: 'also not', quantity: 1 },
      { source: 'filtered', reason: 'a', category: 'error', quantity: 2 },
      { source: 'filtered_sampling', reason: 'b', category: 'error', quantity: 4 },
    ],
  })
})

test('what cannot be read is left out, the rest counts', () => {
  const discarded_events = [
    null,
    7,
    [],
    { category: 'error' },
    { quantity: 1 },
    { category: 'error', quantity: 0 },
    { category: 'error', quantity: -1 },
    { category: 'error', quantity: 'x' },
    { category: 'error', quantity: { toString: '' } },
    { category: 'error', quantity: [3] },
    { category: 'error', quantity: '2' },
    { category: 'c'.repeat(100), reason: 'r'.repeat(100), quantity: 1e300 },
  ]
  assert.deepEqual(readClientReport({ timestamp: 'x', discarded_events, filtered_events: {} }), {
    discarded: [
      { source: 'discarded', reason: 'unknown', category: 'error', quantity: 2 },
      { source: 'discarded', reason: 'r'.repeat(64), category: 'c'.repeat(64), quantity: 10_000_000 },
    ],
  })
})

test('a timestamp may be Unix seconds', () => {
  assert.deepEqual(readClientReport({ timestamp: 1.5 }), { timestampMs: 1500, discarded: [] })
})

test('no JSON value and no bytes make it throw', () => {
  for (const payload of ['', 'null', '[]', '7', '{"'])
    assert.equal(parseClientReport(new TextEncoder().encode(payload)), undefined)
  fc.assert(fc.property(fc.uint8Array(), (bytes) => parseClientReport(bytes)?.discarded.length !== 1))
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      for (const loss of readClientReport({ discarded_events: [value] })?.discarded ?? [])
        assert.ok(loss.quantity > 0)
    }),
  )
})
