import assert from 'node:assert/strict'
import { createServer, request, type Server } from 'node:http'
import { after, afterEach, before, describe, test } from 'node:test'
import { createNodeTunnel, type NodeTunnel } from '@sonde/tunnel/node'
import { close, listen, type RecordingServer, startRecordingServer } from './recording-server.ts'

const KEY = '0123456789abcdef0123456789abcdef'
let upstream: RecordingServer
let site: Server | undefined

const serve = (tunnel: NodeTunnel): Promise<string> => {
  site = createServer((req, res) => tunnel(req, res, () => res.writeHead(418).end()))
  return listen(site)
}
const envelope = (): string =>
  `${JSON.stringify({ dsn: `${upstream.url.replace('://', `://${KEY}@`)}/7` })}\n{"type":"event"}\n{"message":"ä"}`
const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
}

describe('node', () => {
  before(async () => {
    upstream = await startRecordingServer()
  })

  after(() => upstream.close())

  afterEach(async () => {
    upstream.requests.length = 0
    upstream.say({})
    if (site) await close(site)
  })

  test('forwards its path, and leaves every other one to the site', async () => {
    const url = await serve(createNodeTunnel({ to: [upstream.url], path: '/monitoring' }))
    const answer = await fetch(`${url}/monitoring?o=1&p=7`, { method: 'POST', body: envelope() })
    assert.equal(answer.status, 200)
    assert.deepEqual(await answer.json(), { id: '00' })
    assert.equal(upstream.requests[0]?.body.toString(), envelope())
    assert.equal((await fetch(`${url}/products`)).status, 418)
    assert.equal((await fetch(`${url}/monitoring/other`, { method: 'POST', body: envelope() })).status, 418)
  })

  test('a method that no Request can hold is refused like any other', async () => {
    const url = await serve(createNodeTunnel({ to: [upstream.url] }))
    const status = await new Promise((resolve) =>
      request(url, { method: 'TRACE' }, (answer) => resolve(answer.resume().statusCode)).end(),
    )
    assert.equal(status, 405)
  })

  test('passes the address of the connection on only when told to', async () => {
    const url = await serve(createNodeTunnel({ to: [upstream.url], forwardClientAddress: true }))
    await fetch(url, { method: 'POST', body: envelope(), headers: { 'x-forwarded-for': '203.0.113.9' } })
    assert.equal(upstream.requests[0]?.headers['x-forwarded-for'], '127.0.0.1')
  })

  test('a page that hangs up ends the forwarding', async () => {
    upstream.say('never')
    let gone = false
    const url = await serve(createNodeTunnel({ to: [upstream.url] }))
    site?.on('request', (_, res) => res.once('close', () => (gone = true)))
    const leave = new AbortController()
    const sent = fetch(url, { method: 'POST', body: envelope(), signal: leave.signal })
    await until(() => upstream.requests.length === 1)
    leave.abort()
    await assert.rejects(sent)
    await until(() => gone)
  })

  test('a refusal reaches a sender that is still sending, and its connection is ended', async () => {
    const url = await serve(createNodeTunnel({ to: [upstream.url], maxBytes: 1_000 }))
    const sending = request(url, { method: 'POST' })
    sending.on('error', () => undefined)
    const answered = new Promise<number | undefined>((resolve) =>
      sending.once('response', (answer) => resolve(answer.resume().statusCode)),
    )
    sending.write(`${envelope()}\n${'x'.repeat(2_000)}`)
    assert.equal(await answered, 413)
    await new Promise((resolve) => sending.socket?.once('close', resolve))
    assert.equal(upstream.requests.length, 0)
  })
})
