/**
 * The server of the shop: gives out the page, and for the cart asks the service that knows what is left. Prints its
 * address once it listens; ends when its standard input does, after what it recorded was sent.
 */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import * as Sentry from '@sentry/node'

const [folder = '', stockUrl = ''] = process.argv.slice(2)
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' }

const server = createServer((req, res) => {
  const { pathname } = new URL(req.url ?? '/', 'http://shop')
  const sku = /^\/api\/cart\/(\d+)$/.exec(pathname)?.[1]
  const answer = sku === undefined ? file(pathname) : cart(sku)
  answer.then(
    ({ type, body }) => res.writeHead(200, { 'content-type': type }).end(body),
    () => res.writeHead(404).end(),
  )
})

async function cart(sku: string) {
  const stock = await fetch(`${stockUrl}/stock/${sku}`)
  return { type: 'application/json', body: await stock.text() }
}

async function file(path: string) {
  if (path === '/left') return { type: 'text/html', body: 'Good bye' }
  const name = extname(path) === '' ? 'index.html' : path
  return { type: TYPES[extname(name)] ?? 'text/plain', body: await readFile(join(folder, name)) }
}

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
process.stdin.resume().on('end', () => {
  server.closeAllConnections()
  server.close()
  void Sentry.close(10_000).then(() => process.exit(0))
})
