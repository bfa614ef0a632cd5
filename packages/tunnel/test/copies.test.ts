/** The second server of a tunnel: it gets what the first gets, and nothing of it reaches the page. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createTunnel, type TunnelOptions } from '@sonde/tunnel'
import { type RecordingServer, startRecordingServer } from './recording-server.ts'

const KEY = '0123456789abcdef0123456789abcdef'

void describe('the second server of a tunnel', () => {
  let first: RecordingServer
  let second: RecordingServer
  before(async () => {
    ;[first, second] = await Promise.all([startRecordingServer(), startRecordingServer()])
  })
  after(() => Promise.all([first.close(), second.close()]))
  beforeEach(() => {
    for (const server of [first, second]) {
      server.requests.length = 0
      server.say({})
    }
  })
  const copies: Promise<unknown>[] = []
  const send = async (options: Partial<TunnelOptions> = {}, rest = '{"type":"event"}\n{}') => {
    const tunnel = createTunnel({ to: [first.url], also: second.url, ...options })
    const dsn = `${first.url.replace('://', `://${KEY}@`)}/7`
    const request = (): Request =>
      new Request('https://shop.example/monitoring', {
        method: 'POST',
        body: `${JSON.stringify({ dsn })}\n${rest}`,
      })
    copies.length = 0
    const answer = await tunnel(request(), { waitUntil: (work) => copies.push(work) })
    return { tunnel, request, answer }
  }

  void test('gets the same bytes under the same project and key', async () => {
    const { answer } = await send()
    assert.equal(answer.status, 200)
    await Promise.all(copies)
    assert.equal(second.requests.length, 1)
    assert.deepEqual(second.requests[0]?.body, first.requests[0]?.body)
    assert.equal(second.requests[0]?.url, first.requests[0]?.url)
  })

  void test('harms nobody when it refuses, hangs, is away or is slower than allowed', async () => {
    second.say({ status: 500, headers: { 'retry-after': '60', 'x-sentry-rate-limits': '60:error:key' } })
    const { answer } = await send()
    assert.deepEqual([answer.status, answer.headers.get('x-sentry-rate-limits')], [200, null])
    second.say('never')
    assert.equal((await send({ timeoutMs: 300 })).answer.status, 200)
    await Promise.all(copies)
    assert.equal((await send({ also: 'http://127.0.0.1:1' })).answer.status, 200)
    await Promise.all(copies)
  })

  void test("gets nothing that the first does not get, and its answer is the first's", async () => {
    first.say({ status: 429, headers: { 'retry-after': '5' } })
    assert.equal((await send()).answer.status, 429)
    const tunnel = createTunnel({ to: ['https://elsewhere.example'], also: second.url })
    const dsn = `${first.url.replace('://', `://${KEY}@`)}/7`
    await Promise.all(copies)
    second.requests.length = 0
    const refused = await tunnel(
      new Request('https://shop.example/', { method: 'POST', body: `${JSON.stringify({ dsn })}\n` }),
    )
    assert.equal(refused.status, 403)
    assert.equal(second.requests.length, 0)
  })

  void test('is left out while too much is on its way to it', async () => {
    second.say('never')
    const rest = `{"type":"event"}\n${'x'.repeat(600)}`
    const { tunnel, request, answer } = await send({ maxBufferedBytes: 1_500, timeoutMs: 400 }, rest)
    assert.equal(answer.status, 200)
    const statuses = [await tunnel(request()), await tunnel(request())].map(({ status }) => status)
    assert.deepEqual(statuses, [200, 200])
    assert.equal(first.requests.length, 3)
    assert.equal(second.requests.length, 2)
    await Promise.all(copies)
  })

  void test('is the URL of a server without a key', () => {
    for (const also of ['nonsense', 'ftp://x', `https://${KEY}@x.test`])
      assert.throws(() => createTunnel({ to: [first.url], also }), /"also"/)
  })
})
