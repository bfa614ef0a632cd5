/**
 * `/sonde.js` and `/sonde-feedback.js`: what pages without a build load. The front answers them from memory, because pages
 * that load while the back restarts must get them too.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'

export const REPORTER_PATH = '/sonde.js'
export const FEEDBACK_WIDGET_PATH = '/sonde-feedback.js'

type Variant = { readonly bytes: Buffer; readonly coding: string | undefined; readonly etag: string }
export type ReporterScript = (req: IncomingMessage, res: ServerResponse) => void

const CODINGS: readonly [coding: string, suffix: string][] = [
  ['br', '.br'],
  ['gzip', '.gz'],
]

// An hour: an upgrade of Sonde reaches all pages within it. While Sonde is away, a week-old one is better than none.
const CACHE_CONTROL = 'public, max-age=3600, stale-while-revalidate=86400, stale-if-error=604800'

/** The code of the crash-report modal, for ingest; undefined where nothing was built. */
export function readReportDialog(dir: string): string | undefined {
  const file = join(dir, 'report-dialog.js')
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** `dir` is what `npm run build` wrote; without one (development) the answer says how to make it. */
export function openReporterScript(dir: string, path = REPORTER_PATH): ReporterScript {
  const file = join(dir, path)
  if (!existsSync(file)) return notBuilt
  const plain = readFileSync(file)
  const tag = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
  const variants: Variant[] = [
    ...CODINGS.filter(([, suffix]) => existsSync(file + suffix)).map(([coding, suffix]) => ({
      bytes: readFileSync(file + suffix),
      coding,
      etag: `"${tag}-${coding}"`,
    })),
    { bytes: plain, coding: undefined, etag: `"${tag}"` },
  ]
  return (req, res) => send(variants, req, res)
}

function send(variants: readonly Variant[], req: IncomingMessage, res: ServerResponse): void {
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    res.writeHead(405, { allow: 'GET, HEAD' }).end()
    return
  }
  const accepted = (req.headers['accept-encoding'] ?? '').split(',').map((part) => part.trim().split(';')[0])
  const variant = variants.find(({ coding }) => coding === undefined || accepted.includes(coding))
  if (!variant) throw new Error('the plain form is always there')
  const { bytes, coding, etag } = variant
  const headers = {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': CACHE_CONTROL,
    etag,
    vary: 'accept-encoding',
    // Pages of any site load it, also those that ask for integrity (CORS) or isolate themselves (CORP).
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'timing-allow-origin': '*',
    'x-content-type-options': 'nosniff',
  }
  const known = (req.headers['if-none-match'] ?? '').split(',').map((part) => part.trim().replace(/^W\//, ''))
  if (known.includes(etag)) {
    res.writeHead(304, headers).end()
    return
  }
  res.writeHead(200, {
    ...headers,
    'content-length': bytes.length,
    ...(coding === undefined ? {} : { 'content-encoding': coding }),
  })
  res.end(req.method === 'HEAD' ? undefined : bytes)
}

function notBuilt(_req: IncomingMessage, res: ServerResponse): void {
  res.writeHead(404, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  res.end('The reporter is not built: npm run build\n')
}
