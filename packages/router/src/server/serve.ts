/** The pages as a part of a server process: from a build in production, through Vite in development. */
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import type { InlineConfig } from 'vite'
import { BUILD_FILE, type BuildFile, CLIENT_ENTRY, SERVER_ENTRY } from '../shared/entry-names.ts'
import { assetsFromManifest, collectStyles, devAssets, type ManifestChunk } from './assets.ts'
import type { ServerBuild } from './build.ts'
import { sendResponse, toRequest } from './node-http.ts'
import { createPageHandler, type PageHandler } from './page-handler.ts'
import type { PageHandlerOptions } from './page-request.ts'
import { createStaticFiles } from './static-files.ts'

export type PageServerOptions<Context> = Omit<PageHandlerOptions<Context>, 'build' | 'manifest' | 'buildId'>

export type PageServer = {
  readonly buildId: string
  /** The whole answer: static files, then pages. Never rejects. */
  readonly handle: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>
  /** Pages alone. */
  readonly fetch: PageHandler
  readonly close: () => Promise<void>
}

/**
 * @param outDir what `buildPages` wrote
 * @param build the export of `SERVER_ENTRY` in the server's own bundle
 * @throws when there is no build
 */
export async function serveBuilt<Context>(
  outDir: string,
  build: ServerBuild,
  options: PageServerOptions<Context>,
): Promise<PageServer> {
  const clientDir = path.join(outDir, 'client')
  const { buildId } = (await readJson(path.join(outDir, BUILD_FILE))) as BuildFile
  const manifest = (await readJson(path.join(clientDir, '.vite/manifest.json'))) as Record<
    string,
    ManifestChunk
  >
  const files = await createStaticFiles(clientDir)
  const fetch = createPageHandler({ ...options, build, buildId, manifest: assetsFromManifest(manifest) })
  return {
    buildId,
    fetch,
    close: () => Promise.resolve(),
    async handle(incoming, outgoing) {
      if (!files.serve(incoming, outgoing)) await answer(fetch, incoming, outgoing, options.publicOrigin)
    },
  }
}

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, 'utf8'))
}

/** The build id of development: an edit never makes an open tab stale, hot reload brings it up to date. */
const DEV_BUILD_ID = 'development'

/** @param vite where the app's vite.config.ts is; hot reload speaks over its own port unless told otherwise */
export async function serveDev<Context>(
  vite: InlineConfig,
  options: PageServerOptions<Context>,
): Promise<PageServer> {
  // A name that no bundler can read keeps Vite out of the app's server bundle.
  const viteModule = 'vite'
  const { createServer } = (await import(/* @vite-ignore */ viteModule)) as typeof import('vite')
  const server = await createServer({
    ...vite,
    appType: 'custom',
    server: { ...vite.server, middlewareMode: true },
  })
  const fetch = createPageHandler({
    ...options,
    buildId: DEV_BUILD_ID,
    manifest: devAssets(`/@id/__x00__${CLIENT_ENTRY}`, (files) =>
      collectStyles(server, [CLIENT_ENTRY, ...files.map((file) => `/${file}`)]),
    ),
    extraCsp: {
      ...options.extraCsp,
      'connect-src': ["'self'", 'ws:', ...(options.extraCsp?.['connect-src'] ?? [])],
    },
    onError(report) {
      if (report.error instanceof Error) server.ssrFixStacktrace(report.error)
      options.onError(report)
    },
    async build() {
      return ((await server.ssrLoadModule(SERVER_ENTRY)) as { build: ServerBuild }).build
    },
  })
  return {
    buildId: DEV_BUILD_ID,
    fetch,
    close: () => server.close(),
    handle: (incoming, outgoing) =>
      new Promise((resolve) => {
        outgoing.once('close', () => resolve())
        server.middlewares(incoming, outgoing, () => {
          void answer(fetch, incoming, outgoing, options.publicOrigin)
        })
      }),
  }
}

async function answer(
  fetch: PageHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  publicOrigin: string | undefined,
): Promise<void> {
  const request = toRequest(incoming, outgoing, publicOrigin)
  if (!request) {
    outgoing.writeHead(400, { 'content-type': 'text/plain' }).end('Bad request\n')
    return
  }
  try {
    await sendResponse(await fetch(request), outgoing)
  } catch {
    if (!outgoing.headersSent) outgoing.writeHead(500, { 'content-type': 'text/plain' })
    outgoing.end('Internal server error\n')
  }
}
