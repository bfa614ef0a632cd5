/**
 * Hands a request on to the back over its unix socket, streaming both ways. undici frames it anew: nothing of how the
 * client framed it reaches the back. While the back is away, answers 503 with a page that tries again by itself.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { DEFAULT_LIMITS, type ProxyTrust } from '@sonde/ingest'
import { Client, type Dispatcher, errors, Pool } from 'undici'
import { answerAway } from './answer-away.ts'
import { bodyBound, declaredTooLarge, tooLargeRefusal } from './body-bounds.ts'
import { forwardedHeaders } from './forwarded-headers.ts'
import { endToEndHeaders } from './hop-headers.ts'
import { refuse } from './refuse.ts'
import { BodyTooLarge, requestBody } from './request-body.ts'
import { hasBody } from './request-rules.ts'

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
