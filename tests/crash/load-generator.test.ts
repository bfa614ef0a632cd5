/** The crash tests and the bench believe what the load generator counts: here it is held to what a server saw. */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { type Generator, startGenerator } from '../../bench/load/start-generator.ts'
import { eventId, ID_PLACE, type Target, TIME_PLACE } from '../../bench/load/template.ts'
import { ENVELOPE_BYTES, pythonLikeEnvelopes } from '../../bench/payloads/python-like.ts'

const PREFIX = 'feedfacefeedface'
type Answer = (res: ServerResponse, body: string, request: number) => void

async function withServer(
  answer: Answer,
  run: (generator: Generator, target: Target, bodies: string[]) => Promise<void>,
): Promise<void> {
  const bodies: string[] = []
  const server = createServer((req: IncomingMessage, res: ServerResponse) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () =>
      answer(res, Buffer.concat(chunks).toString(), bodies.push(Buffer.concat(chunks).toString())),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const generator = startGenerator()
  try {
    await run(generator, { host: '127.0.0.1', port, path: '/api/1/envelope/', publicKey: 'k' }, bodies)
  } finally {
    generator.stop()
    server.closeAllConnections()
    server.close()
  }
}

const ok: Answer = (res) => res.writeHead(200, { 'content-length': 2 }).end('{}')
const job = { payloads: 'one', connections: 8, durationMs: 10_000, idPrefix: PREFIX, firstCounter: 0 }
const envelope = `{"event_id":"${ID_PLACE}"}\n{"type":"event"}\n{"event_id":"${ID_PLACE}","timestamp":${TIME_PLACE}}\n`

void test('each request of a closed loop has its own event id and the time of its sending', async () => {
  await withServer(ok, async (generator, target, bodies) => {
    await generator.load('one', [envelope], target)
    const accepted: number[] = []
    const beganMs = Date.now()
    const result = await generator.run({
      ...job,
      target,
      ratePerSec: undefined,
      count: 500,
      reportEvery: 1,
      onAccepted: (more) => accepted.push(...more.map(([counter]) => counter)),
    })
    assert.equal(result.ok, 500)
    assert.equal(result.scheduled, 500)
    const expected = Array.from({ length: 500 }, (_, counter) => eventId(PREFIX, counter))
    const sent = bodies.map((body) => {
      const [header = '', , event = ''] = body.split('\n')
      const { event_id, timestamp } = JSON.parse(event) as { event_id: string; timestamp: number }
      assert.equal((JSON.parse(header) as { event_id: string }).event_id, event_id)
      assert.ok(timestamp * 1000 >= beganMs - 1 && timestamp * 1000 <= Date.now())
      return event_id
    })
    assert.deepEqual(sent.toSorted(), expected)
    assert.deepEqual(
      accepted.toSorted((a, b) => a - b).map((counter) => eventId(PREFIX, counter)),
      expected,
    )
  })
})

void test('an open loop keeps its rate, and a slow answer counts from when the request was due', async () => {
  const slow: Answer = (res, body, request) => void setTimeout(() => ok(res, body, request), 50)
  await withServer(slow, async (generator, target) => {
    await generator.load('one', [envelope], target)
    // 8 connections of 50 ms each carry 160/s at most: at 400/s requests queue up, and their waiting counts.
    const result = await generator.run({ ...job, target, ratePerSec: 400, durationMs: 1_000 })
    // A busy machine may begin late; nothing is due twice.
    assert.ok(result.scheduled > 300 && result.scheduled <= 404, `${result.scheduled} were due`)
    assert.equal(result.ok, result.scheduled)
    assert.ok(result.latencyMs.p50 > 400, `p50 ${result.latencyMs.p50} ms`)
  })
})

void test('every request that was due ends in exactly one count', async () => {
  const moody: Answer = (res, _body, request) => {
    if (request % 5 === 0) res.socket?.destroy()
    else res.writeHead([200, 503, 429, 400][request % 4] ?? 200, { 'content-length': 0 }).end()
  }
  await withServer(moody, async (generator, target, bodies) => {
    await generator.load('one', [envelope], target)
    const result = await generator.run({ ...job, target, ratePerSec: undefined, count: 400 })
    assert.equal(bodies.length, 400)
    assert.deepEqual(
      [result.ok, result.refused, result.wrong, result.failed, result.timedOut, result.dropped],
      [80, 160, 80, 80, 0, 0],
    )
  })
})

void test('a server that never answers costs time-outs, and what waits too long is dropped', async () => {
  const never: Answer = () => undefined
  await withServer(never, async (generator, target) => {
    await generator.load('one', [envelope], target)
    const result = await generator.run({
      ...job,
      target,
      ratePerSec: 100,
      durationMs: 500,
      connections: 4,
      timeoutMs: 300,
    })
    assert.equal(result.ok, 0)
    assert.ok(result.timedOut >= 4, `${result.timedOut} timed out`)
    assert.ok(result.dropped > 0, 'nothing was dropped')
    assert.equal(result.timedOut + result.failed + result.dropped, result.scheduled)
  })
})

void test('the synthetic envelopes have exactly the published size, and 100 issues', () => {
  const envelopes = pythonLikeEnvelopes()
  assert.deepEqual([...new Set(envelopes.map((each) => Buffer.byteLength(each)))], [ENVELOPE_BYTES])
  const types = envelopes.map((each) => /BenchError\d{3}/.exec(each)?.[0])
  assert.equal(new Set(types).size, 100)
})
