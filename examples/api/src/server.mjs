/** The shop's API: bare node:http, watched by @sentry/node. `npm run example:api`, or `node --import ./src/instrument.mjs src/server.mjs`. */
import { createServer } from 'node:http'
import * as Sentry from '@sentry/node'
import { HttpError, ROUTES } from './routes.mjs'

const PORT = Number(process.env.PORT ?? 4312)
const MAX_BODY_BYTES = 64 * 1024

const server = createServer((req, res) => void handle(req, res))

async function handle(req, res) {
  const url = new URL(req.url ?? '/', 'http://api')
  const found = match(req.method, url.pathname)
  if (!found) return send(res, 404, { detail: 'not found' })
  const { handler, params, template } = found
  // The transaction is named by the route, not by the address: otherwise every product is one of its own.
  const span = Sentry.getActiveSpan()
  if (span) Sentry.updateSpanName(Sentry.getRootSpan(span), `${String(req.method)} ${String(template)}`)
  try {
    const user = String(req.headers['x-visitor'] ?? 'guest')
    if (user !== 'guest') Sentry.setUser({ id: user })
    const body = req.method === 'POST' ? await readJson(req) : undefined
    const answer = await handler({ params, query: Object.fromEntries(url.searchParams), body, user })
    if (answer.type) send(res, 200, answer.text, answer.type)
    else send(res, 200, answer)
  } catch (error) {
    const status = error.status ?? 500
    if (!(error instanceof HttpError) || status >= 500) Sentry.captureException(error)
    Sentry.logger[status < 500 ? 'warn' : 'error'](
      `${String(template)} answered ${status}: ${error.message}`,
      {
        'http.route': template,
        'http.response.status_code': status,
      },
    )
    send(res, status, {
      detail: status < 500 ? error.message : 'something went wrong',
      request: found.template,
    })
  }
}

function match(method, pathname) {
  const parts = pathname.split('/')
  for (const [wanted, template, handler] of ROUTES) {
    const names = template.split('/')
    if (wanted !== method || names.length !== parts.length) continue
    const params = {}
    const fits = names.every((name, index) => {
      if (!name.startsWith(':')) return name === parts[index]
      params[name.slice(1)] = decodeURIComponent(parts[index])
      return true
    })
    if (fits) return { handler, params, template }
  }
  return undefined
}

async function readJson(req) {
  let text = ''
  for await (const chunk of req) {
    text += chunk
    if (text.length > MAX_BODY_BYTES) throw new HttpError(413, 'too large')
  }
  try {
    return JSON.parse(text || '{}')
  } catch {
    throw new HttpError(400, 'the body is not JSON')
  }
}

function send(res, status, value, type = 'application/json') {
  res.writeHead(status, {
    'content-type': type,
    'cache-control': type.startsWith('image/') ? 'public, max-age=3600' : 'no-store',
  })
  res.end(type === 'application/json' ? JSON.stringify(value) : value)
}

server.listen(PORT, '127.0.0.1', () => {
  process.stdout.write(`API on http://127.0.0.1:${server.address().port}/api/products\n`)
})
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    server.closeAllConnections()
    server.close(() => void Sentry.close(2_000).then(() => process.exit(0)))
  })
}
