/** Vitals of soft navigations, which Chromium measures by itself, and of pages out of the back/forward cache. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Browser, chromium } from 'playwright-core'
import { chromiumPath, launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import { rootOf, transactionsOf } from '../tracing/traced-page.ts'
import { measured, PAGE, startVitalsSite, vitalSpans, waitForVital } from './vitals-page.ts'

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

const APP = `
  const show = (path) => { document.querySelector('main').innerHTML = '<h2 style="font-size: 80px">' + path + '</h2><p id="text">Orders of this week and the week before</p>' }
  document.querySelector('a').onclick = async (event) => {
    event.preventDefault()
    await fetch('/hero.bmp?delay=80')
    history.pushState({}, '', '/orders')
    show('/orders')
  }`
const HTML = PAGE('<a href="/orders">Orders</a><main><h1>Shop</h1></main>')

test('a soft navigation has vitals of its own, under the trace of its navigation', async () => {
  await using site = await startVitalsSite({
    script: measured({ softNavs: true, more: APP }),
    html: () => HTML,
  })
  await using tab = await openPage(browser)
  await tab.page.goto(`${site.url}/shop`)
  await tab.page.getByRole('link').click()
  const [navigation] = await transactionsOf(site, 'navigation')
  // The page load's are final now, and come without the page being left.
  const [load] = await waitForVital(site, 'lcp')
  assert.equal(load.attributes['browser.web_vital.lcp.report_event'], 'navigation')
  assert.equal(load.attributes['sentry.transaction'], '/shop')
  await tab.page.goto('about:blank')
  const [, soft] = await waitForVital(site, 'lcp', 2)
  assert.equal(soft.attributes['browser.navigation.type'], 'soft-navigation')
  assert.equal(soft.attributes['sentry.transaction'], '/orders')
  assert.equal(soft.attributes['sonde.navigation.id'], rootOf(navigation).span_id)
  assert.equal(soft.attributes['sentry.pageload.span_id'], undefined)
  assert.equal(soft.trace_id, rootOf(navigation).trace_id)
  const plain = await site.logged('LCP@')
  assert.equal(soft.attributes['browser.web_vital.lcp.value'], plain)
  assert.equal(vitalSpans(site, 'lcp').length, 2, 'nothing twice')
})

test('a return out of the back/forward cache is a visit of its own', async () => {
  const more = `
    addEventListener('pageshow', ({ persisted }) => { if (persisted) setTimeout(() => { location.href = '/end' }, 1500) })
    if (location.pathname === '/list') setTimeout(() => { location.href = '/detail' }, 1500)
    if (location.pathname === '/detail') setTimeout(() => history.back(), 500)`
  const cached = await chromium.launch({
    executablePath: chromiumPath(),
    args: ['--no-sandbox'],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  await using site = await startVitalsSite({ script: measured({ more }), html: () => HTML })
  try {
    const page = await cached.newPage()
    await page.goto(`${site.url}/list`)
    const back = () =>
      vitalSpans(site, 'lcp').filter(
        ({ attributes }) => attributes['browser.navigation.type'] === 'back-forward-cache',
      )
    await site.waitFor('LCP after the return', () => back().length === 1)
    const [lcp] = back()
    const [navigation] = await transactionsOf(site, 'navigation')
    assert.equal(lcp.attributes['sonde.navigation.id'], rootOf(navigation).span_id)
    assert.equal(lcp.attributes['sentry.transaction'], '/list')
    const loads = vitalSpans(site, 'lcp').filter(
      ({ attributes }) => attributes['sentry.transaction'] === '/list',
    )
    assert.equal(loads.length, 2, 'the load and the return, each once')
  } finally {
    await cached.close()
  }
})
