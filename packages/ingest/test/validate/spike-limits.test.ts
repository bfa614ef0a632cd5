import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixedClock } from '@sonde/base'
import type { KeyInfo } from '@sonde/stores/keys'
import { type RateLimitRequest, createRateLimiter } from '../../src/validate/rate-limiter.ts'

const KEY: KeyInfo = { keyId: 1, projectId: 10, orgId: 1, isActive: true }
const NOW_MS = 1_700_000_000_000
const MINUTE_MS = 60_000

function limiter(limits: Parameters<typeof createRateLimiter>[0]) {
  const clock = fixedClock(NOW_MS)
  const take = createRateLimiter(limits, clock)
  const told = (ask: RateLimitRequest, key: KeyInfo = KEY) => {
    const verdict = take(key, ask)
    return verdict.ok ? 'passes' : `${verdict.reason} for ${verdict.retryAfterSec}`
  }
  /** How many of so many tries pass. */
  const passed = (tries: number, ask: RateLimitRequest, key: KeyInfo = KEY): number =>
    Array.from({ length: tries }, () => take(key, ask)).filter(({ ok }) => ok).length
  return { clock, take, told, passed }
}
const ERROR: RateLimitRequest = { category: 'error', quantity: 1 }

test('a project that nobody set a limit for sends so many of a kind a minute, and twenty minutes of that an hour', () => {
  const { clock, told, passed } = limiter({ events: 100 })
  let inHour = 0
  for (let minute = 0; minute < 60; minute++) {
    const now = passed(150, ERROR)
    assert.equal(now, minute < 20 ? 100 : 0, `minute ${minute}`)
    inHour += now
    if (minute === 10) assert.equal(told(ERROR), 'spike_events for 60')
    // The hour is over in forty minutes, and whoever raises the limit does not wait for that.
    if (minute === 20) assert.equal(told(ERROR), 'spike_events for 600')
    clock.advance(MINUTE_MS)
  }
  assert.equal(inHour, 2_000)
  assert.equal(passed(150, ERROR), 100)
})

test('kinds and projects do not share it', () => {
  const { told, passed } = limiter({ events: 2 })
  assert.equal(passed(5, ERROR), 2)
  assert.equal(told({ category: 'attachment', quantity: 1 }), 'passes')
  assert.equal(told(ERROR, { ...KEY, keyId: 2, projectId: 11 }), 'passes')
  assert.equal(told(ERROR, { ...KEY, keyId: 3 }), 'spike_events for 60', 'another key of the project')
})

test('a limit that somebody set for the project takes its place, larger or smaller', () => {
  const { passed } = limiter({ events: 2, spans: 2, bytes: 2 })
  const own = { ...KEY, projectRateLimit: { count: 50, windowSec: 60 } }
  assert.equal(passed(60, { ...ERROR, bytes: 9 }, own), 50)
  const limited = { ...KEY, projectId: 11, rateLimit: { count: 50, windowSec: 60 } }
  assert.equal(passed(60, ERROR, limited), 2, 'a key of it does not')
})

test('a cap of spans takes the place of that for spans, and of no other', () => {
  const { passed } = limiter({ events: 5, spans: 10 })
  const capped = { ...KEY, spanCaps: { perMinute: 100 } }
  assert.equal(passed(200, { category: 'span', quantity: 1 }, capped), 100)
  assert.equal(passed(200, ERROR, capped), 5)
  assert.equal(passed(200, { category: 'span', quantity: 1 }, { ...KEY, projectId: 11 }), 10)
})

test('the spans of transactions count as those that come alone, and both wait', () => {
  const { take } = limiter({ events: 100, spans: 1_000 })
  assert.equal(take(KEY, { category: 'transaction', quantity: 1, spans: () => 900 }).ok, true)
  assert.equal(take(KEY, { category: 'span', quantity: 200 }).ok, true, 'what is left lets one more in')
  assert.deepEqual(take(KEY, { category: 'transaction', quantity: 1, spans: () => 1 }), {
    ok: false,
    retryAfterSec: 60,
    scope: 'project',
    reason: 'spike_spans',
    categories: ['transaction', 'span'],
  })
  assert.equal(take(KEY, ERROR).ok, true)
})

test('what comes in numbers has the larger limit, also what no quota stops', () => {
  const { passed } = limiter({ events: 5, spans: 50 })
  for (const category of ['session', 'internal', 'user_report_v2'] as const)
    assert.equal(passed(100, { category, quantity: 1, isNeverLimited: true }), 50, category)
  assert.equal(passed(100, { category: 'trace_metric', quantity: 1 }), 50)
})

test('bytes of a kind have a limit of their own', () => {
  const { told, passed } = limiter({ events: 1_000, bytes: 1_000 })
  assert.equal(passed(9, { category: 'attachment', quantity: 1, bytes: 400 }), 3)
  assert.equal(told({ category: 'attachment', quantity: 1, bytes: 1 }), 'spike_bytes for 60')
  assert.equal(told({ ...ERROR, bytes: 400 }), 'passes')
})

test('what a key’s own limit refuses uses up nothing', () => {
  const { clock, passed } = limiter({ events: 10 })
  const limited = { ...KEY, rateLimit: { count: 1, windowSec: 1 } }
  assert.equal(passed(50, ERROR, limited), 1)
  clock.advance(1_000)
  assert.equal(passed(50, ERROR), 9)
})
