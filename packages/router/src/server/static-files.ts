/** Files of the client build: hashed names for ever, compressed ahead where that helps. */
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { acceptedCoding, type Coding, CODINGS } from './node-http.ts'

export type StaticFiles = {
  /** False when the path is none of its files; then nothing was written. */
  serve(incoming: IncomingMessage, outgoing: ServerResponse): boolean
}

type Variant = { readonly file: string; readonly size: number; readonly etag: string }
type Entry = { readonly type: string; readonly immutable: boolean; readonly variants: Map<string, Variant> }

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}
const ENCODINGS: readonly [coding: Coding, suffix: string][] = [
  ['br', '.br'],
  ['gzip', '.gz'],
]

/** Lists the folder once: only what is in the list is ever opened, so no path can lead out of it. */
export async function createStaticFiles(dir: string): Promise<StaticFiles> {
  const listed = await readdir(dir, { recursive: true, withFileTypes: true })
  const files = new Map<string, Variant>()
  for (const entry of listed) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath, entry.name)
    const url = `/${path.relative(dir, file).replaceAll('\\', '/')}`
    if (url.startsWith('/.vite/')) continue
    const { size, mtimeMs } = await stat(file)
    files.set(url, { file, size, etag: `"${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}"` })
  }
  const entries = new Map<string, Entry>()
  for (const [url, plain] of files) {
    if (ENCODINGS.some(([, suffix]) => url.endsWith(suffix) && files.has(url.slice(0, -suffix.length))))
      continue
    const variants = new Map([['identity', plain]])
    for (const [coding, suffix] of ENCODINGS) {
      const compressed = files.get(url + suffix)
      if (compressed)
        variants.set(coding, { ...compressed, etag: `${compressed.etag.slice(0, -1)}-${coding}"` })
    }
    const type = TYPES[path.extname(url)] ?? 'application/octet-stream'
    entries.set(url, { type, immutable: url.startsWith('/assets/'), variants })
  }
  return { serve: (incoming, outgoing) => serve(entries, incoming, outgoing) }
}

function serve(
  entries: ReadonlyMap<string, Entry>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): boolean {
  if (incoming.method !== 'GET' && incoming.method !== 'HEAD') return false
  const entry = entries.get(pathOf(incoming.url ?? ''))
  if (!entry) return false
  const coding = acceptedCoding(
    incoming.headers['accept-encoding'],
    CODINGS.filter((name) => entry.variants.has(name)),
  )
  const variant = entry.variants.get(coding ?? 'identity')
  if (!variant) return false
  outgoing.setHeader('content-type', entry.type)
  outgoing.setHeader('x-content-type-options', 'nosniff')
  outgoing.setHeader('etag', variant.etag)
  outgoing.setHeader(
    'cache-control',
    entry.immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
  )
  // One of these may be a service worker, whose policy is that of its own answer; none of them fetches anything.
  if (!entry.immutable)
    outgoing.setHeader('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
  if (entry.variants.size > 1) outgoing.setHeader('vary', 'accept-encoding')
  if (incoming.headers['if-none-match'] === variant.etag) {
    outgoing.writeHead(304).end()
    return true
  }
  if (coding) outgoing.setHeader('content-encoding', coding)
  outgoing.setHeader('content-length', variant.size)
  if (incoming.method === 'HEAD') outgoing.end()
  else pipeline(createReadStream(variant.file), outgoing).catch(() => outgoing.destroy())
  return true
}

function pathOf(target: string): string {
  const escaped = target.split('?')[0] ?? ''
  try {
    return decodeURIComponent(escaped)
  } catch {
    return escaped
  }
}
