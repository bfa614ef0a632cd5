/** Which part answers a request at the public port: the probes, ingest, or the back. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Metrics } from '@sonde/base'

export type DoorParts = {
  /** Returns false when the path is none of its own. */
  readonly ingest: (req: IncomingMessage, res: ServerResponse) => boolean
  readonly forward: (req: IncomingMessage, res: ServerResponse) => void
  readonly accepting: () => boolean
  readonly metrics: Metrics
}

/** Below this, the back answers the command line and the front; it never goes out of the machine. */
const INTERNAL = /^\/+-(\/|$)/

export function createDoors({ ingest, forward, accepting, metrics }: DoorParts) {
  return (req: IncomingMessage, res: ServerResponse): void => {
    const path = (req.url ?? '/').split('?', 1)[0] ?? '/'
    if (ingest(req, res)) return
    if (path === '/healthz')
      return answer(res, accepting() ? 200 : 503, accepting() ? 'ok\n' : 'the log cannot be written\n')
    if (path === '/metrics') return void writeMetrics(metrics, res)
    if (INTERNAL.test(path)) return answer(res, 404, 'not found\n')
    forward(req, res)
  }
}

function answer(res: ServerResponse, status: number, text: string): void {
  res.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
  res.end(text)
}

async function writeMetrics(metrics: Metrics, res: ServerResponse): Promise<void> {
  const text = await metrics.text()
  res.writeHead(200, {
    'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    'cache-control': 'no-store',
  })
  res.end(text)
}
