/** The Vite plugin: generated modules, the wall around server code, hot reload, build settings. */
import type { ServerResponse } from 'node:http'
import path from 'node:path'
import type { Plugin, ResolvedConfig, ViteDevServer } from 'vite'
import { CLIENT_ENTRY, EDITS_PATH, SERVER_ENTRY } from '../shared/entry-names.ts'
import {
  CLIENT_IMPORTERS,
  CLIENT_ROUTES,
  clientEntry,
  clientImporters,
  clientRoutes,
  type GenerateOptions,
  REFRESH_EVENT,
  scanRoutes,
  SERVER_ROUTES,
  serverEntry,
  serverRoutes,
} from './generate.ts'

export type SondeRouterOptions = {
  /** Folder of the route tree, relative to Vite's root. */
  readonly routesDir: string
  /** Module run in the browser before anything renders (an error reporter); relative to Vite's root. */
  readonly clientSetup?: string
  /**
   * Import names that development takes from Node as they are, instead of transforming them: workspace
   * packages of the server, so that they exist once in the process. `@sonde/router/server` is always one of them.
   */
  readonly devExternal?: readonly string[]
  readonly browserImports?: BrowserImports
}

/** The wall around the server's packages. Types may come from everywhere: they are gone when a bundle is made. */
export type BrowserImports = {
  /** How the names of the packages begin that the rule is about: `@acme/`. */
  readonly scope: string
  /** From which of them code of the browser imports values, by whole name; `@acme/wire/*` is every entry below. */
  readonly allowed: readonly string[]
}

export function sondeRouter(options: SondeRouterOptions): Plugin[] {
  return [routesPlugin(options), serverOnlyPlugin(options.browserImports), refreshPlugin()]
}

const VIRTUAL = [CLIENT_ENTRY, SERVER_ENTRY, CLIENT_ROUTES, CLIENT_IMPORTERS, SERVER_ROUTES]

function routesPlugin(options: SondeRouterOptions): Plugin {
  let config: ResolvedConfig
  const generateOptions = (): GenerateOptions => {
    const routesDir = path.resolve(config.root, options.routesDir)
    const routesKey = path.relative(config.root, routesDir).replaceAll('\\', '/')
    return { table: scanRoutes(routesDir), routesDir: routesDir.replaceAll('\\', '/'), routesKey }
  }
  return {
    name: 'sonde-router:routes',
    config: (given, { command }) => ({
      appType: 'custom',
      build: {
        // What a plugin returns wins over what the caller says: the folder is only a default.
        outDir: given.build?.outDir ?? 'dist/client',
        manifest: true,
        modulePreload: { polyfill: false },
        rolldownOptions: { input: CLIENT_ENTRY },
      },
      ...(command === 'serve'
        ? { ssr: { external: ['@sonde/router/server', ...(options.devExternal ?? [])] } }
        : {}),
      resolve: { dedupe: ['react', 'react-dom'] },
      // Found late, they would reload the page of the first visitor.
      optimizeDeps: { include: ['react', 'react-dom', 'react-dom/client'] },
    }),
    configResolved(resolved) {
      config = resolved
    },
    resolveId: (id) => (VIRTUAL.includes(id) ? `\0${id}` : undefined),
    load(id) {
      switch (id) {
        case `\0${CLIENT_ENTRY}`:
          return clientEntry({
            clientSetup: options.clientSetup && path.resolve(config.root, options.clientSetup),
            isDevelopment: config.command === 'serve',
            isHot:
              config.command === 'serve' && config.plugins.some(({ name }) => name === 'vite:react-refresh'),
          })
        case `\0${SERVER_ENTRY}`:
          return serverEntry()
        case `\0${CLIENT_ROUTES}`:
          return clientRoutes(generateOptions())
        case `\0${CLIENT_IMPORTERS}`:
          return clientImporters(generateOptions())
        case `\0${SERVER_ROUTES}`:
          return serverRoutes(generateOptions())
        default:
          return undefined
      }
    },
    configureServer(server) {
      const dir = path.resolve(config.root, options.routesDir)
      const onTree = (file: string): void => {
        if (file.startsWith(dir + path.sep)) reloadRoutes(server)
      }
      server.watcher.on('add', onTree).on('unlink', onTree)
    },
  }
}

/** A file came or went: both sides make their table anew. */
function reloadRoutes(server: ViteDevServer): void {
  for (const [name, environment] of Object.entries(server.environments)) {
    for (const routes of name === 'client' ? [CLIENT_ROUTES, CLIENT_IMPORTERS] : [SERVER_ROUTES]) {
      const module = environment.moduleGraph.getModuleById(`\0${routes}`)
      if (module) environment.moduleGraph.invalidateModule(module)
    }
  }
  server.environments.client.hot.send({ type: 'full-reload' })
}

/** Refuses `*.server.ts` and the server's packages in the browser build, naming who imported them. */
function serverOnlyPlugin(imports: BrowserImports | undefined): Plugin {
  const isAllowed = (name: string): boolean =>
    !imports ||
    !name.startsWith(imports.scope) ||
    imports.allowed.some((one) => (one.endsWith('/*') ? name.startsWith(one.slice(0, -1)) : name === one))
  return {
    name: 'sonde-router:server-only',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.config.consumer === 'client',
    resolveId(source, importer) {
      if (isAllowed(source) && !SERVER_FILE.test(withoutQuery(source))) return
      this.error(`${source} runs on the server only; ${importer ?? 'the browser'} may import it as a type`)
    },
    load(id) {
      if (SERVER_FILE.test(withoutQuery(id))) this.error(`${id} runs on the server only`)
    },
  }
}

const SERVER_FILE = /\.server(\.[cm]?[jt]sx?)?$/

function withoutQuery(id: string): string {
  return id.split('?')[0] ?? id
}

/**
 * After an edit that only the server sees, the browser fetches the page's data again and keeps its state. Tabs that
 * outlived a restart of the server hear of edits through a stream of events: their hot reload ended with the old one.
 */
function refreshPlugin(): Plugin {
  return {
    name: 'sonde-router:refresh',
    apply: 'serve',
    hotUpdate({ file, modules, server }) {
      if (this.environment.config.consumer === 'client' || modules.length === 0) return
      const inBrowser = server.environments.client.moduleGraph.getModulesByFile(file)
      if (!inBrowser || inBrowser.size === 0) server.environments.client.hot.send(REFRESH_EVENT)
    },
    configureServer({ middlewares, watcher }) {
      const tabs = new Set<ServerResponse>()
      middlewares.use(EDITS_PATH, (incoming, outgoing) => {
        outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
        outgoing.write(': here\n\n')
        tabs.add(outgoing)
        incoming.once('close', () => tabs.delete(outgoing))
      })
      watcher.on('change', (file) => {
        const data = SERVER_FILE.test(file) ? 'refresh' : 'reload'
        for (const tab of tabs) tab.write(`data: ${data}\n\n`)
      })
    },
  }
}
