import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockPart, databaseClockPart } from '../../src/doctor/clock-part.ts'

test('a clock that most senders disagree with is told, with the direction and what to do', () => {
  assert.equal(clockPart(undefined), undefined)
  assert.equal(clockPart(-20_000)?.state, 'ok')
  assert.match(clockPart(-7_200_000)?.detail ?? '', /^7,200 s behind the clocks of most senders.*chronyc/)
  assert.match(clockPart(90_000)?.detail ?? '', /^90 s ahead of /)
  assert.equal(clockPart(90_000)?.state, 'degraded')
})

test('a clock that is far from the database’s is told, a question that took its time is no reason', () => {
  assert.equal(databaseClockPart(-9_000), undefined)
  const part = databaseClockPart(3_600_000)
  assert.equal(part?.state, 'degraded')
  assert.match(part.detail, /^this machine is 3,600 s ahead of the database server/)
  assert.match(databaseClockPart(-60_000)?.detail ?? '', /^this machine is 60 s behind the database server/)
})
