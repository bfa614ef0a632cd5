/** The way of every bundler's plugin: it builds the shop and uploads, the shop fails in Chromium, its source is read back. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { type ShopServer, startShopServer } from '../../compat/browser/shop-server.ts'
import { launchChromium } from '../../e2e/chromium.ts'
import { type App, copyApp, servePage } from './app.ts'
import { openHarness, type Harness } from './harness.ts'
import { pay } from './pay.ts'
import { assertCheckoutReadable } from './read-checkout.ts'
import { storedEvent } from './readable.ts'
import { mustRun } from './run-tool.ts'
import { verifySite } from './verify-site.ts'

export type PluginWay = {
  /** Tool and arguments, run in the shop's folder. */
  readonly build: readonly [tool: Parameters<typeof mustRun>[0], ...words: string[]]
  /** Its output has no page of its own. */
  readonly needsPage: boolean
  /** What its minifier leaves of the throwing expression. */
  readonly expected?: Parameters<typeof assertCheckoutReadable>[1]
}

export function testPluginWay({ build: [tool, ...words], needsPage, expected }: PluginWay): void {
  let harness: Harness
  let browser: Browser
  let shop: App
  let server: ShopServer
  let buildOutput: string

  before(async () => {
    harness = await openHarness()
    shop = copyApp('shop')
    const env = { ...harness.env, OUT_DIR: shop.dist, SHOP_RELEASE: 'shop@1.0.0' }
    buildOutput = await mustRun(tool, words, { cwd: shop.folder, env })
    if (needsPage) servePage(shop)
    server = await startShopServer(shop.dist, harness.sonde.url)
    browser = await launchChromium()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
    shop?.remove()
    await harness?.close()
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
    const event = await storedEvent(harness, await pay(browser, server.url))
    assert.equal(event.release?.version, 'shop@1.0.0')
    assertCheckoutReadable(event, expected)
  })

  test('`sonde sourcemaps verify` finds every script from the address of the page, and its map on the server', async () => {
    const checks = await verifySite(harness, server.url)
    const found = checks.map(({ file, server: state }) => `${new URL(file).pathname.slice(1)} ${state}`)
    const built = shop.built().filter((path) => path.endsWith('.js'))
    assert.deepEqual(
      found.toSorted(),
      built.map((path) => `${path} readable`),
    )
  })
}
