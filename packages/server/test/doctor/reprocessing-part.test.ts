import assert from 'node:assert/strict'
import { it } from 'node:test'
import { describeReprocessing } from '../../src/doctor/parts.ts'

const ROW = { started_ms: 1, total_count: 1200, seen_count: 300, trouble: '' }

it('says how far the oldest is, and how many wait behind it', () => {
  assert.deepEqual(describeReprocessing([ROW, { ...ROW, started_ms: null }]), {
    name: 'reprocessing',
    state: 'ok',
    detail: '300 of 1,200 events reprocessed with new source maps; 1 more queued',
  })
  assert.equal(describeReprocessing([{ ...ROW, started_ms: null }]).detail, '1 queued')
  assert.equal(describeReprocessing([]).detail, 'idle')
})

it('is degraded with the reason while nothing goes on', () => {
  const part = describeReprocessing([{ ...ROW, trouble: 'the disk is full' }])
  assert.equal(part.state, 'degraded')
  assert.match(part.detail, /the disk is full/)
})
