import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, request as httpRequest, type RequestListener, type ServerOptions } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sendResponse, toRequest } from '../../src/server/node-http.ts'
import { createStaticFiles } from '../../src/server/static-files.ts'

async function listening(
  listener: RequestListener,
  options: ServerOptions = {},
): Promise<AsyncDisposable & { port: number }> {
  const server = createServer(options, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The bytes as they are, past what an HTTP client would tidy up. */
function raw(port: number, target: string, host = 'sonde.example'): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    })
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    socket.on('end', () => resolve(text)).on('error', reject)
  })
}

test('a request target can never become another host', async () => {
  await using server = await listening((incoming, outgoing) => {
    outgoing.end(toRequest(incoming, outgoing, 'https://public.example')?.url ?? 'refused')
  })
  const rows: [target: string, url: string][] = [
    ['/a?b=1', 'https://public.example/a?b=1'],
    ['//evil.example/x', 'https://public.example//evil.example/x'],
    ['/\\evil.example', 'https://public.example//evil.example'],
    ['http://evil.example/x', 'refused'],
    ['/a/../../b', 'https://public.example/b'],
  ]
  for (const [target, url] of rows) assert.ok((await raw(server.port, target)).endsWith(url), target)
})

test('a Host that is none is refused', async () => {
  const answer: RequestListener = (incoming, outgoing) =>
    outgoing.end(toRequest(incoming, outgoing)?.url ?? 'refused')
  await using server = await listening(answer, { maxHeaderSize: 32 * 1024 })
  assert.ok((await raw(server.port, '/', 'a b')).includes('refused'))
  // `URL.canParse` takes it, `new URL` throws: nothing may end here for nobody.
  assert.ok((await raw(server.port, '/', 'H'.repeat(16_385))).includes('refused'))
  assert.ok((await raw(server.port, '/x', 'sonde.example:1')).endsWith('http://sonde.example:1/x'))
})

test('cookies stay apart, bodies stream, and a reader who leaves ends the work', async () => {
  const gone = Promise.withResolvers<void>()
  await using server = await listening((incoming, outgoing) => {
    const request = toRequest(incoming, outgoing)
    request?.signal.addEventListener('abort', () => gone.resolve())
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('first')),
    })
    const headers: [string, string][] = [
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ]
    void sendResponse(new Response(body, { status: 201, headers }), outgoing)
  })
  await new Promise<void>((resolve, reject) => {
    const client = httpRequest({ port: server.port, host: '127.0.0.1' }, (response) => {
      assert.equal(response.statusCode, 201)
      assert.deepEqual(response.headers['set-cookie'], ['a=1', 'b=2'])
      response.once('data', (chunk: Buffer) => {
        assert.equal(String(chunk), 'first')
        response.on('error', () => {})
        client.destroy()
        resolve()
      })
    })
    client.on('error', reject).end()
  })
  await gone.promise
})

test('files: hashed names for ever, compressed when there is a copy, nothing outside the folder', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'static-files-'))
  try {
    await mkdir(path.join(dir, 'client/assets'), { recursive: true })
    await mkdir(path.join(dir, 'client/.vite'))
    await writeFile(path.join(dir, 'secret.txt'), 'secret')
    await writeFile(path.join(dir, 'client/.vite/manifest.json'), '{}')
    await writeFile(path.join(dir, 'client/favicon.svg'), '<svg/>')
    await writeFile(path.join(dir, 'client/assets/app-x1.js'), 'let a')
    await writeFile(path.join(dir, 'client/assets/app-x1.js.gz'), gzipSync('let a'))
    const files = await createStaticFiles(path.join(dir, 'client'))
    await using server = await listening((incoming, outgoing) => {
      if (!files.serve(incoming, outgoing)) outgoing.writeHead(404).end()
    })
    const ask = (target: string, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(`http://127.0.0.1:${server.port}${target}`, { headers })

    const script = await ask('/assets/app-x1.js', { 'accept-encoding': 'br, gzip' })
    assert.equal(script.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.equal(script.headers.get('content-encoding'), 'gzip')
    assert.equal(script.headers.get('vary'), 'accept-encoding')
    assert.equal(await script.text(), 'let a')
    const plain = await ask('/assets/app-x1.js', { 'accept-encoding': 'identity' })
    assert.equal(plain.headers.get('content-encoding'), null)
    assert.notEqual(plain.headers.get('etag'), script.headers.get('etag'))

    const icon = await ask('/favicon.svg')
    assert.equal(icon.headers.get('cache-control'), 'public, max-age=3600')
    assert.match(icon.headers.get('content-security-policy') ?? '', /^default-src 'none'/)
    assert.equal(plain.headers.get('content-security-policy'), null)
    const again = await ask('/favicon.svg', { 'if-none-match': icon.headers.get('etag') ?? '' })
    assert.equal(again.status, 304)

    for (const target of [
      '/../secret.txt',
      '/%2e%2e/secret.txt',
      '/..%2fsecret.txt',
      '/.vite/manifest.json',
      '/assets',
      '/',
    ]) {
      assert.match(await raw(server.port, target), /^HTTP\/1\.1 404/, target)
    }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
})
