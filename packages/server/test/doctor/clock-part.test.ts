import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockPart } from '../../src/doctor/clock-part.ts'

test('a clock that most senders disagree with is told, with the direction and what to do', () => {
  assert.equal(clockPart(undefined), undefined)
  assert.equal(clockPart(-20_000)?.state, 'ok')
  assert.match(clockPart(-7_200_000)?.detail ?? '', /^7,200 s behind the clocks of most senders.*chronyc/)
  assert.match(clockPart(90_000)?.detail ?? '', /^90 s ahead of /)
  assert.equal(clockPart(90_000)?.state, 'degraded')
})
