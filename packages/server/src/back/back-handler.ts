/** Which part of the back answers a request that the front handed on. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { TlsWatch } from './tls-watch.ts'

export type BackParts = {
  readonly tls: Pick<TlsWatch, 'see'>
  /** Undefined: the role `web` is off here. */
  readonly web: WebParts | undefined
}

export type WebParts = {
  readonly api: (request: Request) => Response | Promise<Response>
  readonly auth: (request: Request) => Promise<Response>
  readonly screens: (req: IncomingMessage, res: ServerResponse) => Promise<void>
}

export function createBackHandler({ tls, web }: BackParts): RequestListener {
  const answerApi = web && getRequestListener(web.api)
  const answerAuth = web && getRequestListener(web.auth)
  return (req, res) => {
    const url = req.url ?? '/'
    tls.see(req)
    if (url === '/readyz') {
      res.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
      res.end('ok\n')
    } else if (!web || !answerApi || !answerAuth) {
      res.writeHead(404, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
      res.end('This Sonde serves no screens: SONDE_ROLES does not name web.\n')
    } else if (!url.startsWith('/api/')) void web.screens(req, res)
    // Both make addresses of it: what is none, such as `shop.1`, would be a failure deep within.
    else if (!isHost(req.headers.host)) {
      res.writeHead(400, { 'content-type': 'application/json' })
      res.end('{"detail":"The Host header names no host"}')
    } else if (url.startsWith('/api/auth/')) void answerAuth(req, res)
    else void answerApi(req, res)
  }
}

const isHost = (host: string | undefined): boolean =>
  host !== undefined && URL.parse(`http://${host}`) !== null
