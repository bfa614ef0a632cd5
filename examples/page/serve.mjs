/** `npm run example:page`: a site of three files, with the tunnel at `/monitoring`. Settings: SONDE_DSN, PORT. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createNodeTunnel } from '@sonde/tunnel/node'

const { SONDE_DSN = '', PORT = '4310' } = process.env
const sondeUrl = new URL(SONDE_DSN).origin
const read = (name) => readFileSync(join(import.meta.dirname, name), 'utf8')
const FILES = {
  '/': [
    'text/html',
    read('index.html').replaceAll('%%SONDE_URL%%', sondeUrl).replaceAll('%%SONDE_DSN%%', SONDE_DSN),
  ],
  '/page.js': ['text/javascript', read('page.js')],
  '/page.css': ['text/css', read('page.css')],
}
// Strict, to show what the reporter needs: its script, and its own site to send to.
const CSP = `default-src 'none'; script-src 'self' ${sondeUrl}; style-src 'self'; connect-src 'self'; img-src 'self' data:`

const tunnel = createNodeTunnel({ to: [SONDE_DSN], path: '/monitoring' })
const server = createServer((req, res) => {
  tunnel(req, res, () => {
    const [type, text] = FILES[(req.url ?? '/').split('?', 1)[0]] ?? []
    res.writeHead(type ? 200 : 404, {
      'content-type': `${type ?? 'text/plain'}; charset=utf-8`,
      'content-security-policy': CSP,
    })
    res.end(text ?? 'not found\n')
  })
})
server.listen(Number(PORT), '127.0.0.1', () => {
  process.stdout.write(`Page on http://127.0.0.1:${server.address().port}/\n`)
})
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    server.closeAllConnections()
    server.close(() => process.exit(0))
  })
}
