/**
 * The front without its back: ingest and the log's writer from their packages, one key in memory. Nobody reads this
 * log, so what the pipeline needs of the machine is not in the figure. `node ingest-server.ts <folder> <publicKey>`
 */
import { createServer } from 'node:http'
import { createMetrics, silentLogger, systemClock } from '@sonde/base'
import { createIngest, HTTP_SERVER_OPTIONS } from '@sonde/ingest'
import { openLogWriter } from '@sonde/log'
import { reportListening } from './report-listening.ts'

const [dir = '', publicKey = ''] = process.argv.slice(2)
const key = { keyId: 1, projectId: 1, orgId: 1, isActive: true }
const ingest = createIngest({
  log: await openLogWriter({ dir, logger: silentLogger }),
  keys: {
    read: async () => ({ version: '1', keys: new Map([[publicKey, key]]) }),
    close: async () => undefined,
  },
  clock: systemClock,
  logger: silentLogger,
  metrics: createMetrics(),
})
const server = createServer(HTTP_SERVER_OPTIONS, (req, res) => {
  if (!ingest.handle(req, res)) res.writeHead(404).end()
})
server.listen(0, '127.0.0.1', () => reportListening(server))
