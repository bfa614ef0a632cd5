import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { listen } from '../../src/front/listen.ts'
import { createBackProxy } from '../../src/front/proxy.ts'

async function frontBefore(
  t: TestContext,
  back: RequestListener | undefined,
  trustProxy = false,
): Promise<string> {
  const socketPath = join(mkdtempSync(join(tmpdir(), 'sonde-proxy-')), 'back.sock')
  if (back) {
    const listening = await listen(back, { socketPath })
    t.after(() => listening.stop(0))
  }
  const proxy = createBackProxy({ socketPath, trustProxy })
  const front = await listen(proxy.forward, { host: '127.0.0.1', port: 0 })
  t.after(async () => {
    proxy.close()
    await front.stop(0)
  })
  return `http://127.0.0.1:${front.port}`
}

test('a request and its answer pass through with method, path, headers and body', async (t) => {
  const url = await frontBefore(t, (req, res) => {
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

test('what a stranger claims about forwarding is replaced by the address that was seen', async (t) => {
  const back: RequestListener = (req, res) =>
    res.end(JSON.stringify([req.headers['x-forwarded-for'], req.headers['x-forwarded-host']]))
  const headers = { 'x-forwarded-for': '1.2.3.4', 'x-forwarded-host': 'evil.example' }
  const plain = await fetch(await frontBefore(t, back), { headers })
  assert.equal(await plain.text(), '["127.0.0.1",null]')
  const trusting = await fetch(await frontBefore(t, back, true), { headers })
  assert.equal(await trusting.text(), '["1.2.3.4, 127.0.0.1","evil.example"]')
})

test('while the back is away, people get a page that tries again and programs get JSON', async (t) => {
  const url = await frontBefore(t, undefined)
  const page = await fetch(url, { headers: { accept: 'text/html,*/*' } })
  assert.equal(page.status, 503)
  assert.match(await page.text(), /Sonde is starting/)
  const api = await fetch(`${url}/api/0/organizations/`)
  assert.deepEqual([api.status, api.headers.get('retry-after')], [503, '2'])
  assert.match(((await api.json()) as { detail: string }).detail, /try again/)
})

test('a back that dies in the middle of an answer breaks the answer off, so that nobody takes half for whole', async (t) => {
  const url = await frontBefore(t, (_req, res) => {
    res.writeHead(200, { 'content-length': '100' })
    res.write('half')
    setTimeout(() => res.destroy(), 20)
  })
  await assert.rejects(fetch(url).then((answer) => answer.text()))
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
  const url = await frontBefore(t, (_req, res) => {
    res.writeHead(400, 'the ZIP cannot be read')
    res.end()
  })
  assert.equal((await fetch(url)).statusText, 'the ZIP cannot be read')
})

test('32 MiB pass through without being held, as fast as the back reads them', async (t) => {
  const MIB = 1024 * 1024
  const { promise: mayRead, resolve: readOn } = Promise.withResolvers<void>()
  let received = 0
  const url = await frontBefore(t, (req, res) => {
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
  const answer = fetch(url, { method: 'POST', body, duplex: 'half' } as RequestInit)
  await isStalled
  assert.ok(sent < 16 * MIB, `${sent} bytes were taken before the back read one`)
  readOn()
  assert.equal(await (await answer).text(), String(32 * MIB))
})
