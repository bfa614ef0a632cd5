/** Navigations inside the page: one trace each, told by the recorder or seen in the history. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { chromium } from 'playwright-core'
import { chromiumPath, launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import { durationMs, rootOf, spansOf, startApiSite, traced, transactionsOf } from './traced-page.ts'

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

const BUTTON = `const button = document.body.appendChild(document.createElement('button'))
  button.textContent = 'Go'
  button.onclick = () => { history.pushState({}, '', '/cart?item=7'); fetch('/api/cart?delay=50') }`

test('a change of the path starts a trace of its own, and ends the one before as interrupted', async () => {
  await using site = await startApiSite({ script: traced('', BUTTON) })
  await using tab = await openPage(browser)
  await tab.page.goto(`${site.url}/list`)
  await tab.page.getByRole('button').click()
  const [navigation] = await transactionsOf(site, 'navigation')
  const [pageLoad] = await transactionsOf(site, 'pageload')
  assert.equal(pageLoad.transaction, '/list')
  assert.equal(pageLoad.request.url, `${site.url}/list`)
  assert.deepEqual(
    [
      rootOf(pageLoad).status,
      rootOf(pageLoad).data['sentry.idle_span_finish_reason'],
      rootOf(pageLoad).data['sentry.cancellation_reason'],
    ],
    ['cancelled', 'cancelled', 'interrupted'],
  )
  assert.equal(navigation.transaction, '/cart')
  assert.notEqual(rootOf(navigation).trace_id, rootOf(pageLoad).trace_id)
  assert.equal(rootOf(navigation).links[0].trace_id, rootOf(pageLoad).trace_id)
  const [request] = spansOf(navigation, 'http.client')
  assert.equal(request.description, 'GET /api/cart')
  assert.ok(durationMs(navigation) >= 50)
  const { headers } = await site.call('/api/cart')
  assert.ok((headers['sentry-trace'] as string).startsWith(rootOf(navigation).trace_id))
})

test('a change that nobody asked for, soon after the start, is a redirect within the trace', async () => {
  await using site = await startApiSite({
    script: traced('', `setTimeout(() => history.replaceState({}, '', '/login'), 100)`),
  })
  await using tab = await openPage(browser)
  await tab.page.goto(`${site.url}/account`)
  const [pageLoad] = await transactionsOf(site, 'pageload')
  assert.equal(pageLoad.transaction, '/login')
  assert.deepEqual(
    spansOf(pageLoad, 'navigation.redirect').map((span) => span.description),
    ['/login'],
  )
  assert.equal(rootOf(pageLoad).data['sentry.idle_span_finish_reason'], 'idleTimeout')
})

test('filters and jumps within the page are no navigations; routes behind #/ are', async () => {
  const more = `setTimeout(() => {
    history.pushState({}, '', '?sort=price'); location.hash = '#reviews'
    setTimeout(() => { dispatchEvent(new MouseEvent('click')); location.hash = '#/settings/keys?tab=1' }, 100) }, 300)`
  await using site = await startApiSite({ script: traced('', more) })
  await using tab = await openPage(browser)
  await tab.page.goto(`${site.url}/list`)
  const navigations = await transactionsOf(site, 'navigation')
  assert.deepEqual(
    navigations.map((one) => one.transaction),
    ['/list#/settings/keys'],
  )
})

const LEDGER = `
  const tell = (state, more) => client.emit('navigation', { state, from: '/', to: '/orders/7', start: performance.now(), ...more })
  const client = sonde.getClient()
  tell('route', { id: '', to: '/', route: '/[shop]' })
  setTimeout(() => {
    const start = performance.now()
    tell('start', { id: 'a'.repeat(16), start })
    history.pushState({}, '', '/orders/7')
    tell('route', { id: 'a'.repeat(16), route: '/orders/[order]' })
    setTimeout(() => {
      const end = performance.now()
      window.toldMs = end - start
      tell('end', { id: 'a'.repeat(16), start, end, outcome: 'committed' })
    }, 250)
  }, 1500)
`

test('the recorder names the page load and starts, names and ends navigations', async () => {
  await using site = await startApiSite({ script: traced('', LEDGER) })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url)
  const [pageLoad] = await transactionsOf(site, 'pageload')
  assert.deepEqual([pageLoad.transaction, pageLoad.transaction_info.source], ['/[shop]', 'route'])
  const navigations = await transactionsOf(site, 'navigation')
  assert.equal(navigations.length, 1, 'the history tells it no second time')
  const [navigation] = navigations
  assert.deepEqual([navigation.transaction, navigation.transaction_info.source], ['/orders/[order]', 'route'])
  assert.equal(rootOf(navigation).data['sonde.navigation.outcome'], 'committed')
  const toldMs = await tab.page.evaluate(() => (window as unknown as { toldMs: number }).toldMs)
  assert.ok(Math.abs(durationMs(navigation) - toldMs) < 2, `${durationMs(navigation)} ms, told ${toldMs} ms`)
  const envelope = site.recorded.find(({ items }) => items[0]?.payload === navigation)
  assert.equal((envelope!.header['trace'] as { transaction: string }).transaction, '/orders/[order]')
})

test('the dynamic sampling context is frozen once a request has carried it', async () => {
  const more = `fetch('/api/early').then(() => {
    sonde.getClient().emit('navigation', { state: 'route', id: '', from: '', to: '/', route: '/[shop]', start: 0 })
    fetch('/api/late') })`
  await using site = await startApiSite({ script: traced('', more) })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url)
  const early = (await site.call('/api/early')).headers['baggage']
  const late = (await site.call('/api/late')).headers['baggage']
  assert.equal(late, early)
  const [pageLoad] = await transactionsOf(site, 'pageload')
  assert.equal(pageLoad.transaction, '/[shop]')
})

test('out of the back/forward cache a page has a navigation, without a load', async () => {
  const more = `
    addEventListener('pageshow', ({ persisted }) => { if (persisted) fetch('/api/persisted') })
    if (location.pathname === '/list') setTimeout(() => { location.href = '/detail' }, 1500)
    else setTimeout(() => history.back(), 500)`
  // Playwright turns the cache off by default. It loses sight of such pages, so the server alone looks.
  const cached = await chromium.launch({
    executablePath: chromiumPath(),
    args: ['--no-sandbox'],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  await using site = await startApiSite({ script: traced('', more) })
  try {
    const page = await cached.newPage()
    await page.goto(`${site.url}/list`)
    await site.call('/api/persisted')
    const [navigation] = await transactionsOf(site, 'navigation')
    assert.equal(navigation.transaction, '/list')
    assert.deepEqual(
      spansOf(navigation, 'http.client').map((span) => span.description),
      ['GET /api/persisted'],
    )
    assert.equal(
      site.items('transaction').filter(({ payload }) => rootOf(payload).op === 'pageload').length,
      2,
    )
  } finally {
    await cached.close()
  }
})
