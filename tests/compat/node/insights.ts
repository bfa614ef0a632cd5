/** Work that insight pages are about, by the unmodified SDK: it traces `fetch` itself, the rest is said in code. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as Sentry from '@sentry/node'

Sentry.init({
  dsn: process.env['SENTRY_DSN'] ?? '',
  release: 'shop@1.4.2',
  environment: 'compat-node',
  tracesSampleRate: 1,
})

const payments = createServer((request, response) => {
  response.statusCode = request.url?.endsWith('/7') ? 503 : 200
  response.end('{}')
}).listen(0, '127.0.0.1')
await new Promise((resolve) => payments.once('listening', resolve))
const { port } = payments.address() as AddressInfo

for (let order = 5; order < 9; order++) {
  await Sentry.startSpan({ name: 'POST /checkout', op: 'http.server', forceTransaction: true }, async () => {
    await Sentry.startSpan(
      {
        name: `SELECT * FROM cart WHERE id = ${order} AND owner = 'u-${order}'`,
        op: 'db',
        attributes: { 'db.system': 'postgresql' },
      },
      async () => undefined,
    )
    await Sentry.startSpan(
      {
        name: `cart:${order}`,
        op: 'cache.get',
        attributes: { 'cache.key': [`cart:${order}`], 'cache.hit': order % 2 === 0, 'cache.item_size': 90 },
      },
      async () => undefined,
    )
    await (await fetch(`http://127.0.0.1:${port}/v1/charges/${order}`)).text()
    await Sentry.startSpan(
      {
        name: 'orders',
        op: 'queue.publish',
        attributes: { 'messaging.system': 'kafka', 'messaging.destination.name': 'orders' },
      },
      async () => undefined,
    )
  })
}
payments.close()
await Sentry.close(5_000)
