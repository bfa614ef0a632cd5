import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { UnavailableError } from '@sonde/base'
import * as fc from 'fast-check'
import { KEY, OTHER_PROJECT_KEY, PROJECT } from '../support/keys.ts'
import { ENVELOPE_PATH, EVENT_ID, eventEnvelope, openRaw, send } from '../support/send.ts'
import { type Running, startIngest } from '../support/start-ingest.ts'
import { untilInFlight } from '../support/until.ts'

let server: Running

const HEADER = `{"event_id":"${EVENT_ID}"}\n`
type Row = readonly [name: string, body: string | Buffer, status: number]
const TABLE: readonly Row[] = [
  ['cut in the middle of a payload', `${HEADER}{"type":"event","length":100}\n{"message":`, 400],
  ['a length that is too short', `${HEADER}{"type":"event","length":3}\n{"message":"x"}\n`, 400],
  ['a length below zero', `${HEADER}{"type":"event","length":-1}\n{}\n`, 400],
  ['a length with decimals', `${HEADER}{"type":"event","length":1.5}\n{}\n`, 400],
  ['a length beyond all numbers', `${HEADER}{"type":"event","length":1e400}\n{}\n`, 400],
  ['a length of words', `${HEADER}{"type":"event","length":"2"}\n{}\n`, 400],
  ['an item without a type', `${HEADER}{}\n{}\n`, 400],
  ['a type that is a number', `${HEADER}{"type":1}\n{}\n`, 400],
  ['invalid UTF-8 in the header', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d, 0x0a]), 400],
  [
    'invalid UTF-8 in a payload is its reader’s matter',
    Buffer.concat([Buffer.from(`${HEADER}{"type":"event"}\n`), Buffer.from([0xff, 0xfe])]),
    200,
  ],
  ['NUL bytes in the header', '\0\0\0\0', 400],
  ['NUL bytes in a payload', `${HEADER}{"type":"event"}\n{"message":"\0"}`, 200],
  [
    '__proto__ in every header',
    '{"__proto__":{"event_id":"x","dsn":"y"}}\n{"type":"event","__proto__":{"length":9}}\n{"__proto__":{}}\n',
    200,
  ],
  ['__proto__ as type', `${HEADER}{"type":"__proto__"}\n{}\n{"type":"constructor"}\n{}`, 200],
  ['a header 10,000 levels deep', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}\n`, 400],
  [
    'a payload 10,000 levels deep',
    `${HEADER}{"type":"event"}\n${'['.repeat(10_000)}${']'.repeat(10_000)}`,
    200,
  ],
  ['a header of a megabyte', `{"a":"${'x'.repeat(1024 * 1024)}"}\n`, 400],
  ['a body over the limit', 'x'.repeat(24 * 1024 * 1024 + 1), 413],
  ['a million blank lines', `${HEADER}${'\n'.repeat(1_000_000)}`, 200],
]

const PATHS = [
  ENVELOPE_PATH,
  `/api/${PROJECT}/envelope/`,
  `/api/${PROJECT}/store/?sentry_key=${KEY}`,
  '/monitoring',
]
const ENCODINGS = ['identity', 'gzip', 'deflate', 'br', 'zstd']

describe('bad body', () => {
  before(async () => {
    server = await startIngest()
  })

  after(() => server.close())

  for (const [name, body, status] of TABLE) {
    test(`${name}: ${status}`, async () => {
      const sent = await send(server.port, ENVELOPE_PATH, { body })
      assert.equal(sent.status, status, sent.body)
      assert.equal(sent.headers['access-control-allow-origin'], '*')
      assert.equal(sent.headers['x-content-type-options'], 'nosniff')
      assert.equal(({} as Record<string, unknown>)['dsn'], undefined)
    })
  }

  test('arbitrary bytes at any endpoint give an answer below 500', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array)),
      fc.json().map((json) => Buffer.from(json)),
      fc
        .array(fc.oneof(fc.json(), fc.constantFrom('{"type":"event"}', HEADER.trim(), '')), { maxLength: 6 })
        .map((lines) => Buffer.from(lines.join('\n'))),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...PATHS),
        fc.constantFrom(...ENCODINGS),
        bytes,
        async (path, encoding, body) => {
          const sent = await send(server.port, path, { body, headers: { 'Content-Encoding': encoding } })
          assert.ok(sent.status < 500 && sent.status >= 200, `${sent.status} ${sent.body}`)
          assert.doesNotThrow(() => JSON.parse(sent.body))
        },
      ),
      { numRuns: 300 },
    )
  })

  test('arbitrary queries and headers give an answer below 500', async () => {
    const header = fc.string({
      unit: fc.constantFrom(...'s e n t r y _ k = , : B a i c b 1 2'.split(' '), ' '),
      maxLength: 40,
    })
    const query = fc
      .string({ maxLength: 60 })
      .map((text) => encodeURIComponent(text).replaceAll('%3D', '=').replaceAll('%26', '&'))
    await fc.assert(
      fc.asyncProperty(header, header, query, async (auth, authorization, text) => {
        const headers = { 'X-Sentry-Auth': auth, Authorization: authorization }
        const sent = await send(server.port, `/api/${PROJECT}/envelope/?sentry_${text}`, { headers })
        assert.ok(sent.status === 400 || sent.status === 401, `${sent.status}`)
      }),
      { numRuns: 100 },
    )
  })

  test('a chunked body without a length is taken', async () => {
    const { socket, closed } = await openRaw(server.port)
    socket.write(
      `POST ${ENVELOPE_PATH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`,
    )
    for (const byte of eventEnvelope()) socket.write(`1\r\n${byte}\r\n`)
    // Not `end`: node:http takes a half-closed connection for one that is given up.
    socket.write('0\r\n\r\n')
    assert.match(await closed, /^HTTP\/1\.1 200 OK/)
  })

  test('a body that trickles is given up with 408, and its connection closed', async (t) => {
    const own = await startIngest({ limits: { slowAfterMs: 200, minBodyBytesPerSec: 1_000 } })
    t.after(() => own.close())
    const { socket, closed } = await openRaw(own.port)
    socket.write(`POST ${ENVELOPE_PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n`)
    const timer = setInterval(() => socket.write('x'), 50)
    const answer = await closed
    clearInterval(timer)
    assert.match(answer, /^HTTP\/1\.1 408 /)
    assert.match(answer, /the body comes too slowly/)
    assert.deepEqual(await own.outcomes(), ['42/1 default invalid:body_too_slow ×1'])
  })

  test('a client that hangs up in the middle leaves nothing behind', async () => {
    const connections = await Promise.all(Array.from({ length: 20 }, () => openRaw(server.port)))
    for (const [index, { socket }] of connections.entries()) {
      const encoding = index % 2 === 0 ? '' : 'Content-Encoding: gzip\r\n'
      socket.write(`POST ${ENVELOPE_PATH} HTTP/1.1\r\nHost: x\r\n${encoding}Content-Length: 100000\r\n\r\n`)
      socket.write(Buffer.concat([Buffer.from('1f8b0800000000000003', 'hex'), Buffer.alloc(20_000)]))
    }
    // The ten plain ones; the others are no gzip for long.
    await untilInFlight(server, (bytes) => bytes >= 10 * 20_000)
    for (const { socket } of connections) socket.destroy()
    await untilInFlight(server, (bytes) => bytes === 0)
    assert.equal((await send(server.port, ENVELOPE_PATH, { body: eventEnvelope() })).status, 200)
  })

  test('one project that fills its share gets 503, another still passes', async (t) => {
    const own = await startIngest({ limits: { inFlightBytes: 100_000, keyShare: 0.5 } })
    t.after(() => own.close())
    const { socket } = await openRaw(own.port)
    socket.write(
      `POST ${ENVELOPE_PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n${' '.repeat(45_000)}`,
    )
    await untilInFlight(own, (bytes) => bytes === 45_000)
    const body = eventEnvelope({}, { message: 'x'.repeat(10_000) })
    const refused = await send(own.port, ENVELOPE_PATH, { body })
    assert.equal(refused.status, 503)
    assert.equal(refused.headers['retry-after'], '5')
    assert.equal(refused.headers['x-sentry-rate-limits'], '5::organization:overload')
    const other = `/api/99/envelope/?sentry_key=${OTHER_PROJECT_KEY}`
    assert.equal((await send(own.port, other, { body })).status, 200)
    socket.destroy()
    await untilInFlight(own, (bytes) => bytes === 0)
    assert.equal((await send(own.port, ENVELOPE_PATH, { body })).status, 200)
    assert.deepEqual(await own.outcomes(), ['42/1 default rate_limited:overload ×1'])
  })

  test('a log that cannot write is 503 with both headers, its items are counted when it can again', async (t) => {
    let isFull = true
    const details = { operation: 'append to the log', retryAfterSec: 2.5 }
    const own = await startIngest({
      wrapLog: (log) => ({
        ...log,
        append: (...pieces) =>
          isFull ? Promise.reject(new UnavailableError('disk full', details)) : log.append(...pieces),
      }),
    })
    t.after(() => own.close())
    const refused = await send(own.port, ENVELOPE_PATH, {
      body: `${eventEnvelope()}{"type":"check_in"}\n{}\n`,
    })
    assert.equal(refused.status, 503)
    assert.equal(refused.headers['retry-after'], '3')
    assert.equal(refused.headers['x-sentry-rate-limits'], '3::organization:storage_unavailable')
    assert.equal(refused.headers['access-control-allow-origin'], '*')
    await own.ingest.flushOutcomes()
    isFull = false
    assert.equal((await send(own.port, ENVELOPE_PATH, { body: eventEnvelope() })).status, 200)
    assert.deepEqual(await own.outcomes(), [
      '42/1 error rate_limited:overload ×1',
      '42/1 monitor rate_limited:overload ×1',
    ])
  })

  test('a fault of ours is 500, says nothing, and does not end the process', async (t) => {
    const own = await startIngest({
      wrapLog: (log) => ({
        ...log,
        append: () => Promise.reject(new TypeError('secret path')),
      }),
    })
    t.after(() => own.close())
    const sent = await send(own.port, ENVELOPE_PATH, { body: eventEnvelope() })
    assert.deepEqual([sent.status, sent.body], [500, '{"detail":"internal error","causes":[]}'])
  })
})
