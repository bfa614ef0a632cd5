/** What the front shows of itself besides what ingest counts. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Metrics } from '@sonde/base'
import type { LogWriter } from '@sonde/log'
import { askBack } from '../internal/ask-back.ts'
import { isLoopback } from '../internal/client-headers.ts'
import type { BackState } from './back-supervisor.ts'
import { hostName } from './gate.ts'

/** `/metrics`: for programs on this machine, and for who knows the token. To anybody else it is not there. */
type MetricsEndpointOptions = {
  readonly metrics: Metrics
  readonly internalSocket: string
  /** `SONDE_METRICS_TOKEN` */
  readonly token: string | undefined
}

/** Returns false when the one who asks may not know. */
export function createMetricsEndpoint({ metrics, internalSocket, token }: MetricsEndpointOptions) {
  return (req: IncomingMessage, res: ServerResponse): boolean => {
    if (!isFromThisMachine(req) && !hasToken(req, token)) return false
    void writeMetrics(metrics, internalSocket, res)
    return true
  }
}

/** What a proxy on this machine hands on comes from this machine too; it says so in one of these. */
const FORWARDED = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'forwarded',
  'x-real-ip',
  'via',
]

function isFromThisMachine(req: IncomingMessage): boolean {
  if (!isLoopback(req.socket.remoteAddress ?? '')) return false
  // A page of a stranger may make a browser here ask under a name of its own.
  return isLoopback(hostName(req) ?? '') && FORWARDED.every((name) => req.headers[name] === undefined)
}

function hasToken(req: IncomingMessage, token: string | undefined): boolean {
  const given = /^Bearer +(\S+)$/i.exec(req.headers.authorization ?? '')?.[1]
  if (token === undefined || given === undefined) return false
  return timingSafeEqual(sha256(given), sha256(token))
}

/** Of one length, whatever was sent. */
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The front's own figures and, while it answers, the back's; their names never meet (`sonde_ingest_…`, `sonde_pipeline_…`). */
async function writeMetrics(metrics: Metrics, internalSocket: string, res: ServerResponse): Promise<void> {
  const back = await askBack(internalSocket, 'GET', '/-/metrics', { timeoutMs: 2_000 }).catch(() => undefined)
  res.writeHead(200, {
    'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  res.end(`${await metrics.text()}${back ?? ''}`)
}

export function observeBack(metrics: Metrics, state: () => BackState): void {
  metrics.observed('sonde_back_up', '1 while the back process is ready', () => (state() === 'ready' ? 1 : 0))
}

export function observeLog(metrics: Metrics, log: LogWriter): void {
  const observe = (name: string, help: string, read: () => number): void => metrics.observed(name, help, read)
  observe('sonde_log_waiting_bytes', 'Bytes received and not yet on disk', () => log.stats().waitingBytes)
  observe('sonde_log_records_total', 'Records made durable since the start', () => log.stats().records)
  observe('sonde_log_flushes_total', 'Flushes since the start; records share them', () => log.stats().groups)
  observe('sonde_log_refused_total', 'Records that could not be made durable', () => log.stats().refused)
}
