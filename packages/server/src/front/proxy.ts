/**
 * Hands a request on to the back over its unix socket, streaming both ways. undici frames it anew: nothing of how the
 * client framed it reaches the back. While the back is away, answers 503 with a page that tries again by itself.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { currentScope } from '@sonde/base'
import { DEFAULT_LIMITS, type ProxyTrust } from '@sonde/ingest'
import { Client, type Dispatcher, errors, Pool } from 'undici'
import { CLIENT_ADDRESS, CLIENT_PROTO, OPEN_SPAN, REQUEST_ID } from '../internal/client-headers.ts'
import { bodyBound, declaredTooLarge, endToEndHeaders, tooLargeRefusal } from './body-bounds.ts'
import { hasBody } from './gate.ts'
import { refuse } from './refuse.ts'

// The body of a request on its way to the back, counted as it passes.

/** More than its bound came, without a length that said so beforehand. */
class BodyTooLarge extends Error {}

/**
 * A stream of its own: undici destroys it when the back has answered before the end, and a destroyed request would take
 * the client's connection, and the answer with it. What the client still sends is then read and thrown away.
 */
function requestBody(req: IncomingMessage, maxBytes: number): Readable {
  let bytes = 0
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > maxBytes) done(new BodyTooLarge())
      else done(null, chunk)
    },
  })
  const cut = (): void => {
    if (!req.complete) body.destroy(new Error('the client went away before the end of its request'))
  }
  req.on('error', cut)
  req.on('close', cut)
  body.on('error', () => undefined)
  body.on('close', () => {
    req.unpipe(body)
    req.resume()
  })
  return req.pipe(body)
}

// The headers of a request as the back gets them.

/** Claims about where a request came from. They are judged here, once, and not handed on to be believed elsewhere. */
const CLAIM =
  /^(?:x-forwarded-.*|forwarded|x-real-ip|x-request-id|x-sonde-client-.*|x-sonde-request-id|x-sonde-span)$/

function forwardedHeaders(req: IncomingMessage, trust: ProxyTrust): Record<string, string | string[]> {
  const headers = endToEndHeaders(req.headers)
  for (const name of Object.keys(headers)) if (CLAIM.test(name)) delete headers[name]
  const address = trust.clientAddress(req)
  if (address !== undefined) headers[CLIENT_ADDRESS] = address
  if (clientUsesTls(req, trust)) headers[CLIENT_PROTO] = 'https'
  const { requestId, span } = currentScope() ?? {}
  if (requestId !== undefined) headers[REQUEST_ID] = requestId
  if (span) headers[OPEN_SPAN] = `${span.traceId}-${span.spanId}`
  return headers
}

/** The last entry is the nearest proxy's. */
function clientUsesTls(req: IncomingMessage, trust: ProxyTrust): boolean {
  const claimed = String(req.headers['x-forwarded-proto'] ?? '')
    .split(',')
    .at(-1)
  return claimed?.trim().toLowerCase() === 'https' && trust.isProxy(req)
}

/** What the front answers for the back while that is away: a page that tries again by itself, or JSON for programs. */
const AWAY_PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="2">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Sonde is starting</title>
<body style="font:16px/1.5 system-ui;display:grid;place-content:center;min-height:90vh;text-align:center">
<h1 style="font-size:1.25rem">Sonde is starting</h1>
<p>Events are accepted and kept meanwhile. This page tries again by itself.</p>`

function answerAway(req: IncomingMessage, res: ServerResponse): void {
  const wantsPage = req.method === 'GET' && (req.headers.accept ?? '').includes('text/html')
  res.writeHead(503, {
    'content-type': wantsPage ? 'text/html; charset=utf-8' : 'application/json',
    'retry-after': '2',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  res.end(wantsPage ? AWAY_PAGE : '{"detail":"Sonde is starting or restarting; try again in 2 seconds."}')
}

// The screens wait for queries; more than this is a hang, and a person has long left.
const ANSWER_WITHIN_MS = 60_000
/** For requests without a body, which end soon. More wait for one of these. */
const SHARED_SOCKETS = 256
/** Live feeds (the back allows 500) and uploads. Beyond, a request is answered 503 and tried again. */
const OWN_SOCKETS = 1_024

/** Answers that last for minutes (server-sent events): pages would wait for a socket behind them. */
const LIVE = /^\/api\/0\/organizations\/[^/?]+\/live\/?(?:\?|$)/

export type ProxyOptions = {
  readonly socketPath: string
  readonly trust: ProxyTrust
  /** Without a byte for so long a request is given up; a live stream beats every 15 s. */
  readonly silenceMs?: number
}

export function createBackProxy({ socketPath, trust, silenceMs = ANSWER_WITHIN_MS }: ProxyOptions) {
  const options = { socketPath, pipelining: 1, headersTimeout: silenceMs, bodyTimeout: silenceMs }
  const origin = 'http://back'
  const pool = new Pool(origin, { ...options, connections: SHARED_SOCKETS })
  const own = new Set<Client>()

  /**
   * A socket that carried a body is never used again: were the body's end ever seen elsewhere on the other side, nobody
   * else's request could follow on it.
   */
  async function withSocket(isShared: boolean, use: (socket: Dispatcher) => Promise<void>): Promise<void> {
    if (isShared) return use(pool)
    const client = new Client(origin, options)
    own.add(client)
    try {
      await use(client)
    } finally {
      own.delete(client)
      await client.destroy()
    }
  }

  async function exchange(req: IncomingMessage, res: ServerResponse, socket: Dispatcher): Promise<void> {
    const gone = new AbortController()
    res.once('close', () => gone.abort())
    const answer = await socket.request({
      method: req.method ?? 'GET',
      path: req.url ?? '/',
      headers: forwardedHeaders(req, trust),
      body: hasBody(req) ? requestBody(req, bodyBound(req).maxBytes) : null,
      signal: gone.signal,
    })
    // The back says errors there too: some uploaders print nothing else.
    res.writeHead(answer.statusCode, answer.statusText, endToEndHeaders(answer.headers))
    await pipeline(answer.body, res)
  }

  return {
    forward(req: IncomingMessage, res: ServerResponse): void {
      const isShared = !hasBody(req) && !LIVE.test(req.url ?? '')
      res.once('finish', () => req.complete || endLateBody(req))
      const tooLarge = declaredTooLarge(req)
      if (tooLarge) return refuse(req, res, tooLarge)
      if (!isShared && own.size >= OWN_SOCKETS) return answerAway(req, res)
      withSocket(isShared, (socket) => exchange(req, res, socket)).catch((error: unknown) => {
        if (res.headersSent || res.destroyed) res.destroy()
        else answerFailure(req, res, error)
      })
    },
    async close(): Promise<void> {
      await Promise.all([pool, ...own].map((socket) => socket.destroy()))
    },
  }
}

function answerFailure(req: IncomingMessage, res: ServerResponse, error: unknown): void {
  if (error instanceof BodyTooLarge) return refuse(req, res, tooLargeRefusal(req))
  if (error instanceof errors.InvalidArgumentError) {
    return refuse(req, res, { status: 400, detail: 'the request cannot be handed on as it is written' })
  }
  if (error instanceof errors.HeadersTimeoutError) {
    return refuse(req, res, { status: 504, detail: 'Sonde did not answer in time' })
  }
  answerAway(req, res)
}

/** Answered before its end: the client may send the rest for a while, so that it comes to read the answer. */
function endLateBody(req: IncomingMessage): void {
  const timer = setTimeout(() => req.socket.destroy(), DEFAULT_LIMITS.lingerMs).unref()
  req.once('close', () => clearTimeout(timer))
}
