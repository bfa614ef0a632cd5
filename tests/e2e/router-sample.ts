/** The router's sample app, built with Vite and served as in production, with gates that tests open. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ErrorReport, PageServer, ServerBuild } from '@sonde/router/server'
import { buildPages, SERVER_ENTRY, sondeServerRoutes } from '@sonde/router/vite'
import { rolldown } from 'rolldown'
import type * as sampleServer from '../../packages/router/test/sample-app/server.ts'

export const SAMPLE_ROOT = path.resolve(import.meta.dirname, '../../packages/router/test/sample-app')

export type Asked = {
  readonly url: string
  readonly method: string
  /** Value of `x-sonde-page`; empty for documents and files. */
  readonly page: string
}

type Respond = (incoming: IncomingMessage, outgoing: ServerResponse) => void

export type Sample = AsyncDisposable & {
  readonly origin: string
  readonly host: string
  /** Another origin; answers every path with a heading "Elsewhere". */
  readonly elsewhere: string
  readonly buildId: string
  readonly asked: Asked[]
  readonly errors: ErrorReport[]
  readonly posted: string[]
  /** Method and path of what came to the other origin. */
  readonly arrived: string[]
  /** Page data and documents asked of this URL. */
  dataRequests(url?: string): Asked[]
  documents(url?: string): Asked[]
  close(gate: string): void
  open(gate: string): void
  /** How many loads wait at closed gates. */
  waiting(): number
  /** Answers page data of this URL in another way until told otherwise. */
  replaceData(url: string, respond: Respond | undefined): void
}

/** @param options `publicOrigin`: where a proxy in front of it says that it is */
export async function startSample(options: { readonly publicOrigin?: string } = {}): Promise<Sample> {
  const outDir = await mkdtemp(path.join(tmpdir(), 'router-sample-'))
  await buildPages({ root: SAMPLE_ROOT, outDir })
  const { serveBuilt, build } = await bundleServer(path.join(outDir, 'server'))
  const asked: Asked[] = []
  const errors: ErrorReport[] = []
  const posted: string[] = []
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const replaced = new Map<string, Respond>()
  let waiting = 0

  const arrived: string[] = []
  const other = await listen(({ method, url }, outgoing) => {
    if (url === '/landing') arrived.push(`${method} ${url}`)
    outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Elsewhere</h1>')
  })
  const pages: PageServer = await serveBuilt(outDir, build, {
    createContext: (request) => ({
      elsewhere: other.origin,
      cookie: request.headers.get('cookie') ?? '',
      posted,
      async gate(name: string) {
        const gate = gates.get(name)
        if (!gate) return
        waiting++
        await gate.promise
        waiting--
      },
    }),
    onError: (report) => void errors.push(report),
    ...options,
    document: { title: 'Sample' },
    extraCsp: { 'form-action': [other.origin] },
  })
  const main = await listen((incoming, outgoing) => {
    const url = incoming.url ?? ''
    const page = String(incoming.headers['x-sonde-page'] ?? '')
    asked.push({ url, method: incoming.method ?? '', page })
    const respond = page === '' ? undefined : replaced.get(url)
    if (respond) respond(incoming, outgoing)
    else void pages.handle(incoming, outgoing)
  })

  const isFile = (entry: Asked): boolean => /^\/(assets\/|favicon)/.test(entry.url)
  return {
    origin: main.origin,
    host: new URL(main.origin).host,
    elsewhere: other.origin,
    buildId: pages.buildId,
    asked,
    errors,
    posted,
    arrived,
    dataRequests: (url) =>
      asked.filter((entry) => entry.page !== '' && (url === undefined || entry.url === url)),
    documents: (url) =>
      asked.filter(
        (entry) => entry.page === '' && !isFile(entry) && (url === undefined || entry.url === url),
      ),
    close: (gate) => void gates.set(gate, Promise.withResolvers<void>()),
    open(gate) {
      gates.get(gate)?.resolve()
      gates.delete(gate)
    },
    waiting: () => waiting,
    replaceData(url, respond) {
      if (respond) replaced.set(url, respond)
      else replaced.delete(url)
    },
    async [Symbol.asyncDispose]() {
      await pages.close()
      for (const { server } of [main, other]) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
      await rm(outDir, { recursive: true, force: true })
    },
  }
}

/** As the product does it: the server and the pages from one bundle. */
async function bundleServer(dir: string): Promise<typeof sampleServer & { build: ServerBuild }> {
  const bundle = await rolldown({
    input: { server: path.join(SAMPLE_ROOT, 'server.ts'), pages: SERVER_ENTRY },
    cwd: SAMPLE_ROOT,
    platform: 'node',
    external: ['vite'],
    plugins: sondeServerRoutes({ root: SAMPLE_ROOT, routesDir: 'routes' }),
    logLevel: 'silent',
  })
  await bundle.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  })
  await bundle.close()
  const load = (name: string): Promise<unknown> => import(pathToFileURL(path.join(dir, name)).href)
  const { build } = (await load('pages.mjs')) as { build: ServerBuild }
  return { ...((await load('server.mjs')) as typeof sampleServer), build }
}

async function listen(respond: Respond): Promise<{ server: Server; origin: string }> {
  const server = createServer(respond)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
