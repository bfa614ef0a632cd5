import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { UNKNOWN_KEY } from '../support/keys.ts'
import { ENVELOPE_PATH, eventEnvelope, openRaw, type RawConnection } from '../support/send.ts'
import { type Running, startIngest, type StartOptions } from '../support/start-ingest.ts'

const MIB = 1024 * 1024

async function start(t: TestContext, limits: StartOptions['limits'] = {}): Promise<Running> {
  const server = await startIngest({ limits })
  t.after(() => server.close())
  return server
}

/** Sends all of it without looking at the answer, as a simple client does; fails when it cannot. */
async function sendAll({ socket }: RawConnection, head: string, bodyBytes: number): Promise<void> {
  const failed = new Promise<never>((_, reject) => socket.once('error', reject))
  socket.write(`${head}Content-Length: ${bodyBytes}\r\n\r\n`)
  for (let sent = 0; sent < bodyBytes; sent += MIB) {
    const chunk = Buffer.alloc(Math.min(MIB, bodyBytes - sent), 'x')
    await Promise.race([new Promise((resolve) => socket.write(chunk, resolve)), failed])
  }
}

const POST = `POST ${ENVELOPE_PATH} HTTP/1.1\r\nHost: x\r\n`
const REFUSED = `POST /api/42/envelope/?sentry_key=${UNKNOWN_KEY} HTTP/1.1\r\nHost: x\r\n`

for (const [name, head, status] of [
  ['a body over the limit', POST, 413],
  ['a body of an unknown key', REFUSED, 403],
] as const) {
  test(`${name} with Connection: close is answered ${status} though its sender only sends`, async (t) => {
    const server = await start(t)
    for (let round = 0; round < 3; round++) {
      const raw = await openRaw(server.port)
      await sendAll(raw, `${head}Connection: close\r\n`, 30 * MIB)
      assert.match(await raw.closed, new RegExp(`^HTTP/1\\.1 ${status} `))
    }
  })
}

test('a kept connection takes the next request after a refused body', async (t) => {
  const server = await start(t)
  const raw = await openRaw(server.port)
  await sendAll(raw, POST, 25 * MIB)
  const body = eventEnvelope()
  raw.socket.write(`${POST}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  const statuses = (await raw.closed).match(/HTTP\/1\.1 \d+/g)
  assert.deepEqual(statuses, ['HTTP/1.1 413', 'HTTP/1.1 200'])
})

test('the answer comes before the body has ended', async (t) => {
  const server = await start(t)
  const { socket } = await openRaw(server.port)
  const answered = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))
  socket.write(`${POST}Connection: close\r\nContent-Length: ${50 * MIB}\r\n\r\nxxx`)
  assert.match(await answered, /^HTTP\/1\.1 413 [\s\S]*is larger than \d+ bytes/)
  socket.destroy()
})

test('a refused body that never ends is given up in time', async (t) => {
  const server = await start(t, { lingerMs: 100 })
  const raw = await openRaw(server.port)
  const startMs = performance.now()
  raw.socket.write(`${POST}Content-Length: ${50 * MIB}\r\n\r\nxxx`)
  assert.match(await raw.closed, /^HTTP\/1\.1 413 /)
  assert.ok(performance.now() - startMs < 3_000)
})

test('a refused body that goes on and on is given up by its size, and holds no memory', async (t) => {
  const server = await start(t, { lingerBytes: 2 * MIB })
  const raw = await openRaw(server.port)
  await assert.rejects(sendAll(raw, `${POST}Connection: close\r\n`, 300 * MIB), /EPIPE|ECONNRESET/)
  assert.match(await server.metricsText(), /^sonde_ingest_in_flight_bytes 0$/m)
})
