import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixedClock } from '@sonde/base'
import type { KeyInfo } from '@sonde/stores/keys'
import { KEY, LIMITED_KEY, ORG, OTHER_PROJECT_KEY, PROJECT } from '../support/keys.ts'
import { ENVELOPE_PATH, EVENT_ID, eventEnvelope, send } from '../support/send.ts'
import { startIngest } from '../support/start-ingest.ts'

const LIMITED_PATH = `/api/${PROJECT}/envelope/?sentry_key=${LIMITED_KEY}`
const HEADER = `{"event_id":"${EVENT_ID}"}`
const item = (type: string, payload = '{}'): string =>
  `{"type":"${type}","length":${Buffer.byteLength(payload)}}\n${payload}`
const logs = (count: number): string => `{}\n{"type":"log","item_count":${count}}\n{"items":[]}\n`
const items = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => item(`kind${index % 20}`))
const envelope = (...parts: string[]): string => [HEADER, ...parts].join('\n')

test('over the quota: 429 with both headers, until the window ends', async (t) => {
  const clock = fixedClock(1_700_000_000_000)
  const server = await startIngest({ clock })
  t.after(() => server.close())
  const body = eventEnvelope()
  for (let count = 0; count < 2; count++)
    assert.equal((await send(server.port, LIMITED_PATH, { body })).status, 200)
  clock.advance(1_000)
  const refused = await send(server.port, LIMITED_PATH, { body })
  assert.equal(refused.status, 429)
  assert.equal(refused.headers['x-sentry-rate-limits'], '59:error:key:key_quota')
  assert.equal(refused.headers['retry-after'], '59')
  assert.equal(refused.headers['access-control-allow-origin'], '*')
  clock.advance(59_000)
  assert.equal((await send(server.port, LIMITED_PATH, { body })).status, 200)
  assert.deepEqual(await server.outcomes(), ['42/4 error rate_limited:key_quota ×1'])
  assert.equal((await server.envelopes()).length, 3)
})

test('what is not limited passes beside what is, and the 200 names the limit', async (t) => {
  const server = await startIngest({ clock: fixedClock(0) })
  t.after(() => server.close())
  for (let count = 0; count < 2; count++) await send(server.port, LIMITED_PATH, { body: eventEnvelope() })
  const mixed = envelope(
    item('event'),
    item('attachment', 'shot'),
    item('client_report'),
    item('session'),
    item('check_in'),
  )
  const sent = await send(server.port, LIMITED_PATH, { body: mixed })
  assert.equal(sent.status, 200)
  assert.equal(sent.headers['x-sentry-rate-limits'], '60:error:key:key_quota')
  const last = (await server.envelopes()).at(-1)
  // The attachment goes with its event.
  assert.deepEqual(last?.meta.skip, [0, 1])
  assert.equal(last.body.toString(), mixed)
  assert.deepEqual(await server.outcomes(), [
    '42/4 attachment rate_limited:key_quota ×1',
    '42/4 error rate_limited:key_quota ×1',
  ])
})

test('sessions have their own quota, single ones and counts together', async (t) => {
  const server = await startIngest({ clock: fixedClock(0) })
  t.after(() => server.close())
  const statuses: number[] = []
  for (const type of ['session', 'sessions', 'session']) {
    const { status } = await send(server.port, LIMITED_PATH, { body: envelope(item(type)) })
    statuses.push(status)
  }
  assert.deepEqual(statuses, [200, 200, 429])
  assert.deepEqual(await server.outcomes(), ['42/4 session rate_limited:key_quota ×1'])
})

test('client reports and user reports are never limited', async (t) => {
  const server = await startIngest({ clock: fixedClock(0) })
  t.after(() => server.close())
  for (const type of ['client_report', 'user_report'])
    for (let count = 0; count < 5; count++)
      assert.equal((await send(server.port, LIMITED_PATH, { body: envelope(item(type)) })).status, 200)
  assert.deepEqual(await server.outcomes(), [])
})

const PROJECT_LIMITED: KeyInfo = {
  keyId: 9,
  projectId: PROJECT,
  orgId: ORG,
  isActive: true,
  projectRateLimit: { count: 10, windowSec: 5 },
}

test('the quota of a project holds for keys without their own, counting what a container holds', async (t) => {
  const server = await startIngest({ clock: fixedClock(0), knownKeys: [[KEY, PROJECT_LIMITED]] })
  t.after(() => server.close())
  assert.equal((await send(server.port, ENVELOPE_PATH, { body: logs(8) })).status, 200)
  const refused = await send(server.port, ENVELOPE_PATH, { body: logs(3) })
  assert.equal(refused.status, 429)
  assert.equal(refused.headers['x-sentry-rate-limits'], '5:log_item:project:project_quota')
  assert.deepEqual(await server.outcomes(), ['42/9 log_item rate_limited:project_quota ×3'])
})

test('without any limit of its own a project is held back in a spike, kind by kind, and others go on', async (t) => {
  const server = await startIngest({ clock: fixedClock(0), limits: { spikes: { events: 3, spans: 4 } } })
  t.after(() => server.close())
  const event = eventEnvelope()
  const statuses: number[] = []
  for (let count = 0; count < 5; count++)
    statuses.push((await send(server.port, ENVELOPE_PATH, { body: event })).status)
  assert.deepEqual(statuses, [200, 200, 200, 429, 429])
  const refused = await send(server.port, ENVELOPE_PATH, { body: event })
  assert.equal(refused.headers['x-sentry-rate-limits'], '60:error:project:spike_events')
  assert.equal(refused.headers['retry-after'], '60')
  const mixed = await send(server.port, ENVELOPE_PATH, { body: envelope(item('event'), item('check_in')) })
  assert.deepEqual(
    [mixed.status, mixed.headers['x-sentry-rate-limits']],
    [200, '60:error:project:spike_events'],
  )
  const elsewhere = `/api/99/envelope/?sentry_key=${OTHER_PROJECT_KEY}`
  assert.equal((await send(server.port, elsewhere, { body: event })).status, 200)
  assert.deepEqual(await server.outcomes(), ['42/1 error rate_limited:spike_events ×4'])
})

test('a container that says it holds less than it does is counted by what it holds', async (t) => {
  const server = await startIngest({ clock: fixedClock(0), limits: { spikes: { spans: 100 } } })
  t.after(() => server.close())
  const spans = Array.from({ length: 100 }, () => ({ span_id: 'b'.repeat(16) }))
  const payload = JSON.stringify({ items: spans })
  const header = JSON.stringify({ type: 'span', item_count: 1, length: payload.length })
  const body = ['{}', header, payload].join('\n')
  const statuses: number[] = []
  for (let count = 0; count < 2; count++)
    statuses.push((await send(server.port, ENVELOPE_PATH, { body })).status)
  assert.deepEqual(statuses, [200, 429])
})

test('a flood of client reports is stopped, although no quota stops them', async (t) => {
  const server = await startIngest({ clock: fixedClock(0), limits: { spikes: { spans: 2 } } })
  t.after(() => server.close())
  const statuses: number[] = []
  for (let count = 0; count < 3; count++)
    statuses.push((await send(server.port, ENVELOPE_PATH, { body: envelope(item('client_report')) })).status)
  assert.deepEqual(statuses, [200, 200, 429])
  assert.deepEqual(await server.outcomes(), ['42/1 internal rate_limited:spike_spans ×1'])
})

type SizeRow = readonly [
  name: string,
  body: string,
  status: number,
  skip: readonly number[],
  outcomes: readonly string[],
]
const tooBig = (kib: number): string => 'x'.repeat(kib * 1024 + 1)
const SIZES: readonly SizeRow[] = [
  [
    'an event over 1 MiB costs the envelope',
    envelope(item('event', tooBig(1024)), item('client_report')),
    413,
    [],
    ['42/1 error invalid:too_large ×1', '42/1 internal invalid:too_large ×1'],
  ],
  ['an event of exactly 1 MiB passes', envelope(item('event', 'x'.repeat(1024 * 1024))), 200, [], []],
  [
    'an attachment over the limit does not cost its event',
    envelope(item('event'), item('attachment', tooBig(20 * 1024))),
    200,
    [1],
    ['42/1 attachment invalid:too_large ×1'],
  ],
  [
    'a client report over the limit and nothing else',
    envelope(item('client_report', tooBig(100))),
    413,
    [],
    ['42/1 internal invalid:too_large ×1'],
  ],
  [
    'a check-in over 100 KiB',
    envelope(item('check_in', tooBig(100))),
    413,
    [],
    ['42/1 monitor invalid:too_large ×1'],
  ],
  [
    'a second event is left out',
    envelope(item('event'), item('event')),
    200,
    [1],
    ['42/1 error invalid:duplicate_item ×1'],
  ],
  [
    'a transaction beside an event is left out',
    envelope(item('event'), item('transaction')),
    200,
    [1],
    ['42/1 transaction invalid:duplicate_item ×1'],
  ],
  [
    'sessions beyond a hundred are left out',
    envelope(...Array.from({ length: 102 }, () => item('session'))),
    200,
    [100, 101],
    ['42/1 session invalid:too_many_items ×2'],
  ],
]

for (const [name, body, status, skip, outcomes] of SIZES) {
  test(name, async (t) => {
    const server = await startIngest()
    t.after(() => server.close())
    const sent = await send(server.port, ENVELOPE_PATH, { body })
    assert.equal(sent.status, status, sent.body)
    assert.deepEqual(
      (await server.envelopes()).map(({ meta }) => meta.skip ?? []),
      status === 200 ? [skip] : [],
    )
    assert.deepEqual(await server.outcomes(), outcomes)
  })
}

test('an envelope of a thousand items is accepted, one more is 413', async (t) => {
  const server = await startIngest()
  t.after(() => server.close())
  assert.equal((await send(server.port, ENVELOPE_PATH, { body: envelope(...items(1_000)) })).status, 200)
  const sent = await send(server.port, ENVELOPE_PATH, { body: envelope(...items(1_001)) })
  assert.equal(sent.status, 413)
  assert.deepEqual(await server.outcomes(), ['42/1 default invalid:too_many_items ×1'])
})

test('over the cap of spans: 429 for transactions and spans, and errors go on', async (t) => {
  const clock = fixedClock(1_700_000_000_000)
  const spanCaps = { refusedUntilMs: clock.nowMs() + 90_000 }
  const key = { keyId: 1, projectId: PROJECT, orgId: ORG, isActive: true, spanCaps }
  const server = await startIngest({ clock, knownKeys: [[KEY, key]] })
  t.after(() => server.close())
  const refused = await send(server.port, ENVELOPE_PATH, { body: envelope(item('transaction')) })
  assert.equal(refused.status, 429)
  assert.equal(refused.headers['x-sentry-rate-limits'], '90:transaction;span:project:span_cap')
  assert.equal(refused.headers['retry-after'], '90')
  const mixed = await send(server.port, ENVELOPE_PATH, { body: envelope(item('event'), item('span')) })
  assert.equal(mixed.status, 200)
  assert.equal(mixed.headers['x-sentry-rate-limits'], '90:transaction;span:project:span_cap')
  assert.equal((await send(server.port, ENVELOPE_PATH, { body: eventEnvelope() })).status, 200)
  assert.deepEqual(await server.outcomes(), [
    '42/1 span rate_limited:span_cap ×1',
    '42/1 transaction rate_limited:span_cap ×1',
  ])
})

test('over the spans of a minute: the same, counting what a transaction holds', async (t) => {
  const key = { keyId: 1, projectId: PROJECT, orgId: ORG, isActive: true, spanCaps: { perMinute: 3 } }
  const server = await startIngest({ clock: fixedClock(0), knownKeys: [[KEY, key]] })
  t.after(() => server.close())
  const body = envelope(item('transaction', '{"spans":[{"span_id":"a"},{"span_id":"b"},{"span_id":"c"}]}'))
  assert.equal((await send(server.port, ENVELOPE_PATH, { body })).status, 200)
  const refused = await send(server.port, ENVELOPE_PATH, { body })
  assert.equal(refused.status, 429)
  assert.equal(refused.headers['x-sentry-rate-limits'], '60:transaction;span:project:span_burst')
})
