/**
 * Hands a request on to the back over its unix socket, streaming both ways. While the back is away, answers
 * 503 with a page that tries again by itself, or with JSON for programs.
 */
import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'

/** RFC 9110 7.6.1: these belong to one connection and are not handed on. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
// The screens wait for queries; more than this is a hang, and a person has long left.
const ANSWER_WITHIN_MS = 60_000

/** Answers that last for minutes (server-sent events). They have sockets of their own, or pages would wait for one. */
const LIVE = /^\/api\/0\/organizations\/[^/?]+\/live\/?(?:\?|$)/

export type ProxyOptions = {
  readonly socketPath: string
  readonly trustProxy: boolean
  /** Without a byte for so long a request is given up; a live stream beats every 15 s. */
  readonly silenceMs?: number
}

export function createBackProxy({ socketPath, trustProxy, silenceMs = ANSWER_WITHIN_MS }: ProxyOptions) {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  // More than the back allows: what is too much is refused there, not left to wait here.
  const liveAgent = new Agent({ maxSockets: 1_024 })

  function forward(req: IncomingMessage, res: ServerResponse): void {
    const headers: Record<string, string | string[]> = {}
    for (const [name, value] of Object.entries(req.headers)) {
      if (value !== undefined && !HOP_BY_HOP.has(name)) headers[name] = value
    }
    // What a stranger claims about forwarding is believed only behind the operator's own proxy.
    const claimed = trustProxy ? req.headers['x-forwarded-for'] : undefined
    const peer = req.socket.remoteAddress ?? ''
    headers['x-forwarded-for'] = claimed ? `${String(claimed)}, ${peer}` : peer
    if (!trustProxy) {
      delete headers['x-forwarded-proto']
      delete headers['x-forwarded-host']
      delete headers['forwarded']
    }
    const upstream = request({
      socketPath,
      agent: LIVE.test(req.url ?? '') ? liveAgent : agent,
      method: req.method,
      path: req.url,
      headers,
      timeout: silenceMs,
    })
    upstream.on('response', (answer) => {
      const kept = Object.entries(answer.headers).filter(([name]) => !HOP_BY_HOP.has(name))
      // The back says errors there too: some uploaders print nothing else.
      res.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', Object.fromEntries(kept))
      pipeline(answer, res, () => undefined)
    })
    upstream.on('timeout', () => upstream.destroy(new Error('no answer in time')))
    upstream.on('error', () => (res.headersSent ? res.destroy() : answerAway(req, res)))
    res.on('close', () => {
      if (!res.writableFinished) upstream.destroy()
    })
    pipeline(req, upstream, () => undefined)
  }

  return {
    forward,
    close(): void {
      agent.destroy()
      liveAgent.destroy()
    },
  }
}

const AWAY_PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="2">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Sonde is starting</title>
<body style="font:16px/1.5 system-ui;display:grid;place-content:center;min-height:90vh;text-align:center">
<h1 style="font-size:1.25rem">Sonde is starting</h1>
<p>Events are accepted and kept meanwhile. This page tries again by itself.</p>`

export function answerAway(req: IncomingMessage, res: ServerResponse): void {
  const wantsPage = req.method === 'GET' && (req.headers.accept ?? '').includes('text/html')
  res.writeHead(503, {
    'content-type': wantsPage ? 'text/html; charset=utf-8' : 'application/json',
    'retry-after': '2',
    'cache-control': 'no-store',
  })
  res.end(wantsPage ? AWAY_PAGE : '{"detail":"Sonde is starting or restarting; try again in 2 seconds."}')
}
