/** Requests without an answer by `@sentry/browser` as it comes from npm: one issue for each endpoint, route and cause. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../e2e/chromium.ts'
import { buildShop } from './browser/build-shop.ts'
import { startShopServer } from './browser/shop-server.ts'
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
const titles = (list: readonly Issue[]) => list.map(({ title, count }) => `${count} × ${title}`).toSorted()

test('are one issue a host until the project moves to version 3, and then one an endpoint', async () => {
  const shop = await buildShop('shop@2.0.0', join(import.meta.dirname, 'failed-requests', 'page'))
  const server = await startShopServer(shop.folder, harness.sonde.url)
  const page = await browser.newPage()
  try {
    await page.route(/\/api\/(?:orders|cart|pay)/, (route) => route.abort('connectionrefused'))
    // A new page each time: the SDK leaves out an error that is like the one before.
    const load = async (url: string): Promise<void> => {
      await page.goto(`${server.url}/orders/42?dsn=${encodeURIComponent(harness.project.dsn)}`)
      await page.evaluate((to) => window.load(to), url)
    }
    await load('/api/orders/42')
    await load('/api/cart')
    const { host } = new URL(server.url)
    assert.deepEqual(titles(await issues((list) => list[0]?.count === '2')), [
      `2 × TypeError: Failed to fetch (${host})`,
    ])
    await moveGrouping(harness, 'v3')
    // Settings hold for what arrives about a second later.
    for (let sent = 3; sent < 100; sent++) {
      await load('/api/pay/settings')
      const list = await issues((all) => all.reduce((sum, { count }) => sum + Number(count), 0) === sent)
      if (list.length > 1) break
    }
    await load('/api/orders/43?page=2')
    await load('/api/orders/44')
    await load('/api/cart')
    const all = titles(
      await issues(
        (list) =>
          list.length === 4 && list.some(({ title, count }) => count === '2' && title.includes('orders')),
      ),
    )
    const split = all.filter((title) => title.includes('Failed to fetch: '))
    assert.deepEqual(
      split.filter((title) => !title.includes('/api/pay')),
      [
        '1 × Failed to fetch: GET /api/cart on /orders/[id] (unreachable)',
        '2 × Failed to fetch: GET /api/orders/[id] on /orders/[id] (unreachable)',
      ],
    )
  } finally {
    await page.close()
    await server.stop()
    shop.remove()
  }
})
