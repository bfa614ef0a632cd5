import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixedClock } from '@sonde/base'
import type { KeyInfo } from '@sonde/stores/keys'
import { createRateLimiter } from '../../src/validate/rate-limiter.ts'
import { countSpanIds } from '../../src/validate/span-caps.ts'

const NOW_MS = 1_700_000_000_000
const key = (spanCaps: KeyInfo['spanCaps'], more: Partial<KeyInfo> = {}): KeyInfo => ({
  keyId: 1,
  projectId: 10,
  orgId: 1,
  isActive: true,
  ...(spanCaps ? { spanCaps } : {}),
  ...more,
})
const reasonOf = (verdict: ReturnType<ReturnType<typeof createRateLimiter>>) =>
  verdict.ok ? 'passes' : `${verdict.reason} for ${verdict.retryAfterSec}`

test('a minute takes as many spans as its cap, of transactions and streamed ones together', () => {
  const clock = fixedClock(NOW_MS)
  const take = createRateLimiter({}, clock)
  const capped = key({ perMinute: 100 })
  assert.equal(reasonOf(take(capped, { category: 'transaction', quantity: 1, spans: () => 60 })), 'passes')
  assert.equal(reasonOf(take(capped, { category: 'span', quantity: 40 })), 'passes')
  clock.advance(10_000)
  assert.equal(reasonOf(take(capped, { category: 'span', quantity: 1 })), 'span_burst for 50')
  assert.equal(
    reasonOf(take(capped, { category: 'transaction', quantity: 1, spans: () => 1 })),
    'span_burst for 50',
  )
  clock.advance(50_000)
  assert.equal(reasonOf(take(capped, { category: 'span', quantity: 1 })), 'passes')
})

test('errors and everything else pass whatever spans did', () => {
  const take = createRateLimiter({}, fixedClock(NOW_MS))
  const capped = key({ perMinute: 0, refusedUntilMs: NOW_MS + 1 })
  for (const category of ['error', 'default', 'attachment', 'session', 'feedback'] as const)
    assert.equal(reasonOf(take(capped, { category, quantity: 1_000 })), 'passes', category)
})

test('a transaction larger than the whole cap passes once, and then the minute is over', () => {
  const take = createRateLimiter({}, fixedClock(NOW_MS))
  const capped = key({ perMinute: 100 })
  assert.equal(reasonOf(take(capped, { category: 'transaction', quantity: 1, spans: () => 5_000 })), 'passes')
  assert.equal(
    reasonOf(take(capped, { category: 'transaction', quantity: 1, spans: () => 1 })),
    'span_burst for 60',
  )
})

test('a cap that was reached holds until its day or month ends, and senders ask again every ten minutes', () => {
  const clock = fixedClock(NOW_MS)
  const take = createRateLimiter({}, clock)
  const capped = key({ refusedUntilMs: NOW_MS + 20 * 86_400_000 })
  assert.equal(reasonOf(take(capped, { category: 'span', quantity: 1 })), 'span_cap for 600')
  clock.advance(20 * 86_400_000 - 1)
  assert.equal(
    reasonOf(take(capped, { category: 'transaction', quantity: 1, spans: () => 3 })),
    'span_cap for 1',
  )
  clock.advance(1)
  assert.equal(reasonOf(take(capped, { category: 'span', quantity: 1 })), 'passes')
})

test('what a quota refuses uses up nothing of the minute', () => {
  const clock = fixedClock(NOW_MS)
  const take = createRateLimiter({}, clock)
  const both = key({ perMinute: 5 }, { rateLimit: { count: 1, windowSec: 10 } })
  assert.equal(reasonOf(take(both, { category: 'span', quantity: 1 })), 'passes')
  for (let count = 0; count < 9; count++)
    assert.equal(reasonOf(take(both, { category: 'span', quantity: 1 })), 'key_quota for 10')
  clock.advance(10_000)
  assert.equal(reasonOf(take(both, { category: 'span', quantity: 1 })), 'passes')
})

test('projects do not share a minute, and a cap that was changed holds at once', () => {
  const take = createRateLimiter({}, fixedClock(NOW_MS))
  assert.equal(reasonOf(take(key({ perMinute: 1 }), { category: 'span', quantity: 1 })), 'passes')
  assert.equal(reasonOf(take(key({ perMinute: 1 }), { category: 'span', quantity: 1 })), 'span_burst for 60')
  assert.equal(
    reasonOf(take(key({ perMinute: 1 }, { projectId: 11 }), { category: 'span', quantity: 1 })),
    'passes',
  )
  assert.equal(reasonOf(take(key({ perMinute: 9 }), { category: 'span', quantity: 1 })), 'passes')
})

test('a transaction is counted by the ids of its spans', () => {
  const count = (payload: unknown) => countSpanIds({ payload: Buffer.from(JSON.stringify(payload)) })
  const span = { span_id: 'b'.repeat(16), parent_span_id: 'c'.repeat(16), data: { text: '"span_id"' } }
  assert.equal(count({ contexts: { trace: span }, spans: [span, span] }), 3)
  assert.equal(count({ contexts: { trace: span } }), 1)
  assert.equal(count({}), 1, 'what has no ids is one item all the same')
})
