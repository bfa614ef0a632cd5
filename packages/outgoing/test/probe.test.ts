/** Checks of real servers on this machine: slow ones, redirecting ones, endless ones, and such with certificates of all kinds. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { createOutgoing, type ProbeRequest } from '../src/index.ts'

type Lookup = NonNullable<Parameters<typeof createOutgoing>[0]['lookup']>
type Certificate = { readonly key: string; readonly cert: string }

const SHOP: Lookup = ((_name: string, _options: unknown, callback: (error: null, all: unknown) => void) =>
  callback(null, [{ address: '127.0.0.1', family: 4 }])) as unknown as Lookup
const DAY_MS = 86_400_000

describe('checks of addresses', () => {
  let dir = ''
  let good: Certificate = { key: '', cert: '' }
  let ended: Certificate = good
  let other: Certificate = good
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'sonde-probe-'))
    const run = promisify(execFile)
    const make = async (name: string, host: string, days: number): Promise<Certificate> => {
      const [key, request, cert] = ['key', 'csr', 'crt'].map((end) => join(dir, `${name}.${end}`)) as [
        string,
        string,
        string,
      ]
      const about = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`, '-nodes']
      const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
      await run('openssl', ['req', '-new', ...kind, ...about, '-keyout', key, '-out', request])
      const signed = ['-copy_extensions', 'copy', '-days', String(days), '-out', cert]
      await run('openssl', ['x509', '-req', '-in', request, '-signkey', key, ...signed])
      return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') }
    }
    good = await make('good', 'shop.example', 9)
    ended = await make('ended', 'shop.example', -1)
    other = await make('other', 'other.example', 90)
  })
  after(() => rm(dir, { recursive: true, force: true }))

  async function serve(t: TestContext, answer: RequestListener, tls?: Certificate) {
    const seen: IncomingMessage[] = []
    const listener: RequestListener = (req, res) => {
      seen.push(req)
      answer(req, res)
    }
    const server = tls ? createTlsServer(tls, listener) : createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.after(() => void (server.closeAllConnections(), server.close()))
    const { port } = server.address() as AddressInfo
    return { url: `${tls ? 'https' : 'http'}://shop.example:${port}/`, port, seen }
  }

  function probe(
    t: TestContext,
    request: Partial<ProbeRequest> & { readonly url: string },
    { allowed = ['127.0.0.0/8'], lookup = SHOP }: { allowed?: readonly string[]; lookup?: Lookup } = {},
  ) {
    const ca = [good, ended, other].map(({ cert }) => cert).join('\n')
    const outgoing = createOutgoing({ allowed, userAgent: 'Sonde/test', lookup, ca })
    t.after(() => outgoing.close())
    return outgoing.probe({ method: 'GET', timeoutMs: 5_000, maxRedirects: 5, maxBytes: 65_536, ...request })
  }

  it('tells status, body and how long each phase took', async (t) => {
    const { url, seen } = await serve(t, (_, res) => setTimeout(() => res.end('fine'), 60))
    const result = await probe(t, { url, method: 'POST', body: 'a=ü', headers: { 'X-Key': 'k' } })
    assert.equal(result.failure, undefined)
    assert.deepEqual([result.status, result.body, result.bytes, result.isWhole], [200, 'fine', 4, true])
    assert.equal(result.address, '127.0.0.1')
    const { dnsMs, connectMs, tlsMs, firstByteMs, downloadMs, totalMs } = result.timings
    assert.ok(firstByteMs >= 55, String(firstByteMs))
    assert.equal(tlsMs, 0)
    assert.ok(dnsMs + connectMs + firstByteMs + downloadMs <= totalMs)
    const [got] = seen
    assert.deepEqual(
      [got?.method, got?.headers['x-key'], got?.headers['content-length'], got?.headers['accept-encoding']],
      ['POST', 'k', '4', 'identity'],
    )
  })

  it('reads a certificate, and refuses one that expired or is of another name before it sends anything', async (t) => {
    const fine = await serve(t, (_, res) => res.end('fine'), good)
    const result = await probe(t, { url: fine.url })
    assert.deepEqual([result.failure, result.status], [undefined, 200])
    assert.ok(result.timings.tlsMs > 0)
    assert.ok(Math.abs((result.certificateUntilMs ?? 0) - Date.now() - 9 * DAY_MS) < 60_000)

    const late = await serve(t, (_, res) => res.end('fine'), ended)
    const expired = await probe(t, { url: late.url, headers: { authorization: 'secret' } })
    assert.equal(expired.failure?.kind, 'tls')
    assert.match(expired.failure?.text ?? '', /expired at 20/)
    assert.ok((expired.certificateUntilMs ?? Infinity) < Date.now())
    assert.equal(late.seen.length, 0)

    const wrong = await serve(t, (_, res) => res.end('fine'), other)
    assert.equal((await probe(t, { url: wrong.url })).failure?.kind, 'tls')
    assert.equal(wrong.seen.length, 0)
  })

  it('follows redirects to a bound, and another origin gets no header of the monitor', async (t) => {
    const target = await serve(t, (_, res) => res.end('there'))
    const { url, seen } = await serve(t, (req, res) => {
      if (req.url === '/loop') res.writeHead(302, { location: '/loop' }).end()
      else if (req.url === '/own') res.writeHead(307, { location: '/away' }).end()
      else if (req.url === '/file') res.writeHead(301, { location: 'file:///etc/passwd' }).end()
      else res.writeHead(303, { location: target.url }).end('x'.repeat(100))
    })
    const away = await probe(t, { url: `${url}own`, method: 'POST', body: 'b', headers: { 'x-key': 'k' } })
    assert.deepEqual([away.status, away.body, away.redirects], [200, 'there', 2])
    assert.deepEqual(
      seen.map(({ method, headers }) => [method, headers['x-key']]),
      [
        ['POST', 'k'],
        ['POST', 'k'],
      ],
    )
    const [last] = target.seen
    assert.deepEqual(
      [last?.method, last?.headers['x-key'], last?.headers['user-agent']],
      ['GET', undefined, 'Sonde/test'],
    )
    const loop = await probe(t, { url: `${url}loop`, maxRedirects: 3 })
    assert.deepEqual([loop.failure?.kind, loop.redirects], ['redirects', 3])
    assert.equal((await probe(t, { url: `${url}file` })).failure?.kind, 'redirects')
    const kept = await probe(t, { url: `${url}loop`, maxRedirects: 0 })
    assert.deepEqual([kept.failure, kept.status], [undefined, 302])
  })

  it('reaches no address of this machine that the operator does not list, by name, number or redirect', async (t) => {
    const { url, port, seen } = await serve(t, (_, res) => res.end('secret'))
    for (const each of [
      url,
      `http://127.0.0.1:${port}/`,
      `http://[::1]:${port}/`,
      `http://2130706433:${port}/`,
    ]) {
      const result = await probe(t, { url: each }, { allowed: [] })
      assert.deepEqual([result.failure?.kind, result.status, result.body], ['refused', 0, ''], each)
    }
    const open = await serve(t, (_, res) =>
      res.writeHead(302, { location: `http://127.0.0.2:${port}/` }).end(),
    )
    const led = await probe(t, { url: open.url }, { allowed: ['127.0.0.1'] })
    assert.equal(led.failure?.kind, 'refused')
    assert.equal(seen.length, 0)
  })

  it('goes to the address that was judged: a name that changes its mind gains nothing', async (t) => {
    const { url, seen } = await serve(t, (_, res) => res.end('fine'))
    let asked = 0
    const lookup = ((_name: string, _options: unknown, callback: (error: null, all: unknown) => void) =>
      callback(null, [
        { address: asked++ === 0 ? '127.0.0.1' : '127.0.0.9', family: 4 },
      ])) as unknown as Lookup
    const result = await probe(t, { url }, { allowed: ['127.0.0.1'], lookup })
    assert.deepEqual([result.status, asked, seen.length], [200, 1, 1])
  })

  it('a side that is slow at any point costs the timeout and no more', async (t) => {
    const silent = await serve(t, () => undefined)
    const dripping = await serve(t, (_, res) => {
      res.writeHead(200)
      const timer = setInterval(() => res.write('.'), 20)
      res.on('close', () => clearInterval(timer))
    })
    const tcp = createTcpServer(() => undefined)
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
    t.after(() => void tcp.close())
    const noTls = `https://shop.example:${(tcp.address() as AddressInfo).port}/`
    const noName = (() => undefined) as unknown as Lookup
    for (const [url, lookup] of [
      [silent.url, SHOP],
      [dripping.url, SHOP],
      [noTls, SHOP],
      ['http://never.example/', noName],
    ] as const) {
      const result = await probe(t, { url, timeoutMs: 200 }, { lookup })
      assert.equal(result.failure?.kind, 'timeout', `${url} ${result.failure?.text}`)
      assert.ok(result.timings.totalMs < 1_500, String(result.timings.totalMs))
    }
  })

  it('reads a body that does not end to its bound, and tells one that ends early', async (t) => {
    const endless = await serve(t, (_, res) => {
      const more = (): void => {
        while (res.write('x'.repeat(10_000)));
        res.once('drain', more)
      }
      more()
    })
    const result = await probe(t, { url: endless.url })
    assert.deepEqual([result.failure, result.bytes, result.isWhole], [undefined, 65_536, false])
    const lying = await serve(t, (_, res) => {
      res.writeHead(200, { 'content-length': '1000' })
      res.write('short')
      setTimeout(() => res.destroy(), 20)
    })
    const short = await probe(t, { url: lying.url })
    assert.deepEqual([short.failure?.kind, short.status, short.body], ['answer', 200, 'short'])
  })

  it('tells a name that is not found and a port that nobody listens on', async (t) => {
    const lookup = ((_name: string, _options: unknown, callback: (error: Error) => void) =>
      callback(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }))) as unknown as Lookup
    const name = await probe(t, { url: 'http://gone.example/' }, { lookup })
    assert.deepEqual([name.failure?.kind, name.failure?.text.includes('ENOTFOUND')], ['name', true])
    assert.equal((await probe(t, { url: 'http://shop.example:1/' })).failure?.kind, 'connection')
    const garbage = createTcpServer((socket) => void socket.end('no HTTP at all\r\n\r\n'))
    await new Promise<void>((resolve) => garbage.listen(0, '127.0.0.1', resolve))
    t.after(() => void garbage.close())
    const { port } = garbage.address() as AddressInfo
    assert.equal((await probe(t, { url: `http://shop.example:${port}/` })).failure?.kind, 'connection')
  })
})
