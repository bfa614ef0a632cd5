/**
 * What production is built from. Vite builds what browsers load, compressed ahead. The pages' server code is part of the
 * app's own server bundle: one bundler builds both, so every module exists once in the process, as in development.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Rolldown } from 'vite'
import { BUILD_FILE, type BuildFile, SERVER_ENTRY } from '../shared/entry-names.ts'
import { scanRoutes, SERVER_ROUTES, serverEntry, serverRoutes } from './generate.ts'

export type BuildPagesOptions = {
  /** Folder of the app's vite.config.ts. */
  readonly root: string
  readonly configFile?: string
  /** Absolute; gets `client/` and `build.json`. */
  readonly outDir: string
  readonly logLevel?: 'info' | 'warn' | 'error' | 'silent'
}

/** Returns the build id: a hash of the browser's files, so that the same sources keep open tabs valid. */
export async function buildPages(options: BuildPagesOptions): Promise<string> {
  const { build } = await import('vite')
  const { root, configFile, outDir, logLevel = 'warn' } = options
  const clientDir = path.join(outDir, 'client')
  await build({
    root,
    logLevel,
    ...(configFile === undefined ? {} : { configFile }),
    mode: 'production',
    build: { outDir: clientDir, emptyOutDir: true },
  })
  await compressFolder(clientDir)
  const manifest = await readFile(path.join(clientDir, '.vite/manifest.json'))
  const buildId = createHash('sha256').update(manifest).digest('hex').slice(0, 16)
  await writeFile(path.join(outDir, BUILD_FILE), JSON.stringify({ buildId } satisfies BuildFile))
  return buildId
}

/** Smaller files gain nothing from compression. */
const MIN_BYTES = 1024

async function compressFolder(dir: string): Promise<void> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && /\.(js|css|svg|html|json|txt)$/.test(entry.name))
  await Promise.all(
    files.map(async (entry) => {
      const file = path.join(entry.parentPath, entry.name)
      const bytes = await readFile(file)
      if (bytes.length < MIN_BYTES || file.includes(`${path.sep}.vite${path.sep}`)) return
      const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
      await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }))
      await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
    }),
  )
}

export type ServerRoutesOptions = {
  /** Folder of the app's vite.config.ts, absolute. */
  readonly root: string
  /** As given to `sondeRouter`. */
  readonly routesDir: string
}

/** Rolldown plugins that give the bundle the entry `SERVER_ENTRY`, whose export `build` is what `serveBuilt` takes. */
export function sondeServerRoutes({ root, routesDir }: ServerRoutesOptions): Rolldown.Plugin[] {
  const dir = path.resolve(root, routesDir)
  const modules: Readonly<Record<string, () => string>> = {
    [SERVER_ENTRY]: serverEntry,
    [SERVER_ROUTES]: () =>
      serverRoutes({ table: scanRoutes(dir), routesDir: dir.replaceAll('\\', '/'), routesKey: routesDir }),
  }
  return [
    {
      name: 'sonde-router:server-routes',
      resolveId: (id) => (id in modules ? `\0${id}` : undefined),
      load: (id) => modules[id.slice(1)]?.(),
    },
    {
      name: 'sonde-router:no-styles',
      load: { filter: { id: /\.css$/ }, handler: () => ({ code: '', moduleType: 'js' }) },
    },
    {
      // Addresses of the browser's own files (`?url`, `?worker&url`): only browsers ask for them.
      name: 'sonde-router:no-addresses',
      resolveId: { filter: { id: /[?&]url$/ }, handler: (id) => `\0${id}` },
      load: {
        filter: { id: /^\0.*[?&]url$/ },
        handler: () => ({ code: "export default ''", moduleType: 'js' }),
      },
    },
    {
      // React's production code whatever NODE_ENV the server runs with, and only React's: others read it for more.
      name: 'sonde-router:production',
      transform: {
        filter: {
          id: /\/node_modules\/(?:react|react-dom|scheduler|@tanstack\/[\w-]+)\//,
          code: 'process.env.NODE_ENV',
        },
        handler: (code) => ({ code: code.replaceAll('process.env.NODE_ENV', '"production"'), map: null }),
      },
    },
  ]
}
