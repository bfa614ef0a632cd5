import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixedClock } from '@sonde/base'
import type { KeyInfo } from '@sonde/stores/keys'
import { createQuotaWindows } from '../../src/validate/quota-windows.ts'
import { createRateLimiter } from '../../src/validate/rate-limiter.ts'

const KEY: KeyInfo = {
  keyId: 1,
  projectId: 10,
  orgId: 1,
  isActive: true,
  rateLimit: { count: 2, windowSec: 60 },
}
const SISTER: KeyInfo = { ...KEY, keyId: 2 }
const ONE = { category: 'error', quantity: 1 } as const
const withId = (keyId: number): KeyInfo => ({ ...KEY, keyId, rateLimit: { count: 1, windowSec: 60 } })
const FREE: KeyInfo = { keyId: 3, projectId: 10, orgId: 1, isActive: true }

test('the third of two is refused until the window ends, with the seconds that are left', () => {
  const clock = fixedClock(1_000_000)
  const take = createRateLimiter({}, clock)
  assert.deepEqual(
    [take(KEY, { category: 'error', quantity: 1 }).ok, take(KEY, { category: 'error', quantity: 1 }).ok],
    [true, true],
  )
  clock.advance(10_500)
  assert.deepEqual(take(KEY, { category: 'error', quantity: 1 }), {
    ok: false,
    retryAfterSec: 50,
    scope: 'key',
    reason: 'key_quota',
  })
  clock.advance(49_499)
  assert.deepEqual(take(KEY, { category: 'error', quantity: 1 }), {
    ok: false,
    retryAfterSec: 1,
    scope: 'key',
    reason: 'key_quota',
  })
  clock.advance(1)
  assert.equal(take(KEY, { category: 'error', quantity: 1 }).ok, true)
})

test('a clock that somebody sets back does not hold a limit for as long as that was', () => {
  const clock = fixedClock(100_000_000)
  const take = createRateLimiter({}, clock)
  assert.equal(take(KEY, { category: 'error', quantity: 2 }).ok, true)
  assert.equal(take(KEY, ONE).ok, false)
  clock.set(100_000_000 - 3 * 3_600_000)
  assert.equal(take(KEY, { category: 'error', quantity: 2 }).ok, true)
  const refused = take(KEY, ONE)
  assert.ok(!refused.ok && refused.retryAfterSec <= 60, JSON.stringify(refused))
  // Another process is a few seconds ahead: its window is the same one.
  clock.set(100_000_000 - 3 * 3_600_000 - 5_000)
  assert.equal(take(KEY, ONE).ok, false)
})

test('categories and keys do not share a window', () => {
  const take = createRateLimiter({}, fixedClock(0))
  assert.equal(take(KEY, { category: 'error', quantity: 2 }).ok, true)
  assert.equal(take(KEY, { category: 'error', quantity: 1 }).ok, false)
  assert.equal(take(KEY, { category: 'transaction', quantity: 2 }).ok, true)
  assert.equal(take(SISTER, { category: 'error', quantity: 2 }).ok, true)
  assert.equal(take(FREE, { category: 'error', quantity: 1_000 }).ok, true)
})

test('a batch passes as a whole or not at all', () => {
  const take = createRateLimiter({}, fixedClock(0))
  assert.equal(take(KEY, { category: 'span', quantity: 3 }).ok, false)
  assert.equal(take(KEY, { category: 'span', quantity: 2 }).ok, true)
})

test('a refusal by the project does not use up the quota of the key', () => {
  const clock = fixedClock(0)
  const take = createRateLimiter({}, clock)
  const projectRateLimit = { count: 1, windowSec: 10 }
  const [free, limited] = [FREE, KEY].map((key) => ({ ...key, projectRateLimit })) as [KeyInfo, KeyInfo]
  assert.equal(take(free, ONE).ok, true)
  const refused = { ok: false, retryAfterSec: 10, scope: 'project', reason: 'project_quota' }
  assert.deepEqual(take(limited, ONE), refused)
  clock.advance(10_000)
  assert.equal(take(limited, ONE).ok, true)
  clock.advance(10_000)
  assert.equal(take(limited, ONE).ok, true)
})

test('a quota of 0 refuses everything', () => {
  const take = createRateLimiter({}, fixedClock(0))
  assert.equal(take({ ...FREE, projectRateLimit: { count: 0, windowSec: 60 } }, ONE).ok, false)
})

test('windows beyond the bound are forgotten, the oldest first', () => {
  const take = createRateLimiter({}, fixedClock(0), createQuotaWindows(2))
  for (const keyId of [1, 2, 3])
    assert.equal(take(withId(keyId), { category: 'error', quantity: 1 }).ok, true)
  assert.equal(take(withId(3), { category: 'error', quantity: 1 }).ok, false)
  assert.equal(take(withId(1), { category: 'error', quantity: 1 }).ok, true)
})

test('a clock that is set by hours, either way, refuses nobody for longer than a window', () => {
  const clock = fixedClock(1_700_000_000_000)
  const take = createRateLimiter({}, clock)
  const fill = (): void => {
    while (take(KEY, ONE).ok);
  }
  const hours = 5 * 3_600_000
  for (const jumpMs of [hours, -hours, -hours, hours]) {
    fill()
    clock.advance(jumpMs)
    assert.equal(take(KEY, ONE).ok, true, `after a jump of ${jumpMs} ms`)
  }
  fill()
  // The machines of an installation differ by seconds: that begins no window anew.
  clock.advance(-5_000)
  assert.equal(take(KEY, ONE).ok, false)
})
