/** Hydration errors of real React by `@sentry/browser` as it comes from npm: one issue for each route and component. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { launchChromium } from '../e2e/chromium.ts'
import { buildShop } from './browser/build-shop.ts'
import { startShopServer } from './browser/shop-server.ts'
import { App } from './hydration/page/app.ts'
import { type Harness, openHarness } from './support/harness.ts'
import { moveGrouping } from './support/move-grouping.ts'

let harness: Harness
let browser: Browser

before(async () => {
  harness = await openHarness('javascript')
  browser = await launchChromium()
})
after(async () => {
  await browser?.close()
  await harness?.close()
})

type Issue = { readonly title: string; readonly count: string }
const issues = (fits: (list: readonly Issue[]) => boolean) =>
  harness.api.until<readonly Issue[]>('/api/0/projects/acme/shop/issues/', fits, 60_000)

test('are one issue until the project moves to version 4, and then one a route and component', async () => {
  const shop = await buildShop('shop@2.0.0', join(import.meta.dirname, 'hydration', 'page'))
  const index = join(shop.folder, 'index.html')
  const html = readFileSync(index, 'utf8')
  const server = await startShopServer(shop.folder, harness.sonde.url)
  const page = await browser.newPage()
  const load = async (path: string, more = ''): Promise<void> => {
    const app = renderToString(createElement(App, { side: 'server', path }))
    writeFileSync(index, html.replace('<!--app-->', app))
    await page.goto(`${server.url}${path}?dsn=${encodeURIComponent(harness.project.dsn)}${more}`, {
      waitUntil: 'networkidle',
    })
    await page.evaluate(() => window.flush())
  }
  try {
    await load('/products/42')
    await load('/cart')
    const [one, ...none] = await issues((list) => list[0]?.count === '2')
    assert.match(one?.title ?? '', /^Error: Minified React error #418; /)
    assert.deepEqual(none, [])

    await moveGrouping(harness, 'v4')
    // Settings hold for what arrives about a second later.
    for (let sent = 3; sent < 100; sent++) {
      await load('/about')
      const list = await issues((all) => all.reduce((sum, { count }) => sum + Number(count), 0) === sent)
      if (list.length > 1) break
    }
    await load('/products/43')
    await load('/products/44')
    await load('/cart')
    await load('/cart', '&plain')
    const all = await issues((list) => list.length === 5)
    // Minifiers rename functions: the element is what keeps its name.
    assert.deepEqual(
      all
        .map(({ title, count }) => `${count} × ${title}`)
        .filter((title) => title.includes('Hydration') && !title.includes('/about'))
        .toSorted(),
      [
        '1 × Hydration mismatch in b on /cart',
        '1 × Hydration mismatch on /cart',
        '2 × Hydration mismatch in time on /products/[id]',
      ],
    )
  } finally {
    await page.close()
    await server.stop()
    shop.remove()
  }
})
