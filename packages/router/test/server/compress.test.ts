/** Over a real socket, byte by byte: what `fetch` would undo by itself is what is looked at. */
import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { brotliDecompressSync, createBrotliDecompress, createGunzip, gunzipSync } from 'node:zlib'
import { acceptedCoding, sendResponse } from '../../src/server/node-http.ts'

const LONG = '<p>a line of the page</p>'.repeat(200)
const HTML = { 'content-type': 'text/html; charset=utf-8' }

type Got = { readonly headers: IncomingHttpHeaders; readonly body: Buffer }

async function serving(make: () => Response): Promise<AsyncDisposable & { port: number }> {
  const server = createServer((_, outgoing) => void sendResponse(make(), outgoing))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answered(make: () => Response, acceptEncoding?: string, method = 'GET'): Promise<Got> {
  await using server = await serving(make)
  return await new Promise((resolve, reject) => {
    const headers = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }
    const asked = request({ port: server.port, method, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => resolve({ headers: answer.headers, body: Buffer.concat(chunks) }))
    })
    asked.on('error', reject).end()
  })
}

test('Accept-Encoding: ours in our order, and a refusal counts', () => {
  const rows: [header: string | undefined, coding: string | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'br'],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.000 , gzip;q=0', undefined],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['*;q=0', undefined],
    ['brotli, xgzip', undefined],
  ]
  for (const [header, coding] of rows) assert.equal(acceptedCoding(header), coding, header)
  assert.equal(acceptedCoding('br, gzip', ['gzip']), 'gzip')
})

test('a page goes out compressed as the client takes it, and Vary says that it differs', async () => {
  const page = (): Response => new Response(LONG, { headers: { ...HTML, vary: 'x-page' } })
  const brotli = await answered(page, 'gzip, br')
  assert.equal(brotli.headers['content-encoding'], 'br')
  assert.equal(brotli.headers.vary, 'x-page, accept-encoding')
  assert.equal(brotliDecompressSync(brotli.body).toString(), LONG)
  assert.ok(brotli.body.length < LONG.length / 10)
  const gzip = await answered(page, 'gzip')
  assert.equal(gzip.headers['content-encoding'], 'gzip')
  assert.equal(gunzipSync(gzip.body).toString(), LONG)
  const plain = await answered(page)
  assert.equal(plain.headers['content-encoding'], undefined)
  assert.equal(plain.headers.vary, 'x-page, accept-encoding')
  assert.equal(plain.body.toString(), LONG)
})

test('a length that was known is that of the bytes sent, or is not there', async () => {
  const json = (): Response =>
    new Response(LONG, { headers: { 'content-type': 'application/x-page+json', 'content-length': '5000' } })
  assert.equal(LONG.length, 5_000)
  const compressed = await answered(json, 'br')
  assert.equal(compressed.headers['content-length'], undefined)
  assert.equal(brotliDecompressSync(compressed.body).length, 5_000)
  assert.equal((await answered(json)).headers['content-length'], '5000')
  const head = await answered(() => new Response(null, json()), 'br', 'HEAD')
  assert.equal(head.headers['content-length'], undefined)
  assert.equal(head.headers['content-encoding'], 'br')
})

const AS_THEY_ARE: readonly (readonly [string, () => Response])[] = [
  [
    'a short body',
    () => new Response('{}', { headers: { 'content-type': 'application/json', 'content-length': '2' } }),
  ],
  ['an event stream', () => new Response(LONG, { headers: { 'content-type': 'text/event-stream' } })],
  ['a picture', () => new Response(LONG, { headers: { 'content-type': 'image/png' } })],
  ['what is encoded already', () => new Response(LONG, { headers: { ...HTML, 'content-encoding': 'zstd' } })],
  [
    'what may not be changed',
    () => new Response(LONG, { headers: { ...HTML, 'cache-control': 'no-transform' } }),
  ],
]
for (const [what, make] of AS_THEY_ARE) {
  test(`${what} goes out as it is`, async () => {
    const { body, headers } = await answered(make, 'br, gzip')
    assert.equal(body.toString(), await make().text())
    assert.equal(headers.vary, undefined)
  })
}

for (const [coding, decompressor] of [
  ['br', createBrotliDecompress],
  ['gzip', createGunzip],
] as const) {
  test(`${coding}: the shell is readable while the rest is not there yet, and the whole is whole`, async () => {
    const rest = Promise.withResolvers<void>()
    const encoder = new TextEncoder()
    const body = (): ReadableStream<Uint8Array> =>
      new ReadableStream({
        async start(controller) {
          controller.enqueue(encoder.encode('<main>shell</main>'))
          await rest.promise
          controller.enqueue(encoder.encode(LONG))
          controller.close()
        },
      })
    await using server = await serving(() => new Response(body(), { headers: HTML }))
    const text = await new Promise<string>((resolve, reject) => {
      const headers = { 'accept-encoding': coding }
      const asked = request({ port: server.port, headers }, (answer) => {
        let read = ''
        const plain = answer.pipe(decompressor()).setEncoding('utf8')
        plain.on('data', (chunk: string) => {
          // Only the reader's knowledge of the shell lets the rest come: without the flush this waits for ever.
          if (read === '') assert.equal(chunk, '<main>shell</main>')
          read += chunk
          rest.resolve()
        })
        plain.on('end', () => resolve(read)).on('error', reject)
      })
      asked.on('error', reject).end()
    })
    assert.equal(text, `<main>shell</main>${LONG}`)
  })
}

test('a reader who leaves in the middle ends the work', async () => {
  const cancelled = Promise.withResolvers<void>()
  const body = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(LONG)),
      cancel: () => cancelled.resolve(),
    })
  await using server = await serving(() => new Response(body(), { headers: HTML }))
  const asked = request({ port: server.port, headers: { 'accept-encoding': 'br' } }, (answer) => {
    answer.once('data', () => asked.destroy()).on('error', () => {})
  })
  asked.on('error', () => {}).end()
  await cancelled.promise
})
