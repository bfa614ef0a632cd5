/** Which part of the back answers a request that the front handed on. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { inScope, type Logger, type Tracer } from '@sonde/base'
import type { PartReport } from '../doctor/report.ts'
import { CLIENT_PROTO, scopeOf } from '../internal/client-headers.ts'
import { openRequestSpan, routeOf } from '../observe/request-span.ts'
import type { OauthMetadata } from './oauth-metadata.ts'
import type { Readiness } from './readiness.ts'

/** Notices that browsers come by TLS while Sonde was told otherwise: then cookies are not `Secure` and HSTS is missing. */
export type TlsWatch = {
  /** Costs one look at a header. */
  see(req: IncomingMessage): void
  /** Undefined while nothing is wrong. */
  part(): PartReport | undefined
}

const DETAIL =
  'a proxy in front speaks TLS, and SONDE_PUBLIC_URL is not an https address: cookies are not Secure and HSTS is missing; set SONDE_PUBLIC_URL to what browsers use'

export function createTlsWatch(publicUrl: string, logger: Logger): TlsWatch {
  const isReported = publicUrl.startsWith('https:')
  let isSeen = false
  return {
    see({ headers }) {
      if (isReported || isSeen || headers[CLIENT_PROTO] !== 'https') return
      isSeen = true
      logger.warn({ publicUrl }, DETAIL)
    },
    part: () => (isSeen ? { name: 'public address', state: 'degraded', detail: DETAIL } : undefined),
  }
}

export type BackParts = {
  readonly tls: Pick<TlsWatch, 'see'>
  readonly tracer: Tracer
  readonly readiness: Readiness
  /** Undefined: the role `web` is off here. */
  readonly web: WebParts | undefined
}

export type WebParts = {
  readonly api: (request: Request) => Response | Promise<Response>
  readonly auth: (request: Request) => Promise<Response>
  readonly oauthMetadata: OauthMetadata
  readonly mcp: (request: Request) => Promise<Response>
  readonly screens: (req: IncomingMessage, res: ServerResponse) => Promise<void>
}

export function createBackHandler({ tls, tracer, readiness, web }: BackParts): RequestListener {
  const answerApi = web && getRequestListener(web.api)
  const answerAuth = web && getRequestListener(web.auth)
  const answerMcp = web && getRequestListener(web.mcp)
  const answer: RequestListener = (req, res) => {
    const url = req.url ?? '/'
    tls.see(req)
    if (url === '/readyz') void answerReady(res, readiness)
    else if (!web || !answerApi || !answerAuth || !answerMcp) {
      res.writeHead(404, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
      res.end('This Sonde serves no screens: SONDE_ROLES does not name web.\n')
    } else if (url.startsWith('/.well-known/oauth-')) web.oauthMetadata(req, res)
    else if (isOfMcp(url)) {
      // Who opens the address in a browser is a person.
      if (req.method === 'GET' && req.headers.accept?.includes('text/html'))
        res.writeHead(303, { location: '/settings/mcp', 'cache-control': 'no-store' }).end()
      else if (isHost(req.headers.host)) void answerMcp(req, res)
      else refuseHost(res)
    } else if (!url.startsWith('/api/')) void web.screens(req, res)
    // Both make addresses of it: what is none, such as `shop.1`, would be a failure deep within.
    else if (!isHost(req.headers.host)) refuseHost(res)
    else if (url.startsWith('/api/auth/')) void answerAuth(req, res)
    else void answerApi(req, res)
  }
  return (req, res) => {
    const scope = scopeOf(req.headers, `${req.method} ${routeOf(req)}`)
    inScope(scope, () => {
      const span = openRequestSpan(tracer, req, res)
      if (span) inScope({ ...scope, span: span.context }, () => answer(req, res))
      else answer(req, res)
    })
  }
}

async function answerReady(res: ServerResponse, readiness: Readiness): Promise<void> {
  const missing = await readiness()
  const isReady = missing.length === 0
  res.writeHead(isReady ? 200 : 503, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    ...(isReady ? {} : { 'retry-after': '2' }),
  })
  res.end(`${isReady ? 'ok' : missing.join('\n')}\n`)
}

const isHost = (host: string | undefined): boolean =>
  host !== undefined && URL.parse(`http://${host}`) !== null

const isOfMcp = (url: string): boolean => /^\/mcp\/?(?:\?|$)/.test(url)

function refuseHost(res: ServerResponse): void {
  res.writeHead(400, { 'content-type': 'application/json' })
  res.end('{"detail":"The Host header names no host"}')
}
