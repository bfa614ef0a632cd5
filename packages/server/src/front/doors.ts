/** Which part answers a request at the public port: the probes, the reporter's script, ingest, or the back. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Metrics } from '@sonde/base'
import { askBack } from '../internal/ask-back.ts'
import { REPORTER_PATH, type ReporterScript } from './reporter-script.ts'
import { SECURITY_TXT_PATHS } from './security-txt.ts'

export type DoorParts = {
  /** Returns false when the path is none of its own. */
  readonly ingest: (req: IncomingMessage, res: ServerResponse) => boolean
  readonly forward: (req: IncomingMessage, res: ServerResponse) => void
  readonly reporterScript: ReporterScript
  readonly securityTxt: (req: IncomingMessage, res: ServerResponse) => void
  readonly accepting: () => boolean
  readonly metrics: Metrics
  readonly internalSocket: string
}

export function createDoors({
  ingest,
  forward,
  reporterScript,
  securityTxt,
  accepting,
  metrics,
  internalSocket,
}: DoorParts) {
  return (req: IncomingMessage, res: ServerResponse): void => {
    const path = (req.url ?? '/').split('?', 1)[0] ?? '/'
    if (ingest(req, res)) return
    if (path === '/healthz')
      return answer(res, accepting() ? 200 : 503, accepting() ? 'ok\n' : 'the log cannot be written\n')
    if (path === REPORTER_PATH) return reporterScript(req, res)
    if (SECURITY_TXT_PATHS.includes(path)) return securityTxt(req, res)
    if (path === '/metrics') return void writeMetrics(metrics, internalSocket, res)
    forward(req, res)
  }
}

const SMALL = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

function answer(res: ServerResponse, status: number, text: string): void {
  res.writeHead(status, { ...SMALL, 'content-type': 'text/plain; charset=utf-8' })
  res.end(text)
}

/** The front's own figures and, while it answers, the back's; their names never meet (`sonde_ingest_…`, `sonde_pipeline_…`). */
async function writeMetrics(metrics: Metrics, internalSocket: string, res: ServerResponse): Promise<void> {
  const back = await askBack(internalSocket, 'GET', '/-/metrics', { timeoutMs: 2_000 }).catch(() => undefined)
  res.writeHead(200, { ...SMALL, 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
  res.end(`${await metrics.text()}${back ?? ''}`)
}
