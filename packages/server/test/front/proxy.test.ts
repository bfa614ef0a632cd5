import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { createProxyTrust } from '@sonde/ingest'
import { listen } from '../../src/front/listen.ts'
import { frontBefore } from './front-before.ts'
import { converse } from './raw-client.ts'

/** Where much may be sent. */
const UPLOAD = '/api/0/organizations/acme/chunk-upload/'

test('a request and its answer pass through with method, path, headers and body', async (t) => {
  const { url } = await frontBefore(t, (req, res) => {
    let body = ''
    req.on('data', (chunk: Buffer) => (body += chunk.toString()))
    req.on('end', () => {
      res.writeHead(201, {
        'x-seen': [req.method, req.url, req.headers['x-ask']].join(' '),
        'set-cookie': ['a=1', 'b=2'],
      })
      res.end(body.toUpperCase())
    })
  })
  const answer = await fetch(`${url}/acme/shop?query=is%3Aunresolved`, {
    method: 'POST',
    body: 'hello',
    headers: { 'x-ask': 'yes' },
  })
  assert.equal(answer.status, 201)
  assert.equal(answer.headers.get('x-seen'), 'POST /acme/shop?query=is%3Aunresolved yes')
  assert.deepEqual(answer.headers.getSetCookie(), ['a=1', 'b=2'])
  assert.equal(await answer.text(), 'HELLO')
})

test('where a request came from is told in headers of the front alone; what a client claims is dropped', async (t) => {
  const back: RequestListener = (req, res) => {
    const claims = Object.entries(req.headers).filter(([name]) => /forwarded|real-ip|x-sonde/.test(name))
    res.end(JSON.stringify(Object.fromEntries(claims)))
  }
  const headers = {
    'x-forwarded-for': '6.6.6.6, 1.2.3.4',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'evil.example',
    forwarded: 'for=6.6.6.6',
    'x-real-ip': '6.6.6.6',
    'x-sonde-client-address': '6.6.6.6',
    'x-sonde-client-proto': 'https',
  }
  const { url: plain } = await frontBefore(t, back)
  assert.deepEqual(await (await fetch(plain, { headers })).json(), { 'x-sonde-client-address': '127.0.0.1' })
  const { url: trusting } = await frontBefore(t, back, { trust: createProxyTrust(1) })
  assert.deepEqual(await (await fetch(trusting, { headers })).json(), {
    'x-sonde-client-address': '1.2.3.4',
    'x-sonde-client-proto': 'https',
  })
  const { url: elsewhere } = await frontBefore(t, back, { trust: createProxyTrust(['10.0.0.0/8']) })
  assert.deepEqual(await (await fetch(elsewhere, { headers })).json(), {
    'x-sonde-client-address': '127.0.0.1',
  })
})

test('while the back is away, people get a page that tries again and programs get JSON', async (t) => {
  const { url } = await frontBefore(t, undefined)
  const page = await fetch(url, { headers: { accept: 'text/html,*/*' } })
  assert.equal(page.status, 503)
  assert.match(await page.text(), /Sonde is starting/)
  const api = await fetch(`${url}/api/0/organizations/`)
  assert.deepEqual([api.status, api.headers.get('retry-after')], [503, '2'])
  assert.match(((await api.json()) as { detail: string }).detail, /try again/)
})

test('a back that dies in the middle of an answer breaks the answer off, so that nobody takes half for whole', async (t) => {
  const { promise: hasHalf, resolve: dies } = Promise.withResolvers<void>()
  const { url } = await frontBefore(t, (_req, res) => {
    res.writeHead(200, { 'content-length': '100' })
    res.write('half')
    void hasHalf.then(() => res.destroy())
  })
  const answer = await fetch(url)
  dies()
  await assert.rejects(answer.text())
})

test('an answer that breaks off ends its connection: what stood behind it is not answered there', async (t) => {
  const { promise: hasHalf, resolve: dies } = Promise.withResolvers<void>()
  const { port } = await frontBefore(t, (req, res) => {
    res.writeHead(200, { 'content-length': '100' })
    res.write(req.url === '/next' ? 'x'.repeat(100) : 'half')
    void hasHalf.then(() => res.destroy())
  })
  const request = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
  const { answers, rest } = await converse(port, request('/cut') + request('/next'), {
    onText: (text) => text.endsWith('half') && dies(),
  })
  assert.deepEqual(answers, [])
  assert.match(rest, /\r\n\r\nhalf$/)
})

test('an answer that comes before the end of an upload reaches the client', async (t) => {
  const { port } = await frontBefore(t, (_req, res) => {
    res.writeHead(413, 'the organization has no room', { 'content-length': '2' })
    res.end('no')
  })
  for (const framing of [
    'Content-Length: 20000000\r\n\r\n',
    'Transfer-Encoding: chunked\r\n\r\n1312d00\r\n',
  ]) {
    const bytes = `POST ${UPLOAD} HTTP/1.1\r\nHost: x\r\n${framing}${'x'.repeat(20_000_000)}\r\n0\r\n\r\n`
    const { answers } = await converse(port, bytes, { expected: 1 })
    assert.match(answers[0]?.head ?? '', /^HTTP\/1.1 413 the organization has no room\r\n/)
    assert.equal(answers[0]?.body, 'no')
  }
})

test('a request that may have been heard is never sent a second time', async (t) => {
  const seen: string[] = []
  const { url } = await frontBefore(t, (req) => {
    seen.push(`${req.method} ${req.url}`)
    req.resume().on('end', () => req.socket.destroy())
  })
  const requests = ['GET', 'POST', 'DELETE'].map((method) => ({ method, path: `/${method}` }))
  for (const { method, path } of requests) {
    const body = method === 'GET' ? {} : { body: 'x' }
    assert.equal((await fetch(`${url}${path}`, { method, ...body })).status, 503)
  }
  assert.deepEqual(seen, ['GET /GET', 'POST /POST', 'DELETE /DELETE'])
})

test('a back that says nothing for too long is given up, and the client is told so', async (t) => {
  const { url } = await frontBefore(t, () => undefined, { silenceMs: 300 })
  const answer = await fetch(url, { method: 'POST', body: 'x' })
  assert.deepEqual([answer.status, await answer.json()], [504, { detail: 'Sonde did not answer in time' }])
})

test('uploads that are never finished do not keep pages waiting', async (t) => {
  const { url, port } = await frontBefore(t, (req, res) => void req.resume().on('end', () => res.end('ok')))
  const upload = 'POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nx'
  const sockets = await Promise.all(
    Array.from({ length: 300 }, async () => {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      socket.write(upload)
      return socket
    }),
  )
  t.after(() => sockets.forEach((socket) => socket.destroy()))
  assert.equal(await (await fetch(`${url}/page`, { signal: AbortSignal.timeout(20_000) })).text(), 'ok')
})

test('a port in use is explained with what to do', async (t) => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  t.after(() => other.close())
  const { port } = other.address() as { port: number }
  await assert.rejects(
    listen(() => undefined, { host: '127.0.0.1', port }),
    /PORT: \d+ is in use/,
  )
})

test('the words of a status line pass through', async (t) => {
  const { url } = await frontBefore(t, (_req, res) => {
    res.writeHead(400, 'the ZIP cannot be read')
    res.end()
  })
  assert.equal((await fetch(url)).statusText, 'the ZIP cannot be read')
})

test('32 MiB pass through without being held, as fast as the back reads them', async (t) => {
  const MIB = 1024 * 1024
  const { promise: mayRead, resolve: readOn } = Promise.withResolvers<void>()
  let received = 0
  const { url } = await frontBefore(t, (req, res) => {
    void mayRead.then(() => {
      req.on('data', (piece: Buffer) => (received += piece.length))
      req.on('end', () => res.end(String(received)))
    })
  })
  let sent = 0
  let stalled: () => void = () => undefined
  const isStalled = new Promise<void>((resolve) => (stalled = resolve))
  let wait: NodeJS.Timeout | undefined
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      clearTimeout(wait)
      // Nobody asked for more for a while: what is between here and the back is full.
      wait = setTimeout(stalled, 300)
      if (sent === 32 * MIB) {
        clearTimeout(wait)
        stalled()
        return controller.close()
      }
      sent += MIB
      controller.enqueue(new Uint8Array(MIB))
    },
  })
  const answer = fetch(url + UPLOAD, { method: 'POST', body, duplex: 'half' } as RequestInit)
  await isStalled
  assert.ok(sent < 16 * MIB, `${sent} bytes were taken before the back read one`)
  readOn()
  assert.equal(await (await answer).text(), String(32 * MIB))
})
