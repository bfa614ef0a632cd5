/** The built single-page application from an origin of its own, with the API that it asks: one order is never found. */
import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

export const BROKEN_ORDER = '8'

export type SpaServer = { readonly url: string; stop(): Promise<void> }

export async function serveSpa(folder: string): Promise<SpaServer> {
  const server = createServer((req, res) => void answer(folder, req.url ?? '/', res))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(folder: string, url: string, res: ServerResponse): Promise<void> {
  const [, order] = /^\/api\/orders\/(\w+)$/.exec(url) ?? []
  if (order !== undefined) {
    res.writeHead(order === BROKEN_ORDER ? 500 : 200, { 'content-type': 'application/json' })
    res.end(JSON.stringify({ id: order }))
    return
  }
  const isFile = extname(url) === '.js'
  const bytes = await readFile(join(folder, isFile ? url : 'index.html')).catch(() => undefined)
  res.writeHead(bytes ? 200 : 404, { 'content-type': isFile ? 'text/javascript' : 'text/html' }).end(bytes)
}
