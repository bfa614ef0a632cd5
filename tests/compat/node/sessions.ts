/** A server that reports through @sentry/node as its documentation says: one session for each request that it answers. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as Sentry from '@sentry/node'

Sentry.init({ dsn: process.env['SENTRY_DSN'] ?? '', release: 'shop@2.0.0', environment: 'compat-node' })

const server = createServer((request, response) => {
  if (request.url === '/handled') Sentry.captureException(new Error('the cart is empty'))
  if (request.url === '/crash')
    Sentry.captureException(new Error('out of stock'), { mechanism: { type: 'http', handled: false } })
  response.end('ok')
})
server.listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
const { port } = server.address() as AddressInfo
for (const path of ['/', '/', '/', '/handled', '/crash'])
  await (await fetch(`http://127.0.0.1:${port}${path}`)).text()
server.closeAllConnections()
server.close()
await Sentry.flush(10_000)
