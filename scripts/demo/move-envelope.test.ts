import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEnvelope, parseEnvelope, serializeEnvelope } from '@sonde/protocol/envelope'
import { type Move, moveEnvelope } from './move-envelope.ts'
import { unitsOf } from './units.ts'

const TRACE = 'a'.repeat(32)
const EVENT = 'b'.repeat(32)
const HOUR_MS = 3_600_000

const event = (fields: object, sentAt = '2026-11-21T10:00:00.000Z') =>
  createEnvelope({ event_id: EVENT, sent_at: sentAt, trace: { trace_id: TRACE, release: 'shop@1.5.0' } }, [
    { header: { type: 'event' }, payload: fields },
  ])
const json = (payload: Uint8Array): Record<string, unknown> =>
  JSON.parse(Buffer.from(payload).toString()) as never
const move = (shiftMs: number): Move => ({ shiftMs, ids: new Map() })

test('every time is moved by the same amount, numbers and texts alike, and it is sent now', () => {
  const envelope = event({
    timestamp: 1_000_000,
    breadcrumbs: [{ timestamp: '2026-11-21T09:59:59.500Z', data: { timestamp_of: 5 } }],
    spans: [{ start_timestamp: 999_999.5, timestamp: 1_000_000.25 }],
  })
  const moved = parseEnvelope(moveEnvelope(envelope, move(-HOUR_MS)))
  assert.deepEqual(json(moved.items[0]?.payload ?? new Uint8Array()), {
    timestamp: 996_400,
    breadcrumbs: [{ timestamp: '2026-11-21T08:59:59.500Z', data: { timestamp_of: 5 } }],
    spans: [{ start_timestamp: 996_399.5, timestamp: 996_400.25 }],
  })
  assert.ok(Math.abs(Date.parse(String(moved.header['sent_at'])) - Date.now()) < 5_000)
})

test('ids are new, and the same in all that belongs together', () => {
  const shared = move(0)
  const payload = { event_id: EVENT, contexts: { trace: { trace_id: TRACE, span_id: 'c'.repeat(16) } } }
  const [first, second] = [event(payload), event(payload)].map((one) =>
    parseEnvelope(moveEnvelope(one, shared)),
  )
  const ids = [first, second].map((one) => {
    const { event_id: id, contexts } = json(one?.items[0]?.payload ?? new Uint8Array())
    return [one?.header['event_id'], id, (contexts as { trace: { trace_id: string } }).trace.trace_id]
  })
  assert.deepEqual(ids[0], ids[1])
  assert.equal(ids[0]?.[0], ids[0]?.[1])
  assert.notEqual(ids[0]?.[0], EVENT)
  assert.notEqual(ids[0]?.[2], TRACE)
  const other = parseEnvelope(moveEnvelope(event(payload), move(0)))
  assert.notEqual(other.header['event_id'], first?.header['event_id'])
})

test('ids of spans are new wherever they stand, and the key of the project stays', () => {
  const span = 'c'.repeat(16)
  const attributes = { 'sonde.navigation.id': { type: 'string', value: span }, short: { value: 'abc' } }
  const payload = { span_id: span, attributes, public_key: 'f'.repeat(32) }
  const moved = json(
    parseEnvelope(moveEnvelope(event(payload), move(0))).items[0]?.payload ?? new Uint8Array(),
  )
  const id = String(moved['span_id'])
  assert.match(id, /^[0-9a-f]{16}$/)
  assert.notEqual(id, span)
  assert.deepEqual(moved['attributes'], {
    'sonde.navigation.id': { type: 'string', value: id },
    short: { value: 'abc' },
  })
  assert.equal(moved['public_key'], 'f'.repeat(32))
})

test('what shares a trace is one unit with its page’s release; counts of losses are left out', () => {
  const request = (envelope: ReturnType<typeof event>) => ({
    path: '/api/1/envelope/',
    auth: undefined,
    contentEncoding: undefined,
    userAgent: undefined,
    body: Buffer.from(serializeEnvelope(envelope)),
  })
  const trace = (id: string) => ({ contexts: { trace: { trace_id: id } } })
  const page = event(trace(TRACE), '2026-11-21T10:00:05.000Z')
  const api = createEnvelope({ sent_at: '2026-11-21T10:00:01.000Z' }, [
    { header: { type: 'transaction' }, payload: trace(TRACE) },
  ])
  const alone = createEnvelope({ sent_at: '2026-11-21T11:00:00.000Z' }, [
    { header: { type: 'transaction' }, payload: trace('d'.repeat(32)) },
  ])
  const report = createEnvelope({}, [{ header: { type: 'client_report' }, payload: {} }])
  const units = unitsOf([page, api, alone, report].map(request))
  assert.deepEqual(
    units.map(({ sent, release, atMs }) => [sent.length, release, new Date(atMs).toISOString()]),
    [
      [2, 'shop@1.5.0', '2026-11-21T10:00:01.000Z'],
      [1, undefined, '2026-11-21T11:00:00.000Z'],
    ],
  )
})

test('a page that is moved began as much earlier, so that tabs of other days are other tabs', () => {
  const attributes = { 'sonde.page_start': { type: 'double', value: 5_000_000_000.5 } }
  const moved = parseEnvelope(moveEnvelope(event({ items: [{ attributes }] }), move(-HOUR_MS)))
  const { items } = json(moved.items[0]?.payload ?? new Uint8Array()) as {
    items: { attributes: typeof attributes }[]
  }
  assert.deepEqual(items[0]?.attributes, {
    'sonde.page_start': { type: 'double', value: 5_000_000_000.5 - HOUR_MS },
  })
})

test('a tab that a deployment left without code is told from others, with the release it runs', () => {
  const ledger = (op: string) =>
    createEnvelope({ sent_at: '2026-11-21T10:00:00.000Z' }, [
      {
        header: { type: 'span' },
        payload: {
          items: [
            {
              trace_id: op === 'ui.navigation' ? TRACE : 'd'.repeat(32),
              attributes: {
                'sentry.op': { type: 'string', value: op },
                'sentry.release': { type: 'string', value: 'shop@1.4.0' },
              },
            },
          ],
        },
      },
    ])
  const sent = (op: string) => ({
    path: '/',
    auth: undefined,
    contentEncoding: undefined,
    userAgent: undefined,
    body: Buffer.from(serializeEnvelope(ledger(op))),
  })
  const units = unitsOf([sent('ui.chunk_failure'), sent('ui.navigation')])
  assert.deepEqual(
    units.map(({ isStale, release }) => [isStale, release]),
    [
      [true, 'shop@1.4.0'],
      [false, 'shop@1.4.0'],
    ],
  )
})
