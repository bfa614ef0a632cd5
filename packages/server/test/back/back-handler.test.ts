import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { noTracer } from '@sonde/base'
import { createBackHandler } from '../../src/back/back-handler.ts'
import type { Readiness } from '../../src/back/readiness.ts'

test('a Host that is no host reaches neither the API nor the sign-in', async (t) => {
  const reached: string[] = []
  const answer = (request: Request): Response => {
    reached.push(new URL(request.url).pathname)
    return new Response('ok')
  }
  const server = createServer(
    createBackHandler({
      tls: { see: () => undefined },
      tracer: noTracer,
      readiness: async () => [],
      web: {
        api: answer,
        auth: async (request) => answer(request),
        mcp: async (request) => answer(request),
        oauthMetadata: (_req, res) => void res.end(),
        screens: async (_req, res) => void res.end('a page'),
      },
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const ask = (path: string, host: string): Promise<string> =>
    new Promise((resolve) => {
      let text = ''
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
      )
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
      socket.on('close', () => resolve(text))
    })
  // The last part of a name that is a number makes it an IPv4 address, and this one is none.
  for (const host of ['shop.1', 't127.0.0.1:8600', 'a b', '[::', 'x:99999'])
    for (const path of ['/api/0/organizations/', '/api/auth/get-session', '/mcp'])
      assert.match(await ask(path, host), /^HTTP\/1\.1 400 /, `${path} of ${host}`)
  assert.deepEqual(reached, [])
  for (const host of ['sonde.example', '127.0.0.1:8600', '[::1]:8600'])
    assert.match(await ask('/api/0/', host), /^HTTP\/1\.1 200 /, host)
  assert.equal(reached.length, 3)
})

test('a back without the role web answers its probe and says why it has no screens', async (t) => {
  let missing: Awaited<ReturnType<Readiness>> = []
  const parts = {
    tls: { see: () => undefined },
    tracer: noTracer,
    readiness: async () => missing,
    web: undefined,
  }
  const server = createServer(createBackHandler(parts))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  assert.equal((await fetch(`${url}/readyz`)).status, 200)
  missing = ['records: no answer', 'telemetry: no answer']
  const notReady = await fetch(`${url}/readyz`)
  assert.equal(notReady.status, 503)
  assert.equal(await notReady.text(), 'records: no answer\ntelemetry: no answer\n')
  const answer = await fetch(`${url}/acme/issues`)
  assert.equal(answer.status, 404)
  assert.match(await answer.text(), /SONDE_ROLES/)
})
