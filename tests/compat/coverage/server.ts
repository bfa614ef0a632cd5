/**
 * Renders the page, below `/tagged` with the tags that name its trace. Prints its address once it listens; ends when its
 * standard input does, after what it recorded was sent.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import * as Sentry from '@sentry/node'

const [folder = ''] = process.argv.slice(2)
const html = readFileSync(join(folder, 'index.html'), 'utf8')

const server = createServer((req, res) => {
  const { pathname } = new URL(req.url ?? '/', 'http://shop')
  if (pathname.startsWith('/assets/'))
    return res.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(join(folder, pathname)))
  if (pathname === '/favicon.ico') return res.writeHead(204).end()
  const tags = pathname.startsWith('/tagged') ? Sentry.getTraceMetaTags() : ''
  return res.writeHead(200, { 'content-type': 'text/html' }).end(html.replace('<!-- trace -->', tags))
})

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
process.stdin.resume().on('end', () => {
  server.closeAllConnections()
  server.close()
  void Sentry.close(10_000).then(() => process.exit(0))
})
