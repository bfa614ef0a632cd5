/**
 * A page that the browser prepared before anybody asked for it. Chromium prepares none under a debugger
 * (`PrerenderingDisabledByDevTools`), so what such a page sees is put in its place.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import { rootOf, spansOf, startApiSite, traced, transactionsOf } from './traced-page.ts'

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

test('a prerendered page is a page load from when it is shown, and nothing before', async () => {
  await using site = await startApiSite({ script: traced('', `fetch('/api/prepared')`) })
  await using tab = await openPage(browser)
  await tab.page.addInitScript(() => {
    let shownMs = 0
    Object.defineProperty(Document.prototype, 'prerendering', { get: () => !shownMs })
    Object.defineProperty(PerformanceNavigationTiming.prototype, 'activationStart', { get: () => shownMs })
    Object.assign(globalThis, {
      done() {
        shownMs = performance.now()
        document.dispatchEvent(new Event('prerenderingchange'))
        return performance.timeOrigin + shownMs
      },
    })
  })
  await tab.page.goto(`${site.url}/next`)
  await site.call('/api/prepared')
  await tab.page.waitForFunction(() => performance.now() > 1500)
  assert.equal(site.items('transaction').length, 0)
  const shownSec = (await tab.page.evaluate(() => globalThis.done() as number)) / 1000
  await tab.page.evaluate(() => fetch('/api/shown'))
  const [pageLoad] = await transactionsOf(site, 'pageload')
  assert.ok(Math.abs(pageLoad.start_timestamp - shownSec) < 0.001)
  assert.ok(rootOf(pageLoad).data['performance.activationStart'] >= 1500)
  assert.deepEqual(
    spansOf(pageLoad, 'http.client').map((span) => span.description),
    ['GET /api/shown'],
  )
  assert.equal(spansOf(pageLoad, 'browser.request').length, 0, 'nobody waited for what was there')
})
