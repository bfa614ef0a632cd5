/** How the front says no: in words, and with the connection closed. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { currentScope } from '@sonde/base'
import { DEFAULT_LIMITS } from '@sonde/ingest'

/**
 * Ends a connection after an answer that says `Connection: close`. Closing at once would reset it while the client still
 * sends, and then the client may never read the answer: https://www.rfc-editor.org/rfc/rfc9112#section-9.6
 */
const { lingerMs, lingerBytes } = DEFAULT_LIMITS

/** All of the answer is written, and `res` not ended. What comes is thrown away until the client hangs up, but not for ever. */
function hangUp(req: IncomingMessage, res: ServerResponse): void {
  const { socket } = req
  const mayReadUntil = socket.bytesRead + lingerBytes
  const finish = (): void => {
    clearTimeout(timer)
    res.end(() => socket.destroy())
  }
  const timer = setTimeout(finish, lingerMs).unref()
  req.on('error', () => undefined)
  req.on('data', () => {
    if (socket.bytesRead > mayReadUntil) finish()
  })
  res.on('close', () => clearTimeout(timer))
}

export type Refused = {
  readonly status: number
  /** One sentence: what is wrong and what to do. */
  readonly detail: string
  readonly allow?: string
}

const refusedSockets = new WeakSet<Socket>()

/** Nothing that follows on this connection is believed, although node:http goes on reading it. */
export const isRefused = (req: IncomingMessage): boolean => refusedSockets.has(req.socket)

export function refuse(req: IncomingMessage, res: ServerResponse, { status, detail, allow }: Refused): void {
  const isPerson = (req.headers.accept ?? '').includes('text/html')
  // Of what is our own failure: whoever tells us of it can quote it.
  const requestId = status >= 500 ? currentScope()?.requestId : undefined
  const quoted = requestId === undefined ? '' : `Request ID: ${requestId}\n`
  const body = isPerson ? `${detail}\n${quoted}` : JSON.stringify({ detail, requestId })
  refusedSockets.add(req.socket)
  // Some uploaders print nothing but the status line.
  res.writeHead(status, detail.replaceAll(/[^\x20-\x7e]+/g, '?'), {
    'content-type': isPerson ? 'text/plain; charset=utf-8' : 'application/json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
    ...(allow === undefined ? {} : { allow }),
  })
  if (req.method === 'HEAD') res.flushHeaders()
  else res.write(body)
  hangUp(req, res)
}
