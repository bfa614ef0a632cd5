/**
 * `/docs/`: the documentation of this version, as `npm run build` made it (scripts/docs-site/build.ts). The front answers it, so
 * that what to do when the back is down can be read while it is. Anybody may read it:
 * docs/decisions/0110-the-documentation-is-served-by-sonde.md.
 */
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

export const DOCS_PATH = '/docs'
const BASE = `${DOCS_PATH}/`

/** A row of `site.json`: `file` below the folder, `tag` of its bytes, `codings` in which it lies there too. */
type Entry = {
  readonly file: string
  readonly type: string
  /** Its name changes with its bytes. */
  readonly isHashed: boolean
  readonly tag: string
  readonly codings: readonly ('br' | 'gz')[]
}
/** Keys are decoded paths: `/docs/operate/backup`. */
type Site = ReadonlyMap<string, Entry>

export type DocsSite = (req: IncomingMessage, res: ServerResponse) => void

const CODING_NAMES = { br: 'br', gz: 'gzip' } as const

/** Its own files and nothing else: no script in a page, no other host. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  // Every installation has these pages; a search engine should not have them once for each.
  'x-robots-tag': 'noindex',
} as const

/** `dir` is what the build wrote. It is read when the first page is asked for: most starts are never asked. */
export function openDocsSite(dir: string): DocsSite {
  let site: Site | undefined
  return (req, res) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.writeHead(405, { ...HEADERS, allow: 'GET, HEAD' }).end()
      return
    }
    site ??= readSite(dir)
    if (!site) return sayNotBuilt(res)
    const [target = '', query] = (req.url ?? '').split(/\?(.*)/s, 2)
    const path = decoded(target)
    const entry = site.get(path)
    if (entry) return send(dir, entry, 200, req, res)
    const other = addressLike(path)
    if (site.has(other)) {
      const location = encodeURI(other) + (query === undefined ? '' : `?${query}`)
      res.writeHead(301, { ...HEADERS, 'cache-control': 'no-cache', location }).end()
      return
    }
    const missing = site.get(`${BASE}404`)
    if (!missing) throw new Error(`${dir} has no page for addresses that are none: npm run build`)
    send(dir, missing, 404, req, res)
  }
}

/** Undefined where nothing was built. */
function readSite(dir: string): Site | undefined {
  const list = join(dir, 'site.json')
  if (!existsSync(list)) return undefined
  const entries = JSON.parse(readFileSync(list, 'utf8')) as readonly Entry[]
  return new Map(entries.map((entry) => [BASE + entry.file.replace(/(^index)?\.html$/, ''), entry]))
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target)
  } catch {
    return target
  }
}

/** What somebody meant who wrote a page with its ending, as in the repository, or with a slash behind it. */
function addressLike(path: string): string {
  if (path === DOCS_PATH) return BASE
  const plain = path
    .replace(/\.(?:md|html)$/i, '')
    .replace(/\/$/, '')
    .toLowerCase()
  return plain.replace(/\/(?:readme|index)$/, '') === DOCS_PATH ? BASE : plain.replace(/\/readme$/, '')
}

function send(dir: string, entry: Entry, status: 200 | 404, req: IncomingMessage, res: ServerResponse): void {
  const accepted = (req.headers['accept-encoding'] ?? '').split(',').map((part) => part.trim().split(';')[0])
  const coding = entry.codings.find((name) => accepted.includes(CODING_NAMES[name]))
  const etag = `"${entry.tag}${coding === undefined ? '' : `-${coding}`}"`
  const headers = {
    ...HEADERS,
    'content-type': entry.type,
    // A page is asked for again each time, so that after an upgrade nobody reads the one before.
    'cache-control': entry.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag,
    ...(entry.codings.length > 0 && { vary: 'accept-encoding' }),
    ...(coding !== undefined && { 'content-encoding': CODING_NAMES[coding] }),
  }
  const known = (req.headers['if-none-match'] ?? '').split(',').map((part) => part.trim().replace(/^W\//, ''))
  if (status === 200 && known.includes(etag)) {
    res.writeHead(304, headers).end()
    return
  }
  res.writeHead(status, headers)
  if (req.method === 'HEAD') res.end()
  // Only what is in the list is opened, so no path can lead out of the folder.
  else
    pipeline(
      createReadStream(join(dir, coding === undefined ? entry.file : `${entry.file}.${coding}`)),
      res,
    ).catch(() => res.destroy())
}

function sayNotBuilt(res: ServerResponse): void {
  res.writeHead(404, { ...HEADERS, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
  res.end('The documentation is not built: npm run build\n')
}
