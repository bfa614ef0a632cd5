/** The shop as esbuild makes it without a plugin, served; its maps are taken away, as a careful deploy does. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type ShopServer, startShopServer } from '../../compat/browser/shop-server.ts'
import { type App, copyApp, servePage } from './app.ts'
import type { Harness } from './harness.ts'
import { mustRun } from './run-tool.ts'

export type PlainShop = {
  readonly app: App
  /** Serves what stands in `app.dist` now, without its maps. */
  deploy(): Promise<ShopServer>
}

export type PlainOptions = { readonly release: string; readonly layout?: 'other' }

export async function plainShop(harness: Harness, { release, layout }: PlainOptions): Promise<PlainShop> {
  const app = copyApp('shop')
  const env = { ...harness.env, OUT_DIR: app.dist, SHOP_RELEASE: release, LAYOUT: layout }
  await mustRun('./plain-build.mjs', [], { cwd: app.folder, env })
  servePage(app)
  return {
    app,
    deploy() {
      const served = mkdtempSync(join(app.folder, 'served-'))
      cpSync(app.dist, served, { recursive: true })
      rmSync(join(served, 'main.js.map'))
      return startShopServer(served, harness.sonde.url)
    },
  }
}
