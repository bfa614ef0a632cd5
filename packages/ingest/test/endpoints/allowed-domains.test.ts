import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KEY, PICKY_KEY, PROJECT } from '../support/keys.ts'
import { EVENT_ID, eventEnvelope, send } from '../support/send.ts'
import { startIngest } from '../support/start-ingest.ts'

const OURS = { origin: 'https://www.shop.example' }
const FOREIGN = { origin: 'https://evil.test' }
const DSN = `https://${PICKY_KEY}@sonde.example/${PROJECT}`
const ENVELOPE = eventEnvelope()
const WITH_DSN = eventEnvelope({ event_id: EVENT_ID, dsn: DSN })
const REPORT = '{"csp-report":{"document-uri":"https://www.shop.example/"}}'

const FORM = '--x\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\ntext\r\n--x--\r\n'
const endpoint = (what: string): string => `/api/${PROJECT}/${what}/?sentry_key=${PICKY_KEY}`
const ENDPOINTS = [
  ['envelope', endpoint('envelope'), ENVELOPE, {}],
  [
    'attachments',
    endpoint(`events/${EVENT_ID}/attachments`),
    FORM,
    { 'content-type': 'multipart/form-data; boundary=x' },
  ],
  ['envelope that only its own dsn names', `/api/${PROJECT}/envelope/`, WITH_DSN, {}],
  ['store', endpoint('store'), '{"message":"x"}', {}],
  ['security', endpoint('security'), REPORT, { 'content-type': 'application/csp-report' }],
  ['tunnel', '/monitoring', WITH_DSN, {}],
] as const

for (const [name, path, body, more] of ENDPOINTS) {
  test(`${name}: pages of a foreign domain are refused, counted and told why; ours pass`, async (t) => {
    const server = await startIngest()
    t.after(() => server.close())
    const refused = await send(server.port, path, { body, headers: { ...more, ...FOREIGN } })
    assert.equal(refused.status, 403)
    assert.match(String(refused.headers['x-sentry-error']), /pages of https:\/\/evil\.test may not send/)
    assert.equal(refused.headers['access-control-allow-origin'], '*')
    const passed = await send(server.port, path, { body, headers: { ...more, ...OURS } })
    assert.equal(passed.status, name === 'attachments' ? 201 : 200)
    assert.deepEqual(await server.outcomes(), [`${PROJECT}/5 default filtered:allowed_domains ×1`])
    assert.equal((await server.envelopes()).length, 1)
  })
}

test('an Origin that is no address, however long, names no page', async (t) => {
  const server = await startIngest()
  t.after(() => server.close())
  for (const host of ['H'.repeat(16_385), 'a'.repeat(20_000), '[', '%'])
    for (const name of ['origin', 'referer']) {
      const { status } = await send(server.port, endpoint('envelope'), {
        body: ENVELOPE,
        headers: { [name]: `https://${host}/` },
      })
      assert.equal(status, host.startsWith('a') ? 403 : 200, `${name} ${host.slice(0, 8)}`)
    }
})

test('who names no page is let in; Referer counts when Origin says nothing', async (t) => {
  const server = await startIngest()
  t.after(() => server.close())
  const status = async (headers: Readonly<Record<string, string>>, path = endpoint('envelope')) =>
    (await send(server.port, path, { body: ENVELOPE, headers })).status
  assert.equal(await status({}), 200)
  assert.equal(await status({ origin: 'null' }), 200)
  assert.equal(await status({ referer: 'https://shop.example/cart' }), 200)
  assert.equal(await status({ referer: 'https://evil.test/cart' }), 403)
  assert.equal(await status({ origin: 'null', referer: 'https://evil.test/' }), 403)
  assert.equal(await status(FOREIGN, `/api/${PROJECT}/envelope/?sentry_key=${KEY}`), 200)
})

test('browsers may still ask first: a preflight is answered for every origin', async (t) => {
  const server = await startIngest()
  t.after(() => server.close())
  const asked = await send(server.port, endpoint('envelope'), { method: 'OPTIONS', headers: FOREIGN })
  assert.equal(asked.status, 204)
})
