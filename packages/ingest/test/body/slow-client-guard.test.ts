import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixedClock } from '@sonde/base'
import { startSlowClientGuard } from '../../src/body/slow-client-guard.ts'

const RULES = { minBodyBytesPerSec: 1_000, slowAfterMs: 5_000, maxBodyMs: 60_000 }

test('slow bodies are given up, also those that begin after a time without any', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const clock = fixedClock(0)
  const guard = startSlowClientGuard(RULES, clock)
  t.after(() => guard.stop())
  const pass = (seconds: number): void => {
    for (let at = 0; at < seconds; at++) {
      clock.advance(1_000)
      t.mock.timers.tick(1_000)
    }
  }
  for (const round of ['first', 'second']) {
    let givenUp = 0
    const open = (bytesPerSec: number) => {
      const startedMs = clock.steadyMs()
      const receivedBytes = () => ((clock.steadyMs() - startedMs) / 1_000) * bytesPerSec
      const body = { startedMs, receivedBytes, giveUp: () => (givenUp++, guard.unwatch(body)) }
      guard.watch(body)
      return body
    }
    open(999)
    const fast = open(1_001)
    pass(5)
    assert.equal(givenUp, 0, `${round}: not before it is known to be slow`)
    pass(1)
    assert.equal(givenUp, 1, `${round}: one is slow`)
    guard.unwatch(fast)
    pass(60)
    assert.equal(givenUp, 1)
  }
})
