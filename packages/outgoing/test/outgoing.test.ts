/** Requests to servers on this machine, which the guard has to be told of: what it refuses never reaches them. */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { ANSWER_MAX_BYTES, createOutgoing, OutgoingError, type OutgoingFailure } from '../src/index.ts'

type Lookup = NonNullable<Parameters<typeof createOutgoing>[0]['lookup']>

async function serve(t: TestContext, answer: RequestListener) {
  const seen: IncomingMessage[] = []
  const server = createServer((req, res) => {
    seen.push(req)
    answer(req, res)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => void (server.closeAllConnections(), server.close()))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port, seen }
}

function outgoing(t: TestContext, allowed: readonly string[], lookup?: Lookup) {
  const made = createOutgoing({ allowed, userAgent: 'Sonde/test', ...(lookup && { lookup }) })
  t.after(() => made.close())
  return made
}

const failsWith = (failure: OutgoingFailure) => (error: unknown) =>
  error instanceof OutgoingError && error.failure === failure

/** A resolver that gives each answer once, the last one for ever. */
const resolving = (...answers: readonly string[]): Lookup => {
  let at = 0
  return ((_name: string, _options: unknown, callback: (error: null, all: unknown) => void) => {
    const address = answers[Math.min(at++, answers.length - 1)] ?? ''
    callback(null, [{ address, family: address.includes(':') ? 6 : 4 }])
  }) as unknown as Lookup
}

describe('requests to places that people typed in', () => {
  it('sends what it was told and reads the answer', async (t) => {
    const { url, seen } = await serve(t, (_, res) => res.writeHead(202, { 'x-id': 'a' }).end('taken'))
    const answer = await outgoing(t, ['127.0.0.0/8']).request({
      url: url.replace('http://', 'http://user:p%40ss@') + '/hook?x=1',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    assert.deepEqual(
      [answer.status, answer.body, answer.isWhole, answer.headers['x-id']],
      [202, 'taken', true, 'a'],
    )
    const [got] = seen
    assert.deepEqual([got?.method, got?.url, got?.headers['user-agent']], ['POST', '/hook?x=1', 'Sonde/test'])
    assert.equal(got?.headers.authorization, `Basic ${Buffer.from('user:p@ss').toString('base64')}`)
  })

  it('refuses addresses of this machine and its networks, in every notation', async (t) => {
    const { port, seen } = await serve(t, (_, res) => res.end())
    const guarded = outgoing(t, [])
    const hosts = [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f.0.0.1',
      '0.0.0.0',
      '10.0.0.1',
      '100.64.0.1',
      '169.254.169.254',
      '172.16.0.1',
      '192.168.1.1',
      '192.0.2.1',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '[::]',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      '[fe80::1]',
      '[fd00:ec2::254]',
      '[ff02::1]',
    ]
    for (const host of hosts)
      await assert.rejects(
        guarded.request({ url: `http://${host}:${port}/`, method: 'GET' }),
        failsWith('refused'),
        host,
      )
    assert.equal(seen.length, 0)
  })

  it('judges a name by what it resolves to when the socket is opened', async (t) => {
    const { port, seen } = await serve(t, (_, res) => res.setHeader('connection', 'close').end())
    const lookup = resolving('127.0.0.1', '169.254.169.254')
    const guarded = outgoing(t, ['127.0.0.1'], lookup)
    const url = `http://rebinding.example:${port}/`
    assert.equal((await guarded.request({ url, method: 'GET' })).status, 200)
    await assert.rejects(guarded.request({ url, method: 'GET' }), failsWith('refused'))
    assert.equal(seen.length, 1)
    assert.equal(seen[0]?.headers.host, `rebinding.example:${port}`)
  })

  it('does not follow a redirect', async (t) => {
    const inside = await serve(t, (_, res) => res.end('secret'))
    const { url } = await serve(t, (_, res) => res.writeHead(302, { location: inside.url }).end())
    const answer = await outgoing(t, ['127.0.0.0/8']).request({ url, method: 'GET' })
    assert.equal(answer.status, 302)
    assert.equal(inside.seen.length, 0)
  })

  it('bounds what it reads, and how long it waits', async (t) => {
    const endless = await serve(t, (_, res) => {
      const more = (): void =>
        void (res.write('x'.repeat(10_000)) ? setImmediate(more) : res.once('drain', more))
      more()
    })
    const silent = await serve(t, () => undefined)
    const slow = await serve(t, (_, res) => void res.write('x'))
    const allowed = outgoing(t, ['127.0.0.0/8'])
    const answer = await allowed.request({ url: endless.url, method: 'GET' })
    assert.deepEqual([answer.body.length, answer.isWhole], [ANSWER_MAX_BYTES, false])
    for (const { url } of [silent, slow])
      await assert.rejects(allowed.request({ url, method: 'GET', timeoutMs: 100 }), failsWith('timeout'))
  })

  it('says why there is no answer', async (t) => {
    const { url, port } = await serve(t, (_, res) => res.end())
    const allowed = outgoing(t, ['127.0.0.0/8'])
    const secure = url.replace('http:', 'https:')
    await assert.rejects(allowed.request({ url: secure, method: 'GET' }), failsWith('tls'))
    for (const wrong of [
      'ftp://example.com/',
      'no address',
      `http://${'x'.repeat(3_000)}/`,
      'file:///etc/passwd',
    ])
      await assert.rejects(allowed.request({ url: wrong, method: 'GET' }), failsWith('address'))
    const unknown = outgoing(t, [], ((_: string, __: unknown, callback: (error: Error) => void) =>
      callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }))) as unknown as Lookup)
    await assert.rejects(
      unknown.request({ url: `http://no.example:${port}/`, method: 'GET' }),
      failsWith('name'),
    )
  })

  it('gives an answer as it comes, bounded, and ends the connection with its reader', async (t) => {
    const closed: true[] = []
    const { url } = await serve(t, (_, res) => {
      res.on('close', () => closed.push(true))
      res.write('first')
      const more = (): void => void (res.destroyed || res.write('x'.repeat(1_000), () => setImmediate(more)))
      setTimeout(more, 20)
    })
    const allowed = outgoing(t, ['127.0.0.0/8'])
    const live = new AbortController().signal
    const { status, chunks } = await allowed.stream({ url, method: 'GET', maxBytes: 3_000 }, live)
    const parts: string[] = []
    for await (const part of chunks) parts.push(Buffer.from(part).toString())
    assert.deepEqual([status, parts[0], parts.join('').length], [200, 'first', 3_000])

    const ending = new AbortController()
    const ended = await allowed.stream({ url, method: 'GET' }, ending.signal)
    await assert.rejects(async () => {
      for await (const part of ended.chunks) if (part.length > 0) ending.abort()
    })
    for (let tries = 0; closed.length < 2 && tries < 100; tries++)
      await new Promise((resolve) => setTimeout(resolve, 10))
    assert.equal(closed.length, 2)
    await assert.rejects(outgoing(t, []).stream({ url, method: 'GET' }, live), failsWith('refused'))
    const silent = await serve(t, (_, res) => void res.write('x'))
    const slow = await allowed.stream({ url: silent.url, method: 'GET', timeoutMs: 100 }, live)
    await assert.rejects(async () => {
      for await (const part of slow.chunks) assert.equal(part.length, 1)
    }, failsWith('timeout'))
  })
})
