/** What the accept path is compared with: node:http that reads the same body and throws it away. */
import { createServer } from 'node:http'
import { reportListening } from './report-listening.ts'

const ANSWER = '{"id":"00000000000000000000000000000000"}'

const server = createServer((req, res) => {
  req.on('data', () => undefined)
  req.on('end', () => {
    res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': ANSWER.length })
    res.end(ANSWER)
  })
})
server.listen(0, '127.0.0.1', () => reportListening(server))
