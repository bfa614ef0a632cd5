import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { chromium } from 'playwright-core'
import { chromiumPath, launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import { reporterPage } from '../harness/reporter-page.ts'
import { startSite } from '../harness/site.ts'

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

/** Notes how the page sends. */
const WATCH_SENDS = () => {
  const sends: { how: string; keepalive?: boolean | undefined }[] = []
  Object.assign(window, { sends })
  const beacon = navigator.sendBeacon.bind(navigator)
  navigator.sendBeacon = (url, data) => {
    sends.push({ how: 'beacon' })
    return beacon(url, data)
  }
  const original = window.fetch
  window.fetch = (input, init) => {
    sends.push({ how: 'fetch', keepalive: init?.keepalive })
    return original(input, init)
  }
}
const sendsOf = () => (window as unknown as { sends: { how: string; keepalive?: boolean }[] }).sends

test('a page that is left sends what waits, and what was lost, by beacon', async () => {
  await using tab = await reporterPage(browser)
  let requests = 0
  tab.site.answer(() => (requests++ < 3 ? 'hang' : { status: 200 }))
  await tab.page.evaluate(() => {
    for (let n = 0; n < 8; n++) sonde.captureMessage(`message ${n}`)
    sonde.getClient()!.drop('sample_rate', 'transaction')
  })
  await tab.site.waitForItems('event', 3)
  await tab.page.goto('about:blank')
  const messages = (await tab.site.waitForItems('event', 8)).map(({ payload }) => payload.message)
  assert.deepEqual(new Set(messages), new Set(Array.from({ length: 8 }, (_, n) => `message ${n}`)))
  const [report] = await tab.site.waitForItems('client_report')
  assert.deepEqual(report?.payload.discarded_events, [
    { reason: 'sample_rate', category: 'transaction', quantity: 1 },
  ])
})

test('listeners of hide can still send', async () => {
  await using tab = await reporterPage(browser)
  await tab.page.evaluate(() => {
    const client = sonde.getClient()!
    client.on('hide', () => client.capture({ message: 'goodbye', level: 'info' }))
  })
  await tab.page.goto('about:blank')
  const [item] = await tab.site.waitForItems('event')
  assert.equal(item?.payload.message, 'goodbye')
})

test('requests are kept alive within 60 kB under way, and larger ones go without', async () => {
  await using tab = await reporterPage(browser, '', {
    before: ({ page }) => page.addInitScript(WATCH_SENDS),
  })
  await tab.page.evaluate(async () => {
    const big = (text: string) => Array.from({ length: 10 }, (_, n) => text.repeat(400 - n))
    sonde.captureMessage('small')
    await sonde.flush()
    // Two bytes each: 40 kB of characters are 80 kB of body.
    sonde.captureMessage('wide', { extra: { big: big('é'.repeat(10)) } })
    await sonde.flush()
    sonde.captureMessage('one', { extra: { big: big('a'.repeat(10)) } })
    sonde.captureMessage('two', { extra: { big: big('b'.repeat(10)) } })
    await sonde.flush()
  })
  await tab.site.waitForItems('event', 4)
  assert.deepEqual(
    (await tab.page.evaluate(sendsOf)).map(({ how, keepalive }) => [how, keepalive]),
    [
      ['fetch', true],
      ['fetch', false],
      ['fetch', true],
      ['fetch', false],
    ],
  )
})

test('the back/forward cache takes the page, and it reports again when it comes back', async () => {
  await using site = await startSite({
    script: `
import * as sonde from '@sonde/browser'
Object.assign(window, { sonde })
sonde.init({ dsn: SITE.dsn, tunnel: '/monitoring', features: [sonde.breadcrumbs(), sonde.offlineQueue()] })
addEventListener('pageshow', (event) => { if (event.persisted) sonde.captureMessage('back') })`,
    html: (path) =>
      path === '/other'
        ? '<!doctype html><title>other</title><link rel="icon" href="data:,">'
        : '<!doctype html><title>page</title><link rel="icon" href="data:,"><script src="/page.js"></script>',
  })
  // The cache is off in the browser that tests usually get.
  const own = await chromium.launch({
    executablePath: chromiumPath(),
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  try {
    await using tab = await openPage(own)
    await tab.page.goto(site.url)
    await tab.page.evaluate(() => sonde.flush())
    await tab.page.goto(`${site.url}/other`)
    // `page.goBack` waits for a load that a page from the cache does not have.
    await tab.page.evaluate(() => history.back())
    const [item] = await site.waitForItems('event')
    assert.equal(item?.payload.message, 'back')
  } finally {
    await own.close()
  }
})
