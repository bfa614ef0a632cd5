/** What one client writes into a body never becomes a request of its own behind the front. */
import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { test } from 'node:test'
import { frontBefore } from './front-before.ts'
import { converse } from './raw-client.ts'

const INNER = 'POST /-/dead/replay HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}'
const CHUNKED_INNER = `${INNER.length.toString(16)}\r\n${INNER}\r\n0\r\n\r\n`

type Seen = { readonly request: string; readonly body: string }

/** Answers each request with what it was. */
function recordingBack(): { readonly seen: Seen[]; readonly listener: RequestListener } {
  const seen: Seen[] = []
  return {
    seen,
    listener: (req, res) => {
      const request = `${req.method} ${req.url}`
      let body = ''
      req.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')))
      req.on('end', () => {
        seen.push({ request, body })
        res.end(request)
      })
      req.on('error', () => undefined)
    },
  }
}

for (const method of ['GET', 'HEAD', 'OPTIONS', 'TRACE']) {
  test(`a body of ${method} is refused, however it is framed, and what follows on the connection is not heard`, async (t) => {
    const { seen, listener } = recordingBack()
    const { port } = await frontBefore(t, listener)
    const next = 'GET /next HTTP/1.1\r\nHost: x\r\n\r\n'
    for (const framed of [
      `Transfer-Encoding: chunked\r\n\r\n${CHUNKED_INNER}`,
      `Content-Length: ${INNER.length}\r\n\r\n${INNER}`,
    ]) {
      const { answers } = await converse(port, `${method} /a HTTP/1.1\r\nHost: x\r\n${framed}${next}`, {
        methods: [method],
        expected: 1,
        listenMs: 100,
      })
      assert.deepEqual(
        answers.map(({ status }) => status),
        [method === 'TRACE' ? 405 : 400],
      )
      assert.match(answers[0]?.head ?? '', /^connection: close$/im)
    }
    assert.deepEqual(seen, [])
  })
}

for (const method of ['DELETE', 'POST', 'PUT', 'PATCH']) {
  test(`a body of ${method} stays a body`, async (t) => {
    const { seen, listener } = recordingBack()
    const { port } = await frontBefore(t, listener)
    const head = `${method} /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`
    await converse(port, `${head}Transfer-Encoding: chunked\r\n\r\n${CHUNKED_INNER}`)
    await converse(port, `${head}Content-Length: ${INNER.length}\r\n\r\n${INNER}`)
    const request = { request: `${method} /a`, body: INNER }
    assert.deepEqual(seen, [request, request])
  })
}

/** Two readers could see two ends in each of these. */
const MALFORMED: Readonly<Record<string, string>> = {
  'both lengths': `POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNKED_INNER}`,
  'two different lengths': `POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: ${INNER.length}\r\n\r\n${INNER}`,
  'the same length twice': `POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: ${INNER.length}\r\nContent-Length: ${INNER.length}\r\n\r\n${INNER}`,
  'a list of lengths': `POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 0, ${INNER.length}\r\n\r\n${INNER}`,
  'a length with a sign': `POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: +5\r\n\r\nhello`,
  'a length in hex': `POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 0x5\r\n\r\nhello`,
  'a folded header': `POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding:\r\n chunked\r\nX: y\r\n z\r\n\r\n${CHUNKED_INNER}`,
  'a space before the colon': `POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\n\r\n${CHUNKED_INNER}`,
  'a coding that nobody knows': `POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n${CHUNKED_INNER}`,
  'chunked not last': `POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n${CHUNKED_INNER}`,
  'lines that end in LF alone': `POST /a HTTP/1.1\nHost: x\nTransfer-Encoding: chunked\n\n${CHUNKED_INNER}`,
  'chunk lines that end in LF alone': `POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNKED_INNER.replace('\r\n', '\n')}`,
  'a chunk size beyond any number': `POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n${INNER}\r\n0\r\n\r\n`,
  'a chunk longer than its size': `POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n${INNER}\r\n0\r\n\r\n`,
  'a chunk extension without end': `POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(40_000)}\r\n{}\r\n0\r\n\r\n`,
  'no host': `POST /a HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello`,
  'two hosts': `GET /a HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n`,
}

for (const [what, bytes] of Object.entries(MALFORMED)) {
  test(`a request with ${what} is refused`, async (t) => {
    const { seen, listener } = recordingBack()
    const { port } = await frontBefore(t, listener)
    const { answers } = await converse(port, bytes, { expected: 1 })
    assert.match(String(answers[0]?.status), /^4/)
    assert.deepEqual(seen, [])
  })
}

test('chunk extensions and trailers are read and not handed on', async (t) => {
  const heads: string[][] = []
  const bodies: string[] = []
  const { port } = await frontBefore(t, (req, res) => {
    let body = ''
    req.on('data', (chunk: Buffer) => (body += chunk.toString()))
    req.on('end', () => {
      bodies.push(body)
      // Which of the two framings it has is undici's affair.
      const { 'content-length': _length, 'transfer-encoding': _coding, ...headers } = req.headers
      heads.push([...Object.keys(headers), ...Object.keys(req.trailers)].sort())
      res.end()
    })
  })
  const request =
    'POST /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTrailer: X-Late\r\nTransfer-Encoding: chunked\r\n\r\n' +
    '3;name="a b"\r\nabc\r\n0\r\nX-Late: 1\r\n\r\n'
  assert.equal((await converse(port, request)).answers[0]?.status, 200)
  assert.deepEqual(bodies, ['abc'])
  assert.deepEqual(heads, [['connection', 'host', 'x-sonde-client-address']])
})

test('headers that belong to one connection, and those that Connection names, are not handed on', async (t) => {
  let seen: Record<string, unknown> = {}
  const { port } = await frontBefore(t, (req, res) => {
    seen = req.headers
    res.writeHead(200, { connection: 'x-inner', 'x-inner': '1', 'x-outer': '2', 'content-length': '0' })
    res.end()
  })
  const { answers } = await converse(
    port,
    'GET /a HTTP/1.1\r\nHost: x\r\nConnection: close, X-Secret , x-sonde-client-address\r\nX-Secret: 1\r\nX-Kept: 2\r\n' +
      'Keep-Alive: timeout=5\r\nTE: trailers\r\nProxy-Connection: close\r\nExpect: 100-continue\r\n\r\n',
  )
  assert.deepEqual(Object.keys(seen).sort(), ['connection', 'host', 'x-kept', 'x-sonde-client-address'])
  const answer = answers.find(({ status }) => status === 200)
  assert.match(answer?.head ?? '', /^x-outer: 2$/im)
  assert.doesNotMatch(answer?.head ?? '', /x-inner: 1/i)
})
