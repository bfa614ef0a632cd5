/**
 * The shop's own server: its built files, `/api` handed on to the API, and the tunnel at `/monitoring`. `deploy`
 * changes the files under a running server, as a new release does.
 */
import { createReadStream, readdirSync, readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { extname, join } from 'node:path'
import { pipeline } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { createNodeTunnel } from '@sonde/tunnel/node'

const TYPES = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/** `tagsOf`: what a page says of the trace of its request, where the server traces requests. */
export function createShopServer({ dir, dsn, environment, apiUrl, tunnelTo, tagsOf = () => '' }) {
  const tunnel = createNodeTunnel({ to: [tunnelTo], path: '/monitoring' })
  let site = readSite(dir, { dsn, environment })

  const server = createServer((req, res) => {
    const path = (req.url ?? '/').split('?', 1)[0]
    tunnel(req, res, () => {
      if (path.startsWith('/api/')) return handOn(apiUrl, req, res)
      if (path === '/opening') return void sendOpening(res, site)
      if (!path.startsWith('/assets/')) {
        const tags = tagsOf({ path, userAgent: req.headers['user-agent'] ?? '', environment })
        return sendPage(res, site.html.replace('</head>', `${tags}</head>`))
      }
      const file = site.files.get(path)
      // A file of an older release is gone: what open tabs ask for after a deploy.
      if (!file) return res.writeHead(404, { 'content-type': 'text/plain' }).end('gone\n')
      res.writeHead(200, {
        'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
        'cache-control': 'public, max-age=31536000, immutable',
      })
      pipeline(createReadStream(file), res, () => undefined)
    })
  })
  return {
    server,
    deploy(newDir) {
      site = readSite(newDir, { dsn, environment })
    },
  }
}

function readSite(dir, { dsn, environment }) {
  const page = (name) =>
    readFileSync(join(dir, name), 'utf8')
      .replace('%%SONDE_DSN%%', dsn)
      .replace('%%ENVIRONMENT%%', environment)
  const listed = readdirSync(join(dir, 'assets'), { recursive: true, withFileTypes: true })
  // Maps are for Sonde, not for visitors.
  const files = listed
    .filter((entry) => entry.isFile() && extname(entry.name) !== '.map')
    .map((entry) => join(entry.parentPath, entry.name))
  return {
    html: page('index.html'),
    opening: page('opening.html'),
    renderer: () => import(pathToFileURL(join(dir, 'server', 'render.mjs')).href),
    files: new Map(files.map((file) => [file.slice(dir.length), file])),
  }
}

/** Rendered anew for each visitor. */
async function sendOpening(res, { opening, renderer }) {
  try {
    const { renderOpening } = await renderer()
    sendPage(
      res,
      opening.replace('<!--opening-->', () => renderOpening()),
    )
  } catch {
    res.writeHead(500, { 'content-type': 'text/plain' }).end('the page could not be rendered\n')
  }
}

function sendPage(res, html) {
  res.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    // Nothing more is needed for the reporter: it speaks to its own site.
    'content-security-policy':
      "default-src 'self'; img-src 'self' data:; style-src 'self'; connect-src 'self'",
  })
  res.end(html)
}

function handOn(apiUrl, req, res) {
  const { connection: _, host: __, ...headers } = req.headers
  const out = request(new URL(req.url, apiUrl), { method: req.method, headers }, (answer) => {
    const { connection: ___, 'transfer-encoding': ____, ...kept } = answer.headers
    res.writeHead(answer.statusCode, kept)
    pipeline(answer, res, () => undefined)
  })
  out.on('error', () => {
    if (!res.headersSent) res.writeHead(502, { 'content-type': 'application/json' })
    res.end('{"detail":"the API is away"}')
  })
  res.on('close', () => out.destroy())
  pipeline(req, out, () => undefined)
}
