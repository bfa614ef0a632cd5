import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EnvelopeHeaderFields, readHeaderFields } from '@sonde/protocol/envelope'
import * as fc from 'fast-check'

const ID = '9ec79c33ec9942ab8353589fcb2e04dc'

test('the known fields come with their types', () => {
  const fields = readHeaderFields({
    event_id: '9ec79c33-ec99-42ab-8353-589fcb2e04dc',
    dsn: `https://${ID}:@o1.h/42`,
    sent_at: '2026-01-01T00:00:00.123Z',
    sdk: { name: 'sentry.javascript.browser', version: '11.12.0', packages: [] },
    trace: { trace_id: 't', public_key: 'k', sampled: true },
    more: 1,
  })
  assert.deepEqual(fields, {
    eventId: ID,
    dsn: { scheme: 'https', publicKey: ID, host: 'o1.h', path: '', projectId: '42', orgId: '1' },
    sentAtMs: Date.UTC(2026, 0, 1, 0, 0, 0, 123),
    sdk: { name: 'sentry.javascript.browser', version: '11.12.0' },
    trace: { trace_id: 't', public_key: 'k', sampled: 'true' },
  } satisfies EnvelopeHeaderFields)
})

const NEW_YEAR_MS = Date.UTC(2026, 0, 1)
for (const [sentAt, ms] of [
  ['2026-01-01T00:00:00Z', NEW_YEAR_MS],
  ['2026-01-01T00:00:00', NEW_YEAR_MS],
  ['2026-01-01T02:00:00+02:00', NEW_YEAR_MS],
  ['2026-01-01T00:00:00.123456789Z', NEW_YEAR_MS + 123],
  [NEW_YEAR_MS / 1000, NEW_YEAR_MS],
  [null, undefined],
  ['', undefined],
  ['yesterday', undefined],
  [{}, undefined],
] as const) {
  test(`sent_at ${JSON.stringify(sentAt)} is ${ms ?? 'missing'}`, () => {
    assert.equal(readHeaderFields({ sent_at: sentAt }).sentAtMs, ms)
  })
}

test('no value of a field throws, or costs another field', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const broken = readHeaderFields({ event_id: ID, dsn: value, sent_at: value, sdk: value, trace: value })
      assert.equal(broken.eventId, ID)
    }),
  )
})
