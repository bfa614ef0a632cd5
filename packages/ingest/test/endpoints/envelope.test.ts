import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { DISABLED_KEY, KEY, OTHER_PROJECT_KEY, PROJECT, UNKNOWN_KEY } from '../support/keys.ts'
import { ENVELOPE_PATH, EVENT_ID, eventEnvelope, send, type SendOptions } from '../support/send.ts'
import { type Running, startIngest } from '../support/start-ingest.ts'

let server: Running

const PATH = `/api/${PROJECT}/envelope/`
const BODY = eventEnvelope()
const ID = `{"id":"${EVENT_ID}"}`
const basic = (name: string): string => `Basic ${Buffer.from(`${name}:x`).toString('base64')}`
const dsn = (key: string, project: number): string => `https://${key}:@elsewhere.example/sentry/${project}`
const withDsn = (value: string): string => eventEnvelope({ event_id: EVENT_ID, dsn: value })

type Row = readonly [
  name: string,
  path: string,
  options: SendOptions,
  status: number,
  answer: string | RegExp,
]
const TABLE: readonly Row[] = [
  ['the key in the query', ENVELOPE_PATH, { body: BODY }, 200, ID],
  [
    'the key in X-Sentry-Auth',
    PATH,
    { body: BODY, headers: { 'X-Sentry-Auth': `Sentry sentry_key=${KEY}, sentry_version=7` } },
    200,
    ID,
  ],
  [
    'the key in Authorization',
    PATH,
    { body: BODY, headers: { Authorization: `Sentry sentry_key=${KEY}` } },
    200,
    ID,
  ],
  ['the key in Basic authorization', PATH, { body: BODY, headers: { Authorization: basic(KEY) } }, 200, ID],
  ['the key in the dsn of the envelope only', PATH, { body: withDsn(dsn(KEY, PROJECT)) }, 200, ID],
  ['a dsn with another host beside the key', ENVELOPE_PATH, { body: withDsn(dsn(KEY, PROJECT)) }, 200, ID],
  ['doubled and missing slashes', `//api/${PROJECT}//envelope?sentry_key=${KEY}`, { body: BODY }, 200, ID],
  [
    'an id with hyphens and capitals',
    ENVELOPE_PATH,
    { body: eventEnvelope({ event_id: '9EC79C33-EC99-42AB-8353-589FCB2E04DC' }) },
    200,
    ID,
  ],
  ['no id for an event', ENVELOPE_PATH, { body: eventEnvelope({}) }, 200, /^\{"id":"[0-9a-f]{32}"\}$/],
  [
    'an id that is none',
    ENVELOPE_PATH,
    { body: eventEnvelope({ event_id: 'nope' }) },
    200,
    /^\{"id":"[0-9a-f]{32}"\}$/,
  ],
  ['items that need no id', ENVELOPE_PATH, { body: '{}\n{"type":"session"}\n{}\n' }, 200, '{}'],
  ['no items', ENVELOPE_PATH, { body: `{"event_id":"${EVENT_ID}"}\n` }, 200, ID],
  ['only a header without an id', ENVELOPE_PATH, { body: '{}' }, 200, '{}'],
  ['an unknown item type', ENVELOPE_PATH, { body: '{}\n{"type":"of_tomorrow"}\n{}\n' }, 200, '{}'],
  ['no content type', ENVELOPE_PATH, { body: BODY }, 200, ID],
  ['a wrong content type', ENVELOPE_PATH, { body: BODY, headers: { 'Content-Type': 'image/png' } }, 200, ID],
  [
    'a form content type',
    ENVELOPE_PATH,
    { body: BODY, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
    200,
    ID,
  ],

  ['no key at all', PATH, { body: BODY }, 401, /missing authorization/],
  [
    'two keys',
    ENVELOPE_PATH,
    { body: BODY, headers: { 'X-Sentry-Auth': `Sentry sentry_key=${KEY}` } },
    401,
    /multiple authorization/,
  ],
  [
    'a header without the scheme',
    PATH,
    { body: BODY, headers: { 'X-Sentry-Auth': `sentry_key=${KEY}` } },
    401,
    /does not start with/,
  ],
  ['a key that is no key', `${PATH}?sentry_key=abc`, { body: BODY }, 400, /32 hex/],
  ['a version of the future', ENVELOPE_PATH.replace('=7', '=8'), { body: BODY }, 400, /sentry_version/],
  ['a project that is no number', `/api/shop/envelope/?sentry_key=${KEY}`, { body: BODY }, 400, /project id/],
  ['an unknown key', `${PATH}?sentry_key=${UNKNOWN_KEY}`, { body: BODY }, 403, /no project has this key/],
  [
    'an unknown key in the dsn',
    PATH,
    { body: withDsn(dsn(UNKNOWN_KEY, PROJECT)) },
    403,
    /no project has this key/,
  ],
  ['a disabled key', `${PATH}?sentry_key=${DISABLED_KEY}`, { body: BODY }, 403, /disabled/],
  [
    'a key of another project',
    `${PATH}?sentry_key=${OTHER_PROJECT_KEY}`,
    { body: BODY },
    403,
    /does not belong to project 42/,
  ],
  [
    'an unknown project',
    `/api/4711/envelope/?sentry_key=${KEY}`,
    { body: BODY },
    403,
    /does not belong to project 4711/,
  ],
  [
    'a project number beyond all numbers',
    `/api/99999999999999999999/envelope/?sentry_key=${KEY}`,
    { body: BODY },
    403,
    /does not belong/,
  ],
  [
    'a dsn of another project than the path',
    PATH,
    { body: withDsn(dsn(OTHER_PROJECT_KEY, 99)) },
    400,
    /another project/,
  ],
  [
    'a dsn with another key than the query',
    ENVELOPE_PATH,
    { body: withDsn(dsn(OTHER_PROJECT_KEY, PROJECT)) },
    400,
    /another public key/,
  ],
  [
    'a dsn with another project than the query',
    ENVELOPE_PATH,
    { body: withDsn(dsn(KEY, 99)) },
    400,
    /another project/,
  ],
  ['an empty body', ENVELOPE_PATH, {}, 400, /empty/],
  ['no envelope', ENVELOPE_PATH, { body: 'hello' }, 400, /not JSON/],
  ['GET', ENVELOPE_PATH, { method: 'GET' }, 405, /use POST/],
  ['PUT', ENVELOPE_PATH, { method: 'PUT', body: BODY }, 405, /use POST/],
]

describe('envelope door', () => {
  before(async () => {
    server = await startIngest()
  })

  after(() => server.close())

  for (const [name, path, options, status, expected] of TABLE) {
    test(`R3: ${name}: ${status}`, async () => {
      const sent = await send(server.port, path, options)
      assert.equal(sent.status, status, sent.body)
      assert.equal(sent.headers['access-control-allow-origin'], '*')
      assert.match(String(sent.headers['access-control-expose-headers']), /x-sentry-rate-limits/)
      assert.equal(sent.headers['content-type'], 'application/json')
      if (typeof expected === 'string') assert.equal(sent.body, expected)
      else assert.match(sent.body, expected)
      if (status === 200) return
      const { detail, causes } = JSON.parse(sent.body)
      assert.equal(sent.headers['x-sentry-error'], detail)
      assert.ok(Array.isArray(causes))
    })
  }

  test('what the log holds is the body as it came, with who sent it', async (t) => {
    const own = await startIngest({ trustProxy: 1 })
    t.after(() => own.close())
    const headers = { 'User-Agent': 'sentry-tests/1', 'X-Forwarded-For': '6.6.6.6, 203.0.113.9' }
    const beforeMs = Date.now()
    const path = `${ENVELOPE_PATH}&sentry_client=tests%2F1.0`
    const sent = await send(own.port, path, { body: BODY, headers })
    const [stored, ...more] = await own.envelopes()
    assert.equal(sent.status, 200)
    assert.equal(more.length, 0)
    assert.equal(stored?.body.toString(), BODY)
    const { receivedMs, ...meta } = stored.meta
    assert.ok(receivedMs >= beforeMs && receivedMs <= Date.now())
    assert.deepEqual(meta, {
      v: 1,
      kind: 'envelope',
      projectId: PROJECT,
      keyId: 1,
      eventId: EVENT_ID,
      clientIp: '203.0.113.9',
      userAgent: 'sentry-tests/1',
      client: 'tests/1.0',
    })
  })

  test('an id that only the payload names is the one in the answer and in the log', async (t) => {
    const server = await startIngest()
    t.after(() => server.close())
    const sent = await send(server.port, ENVELOPE_PATH, { body: eventEnvelope({}, { event_id: EVENT_ID }) })
    assert.equal(sent.body, `{"id":"${EVENT_ID}"}`)
    assert.equal((await server.envelopes()).at(-1)?.meta.eventId, EVENT_ID)
  })

  test('a made-up id in the answer is the one in the log', async (t) => {
    const own = await startIngest()
    t.after(() => own.close())
    const sent = await send(own.port, ENVELOPE_PATH, { body: eventEnvelope({}) })
    const [stored] = await own.envelopes()
    assert.equal(JSON.parse(sent.body).id, stored?.meta.eventId)
  })

  test('every refusal is counted, for the project once its key is known', async (t) => {
    const own = await startIngest()
    t.after(() => own.close())
    for (const [, path, options, status] of TABLE) if (status !== 200) await send(own.port, path, options)
    const outcomes = await own.outcomes()
    assert.deepEqual(outcomes, [
      '0/0 default invalid:bad_auth ×4',
      '0/0 default invalid:bad_project_id ×1',
      '0/0 default invalid:dsn_mismatch ×1',
      '0/0 default invalid:missing_auth ×1',
      '0/0 default invalid:unknown_key ×2',
      '42/1 default invalid:bad_envelope ×2',
      '42/1 default invalid:dsn_mismatch ×2',
      '42/1 default invalid:wrong_project ×2',
      '42/3 default invalid:key_disabled ×1',
      '99/2 default invalid:wrong_project ×1',
    ])
  })

  test('a preflight needs no key and allows what it asks for', async () => {
    for (const path of [
      PATH,
      `/api/${PROJECT}/store/`,
      '/api/store/',
      '/monitoring',
      `/api/${PROJECT}/security/`,
      `/api/${PROJECT}/cron/x/`,
    ]) {
      const headers = {
        Origin: 'https://shop.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-custom',
      }
      const sent = await send(server.port, path, { method: 'OPTIONS', headers })
      assert.equal(sent.status, 204)
      assert.equal(sent.headers['access-control-allow-origin'], '*')
      assert.equal(sent.headers['x-content-type-options'], 'nosniff')
      assert.equal(sent.headers['access-control-max-age'], '3600')
      assert.match(String(sent.headers['access-control-allow-methods']), /POST/)
      for (const name of ['x-sentry-auth', 'content-encoding', 'authorization', 'x-custom'])
        assert.match(String(sent.headers['access-control-allow-headers']), new RegExp(`\\b${name}\\b`))
    }
  })

  test('what is no ingest path is left to others', async () => {
    for (const path of ['/', '/api/0/projects/', '/issues', '/monitoring/x'])
      assert.equal((await send(server.port, path)).status, 418)
  })
})
