/**
 * Over real sockets: whatever methods, framings, bodies and cuts clients mix on their connections, the back sees exactly
 * the requests that were sent, and every client gets its own answers.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { test } from 'node:test'
import fc from 'fast-check'
import { frontBefore } from './front-before.ts'
import { converse } from './raw-client.ts'

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const TAKES_NO_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

// As a form: that is what pages take most of.
const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n'

type Sent = {
  readonly method: (typeof METHODS)[number]
  readonly framing: 'none' | 'content-length' | 'chunked'
  /** `[text, times]`, so that a counterexample can be read. */
  readonly bodyText: readonly [string, number]
  readonly chunkBytes: number
  /** The back answers without having read the body. */
  readonly isAnsweredEarly: boolean
}
type ClientPlan = {
  readonly requests: readonly Sent[]
  /** Hangs up at this share of the bytes. */
  readonly cutAt: number | undefined
  readonly pieceBytes: number
}

/** Bodies that look like what stands behind them. */
const anyBodyText = fc.oneof(
  fc.tuple(fc.string({ unit: 'binary', maxLength: 100 }), fc.constant(1)),
  fc.tuple(
    fc.constantFrom(
      ...['GET', 'POST', 'DELETE'].map(
        (method) => `${method} /stolen HTTP/1.1\r\nHost: x\r\nContent-Length: 400\r\n\r\n`,
      ),
      '0\r\n\r\n',
      '\r\n\r\n',
      'HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\n',
    ),
    // Up to more than the buffers between client and back hold.
    fc.constantFrom(1, 3, 2_000, 8_000),
  ),
)
const anyRequest: fc.Arbitrary<Sent> = fc.record({
  method: fc.constantFrom(...METHODS),
  framing: fc.constantFrom('none', 'content-length', 'chunked'),
  bodyText: anyBodyText,
  chunkBytes: fc.constantFrom(1, 7, 4_096, 100_000),
  isAnsweredEarly: fc.boolean(),
})
const anyClient: fc.Arbitrary<ClientPlan> = fc.record({
  requests: fc.array(anyRequest, { minLength: 1, maxLength: 5 }),
  cutAt: fc.option(fc.double({ min: 0, max: 0.99, noNaN: true }), { nil: undefined, freq: 3 }),
  pieceBytes: fc.constantFrom(13, 1_000, 70_000),
})

test('the back sees exactly the requests that were sent, and every client gets its own answers', async (t) => {
  const back = fingerprintingBack()
  const { port } = await frontBefore(t, back.listener)
  // Of all runs: a request of a client that hung up may reach the back later.
  const sent = new Set<string>()
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(anyClient, { minLength: 1, maxLength: 4 }), async (clients) => {
      run += 1
      const conversations = await Promise.all(
        clients.map(async (client, index) => {
          const path = (at: number): string => `/run-${run}/client-${index}/${at}`
          client.requests.forEach((request, at) => sent.add(fingerprint(request, path(at))))
          const bytes = client.requests.map((request, at) => wireBytes(request, path(at)))
          return { client, path, ...(await talk(port, client, bytes)) }
        }),
      )
      for (const { client, path, answers } of conversations) {
        const due = answersDue(client)
        if (client.cutAt === undefined) assert.equal(answers.length, due)
        else assert.ok(answers.length <= due)
        answers.forEach((answer, at) => {
          const request = client.requests[at]
          assert.ok(request)
          if (isRefused(request)) return assert.equal(answer.status, 400)
          const expected = request.isAnsweredEarly ? `early ${path(at)}` : fingerprint(request, path(at))
          assert.equal(answer.status, request.isAnsweredEarly ? 413 : 200)
          assert.match(answer.head, new RegExp(`^x-answer-to: ${path(at)}$`, 'im'))
          assert.equal(answer.body, request.method === 'HEAD' ? '' : expected)
          if (!request.isAnsweredEarly) assert.equal(back.seen.get(expected), 1)
        })
      }
      for (const [request, times] of back.seen) {
        assert.ok(sent.has(request), `the back saw what nobody sent: ${request}`)
        assert.equal(times, 1, `the back saw twice: ${request}`)
      }
    }),
    { numRuns: 200 },
  )
})

const bodyOf = ({ bodyText: [text, times] }: Sent): Buffer => Buffer.from(text.repeat(times))

const isRefused = (sent: Sent): boolean =>
  TAKES_NO_BODY.has(sent.method) &&
  (sent.framing === 'chunked' || (sent.framing === 'content-length' && bodyOf(sent).length > 0))

/** Nothing behind a refused request is answered. */
function answersDue({ requests }: ClientPlan): number {
  const firstRefused = requests.findIndex((request) => isRefused(request))
  return firstRefused < 0 ? requests.length : firstRefused + 1
}

function talk(port: number, client: ClientPlan, requests: readonly Buffer[]) {
  const all = Buffer.concat(requests)
  return converse(port, all, {
    // Many small writes of a large body only cost time.
    pieceBytes: Math.max(client.pieceBytes, Math.ceil(all.length / 50)),
    methods: client.requests.map(({ method }) => method),
    expected: answersDue(client),
    ...(client.cutAt === undefined ? {} : { cutAfter: Math.floor(all.length * client.cutAt) }),
  })
}

function wireBytes(sent: Sent, path: string): Buffer {
  const body = bodyOf(sent)
  const early = sent.isAnsweredEarly ? 'X-Early: 1\r\n' : ''
  const head = `${sent.method} ${path} HTTP/1.1\r\nHost: x\r\n${FORM}${early}`
  if (sent.framing === 'none') return Buffer.from(`${head}\r\n`)
  if (sent.framing === 'content-length')
    return Buffer.concat([Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n`), body])
  const parts: Buffer[] = [Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n`)]
  const chunkBytes = Math.max(sent.chunkBytes, Math.ceil(body.length / 200))
  for (let at = 0; at < body.length; at += chunkBytes) {
    const chunk = body.subarray(at, at + chunkBytes)
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'))
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
}

const hash = (body: Buffer): string => createHash('sha256').update(body).digest('hex')
const fingerprint = (sent: Sent, path: string): string =>
  `${sent.method} ${path} ${hash(sent.framing === 'none' ? Buffer.alloc(0) : bodyOf(sent))}`

/** Answers with what it saw; counts whole requests only, and those that it answered early not at all. */
function fingerprintingBack() {
  const seen = new Map<string, number>()
  const listener: RequestListener = (req, res) => {
    const path = req.url ?? ''
    res.setHeader('x-answer-to', path)
    const answer = (status: number, text: string): void => {
      res.writeHead(status, { 'content-length': Buffer.byteLength(text) })
      res.end(req.method === 'HEAD' ? undefined : text)
    }
    if (req.headers['x-early'] !== undefined) return answer(413, `early ${path}`)
    const chunks: Buffer[] = []
    req.on('error', () => undefined)
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const request = `${req.method} ${path} ${hash(Buffer.concat(chunks))}`
      seen.set(request, (seen.get(request) ?? 0) + 1)
      answer(200, request)
    })
  }
  return { seen, listener }
}
