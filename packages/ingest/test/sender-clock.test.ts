import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixedClock } from '@sonde/base'
import { createSenderClock } from '../src/sender-clock.ts'

test('half of the last hundred senders decide, whatever single clocks say, and few of them do not', () => {
  const clock = fixedClock(Date.UTC(2026, 0, 31))
  const senders = createSenderClock(clock)
  const sent = (aheadMs: number): void => senders.saw(new Date(clock.nowMs() - aheadMs).toISOString())
  for (const nothing of [undefined, 12, 'tomorrow', 'x'.repeat(1_000)]) senders.saw(nothing)
  for (let count = 0; count < 10; count++) sent(40)
  assert.equal(senders.aheadMs(), undefined)
  sent(90 * 86_400_000)
  assert.equal(senders.aheadMs(), 40)
  // Somebody set the clock of this machine back.
  clock.set(clock.nowMs() - 3_600_000)
  for (let count = 0; count < 101; count++) senders.saw(new Date(Date.UTC(2026, 0, 31) - count).toISOString())
  assert.ok((senders.aheadMs() ?? 0) < -3_599_000)
})
