import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixedClock } from '@sonde/base'
import type { KeyInfo } from '../../src/index.ts'
import { createRateLimiter } from '../../src/admit/rate-limiter.ts'

const KEY: KeyInfo = {
  keyId: 1,
  projectId: 10,
  orgId: 1,
  isActive: true,
  rateLimit: { count: 2, windowSec: 60 },
}
const SISTER: KeyInfo = { ...KEY, keyId: 2 }
const withId = (keyId: number): KeyInfo => ({ ...KEY, keyId, rateLimit: { count: 1, windowSec: 60 } })
const FREE: KeyInfo = { keyId: 3, projectId: 10, orgId: 1, isActive: true }

test('the third of two is refused until the window ends, with the seconds that are left', () => {
  const clock = fixedClock(1_000_000)
  const take = createRateLimiter(undefined, clock)
  assert.deepEqual([take(KEY, 'error', 1).ok, take(KEY, 'error', 1).ok], [true, true])
  clock.advance(10_500)
  assert.deepEqual(take(KEY, 'error', 1), { ok: false, retryAfterSec: 50, scope: 'key', reason: 'key_quota' })
  clock.advance(49_499)
  assert.deepEqual(take(KEY, 'error', 1), { ok: false, retryAfterSec: 1, scope: 'key', reason: 'key_quota' })
  clock.advance(1)
  assert.equal(take(KEY, 'error', 1).ok, true)
})

test('categories and keys do not share a window', () => {
  const take = createRateLimiter(undefined, fixedClock(0))
  assert.equal(take(KEY, 'error', 2).ok, true)
  assert.equal(take(KEY, 'error', 1).ok, false)
  assert.equal(take(KEY, 'transaction', 2).ok, true)
  assert.equal(take(SISTER, 'error', 2).ok, true)
  assert.equal(take(FREE, 'error', 1_000).ok, true)
})

test('a batch passes as a whole or not at all', () => {
  const take = createRateLimiter(undefined, fixedClock(0))
  assert.equal(take(KEY, 'span', 3).ok, false)
  assert.equal(take(KEY, 'span', 2).ok, true)
})

test('a refusal by the project does not use up the quota of the key', () => {
  const clock = fixedClock(0)
  const take = createRateLimiter({ count: 1, windowSec: 10 }, clock)
  assert.equal(take(FREE, 'error', 1).ok, true)
  assert.deepEqual(take(KEY, 'error', 1), {
    ok: false,
    retryAfterSec: 10,
    scope: 'project',
    reason: 'project_quota',
  })
  clock.advance(10_000)
  assert.equal(take(KEY, 'error', 1).ok, true)
  clock.advance(10_000)
  assert.equal(take(KEY, 'error', 1).ok, true)
})

test('a project with a limit of its own has that one, whatever holds for every project', () => {
  const take = createRateLimiter({ count: 1, windowSec: 10 }, fixedClock(0))
  const own = { ...FREE, projectRateLimit: { count: 2, windowSec: 60 } }
  assert.equal(take(own, 'error', 2).ok, true)
  const sister = { ...own, keyId: 4 }
  assert.deepEqual(take(sister, 'error', 1), {
    ok: false,
    retryAfterSec: 60,
    scope: 'project',
    reason: 'project_quota',
  })
})

test('a quota of 0 refuses everything', () => {
  const take = createRateLimiter({ count: 0, windowSec: 60 }, fixedClock(0))
  assert.equal(take(FREE, 'error', 1).ok, false)
})

test('windows beyond the bound are forgotten, the oldest first', () => {
  const take = createRateLimiter(undefined, fixedClock(0), 2)
  for (const keyId of [1, 2, 3]) assert.equal(take(withId(keyId), 'error', 1).ok, true)
  assert.equal(take(withId(3), 'error', 1).ok, false)
  assert.equal(take(withId(1), 'error', 1).ok, true)
})
