/** The tunnel for node:http, Express and Vite's middlewares: `(req, res, next?)`. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createTunnel, type TunnelOptions } from './create-tunnel.ts'

export type NodeTunnel = (req: IncomingMessage, res: ServerResponse, next?: () => void) => void

/**
 * Requests for other paths than `path` go to `next`, where there is one. Must stand before anything that reads bodies
 * (`express.json()`, `express.text()`): what was read once cannot be forwarded untouched.
 */
export function createNodeTunnel(options: TunnelOptions): NodeTunnel {
  const { path, ...rest } = options
  // The path is compared here: Express and Vite cut from `req.url` what they are mounted at.
  const tunnel = createTunnel(rest)
  return (req, res, next) => {
    const pathname = (req.url ?? '/').split('?', 1)[0]
    if (path !== undefined && pathname !== path) {
      if (next) next()
      else res.writeHead(404).end()
      return
    }
    void answer(tunnel, req, res)
  }
}

// Long enough for a sender to read the answer before its unread rest ends the connection.
const LINGER_MS = 2_000

async function answer(
  tunnel: ReturnType<typeof createTunnel>,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const gone = new AbortController()
  res.once('close', () => {
    if (!res.writableFinished) gone.abort()
  })
  const response = await tunnel(toRequest(req, gone.signal), {
    clientAddress: req.socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/, ''),
  })
  const body = await response.text()
  if (res.destroyed) return
  const headers = Object.fromEntries(response.headers)
  res.writeHead(response.status, { ...headers, 'content-length': String(Buffer.byteLength(body)) })
  res.end(body)
  if (req.complete) return
  const timer = setTimeout(() => req.socket.destroy(), LINGER_MS).unref()
  req.once('close', () => clearTimeout(timer))
}

// Only path and method are looked at; the host would be the client's word.
const SOME_URL = 'http://tunnel.invalid/'

function toRequest(req: IncomingMessage, signal: AbortSignal): Request {
  // Some methods cannot be written into a `Request` at all; any but POST is refused alike.
  if (req.method !== 'POST') return new Request(SOME_URL)
  const headers = new Headers()
  for (const [name, value] of Object.entries(req.headers)) {
    if (value !== undefined) headers.set(name, String(value))
  }
  const init: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    headers,
    signal,
    duplex: 'half',
    body: bodyOf(req),
  }
  return new Request(SOME_URL, init)
}

/** Unlike `Readable.toWeb`, whose `cancel` ends the connection before a refusal could be answered. */
function bodyOf(req: IncomingMessage): ReadableStream<Uint8Array> {
  let isOpen = true
  const end = (how: () => void): void => {
    if (isOpen) how()
    isOpen = false
  }
  return new ReadableStream<Uint8Array>({
    start(controller) {
      req.on('data', (chunk: Buffer) => {
        if (!isOpen) return
        controller.enqueue(chunk)
        if ((controller.desiredSize ?? 0) <= 0) req.pause()
      })
      req.once('end', () => end(() => controller.close()))
      req.once('error', (error) => end(() => controller.error(error)))
      req.pause()
    },
    pull: () => void req.resume(),
    cancel() {
      isOpen = false
      req.resume()
    },
  })
}
