/**
 * The pages as part of the app's own server bundle: one bundler builds both, so every module exists once in the
 * process, as in development. Vite builds the browser's files only.
 */
import path from 'node:path'
import type { Rolldown } from 'vite'
import { SERVER_ENTRY } from '../shared/entry-names.ts'
import { SERVER_ROUTES, serverEntry, serverRoutes } from './generate.ts'
import { scanRoutes } from './scan-routes.ts'

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
      // React's production code whatever NODE_ENV the server runs with, and only React's: others read it for more.
      name: 'sonde-router:production',
      transform: {
        filter: {
          id: /\/node_modules\/(?:react|react-dom|react-router|scheduler|@tanstack\/[\w-]+)\//,
          code: 'process.env.NODE_ENV',
        },
        handler: (code) => ({ code: code.replaceAll('process.env.NODE_ENV', '"production"'), map: null }),
      },
    },
  ]
}
