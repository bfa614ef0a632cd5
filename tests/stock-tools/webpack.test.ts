/** webpack with `@sentry/webpack-plugin`, TypeScript through esbuild-loader, minified by terser as webpack does. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { type ShopServer, startShopServer } from '../compat/browser/shop-server.ts'
import { launchChromium } from '../e2e/chromium.ts'
import { type App, copyApp, servePage } from './support/app.ts'
import { pay } from './support/pay.ts'
import { assertCheckoutReadable } from './support/read-checkout.ts'
import { storedEvent } from './support/readable.ts'
import { mustRun } from './support/run-tool.ts'
import { openWorkshop, type Workshop } from './support/workshop.ts'

let workshop: Workshop
let browser: Browser
let shop: App
let server: ShopServer
let buildOutput: string

before(async () => {
  workshop = await openWorkshop()
  shop = copyApp('shop')
  const env = { ...workshop.env, OUT_DIR: shop.dist, SHOP_RELEASE: 'shop@1.0.0' }
  buildOutput = await mustRun('./webpack-build.mjs', [], { cwd: shop.folder, env })
  servePage(shop)
  server = await startShopServer(shop.dist, workshop.sonde.url)
  browser = await launchChromium()
})
after(async () => {
  await browser?.close()
  await server?.stop()
  shop?.remove()
  await workshop?.close()
})

test('the plugin says that it uploaded, and leaves no map in the output', () => {
  assert.match(buildOutput, /Successfully uploaded source maps/)
  assert.doesNotMatch(buildOutput, /error/i)
  assert.deepEqual(
    shop.built().filter((path) => path.endsWith('.map')),
    [],
  )
})

test('an error of the minified page is shown in its TypeScript', async () => {
  const event = await storedEvent(workshop, await pay(browser, server.url))
  assert.equal(event.release?.version, 'shop@1.0.0')
  assertCheckoutReadable(event)
})
