import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spanTree, type Trace, type TraceSpan } from '@sonde/queries'
import { traceRows } from '../../src/trace/trace-rows.ts'

type Given = readonly [id: string, parent: string, startMs: number, durationMs: number, status?: string]

function rowsOf(given: readonly Given[], errors: Trace['errors'] = []) {
  const spans = given.map(([spanId, parentSpanId, startMs, durationMs, status = 'ok']): TraceSpan => ({
    projectId: 1,
    spanId,
    parentSpanId,
    segmentId: '',
    isSegment: parentSpanId === '',
    startMs,
    durationMs,
    op: 'op',
    name: spanId,
    segmentName: '',
    status,
    origin: '',
    platform: '',
    release: '',
    environment: '',
  }))
  const projects = new Map([[1, { id: 1, slug: 'shop', name: 'shop' }]])
  return traceRows(
    { traceId: '', projects, spans, spanCount: spans.length, errors, isCut: false },
    spanTree(spans),
  )
}

test('children stand below their parent, and each line knows how many lie below it', () => {
  const { rows, lengthMs } = rowsOf([
    ['root', '', 1000, 100],
    ['a', 'root', 1010, 20],
    ['a1', 'a', 1012, 5],
    ['b', 'root', 1040, 50],
  ])
  assert.deepEqual(
    rows.map(({ id, depth, startMs, below }) => [id, depth, startMs, below]),
    [
      ['root', 0, 0, 3],
      ['a', 1, 10, 1],
      ['a1', 2, 12, 0],
      ['b', 1, 40, 0],
    ],
  )
  assert.equal(lengthMs, 100)
})

test('critical is what the longest root waited for: the last to end, then the last before that one began', () => {
  const { rows } = rowsOf([
    ['root', '', 0, 100],
    ['early', 'root', 0, 30],
    ['beside', 'root', 5, 60],
    ['last', 'root', 70, 30],
    ['inner', 'last', 75, 20],
    ['short root', '', 90, 11],
  ])
  assert.deepEqual(
    rows.filter(({ isCritical }) => isCritical).map(({ id }) => id),
    ['root', 'beside', 'last', 'inner'],
  )
})

test('failures and errors are told of the span they happened in', () => {
  const error = {
    projectId: 1,
    issueId: 7,
    eventId: 'e',
    timestampMs: 5,
    spanId: 'a',
    level: 'error',
    title: 'x',
  }
  const { rows } = rowsOf(
    [
      ['root', '', 0, 10],
      ['a', 'root', 1, 2, 'internal_error'],
      ['b', 'root', 4, 2, 'cancelled'],
    ],
    [error],
  )
  assert.deepEqual(
    rows.map(({ isFailed, errors }) => [isFailed, errors]),
    [
      [false, 0],
      [true, 1],
      [false, 0],
    ],
  )
})
