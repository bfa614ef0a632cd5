import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { fixedClock, UnavailableError } from '@sonde/base'
import { parseEnvelope } from '@sonde/protocol'
import {
  DISABLED_KEY,
  KEY,
  LIMITED_KEY,
  OTHER_PROJECT_KEY,
  PICKY_KEY,
  PROJECT,
  UNKNOWN_KEY,
} from '../support/keys.ts'
import { bytesField, GOOD, jsonRequest, protobufRequest } from '../support/otlp-request.ts'
import { send } from '../support/send.ts'
import { type Running, startIngest } from '../support/start-ingest.ts'

let server: Running

const PATH = `/api/${PROJECT}/otlp/v1/traces`
const JSON_TYPE = { 'Content-Type': 'application/json' }
const PROTOBUF_TYPE = { 'Content-Type': 'application/x-protobuf' }
const authOf = (key: string) => ({ 'x-sentry-auth': `sentry sentry_key=${key}` })
const BODY = jsonRequest([[GOOD, GOOD]])
const BAD = { ...GOOD, spanId: '0'.repeat(16) }

/** The one field with a text in it: `message` of a Status. */
const statusMessage = (body: string): string => body.slice(2)

type Row = readonly [name: string, headers: Record<string, string>, body: string | Buffer, status: number]
const REFUSED: readonly Row[] = [
  ['no key', JSON_TYPE, BODY, 401],
  ['an unknown key', { ...JSON_TYPE, ...authOf(UNKNOWN_KEY) }, BODY, 403],
  ['a disabled key', { ...JSON_TYPE, ...authOf(DISABLED_KEY) }, BODY, 403],
  ["another project's key", { ...JSON_TYPE, ...authOf(OTHER_PROJECT_KEY) }, BODY, 403],
  ['a foreign page', { ...JSON_TYPE, ...authOf(PICKY_KEY), Origin: 'https://evil.example' }, BODY, 403],
  ['no content type', authOf(KEY), BODY, 415],
  ['an envelope', { 'Content-Type': 'application/x-sentry-envelope', ...authOf(KEY) }, BODY, 415],
  ['half a JSON', { ...JSON_TYPE, ...authOf(KEY) }, BODY.slice(0, -3), 400],
  ['nothing as JSON', { ...JSON_TYPE, ...authOf(KEY) }, '', 400],
  ['JSON that is called protobuf', { ...PROTOBUF_TYPE, ...authOf(KEY) }, BODY, 400],
  ['half a protobuf', { ...PROTOBUF_TYPE, ...authOf(KEY) }, protobufRequest([[GOOD]]).subarray(0, 20), 400],
  ['no gzip', { ...JSON_TYPE, ...authOf(KEY), 'Content-Encoding': 'gzip' }, BODY, 400],
  [
    'more than a container may hold',
    { ...JSON_TYPE, ...authOf(KEY) },
    jsonRequest([[GOOD]]) + ' '.repeat(12 * 2 ** 20),
    413,
  ],
  [
    '10,001 spans',
    { ...PROTOBUF_TYPE, ...authOf(KEY) },
    protobufRequest([Array.from({ length: 10_001 }, () => GOOD)]),
    413,
  ],
]

describe('otlp', () => {
  before(async () => {
    server = await startIngest()
  })

  after(() => server.close())

  for (const path of [PATH, `${PATH}/`, `//api/${PROJECT}//integration/otlp/v1/traces/`])
    test(`${path} takes both encodings, compressed or not, and keeps the body as it came`, async () => {
      for (const [type, body] of [
        [JSON_TYPE, Buffer.from(BODY)],
        [{ 'Content-Type': 'application/json; charset=utf-8' }, Buffer.from(BODY)],
        [PROTOBUF_TYPE, protobufRequest([[GOOD, GOOD]])],
      ] as const)
        for (const isCompressed of [false, true]) {
          const headers = { ...authOf(KEY), ...type, ...(isCompressed && { 'Content-Encoding': 'gzip' }) }
          const sent = await send(server.port, path, { headers, body: isCompressed ? gzipSync(body) : body })
          assert.equal(sent.status, 200, sent.body)
          assert.equal(sent.headers['content-type'], type['Content-Type'].split(';')[0])
          assert.equal(sent.body, sent.headers['content-type'] === 'application/json' ? '{}' : '')
          const [item, ...more] = parseEnvelope((await server.envelopes()).at(-1)?.body ?? Buffer.of()).items
          assert.deepEqual(more, [])
          assert.deepEqual(item?.header, {
            type: 'otel_traces_data',
            content_type: sent.headers['content-type'],
            item_count: 2,
            length: body.length,
          })
          assert.deepEqual(Buffer.from(item.payload), body)
        }
    })

  test('the key may be in the query as well', async () => {
    const sent = await send(server.port, `${PATH}?sentry_key=${KEY}`, { headers: JSON_TYPE, body: BODY })
    assert.equal(sent.status, 200)
  })

  for (const [name, headers, body, status] of REFUSED)
    test(`${name}: ${status}, with a Status in the encoding of the request`, async () => {
      const sent = await send(server.port, PATH, { headers, body })
      assert.equal(sent.status, status, sent.body)
      const type =
        headers['Content-Type'] === 'application/x-protobuf' ? 'application/x-protobuf' : 'application/json'
      assert.equal(sent.headers['content-type'], type)
      const detail = sent.headers['x-sentry-error']
      const message =
        type === 'application/json'
          ? (JSON.parse(sent.body) as { message: string }).message
          : statusMessage(sent.body)
      assert.equal(message, detail)
      assert.equal(sent.headers['access-control-allow-origin'], '*')
    })

  test('a protobuf Status has its message in field 2', async () => {
    const sent = await send(server.port, PATH, { headers: PROTOBUF_TYPE, body: '' })
    assert.deepEqual(Buffer.from(sent.body), bytesField(2, 'missing authorization information'))
  })

  test('spans that are none are told as a partial success, and the others are kept', async () => {
    const json = await send(server.port, PATH, {
      headers: { ...JSON_TYPE, ...authOf(KEY) },
      body: jsonRequest([[GOOD, BAD], [BAD]]),
    })
    assert.equal(json.status, 200)
    const { partialSuccess } = JSON.parse(json.body) as { partialSuccess: Record<string, string> }
    assert.equal(partialSuccess['rejectedSpans'], '2')
    assert.match(partialSuccess['errorMessage'] ?? '', /left out/)
    const protobuf = await send(server.port, PATH, {
      headers: { ...PROTOBUF_TYPE, ...authOf(KEY) },
      body: protobufRequest([[GOOD, BAD], [BAD]]),
    })
    const partial = Buffer.concat([Buffer.of(8, 2), bytesField(2, partialSuccess['errorMessage'] ?? '')])
    assert.deepEqual(Buffer.from(protobuf.body), bytesField(1, partial))
  })

  test('a request without spans is heard and nothing is stored', async (t) => {
    const own = await startIngest()
    t.after(() => own.close())
    for (const [type, body] of [
      [JSON_TYPE, '{"resourceSpans":[]}'],
      [JSON_TYPE, '{}'],
      [PROTOBUF_TYPE, ''],
    ] as const)
      assert.equal((await send(own.port, PATH, { headers: { ...type, ...authOf(KEY) }, body })).status, 200)
    assert.deepEqual(await own.envelopes(), [])
  })

  test('quotas count spans; over them the answer is 429 with a time, and nothing is stored', async (t) => {
    const own = await startIngest({ clock: fixedClock(1_700_000_000_000) })
    t.after(() => own.close())
    const headers = { ...JSON_TYPE, ...authOf(LIMITED_KEY) }
    assert.equal((await send(own.port, PATH, { headers, body: BODY })).status, 200)
    const refused = await send(own.port, PATH, { headers, body: BODY })
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '60'])
    assert.equal(refused.headers['x-sentry-rate-limits'], '60:span:key:key_quota')
    assert.match((JSON.parse(refused.body) as { message: string }).message, /rate limit/)
    assert.equal((await own.envelopes()).length, 1)
    assert.deepEqual(await own.outcomes(), ['42/4 span rate_limited:key_quota ×2'])
  })

  test('what the log could not take is no 200: exporters hold it and try again', async (t) => {
    const own = await startIngest({
      wrapLog: (log) => ({
        ...log,
        append: (head, body) =>
          body === undefined
            ? log.append(head)
            : Promise.reject(
                new UnavailableError('the disk is full', { operation: 'append', retryAfterSec: 7 }),
              ),
      }),
    })
    t.after(() => own.close())
    const sent = await send(own.port, PATH, { headers: { ...JSON_TYPE, ...authOf(KEY) }, body: BODY })
    assert.deepEqual([sent.status, sent.headers['retry-after']], [503, '7'])
    assert.deepEqual(await own.outcomes(), ['42/1 span rate_limited:overload ×2'])
  })

  test('a browser of any origin may send with the headers that exporters set', async () => {
    const asked = 'content-type,x-sentry-auth,traceparent'
    const sent = await send(server.port, PATH, {
      method: 'OPTIONS',
      headers: { Origin: 'https://shop.example', 'Access-Control-Request-Headers': asked },
    })
    assert.equal(sent.status, 204)
    assert.equal(sent.headers['access-control-allow-origin'], '*')
    assert.ok(sent.headers['access-control-allow-headers']?.endsWith(asked))
    const got = await send(server.port, PATH, { method: 'GET' })
    assert.deepEqual([got.status, got.headers['allow']], [405, 'POST, OPTIONS'])
  })
})
