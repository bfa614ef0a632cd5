/** Source text of the modules that join the route table of a folder with the runtime. */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { NOT_FOUND_ID } from '../client/route-modules.ts'
import { buildRouteTable, type RouteTable } from '../shared/route-table.ts'

export const CLIENT_ROUTES = 'virtual:sonde-router/client-routes'
export const CLIENT_IMPORTERS = 'virtual:sonde-router/client-importers'
export const SERVER_ROUTES = 'virtual:sonde-router/server-routes'
/** Sent to the browser when only server code changed. */
export const REFRESH_EVENT = 'sonde-router:refresh'

const runtime = (file: string): string => JSON.stringify(fileURLToPath(new URL(file, import.meta.url)))

export type GenerateOptions = {
  readonly table: RouteTable
  /** Absolute path of the routes folder. */
  readonly routesDir: string
  /** The same below Vite's root, with `/`: how the manifest names its files. */
  readonly routesKey: string
}

/** What addresses are matched with. Routes without a page are the server's alone: the browser loads them whole. */
export function clientRoutes({ table }: GenerateOptions): string {
  const pages = table.pages.filter((page) => page.file !== undefined)
  return [
    `export const pages = ${JSON.stringify(pages.map(({ id, layouts }) => ({ id, layouts })))}`,
    `export const importers = () => import(${JSON.stringify(CLIENT_IMPORTERS)}).then((all) => all.importers)`,
  ].join('\n')
}

export function clientImporters({ table, routesDir }: GenerateOptions): string {
  const files: [id: string, file: string | undefined][] = [
    ...[...table.layouts, ...table.pages].map(({ id, file }): [string, string | undefined] => [id, file]),
    [NOT_FOUND_ID, table.notFoundFile],
  ]
  const importers = files.flatMap(([id, file]) =>
    file === undefined
      ? []
      : [`  ${JSON.stringify(id)}: () => import(${JSON.stringify(`${routesDir}/${file}`)}),`],
  )
  return `export const importers = {\n${importers.join('\n')}\n}`
}

export function serverRoutes({ table, routesDir, routesKey }: GenerateOptions): string {
  const imports: string[] = []
  const imported = (file: string | undefined): string => {
    if (file === undefined) return 'undefined'
    imports.push(`import * as m${imports.length} from ${JSON.stringify(`${routesDir}/${file}`)}`)
    return `m${imports.length - 1}`
  }
  const key = (file: string | undefined): string =>
    file === undefined ? 'undefined' : JSON.stringify(`${routesKey}/${file}`)
  const entry = (route: RouteTable['layouts'][number] | RouteTable['pages'][number]): string => {
    const shape = 'layouts' in route ? { layouts: route.layouts } : {}
    const text = JSON.stringify({ id: route.id, ...shape }).slice(0, -1)
    return `  ${text}, file: ${key(route.file)}, module: ${imported(route.file)}, server: ${imported(route.serverFile)} },`
  }
  const pages = table.pages.map(entry).join('\n')
  const layouts = table.layouts.map(entry).join('\n')
  const file = table.notFoundFile
  const notFound = file === undefined ? 'undefined' : `{ file: ${key(file)}, module: ${imported(file)} }`
  return [
    ...imports,
    `export const pages = [\n${pages}\n]`,
    `export const layouts = [\n${layouts}\n]`,
    `export const notFound = ${notFound}`,
  ].join('\n')
}

export function serverEntry(): string {
  return [
    `import { createServerBuild } from ${runtime('../ssr/entry-server.tsx')}`,
    `import * as routes from ${JSON.stringify(SERVER_ROUTES)}`,
    'export const build = createServerBuild(routes)',
  ].join('\n')
}

/** In development with the React plugin, hot reload keeps state although pages export a `title` too. */
export function clientEntry(options: {
  readonly clientSetup: string | undefined
  readonly isHot: boolean
  readonly isDevelopment: boolean
}): string {
  return [
    ...(options.isHot ? [`import '@vitejs/plugin-react/preamble'`] : []),
    ...(options.clientSetup === undefined ? [] : [`import ${JSON.stringify(options.clientSetup)}`]),
    `import { startClient } from ${runtime('../client/entry-client.tsx')}`,
    `import * as routes from ${JSON.stringify(CLIENT_ROUTES)}`,
    ...(options.isHot ? [`window.__getReactRefreshIgnoredExports = () => ['title']`] : []),
    'const app = startClient(routes)',
    ...(options.isDevelopment
      ? [
          `import { stayThroughRestarts } from ${runtime('../client/dev-restarts.ts')}`,
          'const refresh = () => app.then((client) => client.revalidate())',
          `import.meta.hot.on(${JSON.stringify(REFRESH_EVENT)}, refresh)`,
          'stayThroughRestarts(import.meta.hot, refresh)',
        ]
      : []),
  ].join('\n')
}

/** The route table of a folder on disk. @throws RouteTableError, or when the folder is missing */
export function scanRoutes(dir: string): RouteTable {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)))
  return buildRouteTable(files)
}
