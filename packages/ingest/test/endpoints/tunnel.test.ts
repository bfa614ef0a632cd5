import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test, type TestContext } from 'node:test'
import { createRegionRelay } from '../../src/endpoints/region-relay.ts'
import { DEFAULT_LIMITS } from '../../src/index.ts'
import { DISABLED_KEY, KEY, OTHER_PROJECT_KEY, PROJECT, UNKNOWN_KEY } from '../support/keys.ts'
import { EVENT_ID, eventEnvelope, send } from '../support/send.ts'
import { type Running, type StartOptions, startIngest } from '../support/start-ingest.ts'

let server: Running

const dsn = (key = KEY, project = PROJECT, host = 'sonde.example'): string =>
  `https://${key}@${host}/${project}`
const withDsn = (value: unknown): string => eventEnvelope({ event_id: EVENT_ID, dsn: value })
const OK = `{"id":"${EVENT_ID}"}`

type Row = readonly [name: string, query: string, body: string, status: number, answer: string | RegExp]
const TABLE: readonly Row[] = [
  ['a DSN of ours', '', withDsn(dsn()), 200, OK],
  [
    'a DSN with a secret and another host',
    '',
    withDsn(`http://${KEY}:secret@127.0.0.1:1/deep/path/${PROJECT}`),
    200,
    OK,
  ],
  ['o, p and r that agree', `?o=7&p=${PROJECT}&r=us`, withDsn(dsn()), 200, OK],
  ['empty parameters', '?o=&p=&r=', withDsn(dsn()), 200, OK],
  ['another project in p', '?o=7&p=99', withDsn(dsn()), 400, /p\\" names another project/],
  ['another organization in o', `?o=8&p=${PROJECT}`, withDsn(dsn()), 400, /o\\" names another organization/],
  ['words in o and p', '?o=acme&p=shop', withDsn(dsn()), 400, /names another/],
  ['an unlisted region', '?r=de', withDsn(dsn()), 403, /region/],
  ['an unknown key', '', withDsn(dsn(UNKNOWN_KEY)), 403, /no project has this key/],
  ['a disabled key', '', withDsn(dsn(DISABLED_KEY)), 403, /disabled/],
  ['a key of another project', '', withDsn(dsn(OTHER_PROJECT_KEY)), 403, /does not belong/],
  ['no dsn', '', eventEnvelope(), 400, /no dsn/],
  ['a dsn that is none', '', withDsn('https://nowhere'), 400, /not a DSN/],
  ['a dsn that is an object', '', withDsn({ host: 'x' }), 400, /not a DSN/],
  ['a key in the dsn that is no key', '', withDsn('https://abc@host/42'), 400, /32 hex/],
  ['no envelope', '', 'hello', 400, /not JSON/],
  [
    'a broken item behind a good dsn',
    '',
    `${JSON.stringify({ dsn: dsn() })}\n{"type":"event","length":99}\n{}`,
    400,
    /99 bytes/,
  ],
]

type Seen = { url: string | undefined; headers: IncomingMessage['headers']; body: Buffer }
type Region = { port: number; seen: Seen[] }

async function startRegion(
  t: TestContext,
  reply: (res: ServerResponse, seen: Seen) => void,
): Promise<Region> {
  const seen: Seen[] = []
  const region = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const one = { url: req.url, headers: req.headers, body: Buffer.concat(chunks) }
      seen.push(one)
      reply(res, one)
    })
  })
  await new Promise<void>((resolve) => region.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    region.closeAllConnections()
    region.close()
  })
  return { port: (region.address() as AddressInfo).port, seen }
}

async function startWithRegion(t: TestContext, url: string, more: StartOptions = {}): Promise<Running> {
  const own = await startIngest({ region: 'us', regions: { de: url }, ...more })
  t.after(() => own.close())
  return own
}

describe('tunnel', () => {
  before(async () => {
    server = await startIngest({ region: 'us' })
  })

  after(() => server.close())

  for (const [name, query, body, status, expected] of TABLE) {
    test(`R1, R2: the tunnel, ${name}: ${status}`, async () => {
      const sent = await send(server.port, `/monitoring${query}`, { body })
      assert.equal(sent.status, status, sent.body)
      assert.equal(sent.headers['access-control-allow-origin'], '*')
      if (typeof expected === 'string') assert.equal(sent.body, expected)
      else assert.match(sent.body, expected)
    })
  }

  test('a listed region gets the untouched envelope, and its limits come back', async (t) => {
    const region = await startRegion(t, (res) => {
      res.writeHead(429, { 'X-Sentry-Rate-Limits': '30:error:key', 'Retry-After': '30', 'Set-Cookie': 'a=b' })
      res.end('{"detail":"limited"}')
    })
    const own = await startWithRegion(t, `http://127.0.0.1:${region.port}/base/`)
    // The DSN names a host that must not be connected to: it would fail.
    const body = Buffer.concat([
      Buffer.from(withDsn(dsn(UNKNOWN_KEY, 5, 'o9.invalid'))),
      Buffer.from([0, 255, 10]),
    ])
    const headers = { 'User-Agent': 'page/1', Origin: 'https://shop.example' }
    const sent = await send(own.port, '/monitoring?o=9&p=5&r=de', { body, headers })
    assert.equal(sent.status, 429)
    assert.equal(sent.body, '{"detail":"limited"}')
    assert.equal(sent.headers['x-sentry-rate-limits'], '30:error:key')
    assert.equal(sent.headers['retry-after'], '30')
    assert.equal(sent.headers['access-control-allow-origin'], '*')
    assert.equal(sent.headers['set-cookie'], undefined)
    assert.equal(region.seen.length, 1)
    assert.equal(region.seen[0]?.url, `/base/api/5/envelope/?sentry_version=7&sentry_key=${UNKNOWN_KEY}`)
    assert.ok(region.seen[0]?.body.equals(body))
    assert.equal(region.seen[0]?.headers['x-forwarded-for'], '127.0.0.1')
    assert.equal(region.seen[0]?.headers['user-agent'], 'page/1')
    assert.equal(region.seen[0]?.headers.origin, 'https://shop.example')
    assert.deepEqual(await own.envelopes(), [])
  })

  test('a second Sonde is a region like any other', async (t) => {
    const other = await startIngest({ region: 'de' })
    t.after(() => other.close())
    const own = await startWithRegion(t, `http://127.0.0.1:${other.port}`)
    const body = withDsn(dsn())
    const sent = await send(own.port, '/monitoring?r=de', { body })
    assert.deepEqual([sent.status, sent.body], [200, OK])
    assert.equal((await other.envelopes())[0]?.body.toString(), body)
    assert.deepEqual(await own.envelopes(), [])
  })

  test('nothing is relayed when o or p contradict the dsn', async (t) => {
    const region = await startRegion(t, (res) => res.end('{}'))
    const own = await startWithRegion(t, `http://127.0.0.1:${region.port}`)
    const body = withDsn(dsn(KEY, 5, 'o9.example'))
    for (const query of ['?p=6&r=de', '?o=8&p=5&r=de'])
      assert.equal((await send(own.port, `/monitoring${query}`, { body })).status, 400)
    assert.equal(region.seen.length, 0)
  })

  test('redirects are not followed', async (t) => {
    const trap = await startRegion(t, (res) => res.end('{}'))
    const region = await startRegion(t, (res) => {
      res.writeHead(307, { Location: `http://127.0.0.1:${trap.port}/` }).end()
    })
    const own = await startWithRegion(t, `http://127.0.0.1:${region.port}`)
    const sent = await send(own.port, '/monitoring?r=de', { body: withDsn(dsn()) })
    assert.equal(sent.status, 502)
    assert.match(sent.body, /status 307/)
    assert.equal(trap.seen.length, 0)
  })

  test('an answer without an end is 502', async (t) => {
    const region = await startRegion(t, (res) => {
      res.writeHead(200)
      res.write('x'.repeat(100_000))
    })
    const own = await startWithRegion(t, `http://127.0.0.1:${region.port}`)
    assert.equal((await send(own.port, '/monitoring?r=de', { body: withDsn(dsn()) })).status, 502)
  })

  test('a region that is silent or away is 503, and its address is not told', async (t) => {
    const silent = await startRegion(t, () => undefined)
    const more = { limits: { relayTimeoutMs: 100 } }
    const own = await startWithRegion(t, `http://127.0.0.1:${silent.port}`, more)
    const late = await send(own.port, '/monitoring?r=de', { body: withDsn(dsn()) })
    assert.deepEqual([late.status, JSON.parse(late.body).causes], [503, ['timeout']])
    assert.equal(late.headers['retry-after'], '30')

    const away = await startWithRegion(t, 'http://127.0.0.1:1', more)
    const refused = await send(away.port, '/monitoring?r=de', { body: withDsn(dsn()) })
    assert.deepEqual([refused.status, JSON.parse(refused.body).causes], [503, ['ECONNREFUSED']])
    assert.doesNotMatch(refused.body, /127\.0\.0\.1/)
    assert.deepEqual(await away.outcomes(), ['0/0 default failed:relay_failed ×1'])
  })

  test('more relays at once than allowed are 503', async (t) => {
    const held: ServerResponse[] = []
    const region = await startRegion(t, (res) => void held.push(res))
    const own = await startWithRegion(t, `http://127.0.0.1:${region.port}`, { limits: { relaysAtOnce: 1 } })
    const first = send(own.port, '/monitoring?r=de', { body: withDsn(dsn()) })
    while (held.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    assert.equal((await send(own.port, '/monitoring?r=de', { body: withDsn(dsn()) })).status, 503)
    held[0]?.end('{}')
    assert.equal((await first).status, 200)
  })

  test('a region whose URL is none stops the start', () => {
    for (const url of ['de.example', 'ftp://de.example', 'https://de.example/?a=b', ''])
      assert.throws(() => createRegionRelay({ de: url }, DEFAULT_LIMITS), { name: 'ConfigError' })
  })
})
