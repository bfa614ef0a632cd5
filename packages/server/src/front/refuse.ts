/** How the front says no: in words, and with the connection closed. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { hangUp } from './hang-up.ts'

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
  const body = isPerson ? `${detail}\n` : JSON.stringify({ detail })
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
