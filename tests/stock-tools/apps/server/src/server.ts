import './instrument.ts'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as Sentry from '@sentry/node'
import { reserve } from './reserve.ts'

const server = createServer((request, response) => {
  const sku = new URL(request.url ?? '/', 'http://shop').searchParams.get('sku') ?? ''
  try {
    response.end(reserve(sku, 1))
  } catch (error) {
    // The caller is told which event it became.
    response.writeHead(500).end(Sentry.captureException(error))
  }
})
server.listen(0, '127.0.0.1', () => console.log(`ready ${(server.address() as AddressInfo).port}`))

process.once('SIGTERM', () => {
  server.close()
  void Sentry.close(5000)
})
