import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@sonde/protocol/event'
import fc from 'fast-check'
import { evidenceOf } from '../../src/parts/event/evidence.ts'

const TYPE = 'performance_n_plus_one_db_queries'

test('the context of an issue of performance is read; one of before has no offsets and thresholds', () => {
  const span = { span_id: 'a', description: 'SELECT 1', duration_ms: 5 }
  const old = evidenceOf({ type: TYPE, contexts: { evidence: { times: 7, total_ms: 35, spans: [span] } } })
  assert.deepEqual(
    [old?.times, old?.totalMs, old?.spans[0]?.afterMs, old?.thresholds],
    [7, 35, undefined, []],
  )
  const evidence = { spans: [{ ...span, after_ms: 10 }], thresholds: { min_count: 6, other: 1 } }
  const now = evidenceOf({ type: TYPE, contexts: { evidence } })
  assert.equal(now?.shownMs, 15)
  assert.deepEqual(
    now?.thresholds.map(({ key, inForce }) => [key, inForce]),
    [['min_count', 6]],
  )
  assert.equal(evidenceOf({ type: 'error', contexts: { evidence } }), undefined)
})

test('whatever an SDK sends under that name, nothing is thrown', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      evidenceOf({ type: TYPE, contexts: { evidence: (value ?? {}) as JsonObject } })
    }),
  )
})
