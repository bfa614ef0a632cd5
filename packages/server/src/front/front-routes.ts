/** Which part answers a request at the public port: the probes, the reporter's script, ingest, or the back. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GateRule } from './gate.ts'
import { refuse } from './refuse.ts'
import { REPORTER_PATH, type ReporterScript } from './reporter-script.ts'
import { SECURITY_TXT_PATHS } from './security-txt.ts'

export type FrontRouteParts = {
  /** Returns false when the path is none of its own. */
  readonly ingest: (req: IncomingMessage, res: ServerResponse) => boolean
  readonly forward: (req: IncomingMessage, res: ServerResponse) => void
  readonly reporterScript: ReporterScript
  readonly securityTxt: (req: IncomingMessage, res: ServerResponse) => void
  readonly accepting: () => boolean
  /** Returns false when the one who asks may not know. */
  readonly metrics: (req: IncomingMessage, res: ServerResponse) => boolean
  /** Looked at before the back is asked: SDKs send to many names, and probes come by address. */
  readonly hostRule: GateRule
}

export function createFrontRoutes({
  ingest,
  forward,
  reporterScript,
  securityTxt,
  accepting,
  metrics,
  hostRule,
}: FrontRouteParts) {
  return (req: IncomingMessage, res: ServerResponse): void => {
    const path = (req.url ?? '/').split('?', 1)[0] ?? '/'
    if (ingest(req, res)) return
    if (path === '/healthz')
      return answer(res, accepting() ? 200 : 503, accepting() ? 'ok\n' : 'the log cannot be written\n')
    if (path === REPORTER_PATH) return reporterScript(req, res)
    if (SECURITY_TXT_PATHS.includes(path)) return securityTxt(req, res)
    if (path === '/metrics') return metrics(req, res) ? undefined : answer(res, 404, 'not found\n')
    const misdirected = path === '/readyz' ? undefined : hostRule(req)
    if (misdirected) return refuse(req, res, misdirected)
    forward(req, res)
  }
}

const SMALL = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

function answer(res: ServerResponse, status: number, text: string): void {
  res.writeHead(status, { ...SMALL, 'content-type': 'text/plain; charset=utf-8' })
  res.end(text)
}
