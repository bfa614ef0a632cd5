/** The two halves of the example shop, in the releases and environments that the demo tells of. */
import { spawn } from 'node:child_process'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PageViews } from './page-views.ts'
import { closeNow, listenHere } from './ports.ts'

/** Oldest first. The last one is what runs in the end. */
export const RELEASES = ['shop@1.4.0', 'shop@1.4.1', 'shop@1.5.0'] as const
export type Release = (typeof RELEASES)[number]

export type Shops = {
  readonly production: { readonly url: string }
  readonly staging: { readonly url: string }
  /** The files of the release before are gone then, as after a real deploy. */
  deploy(release: Release): void
  stop(): Promise<void>
}

type ShopServer = { readonly server: Server; deploy(dir: string): void }
type ShopModule = {
  createShopServer(options: {
    dir: string
    dsn: string
    environment: string
    apiUrl: string
    tunnelTo: { to: string; via: string }
    tagsOf: PageViews['tagsOf']
  }): ShopServer
}

// Where a person finds the shop afterwards, when the port is free.
const SHOP_PORT = 4311

export async function startShops(parts: {
  readonly scratch: string
  readonly dsn: string
  readonly apiUrl: string
  readonly sondeUrl: string
  readonly via: string
  /** For builds: uploads source maps. */
  readonly token: string
  readonly tagsOf: PageViews['tagsOf']
}): Promise<Shops> {
  const { createShopServer } = await loadShop()
  const dirOf = (release: Release): string => join(parts.scratch, release)
  await Promise.all(RELEASES.map((release) => build(release, dirOf(release), parts)))
  const make = (environment: string, release: Release): ShopServer =>
    createShopServer({
      dir: dirOf(release),
      dsn: parts.dsn,
      environment,
      apiUrl: parts.apiUrl,
      tunnelTo: { to: parts.sondeUrl, via: parts.via },
      tagsOf: parts.tagsOf,
    })
  const production = make('production', RELEASES[0])
  const staging = make('staging', 'shop@1.5.0')
  return {
    production: {
      url: await listenHere(production.server, SHOP_PORT).catch(() => listenHere(production.server)),
    },
    staging: { url: await listenHere(staging.server) },
    deploy: (release) => production.deploy(dirOf(release)),
    async stop() {
      await Promise.all([closeNow(production.server), closeNow(staging.server)])
    },
  }
}

const SHOP_SERVER = join(import.meta.dirname, '..', '..', 'examples', 'shop', 'server')

function loadShop(): Promise<ShopModule> {
  return import(pathToFileURL(join(SHOP_SERVER, 'create-shop-server.mjs')).href) as Promise<ShopModule>
}

/** In a process of its own: what a bundler took of memory is given back with it. */
async function build(
  release: Release,
  outDir: string,
  {
    scratch,
    sondeUrl,
    token,
  }: { readonly scratch: string; readonly sondeUrl: string; readonly token: string },
): Promise<void> {
  const code = `import { buildShop } from ${JSON.stringify(pathToFileURL(join(SHOP_SERVER, 'build.mjs')).href)}
    await buildShop(${JSON.stringify({ release, outDir })})`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: join(SHOP_SERVER, '..'),
    // With these the stock plugin uploads the maps, and names components in the page.
    env: {
      ...process.env,
      SENTRY_URL: sondeUrl,
      SENTRY_ORG: 'default',
      SENTRY_PROJECT: 'shop',
      SENTRY_AUTH_TOKEN: token,
      // The plugin keeps answers of servers in the home folder, also those of a Sonde that is gone.
      HOME: scratch,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exitCode = await new Promise((resolve) => child.once('exit', resolve))
  if (exitCode !== 0) throw new Error(`the shop could not be built (${String(exitCode)})`)
}

export async function startApi(root: string, dsn: string): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, ['--import', './src/instrument.mjs', 'src/server.mjs'], {
    cwd: join(root, 'examples', 'api'),
    env: { ...process.env, PORT: '0', SONDE_DSN: dsn },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      const found = /API on (http:\/\/[^/]+)/.exec(chunk.toString())?.[1]
      if (found) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`the API ended with ${code}`)))
  })
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}
