import assert from 'node:assert/strict'
import { it } from 'node:test'
import { describeRepairs } from '../../src/doctor/parts.ts'

const ROW = { started_ms: 1, total_count: 1200, seen_count: 300, trouble: '' }

it('says how far the oldest is, and how many wait behind it', () => {
  assert.deepEqual(describeRepairs([ROW, { ...ROW, started_ms: null }]), {
    name: 'repairs',
    state: 'ok',
    detail: '300 of 1,200 events were read again after a source map came; 1 more wait',
  })
  assert.equal(describeRepairs([{ ...ROW, started_ms: null }]).detail, '1 wait to begin')
  assert.equal(describeRepairs([]).detail, 'none under way')
})

it('is degraded with the reason while nothing goes on', () => {
  const part = describeRepairs([{ ...ROW, trouble: 'the disk is full' }])
  assert.equal(part.state, 'degraded')
  assert.match(part.detail, /the disk is full/)
})
