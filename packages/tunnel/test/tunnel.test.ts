import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createTunnel, type TunnelOptions } from '@sonde/tunnel'
import { type RecordingServer, startRecordingServer } from './recording-server.ts'

const KEY = '0123456789abcdef0123456789abcdef'
let server: RecordingServer

const dsnOf = (base: string, project = '7'): string => base.replace('://', `://${KEY}@`) + `/${project}`
const envelope = (dsn: string, rest = '{"type":"event"}\n{}'): string => `${JSON.stringify({ dsn })}\n${rest}`
const tunnelTo = (options: Partial<TunnelOptions> = {}) => createTunnel({ to: [server.url], ...options })
const post = (body: BodyInit, headers: Record<string, string> = {}, init: RequestInit = {}): Request =>
  new Request('https://shop.example/monitoring', {
    method: 'POST',
    body,
    headers,
    ...init,
    duplex: 'half',
  } as RequestInit)

describe('tunnel', () => {
  before(async () => {
    server = await startRecordingServer()
  })

  after(() => server.close())

  beforeEach(() => {
    server.requests.length = 0
    server.say({})
  })

  describe('an envelope', () => {
    test('arrives byte by byte as it was sent, under the project and key of its DSN', async () => {
      const bytes = Buffer.concat([
        Buffer.from(envelope(dsnOf(server.url), '')),
        Buffer.from([0, 255, 10, 13, 200, 0]),
      ])
      const answer = await tunnelTo()(post(bytes, { 'content-type': 'text/plain;charset=UTF-8' }))
      assert.equal(answer.status, 200)
      assert.equal(await answer.text(), '{"id":"00"}')
      const [request] = server.requests
      assert.equal(request?.url, `/api/7/envelope/?sentry_version=7&sentry_key=${KEY}`)
      assert.deepEqual(request?.body, bytes)
    })

    test('brings neither cookies nor tokens of the site along, but the browser and the site that sent it', async () => {
      const headers = {
        cookie: 'session=secret',
        authorization: 'Bearer secret',
        'x-sentry-auth': 'Sentry x=y',
      }
      await tunnelTo()(
        post(envelope(dsnOf(server.url)), {
          ...headers,
          'user-agent': 'Firefox',
          origin: 'https://shop.example',
        }),
      )
      const got = server.requests[0]?.headers ?? {}
      assert.deepEqual([got['user-agent'], got.origin], ['Firefox', 'https://shop.example'])
      assert.deepEqual(
        [got.cookie, got.authorization, got['x-sentry-auth'], got['x-forwarded-for']],
        Array(4).fill(undefined),
      )
    })

    test('of a server under a path, and of one that is reached under another address', async () => {
      const under = createTunnel({ to: [`${server.url}/errors/`] })
      assert.equal((await under(post(envelope(dsnOf(`${server.url}/errors`))))).status, 200)
      const inner = createTunnel({ to: [{ to: 'https://SONDE.example:443/', via: server.url }] })
      assert.equal((await inner(post(envelope(`https://${KEY}@sonde.example/3`)))).status, 200)
      assert.deepEqual(
        server.requests.map(({ url }) => url?.split('?')[0]),
        ['/errors/api/7/envelope/', '/api/3/envelope/'],
      )
    })
  })

  describe('the client address', () => {
    const address = { clientAddress: '203.0.113.9' }
    const forwardedFor = async (options: Partial<TunnelOptions>, headers: Record<string, string> = {}) => {
      await tunnelTo(options)(post(envelope(dsnOf(server.url)), headers), address)
      return server.requests.at(-1)?.headers['x-forwarded-for']
    }

    test('stays here unless it is asked for', async () => {
      assert.equal(await forwardedFor({}, { 'x-forwarded-for': '198.51.100.1' }), undefined)
      assert.equal(
        await forwardedFor({ forwardClientAddress: true }, { 'x-forwarded-for': '198.51.100.1' }),
        '203.0.113.9',
      )
    })

    test('is what the site says it is, when that is an address at all', async () => {
      const forwardClientAddress = (request: Request) => request.headers.get('cf-connecting-ip')
      assert.equal(
        await forwardedFor({ forwardClientAddress }, { 'cf-connecting-ip': '2001:db8::1' }),
        '2001:db8::1',
      )
      assert.equal(await forwardedFor({ forwardClientAddress }, { 'cf-connecting-ip': 'a, b' }), undefined)
    })
  })

  describe('the answer', () => {
    test('keeps status and limits, so that the page holds back', async () => {
      const headers = {
        'x-sentry-rate-limits': '30:error:key',
        'retry-after': '30',
        'set-cookie': 'a=b',
        server: 'x',
      }
      server.say({ status: 429, headers, body: '{"detail":"over quota"}' })
      const answer = await tunnelTo()(post(envelope(dsnOf(server.url))))
      assert.equal(answer.status, 429)
      assert.equal(answer.headers.get('x-sentry-rate-limits'), '30:error:key')
      assert.equal(answer.headers.get('retry-after'), '30')
      assert.equal(answer.headers.get('set-cookie'), null)
      assert.equal(await answer.text(), '{"detail":"over quota"}')
    })

    test('of another server never becomes a page here', async () => {
      server.say({ headers: { 'content-type': 'text/html' }, body: '<script>alert(1)</script>' })
      const answer = await tunnelTo()(post(envelope(dsnOf(server.url))))
      assert.equal(answer.headers.get('content-type'), 'application/json')
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    })

    test('that goes on and on is not passed on', async () => {
      server.say({ body: 'x'.repeat(100_000) })
      assert.equal(await (await tunnelTo()(post(envelope(dsnOf(server.url))))).text(), '{}')
    })

    test('that points elsewhere is not followed', async () => {
      for (const status of [301, 302, 303, 307, 308]) {
        server.say({ status, headers: { location: `${server.url}/elsewhere` } })
        assert.equal((await tunnelTo()(post(envelope(dsnOf(server.url))))).status, 502)
      }
      assert.equal(server.requests.length, 5)
    })
  })

  describe('refused before any connection is made', () => {
    const cases: readonly (readonly [
      what: string,
      status: number,
      request: () => Request,
      Partial<TunnelOptions>?,
    ])[] = [
      ['another server', 403, () => post(envelope(`http://${KEY}@169.254.169.254/1`))],
      ['another port of the server', 403, () => post(envelope(`http://${KEY}@127.0.0.1:1/1`))],
      ['another path of the server', 403, () => post(envelope(dsnOf(`${server.url}/admin`)))],
      [
        'a server that only looks alike',
        403,
        () => post(envelope(dsnOf(server.url.replace('127.0.0.1', '127.0.0.1.evil.example')))),
      ],
      [
        'a DSN whose secret holds the host',
        400,
        () => post(envelope(`http://${KEY}:x@${server.url.slice(7)}@evil.example/1`)),
      ],
      ['a DSN with a path that climbs', 403, () => post(envelope(dsnOf(`${server.url}/../..`)))],
      ['no DSN', 400, () => post('{}\n{"type":"event"}\n{}')],
      ['no envelope', 400, () => post('hello')],
      ['no body', 400, () => new Request('https://shop.example/monitoring', { method: 'POST' })],
      ['a header line without end', 400, () => post(`{"dsn":"${'x'.repeat(100_000)}`)],
      ['GET', 405, () => new Request('https://shop.example/monitoring')],
      ['PUT', 405, () => post(envelope(dsnOf(server.url)), {}, { method: 'PUT' })],
      [
        'another path',
        404,
        () =>
          new Request('https://shop.example/other', { method: 'POST', body: envelope(dsnOf(server.url)) }),
        { path: '/monitoring' },
      ],
      [
        'a form',
        415,
        () => post(envelope(dsnOf(server.url)), { 'content-type': 'multipart/form-data; boundary=x' }),
      ],
      ['a packed body', 415, () => post(envelope(dsnOf(server.url)), { 'content-encoding': 'gzip' })],
      [
        'an announced length over the bound',
        413,
        () => post(envelope(dsnOf(server.url)), { 'content-length': '5000' }),
        { maxBytes: 4_000 },
      ],
    ]
    for (const [what, status, request, options] of cases) {
      test(`${what}: ${status}`, async () => {
        const answer = await tunnelTo(options)(request())
        assert.equal(answer.status, status)
        assert.ok(((await answer.json()) as { detail: string }).detail.length > 5)
        assert.equal(server.requests.length, 0)
      })
    }

    test('another project or key, when only a DSN is allowed', async () => {
      const tunnel = createTunnel({ to: [dsnOf(server.url, '7')] })
      assert.equal((await tunnel(post(envelope(dsnOf(server.url, '8'))))).status, 403)
      assert.equal((await tunnel(post(envelope(dsnOf(server.url).replace(KEY, 'f'.repeat(32)))))).status, 403)
      assert.equal((await tunnel(post(envelope(dsnOf(server.url, '7'))))).status, 200)
      assert.equal(server.requests.length, 1)
    })
  })

  describe('a body', () => {
    const line = (): Uint8Array => new TextEncoder().encode(envelope(dsnOf(server.url)))

    test('that grows over the bound is stopped while it comes', async () => {
      let sent = 0
      const endless = new ReadableStream<Uint8Array>({
        pull(controller) {
          controller.enqueue(sent === 0 ? line() : new Uint8Array(1_000))
          sent++
        },
      })
      const answer = await tunnelTo({ maxBytes: 10_000 })(post(endless))
      assert.equal(answer.status, 413)
      assert.ok(sent < 20, `${sent} chunks were read`)
      assert.equal(server.requests.length, 0)
    })

    test('for another server is not read to its end', async () => {
      let pulls = 0
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          pulls++
          controller.enqueue(new TextEncoder().encode(envelope(`http://${KEY}@elsewhere.example/1`)))
        },
      })
      assert.equal((await tunnelTo()(post(body))).status, 403)
      assert.ok(pulls < 4, `${pulls} chunks were read`)
    })

    test('waits for no other one beyond what may lie in memory, and gives its room back', async () => {
      const tunnel = tunnelTo({ maxBufferedBytes: line().byteLength })
      server.say('never')
      const leave = new AbortController()
      const first = tunnel(post(envelope(dsnOf(server.url)), {}, { signal: leave.signal }))
      while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      const second = await tunnel(post(envelope(dsnOf(server.url))))
      assert.deepEqual([second.status, second.headers.get('retry-after')], [503, '5'])
      leave.abort()
      assert.equal((await first).status, 499)
      server.say({})
      assert.equal((await tunnel(post(envelope(dsnOf(server.url))))).status, 200)
    })
  })

  test('a server that never answers is given up in time', async () => {
    server.say('never')
    const answer = await tunnelTo({ timeoutMs: 150 })(post(envelope(dsnOf(server.url))))
    assert.equal(answer.status, 504)
  })

  test('a body that never ends is given up in time', async () => {
    const stalled = new ReadableStream<Uint8Array>({
      start: (c) => c.enqueue(new TextEncoder().encode('{"dsn"')),
    })
    assert.equal((await tunnelTo({ timeoutMs: 150 })(post(stalled))).status, 504)
  })

  test('a server that is away is said to be away, without its address', async () => {
    const gone = await startRecordingServer()
    await gone.close()
    const answer = await createTunnel({ to: [{ to: 'https://sonde.example', via: gone.url }] })(
      post(envelope(`https://${KEY}@sonde.example/1`)),
    )
    assert.equal(answer.status, 502)
    assert.doesNotMatch(await answer.text(), /127\.0\.0\.1/)
  })

  test('what is no server is refused when the tunnel is made', () => {
    for (const to of [
      [],
      ['sonde.example'],
      ['ftp://sonde.example'],
      ['https://sonde.example/?x=1'],
      ['https://user@sonde.example/'],
    ])
      assert.throws(() => createTunnel({ to }), TypeError)
    assert.throws(() => createTunnel({ to: [{ to: 'https://sonde.example', via: 'inner' }] }), TypeError)
  })
})
