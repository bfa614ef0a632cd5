/**
 * Serves the built shop from an origin of its own. `/monitoring` is handed on to Sonde, as a site does that tunnels
 * its reports past ad blockers: path, query and body as they came.
 */
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
}

export type ShopServer = { readonly url: string; stop(): Promise<void> }

/** `folder`: what Vite built. `sondeUrl`: where `/monitoring` leads. `headers`: of every file. */
export async function startShopServer(
  folder: string,
  sondeUrl: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<ShopServer> {
  const server = createServer((req, res) => {
    if (req.url?.startsWith('/monitoring')) tunnel(req, res, sondeUrl)
    else void serve(req.url ?? '/', res, { folder, headers })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => stop(server) }
}

function tunnel(req: IncomingMessage, res: ServerResponse, sondeUrl: string): void {
  const onwards = request(new URL(req.url ?? '', sondeUrl), { method: 'POST', headers: req.headers })
  onwards.on('response', (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(res)
  })
  onwards.on('error', () => res.writeHead(502).end())
  req.pipe(onwards)
}

type Site = { readonly folder: string; readonly headers: Readonly<Record<string, string>> }

async function serve(url: string, res: ServerResponse, { folder, headers }: Site): Promise<void> {
  const path = new URL(url, 'http://shop').pathname
  if (path === '/stock.json') return void res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  if (path === '/left') return void res.writeHead(200, { 'content-type': 'text/html' }).end('Good bye')
  const file = extname(path) === '' ? 'index.html' : path
  try {
    const bytes = await readFile(join(folder, file))
    res
      .writeHead(200, { ...headers, 'content-type': CONTENT_TYPES[extname(file)] ?? 'text/plain' })
      .end(bytes)
  } catch {
    res.writeHead(404).end()
  }
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
