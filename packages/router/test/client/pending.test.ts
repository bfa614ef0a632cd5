import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPending } from '../../src/client/pending.ts'
import { manualTimers } from '../support/manual-timers.ts'

test('is late from 150 ms after the first began until the last ended, and says so once each', () => {
  const timers = manualTimers()
  const pending = createPending(timers)
  const changes: boolean[] = []
  const unsubscribe = pending.subscribe(() => changes.push(pending.isLate()))
  const endFirst = pending.begin()
  timers.advance(149)
  assert.equal(pending.isLate(), false)
  const endSecond = pending.begin()
  timers.advance(1)
  assert.equal(pending.isLate(), true)
  endFirst()
  endFirst()
  assert.equal(pending.isLate(), true)
  endSecond()
  assert.deepEqual(changes, [true, false])
  unsubscribe()
  pending.begin()
  timers.advance(150)
  assert.deepEqual(changes, [true, false])
})

test('a short wait is never late', () => {
  const timers = manualTimers()
  const pending = createPending(timers)
  pending.subscribe(() => assert.fail('nothing changed'))
  pending.begin()()
  timers.advance(1000)
  assert.equal(pending.isLate(), false)
})
