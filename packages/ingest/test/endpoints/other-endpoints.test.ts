import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { parseEnvelope } from '@sonde/protocol'
import { KEY, PROJECT, UNKNOWN_KEY } from '../support/keys.ts'
import { EVENT_ID, send } from '../support/send.ts'
import { type Running, startIngest } from '../support/start-ingest.ts'

let server: Running

const QUERY = `?sentry_key=${KEY}&sentry_version=7`
const STORE = `/api/${PROJECT}/store/${QUERY}`
const EVENT = JSON.stringify({ event_id: EVENT_ID, message: 'ü\n', level: 'error' })
const base64 = (bytes: string | Buffer): string => Buffer.from(bytes).toString('base64')

type StoreRow = readonly [name: string, path: string, body: string | Buffer, status: number, stored?: string]
const STORE_TABLE: readonly StoreRow[] = [
  ['JSON', STORE, EVENT, 200, EVENT],
  ['JSON behind blanks', STORE, ` \r\n${EVENT}`, 200, ` \r\n${EVENT}`],
  ['base64', STORE, base64(EVENT), 200, EVENT],
  ['zlib in base64', STORE, base64(deflateSync(EVENT)), 200, EVENT],
  [
    'NaN as old Python writes it',
    STORE,
    `{"event_id":"${EVENT_ID}","extra":{"a":NaN,"b":[-Infinity,Infinity]}}`,
    200,
  ],
  ['no project in the path', `/api/store/${QUERY}`, EVENT, 200, EVENT],
  ['no key', `/api/${PROJECT}/store/`, EVENT, 401],
  ['another project', `/api/99/store/${QUERY}`, EVENT, 403],
  ['an unknown key', `/api/store/?sentry_key=${UNKNOWN_KEY}`, EVENT, 403],
  ['nothing', STORE, '', 400],
  ['half an object', STORE, EVENT.slice(0, -5), 400],
  ['an array', STORE, base64('[1]'), 400],
  ['words', STORE, 'hello, world!', 400],
  ['base64 of broken zlib', STORE, base64(deflateSync(EVENT).subarray(0, -8)), 400],
  ['an event over 1 MiB', STORE, `{"message":"${'x'.repeat(1024 * 1024)}"}`, 413],
  ['a bomb in zlib in base64', STORE, base64(deflateSync(Buffer.alloc(50e6))), 413],
]

describe('other endpoints', () => {
  before(async () => {
    server = await startIngest()
  })

  after(() => server.close())

  for (const [name, path, body, status, stored] of STORE_TABLE) {
    test(`store, ${name}: ${status}`, async () => {
      const sent = await send(server.port, path, { body })
      assert.equal(sent.status, status, sent.body)
      if (status !== 200) return
      assert.equal(sent.body, `{"id":"${EVENT_ID}"}`)
      const last = (await server.envelopes()).at(-1)
      assert.equal(last?.meta.eventId, EVENT_ID)
      const [item, ...more] = parseEnvelope(last.body).items
      assert.deepEqual([item?.header.type, more.length], ['event', 0])
      if (stored !== undefined) assert.equal(Buffer.from(item?.payload ?? []).toString(), stored)
    })
  }

  test('a transaction at the store endpoint is a transaction', async () => {
    const sent = await send(server.port, STORE, { body: '{"type":"transaction"}' })
    assert.match(sent.body, /^\{"id":"[0-9a-f]{32}"\}$/)
    const last = (await server.envelopes()).at(-1)
    assert.equal(parseEnvelope(last?.body ?? Buffer.of()).items[0]?.header.type, 'transaction')
  })

  test('a CSP report goes on as raw_security, with release and environment of its URL', async () => {
    const report = '{"csp-report":{"document-uri":"https://a.example"}}'
    for (const endpoint of ['security', 'csp-report']) {
      const path = `/api/${PROJECT}/${endpoint}/?sentry_key=${KEY}&sentry_release=1.0&sentry_environment=prod`
      const headers = { 'Content-Type': 'application/csp-report; charset=utf-8' }
      const sent = await send(server.port, path, { body: report, headers })
      assert.deepEqual([sent.status, sent.body], [200, ''])
      const last = (await server.envelopes()).at(-1)
      const [item] = parseEnvelope(last?.body ?? Buffer.of()).items
      assert.deepEqual(item?.header, {
        type: 'raw_security',
        content_type: 'application/csp-report',
        sentry_release: '1.0',
        sentry_environment: 'prod',
        length: report.length,
      })
    }
  })

  test('reports of another content type are 415, empty ones 400', async () => {
    const path = `/api/${PROJECT}/security/${QUERY}`
    assert.equal(
      (await send(server.port, path, { body: '{}', headers: { 'Content-Type': 'text/html' } })).status,
      415,
    )
    const headers = { 'Content-Type': 'application/csp-report' }
    assert.equal((await send(server.port, path, { headers })).status, 400)
  })

  test('endpoints that are not supported yet say so, and their items are counted', async (t) => {
    const own = await startIngest()
    t.after(() => own.close())
    const paths = ['playstation', 'upload']
    for (const what of paths) {
      const sent = await send(own.port, `/api/${PROJECT}/${what}/${QUERY}`, { body: 'x' })
      assert.equal(sent.status, 404)
      assert.equal(JSON.parse(sent.body).detail, `"${what}" is not supported by Sonde yet`)
      assert.equal(sent.headers['access-control-allow-origin'], '*')
    }
    await send(own.port, `/api/${PROJECT}/upload/`, { method: 'GET' })
    assert.deepEqual(await own.outcomes(), [
      '0/0 attachment unsupported:not_yet_shown ×1',
      '42/1 attachment unsupported:not_yet_shown ×1',
      '42/1 error unsupported:not_yet_shown ×1',
    ])
  })
})
