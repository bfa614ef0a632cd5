/** The cases in which browsers differ: texts of stacks, what a fetch that fails says, beacons, storage. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'puppeteer-core'
import { launchFirefox } from '../harness/launch-firefox.ts'
import { PUBLIC_KEY, type Site, type SiteOptions, startSite } from '../harness/site.ts'

let browser: Browser
before(async () => {
  browser = await launchFirefox()
})
after(() => browser.close())

async function open(
  options = '',
  site: Partial<SiteOptions> = {},
): Promise<AsyncDisposable & { page: Page; site: Site }> {
  const started = await startSite({
    script: `
import * as sonde from '@sonde/browser'
Object.assign(window, { sonde })
sonde.init({ dsn: SITE.dsn, tunnel: '/monitoring', release: 'shop@1.2.3', ${options} })`,
    ...site,
  })
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  await page.goto(started.url)
  return {
    page,
    site: started,
    async [Symbol.asyncDispose]() {
      await context.close()
      await started[Symbol.asyncDispose]()
    },
  }
}

test('Firefox: an uncaught error arrives with its stack', async () => {
  await using tab = await open('', {
    html: (path) =>
      path === '/'
        ? `<!doctype html><title>page</title><link rel="icon" href="data:,"><script src="/page.js"></script>
<script>setTimeout(function pay() { throw new TypeError('no card', { cause: new Error('declined') }) })</script>`
        : undefined,
  })
  const [item] = await tab.site.waitForItems('event')
  const [cause, thrown] = item!.payload.exception.values
  assert.deepEqual([thrown.type, thrown.value, cause.value], ['TypeError', 'no card', 'declined'])
  assert.deepEqual(thrown.mechanism.type, 'auto.browser.global_handlers.onerror')
  const frame = thrown.stacktrace.frames.at(-1)
  assert.deepEqual([frame.function, frame.filename, frame.lineno], ['pay', `${tab.site.url}/`, 2])
})

test('Firefox: an unhandled rejection and a text that is thrown have their place', async () => {
  await using tab = await open()
  await tab.page.evaluate(() => {
    void Promise.reject(new RangeError('too far'))
  })
  await tab.site.waitForItems('event', 1)
  await tab.page.evaluate(() => {
    setTimeout(() => {
      throw 'just text'
    })
  })
  const events = (await tab.site.waitForItems('event', 2)).map(({ payload }) => payload.exception.values[0])
  assert.deepEqual(
    events.map(({ type, value }) => [type, value]),
    [
      ['RangeError', 'too far'],
      ['Error', 'just text'],
    ],
  )
})

test('Firefox: breadcrumbs of console, requests and history', async () => {
  await using tab = await open('features: [sonde.breadcrumbs()]')
  await tab.page.evaluate(async () => {
    console.warn('low stock', { left: 1 })
    await fetch('/data')
    await fetch('http://localhost:1/').catch(() => {})
    history.pushState(null, '', '/checkout')
    sonde.captureMessage('now')
  })
  const [item] = await tab.site.waitForItems('event')
  assert.deepEqual(
    item?.payload.breadcrumbs.map(({ category, message, data }: Record<string, unknown>) => [
      category,
      message ?? (data as { url?: string; to?: string }).url ?? (data as { to?: string }).to,
    ]),
    [
      ['console', 'low stock {"left":1}'],
      ['fetch', '/data'],
      ['fetch', 'http://localhost:1/'],
      ['navigation', '/checkout'],
    ],
  )
})

test('Firefox: straight to another origin, and a 429 holds back', async () => {
  await using tab = await open(`tunnel: '', dsn: SITE.crossDsn`)
  tab.site.answer({ status: 429, headers: { 'retry-after': '60' } })
  await tab.page.evaluate(async () => {
    sonde.captureMessage('first')
    await sonde.flush()
    sonde.captureMessage('held')
    await sonde.flush()
  })
  assert.equal(tab.site.items('event').length, 1)
  assert.equal(tab.site.recorded[0]?.path, '/api/42/envelope/')
})

test('Firefox: a page that is left sends what waits by beacon', async () => {
  await using tab = await open()
  tab.site.answer('hang')
  await tab.page.evaluate(() => {
    for (let n = 0; n < 5; n++) sonde.captureMessage(`message ${n}`)
  })
  await tab.site.waitForItems('event', 3)
  await tab.page.goto('about:blank')
  await tab.site.waitForItems('event', 5)
})

test('Firefox: what cannot be sent is kept and sent later', async () => {
  await using tab = await open('features: [sonde.offlineQueue()]')
  tab.site.answer('drop')
  await tab.page.evaluate(async () => {
    sonde.captureMessage('kept')
    await sonde.flush()
  })
  assert.notEqual(await tab.page.evaluate((key) => localStorage.getItem(key), `sonde.${PUBLIC_KEY}`), null)
  tab.site.answer({ status: 200 })
  await tab.page.evaluate(() => window.dispatchEvent(new Event('online')))
  const [item] = await tab.site.waitForItems('event')
  assert.equal(item?.payload.message, 'kept')
})
