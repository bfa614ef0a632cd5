/**
 * Holds what a page costs a browser to `size.json`: the gzip bytes of its own modules and all they import, of the
 * heaviest page of all, and of the largest chunk that any route adds. A limit that the code is 5 % under must be lowered: a budget that never moves
 * down is only a chart.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** Name of a page → its route files, as they stand in Vite's manifest, and the most they may weigh together. */
export type SizeLimits = Readonly<
  Record<string, { readonly routes: readonly string[]; readonly maxGzipBytes: number }>
>

export type Manifest = Readonly<
  Record<string, { readonly file: string; readonly imports?: readonly string[]; readonly isEntry?: boolean }>
>

/** The files that a browser loads for these routes: the entry, the routes, and what they import, each once. */
export function filesOf(manifest: Manifest, routes: readonly string[]): string[] {
  const seen = new Set<string>()
  const visit = (key: string): void => {
    const chunk = manifest[key]
    if (!chunk || seen.has(chunk.file)) return
    seen.add(chunk.file)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry)
  for (const key of [...entries, ...routes]) visit(key)
  return [...seen]
}

/** `weigh` gives the gzip bytes of a built file. */
export function sizeProblems(
  limits: SizeLimits,
  manifest: Manifest,
  weigh: (file: string) => number,
): string[] {
  return Object.entries(limits).flatMap(([name, { routes, maxGzipBytes }]) => {
    const missing = routes.filter((route) => !manifest[route])
    if (missing.length > 0) return [`${name}: the build has no ${missing.join(', ')}`]
    const bytes = filesOf(manifest, routes).reduce((sum, file) => sum + weigh(file), 0)
    if (bytes > maxGzipBytes) return [`${name}: ${bytes} bytes gzipped, allowed are ${maxGzipBytes}`]
    if (bytes < maxGzipBytes * 0.95)
      return [`${name}: ${bytes} bytes gzipped; lower its limit of ${maxGzipBytes} in size.json`]
    return []
  })
}

// The screens' goal for the first load of any of them, also of those that `size.json` does not name.
const MAX_PAGE_GZIP_BYTES = 120_000

/** Every page with the layouts around it. */
export function pageProblems(manifest: Manifest, weigh: (file: string) => number): string[] {
  return Object.keys(manifest)
    .filter((key) => key.endsWith('/page.tsx'))
    .flatMap((page) => {
      const folders = page.split('/').slice(0, -1)
      const layouts = folders.map((_, at) => `${folders.slice(0, at + 1).join('/')}/layout.tsx`)
      const files = filesOf(manifest, [...layouts, page])
      const bytes = files.reduce((sum, file) => sum + weigh(file), 0)
      return bytes > MAX_PAGE_GZIP_BYTES
        ? [`${page}: ${bytes} bytes gzipped; no page may pass ${MAX_PAGE_GZIP_BYTES}`]
        : []
    })
}

// A route that adds more than this is felt on a telephone.
const MAX_ROUTE_CHUNK_GZIP_BYTES = 60 * 1024

export function chunkProblems(manifest: Manifest, weigh: (file: string) => number): string[] {
  return Object.values(manifest)
    .filter(({ file, isEntry }) => !isEntry && file.endsWith('.js'))
    .flatMap(({ file }) => {
      const bytes = weigh(file)
      return bytes > MAX_ROUTE_CHUNK_GZIP_BYTES
        ? [`${file}: ${bytes} bytes gzipped; no chunk may pass ${MAX_ROUTE_CHUNK_GZIP_BYTES}`]
        : []
    })
}

/** Checks nothing when nothing is built: `npm test` builds first. */
export function checkSizes(root: string): string[] {
  const client = join(root, 'dist', 'web', 'client')
  if (!existsSync(client)) return []
  const manifest = JSON.parse(readFileSync(join(client, '.vite', 'manifest.json'), 'utf8')) as Manifest
  const limits = JSON.parse(readFileSync(join(root, 'size.json'), 'utf8')) as SizeLimits
  const weigh = (file: string): number => gzipSync(readFileSync(join(client, file)), { level: 9 }).length
  return [
    ...sizeProblems(limits, manifest, weigh),
    ...pageProblems(manifest, weigh),
    ...chunkProblems(manifest, weigh),
  ]
}
