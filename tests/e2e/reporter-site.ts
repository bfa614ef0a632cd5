/** A site of one HTML page, with the tunnel at `/monitoring` and a strict CSP: what an owner of a plain page has. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createNodeTunnel } from '@sonde/tunnel/node'

export type Site = { readonly url: string; close(): Promise<void> }

export type SiteOptions = {
  /** Inside the head. */
  readonly head: string
  readonly body?: string
  /** More files: path → JavaScript. */
  readonly scripts?: Readonly<Record<string, string>>
  /** Where DSNs point to, and where the envelopes go instead. */
  readonly sondeUrl: string
  readonly via: string
}

export async function startSite({
  head,
  body = '',
  scripts = {},
  sondeUrl,
  via,
}: SiteOptions): Promise<Site> {
  const tunnel = createNodeTunnel({ to: [{ to: sondeUrl, via }], path: '/monitoring' })
  const csp = `default-src 'none'; script-src 'self' ${sondeUrl}; connect-src 'self' ${sondeUrl}; img-src 'self' data:`
  const server = createServer((req, res) => {
    tunnel(req, res, () => {
      const path = (req.url ?? '/').split('?', 1)[0] ?? '/'
      if (path === '/favicon.ico') {
        res.writeHead(204).end()
        return
      }
      const script = scripts[path]
      res.writeHead(200, {
        'content-type': script === undefined ? 'text/html; charset=utf-8' : 'text/javascript; charset=utf-8',
        'content-security-policy': csp,
      })
      res.end(
        script ??
          `<!doctype html><html lang="en"><head><title>Shop</title>${head}</head><body>${body}</body></html>`,
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
