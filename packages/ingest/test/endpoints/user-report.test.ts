/** What people write about an event: the crash-report modal and the plain endpoint, with what no form sends. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { parseEnvelope } from '@sonde/protocol'
import * as fc from 'fast-check'
import { readReport } from '../../src/endpoints/user-report.ts'
import { Refusal } from '../../src/refusal.ts'
import { DISABLED_KEY, KEY, PICKY_KEY, PROJECT } from '../support/keys.ts'
import { EVENT_ID, send } from '../support/send.ts'
import { type Running, startIngest } from '../support/start-ingest.ts'

const SCRIPT = 'document.title = "dialog"'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'content-type': 'application/json' }
const dsnOf = (key: string): string => encodeURIComponent(`http://${key}@sonde.test/${PROJECT}`)
const modal = (key = KEY, eventId = EVENT_ID): string =>
  `/api/embed/error-page/?dsn=${dsnOf(key)}&eventId=${eventId}`
const plain = `/api/${PROJECT}/user-feedback/?sentry_key=${KEY}`

describe('reports of people', () => {
  let server: Running
  before(async () => {
    server = await startIngest({ reportDialog: SCRIPT })
  })
  after(() => server.close())

  test('the script of the modal is the same whatever labels it is asked for, and any page may load it', async () => {
    const hostile = encodeURIComponent('</script><script>alert(1)</script>\u2028')
    const got = await send(server.port, `${modal()}&title=${hostile}`, { method: 'GET' })
    assert.equal(got.status, 200)
    assert.equal(got.body, SCRIPT)
    assert.equal(got.headers['access-control-allow-origin'], '*')
    assert.match(got.headers['content-type'] ?? '', /^text\/javascript/)
    assert.equal(got.headers['x-content-type-options'], 'nosniff')
    assert.equal(got.headers['cross-origin-resource-policy'], 'cross-origin')
  })

  test('what is written there becomes a user report of its event', async () => {
    const body = new URLSearchParams({ name: ' Ann ', email: 'ann@shop.example', comments: 'It & broke' })
    const sent = await send(server.port, modal(), { headers: FORM, body: body.toString() })
    assert.deepEqual([sent.status, sent.body], [200, JSON.stringify({ id: EVENT_ID })])
    const stored = (await server.envelopes()).at(-1)
    assert.ok(stored)
    const [item] = parseEnvelope(stored.body).items
    assert.equal(item?.header['type'], 'user_report')
    assert.deepEqual(JSON.parse(Buffer.from(item?.payload ?? []).toString()), {
      event_id: EVENT_ID,
      name: 'Ann',
      email: 'ann@shop.example',
      comments: 'It & broke',
    })
  })

  test('the plain endpoint takes JSON and forms that name the event', async () => {
    const report = { event_id: EVENT_ID, name: 'Ben', email: '', comments: 'No total' }
    const json = await send(server.port, plain, { headers: JSON_TYPE, body: JSON.stringify(report) })
    assert.equal(json.status, 200)
    const form = await send(server.port, plain, {
      headers: FORM,
      body: new URLSearchParams(report).toString(),
    })
    assert.equal(form.status, 200)
  })

  test('what is no report is refused in words, and counted', async () => {
    const filled = 'comments=x'
    const cases: readonly (readonly [number, string, string, Record<string, string>, string])[] = [
      [400, 'POST', modal(KEY, 'nothing'), FORM, filled],
      [403, 'POST', modal(DISABLED_KEY), FORM, filled],
      [400, 'GET', '/api/embed/error-page/?dsn=nothing', {}, ''],
      [400, 'GET', '/api/embed/error-page/', {}, ''],
      [405, 'PUT', modal(), FORM, filled],
      [405, 'GET', plain, {}, ''],
      [400, 'POST', modal(), FORM, 'comments=%20'],
      [400, 'POST', modal(), FORM, 'comments=x&email=nobody'],
      [415, 'POST', modal(), { 'content-type': 'text/html' }, filled],
      [400, 'POST', plain, JSON_TYPE, '["comments"]'],
      [400, 'POST', plain, JSON_TYPE, '{"comments":"x"}'],
      [413, 'POST', modal(), FORM, `comments=${'x'.repeat(70_000)}`],
      [403, 'GET', modal(PICKY_KEY), { origin: 'https://copy.example' }, ''],
    ]
    for (const [status, method, path, headers, body] of cases) {
      const answer = await send(server.port, path, { method, headers, body })
      assert.equal(answer.status, status, `${method} ${path} ${body.slice(0, 30)}: ${answer.body}`)
    }
    const outcomes = await server.outcomes()
    assert.ok(outcomes.some((line) => line.includes('invalid:bad_payload')))
  })

  test('any bytes are a report or refused', () => {
    const types = fc.constantFrom(
      'application/json',
      'application/x-www-form-urlencoded',
      'text/plain; x',
      '',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.json().map((text) => Buffer.from(text)),
        ),
        types,
        (body, type) => {
          try {
            assert.notEqual(readReport(Buffer.from(body), type).comments, '')
          } catch (error) {
            assert.ok(error instanceof Refusal)
          }
        },
      ),
    )
  })

  test('without a built script the modal says how to make it', async () => {
    const bare = await startIngest()
    try {
      const answer = await send(bare.port, modal(), { method: 'GET' })
      assert.equal(answer.status, 404)
      assert.match(answer.body, /npm run build/)
    } finally {
      await bare.close()
    }
  })
})
