/** What pages fetch ahead without an adapter: links, requests as Next.js marks them, speculation rules. */
import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import { type Entry, type RecorderSite, startRecorderSite } from './recorder-site.ts'

const SCRIPT = `
import { init, navigations, prefetches } from '@sonde/browser'
init({ dsn: SITE.dsn, tunnel: '/monitoring', release: 'shop@1', features: [navigations(), prefetches()] })
const show = () => { document.querySelector('h1')!.textContent = 'page ' + location.pathname }
Object.assign(window, { go(path: string) { history.pushState(null, '', path); show() } })
`
const HTML = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>page</title>
<link rel="icon" href="data:,"></head><body><h1></h1><script src="/page.js"></script></body></html>`

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

/** Of everything that a browser may keep. */
function start(asked: string[] = [], script = SCRIPT): Promise<RecorderSite> {
  return startRecorderSite({
    script,
    isOurs: () => script === SCRIPT,
    pageHeaders: { 'cache-control': 'max-age=600' },
    html: () => HTML,
    handle(req: IncomingMessage, res: ServerResponse) {
      const { url = '', headers } = req
      if (/prefetch/.test(String(headers['sec-purpose']))) asked.push(url)
      const type = url.endsWith('.js')
        ? 'text/javascript'
        : url.startsWith('/data/')
          ? 'application/json'
          : ''
      if (type === '' || url === '/page.js') return false
      res.writeHead(200, { 'content-type': type, 'cache-control': 'max-age=600' })
      res.end(type === 'text/javascript' ? 'globalThis.ran = true' : '{}')
      return true
    },
  })
}

/** Adds elements to the head, and waits until each of them was fetched. */
const link = (page: Page, ...links: readonly Readonly<Record<string, string>>[]) =>
  page.evaluate(async (all) => {
    await Promise.all(
      all.map((attributes) => {
        const element = document.createElement('link')
        for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
        document.head.append(element)
        return new Promise((resolve) => element.addEventListener('load', resolve))
      }),
    )
    await new Promise((resolve) => setTimeout(resolve, 50))
  }, links)

/** By the page's own code, which loads nothing for it. */
const go = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => (globalThis as unknown as { go(to: string): void }).go(to), path)

/** The last report of each route, as `issued used late stale wasted`. */
function countsOf(site: RecorderSite): Record<string, string> {
  const rows = site.entries('ui.prefetch').map(({ id, facts }): [string, Entry['facts']] => [id, facts])
  const counts: Record<string, string> = {}
  for (const facts of new Map(rows).values())
    counts[facts.route] =
      `${facts.issued} issued, ${facts.used} used, ${facts.late} late, ${facts.wasted} wasted`
  return counts
}
const isRoute = (route: string) => (entry: Entry) => entry.facts.route === route

describe('prefetches that no adapter tells of', () => {
  it('are links: a page that was followed, files and data that were needed, and those that nobody wanted', async () => {
    await using site = await start()
    await using tab = await openPage(browser)
    const { page } = tab
    await page.goto(site.url)
    await link(
      page,
      { rel: 'prefetch', href: '/products/7' },
      { rel: 'prefetch', href: '/products/8' },
      { rel: 'prefetch', href: '/pricing' },
      { rel: 'prefetch', as: 'script', href: '/assets/cart-3f2a.js' },
      { rel: 'prefetch', as: 'script', href: '/assets/help-91bc.js' },
      { rel: 'preload', as: 'fetch', href: '/data/cart', crossorigin: 'anonymous' },
      { rel: 'modulepreload', href: '/assets/page-77.js' },
    )
    await page.evaluate(async () => {
      const script = document.createElement('script')
      script.src = '/assets/cart-3f2a.js'
      const ran = new Promise((resolve) => script.addEventListener('load', resolve))
      document.head.append(script)
      await (await fetch('/data/cart')).json()
      await ran
      const leading = document.createElement('a')
      leading.href = '/products/7?from=home'
      leading.textContent = 'seven'
      document.body.append(leading)
    })
    await page.getByRole('link', { name: 'seven' }).click()
    await page.waitForURL('**/products/7?from=home')
    const { facts } = await site.waitForEntry('ui.prefetch', isRoute('/products/[id]'))
    assert.deepEqual(countsOf(site), {
      '/products/[id]': '2 issued, 1 used, 0 late, 1 wasted',
      '/pricing': '1 issued, 0 used, 0 late, 1 wasted',
      '/assets/*.js': '2 issued, 1 used, 0 late, 1 wasted',
      '/data/cart': '1 issued, 1 used, 0 late, 0 wasted',
    })
    assert.deepEqual([facts.router, facts.requests], ['browser', 2])
    assert.ok(facts.bytes > 600 && facts.wasted_bytes > 300 && facts.wasted_bytes < facts.bytes)
  })

  it('come late where the page needs the data before it is there', async () => {
    await using site = await start()
    await using tab = await openPage(browser)
    const { page } = tab
    await page.goto(site.url)
    site.close('cart')
    await page.evaluate(async () => {
      const link = document.createElement('link')
      Object.assign(link, { rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href: '/api/gate/cart' })
      document.head.append(link)
      await new Promise((resolve) => setTimeout(resolve, 50))
      void fetch('/api/gate/cart').then((answer) => answer.text())
    })
    site.open('cart')
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.endsWith('cart')),
    )
    await page.goto('about:blank')
    await site.waitForEntry('ui.prefetch', isRoute('/api/gate/cart'))
    assert.deepEqual(countsOf(site), { '/api/gate/cart': '1 issued, 0 used, 1 late, 0 wasted' })
  })

  it('cost nothing where the browser had them, and are not counted twice while nobody needs them', async () => {
    await using site = await start()
    await using tab = await openPage(browser)
    await tab.page.goto(site.url)
    await link(tab.page, { rel: 'prefetch', href: '/pricing' })
    await tab.page.goto(`${site.url}/again`)
    await link(tab.page, { rel: 'prefetch', href: '/pricing' })
    await tab.page.goto('about:blank')
    await site.waitForItems('span', 2)
    const reports = site.entries('ui.prefetch').map(({ facts }) => facts)
    assert.deepEqual(
      reports.map(({ issued, requests }) => [issued, requests]),
      [
        [1, 1],
        [1, 0],
      ],
    )
    assert.equal(reports[1]!.bytes, 0)
  })

  it('are what Next.js marks: both its routers, used, late and wasted, on the record of the navigation', async () => {
    await using site = await start()
    await using tab = await openPage(browser)
    const { page } = tab
    await page.goto(site.url)
    site.close('orders')
    await page.evaluate(async () => {
      const app = { rsc: '1', 'next-router-prefetch': '1' }
      for (const path of ['/products/7', '/products/8'])
        await fetch(`/api${path}?_rsc=1a`, { headers: app }).then((answer) => answer.text())
      await fetch('/_next/data/b1/pricing.json', { headers: { purpose: 'prefetch' } })
      await fetch('/_next/data/b1/index.json', {
        headers: { 'x-middleware-prefetch': '1', purpose: 'prefetch' },
      })
      void fetch('/api/gate/orders?_rsc=2', { headers: app })
      // What a navigation fetches is none.
      await fetch('/api/products/9?_rsc=3', { headers: { rsc: '1' } })
    })
    await go(page, '/api/products/7')
    const used = await site.waitForEntry('ui.navigation', ({ facts }) => facts.to === '/api/products/7')
    assert.equal(used.facts.prefetch, 'used')
    assert.ok(used.facts.prefetch_lead >= 0)
    await go(page, '/api/gate/orders')
    const late = await site.waitForEntry('ui.navigation', ({ facts }) => facts.to === '/api/gate/orders')
    assert.equal(late.facts.prefetch, 'late')
    site.open('orders')
    await go(page, '/pricing')
    await go(page, '/elsewhere')
    const none = await site.waitForEntry('ui.navigation', ({ facts }) => facts.to === '/elsewhere')
    assert.equal(none.facts.prefetch, 'none')
    await page.goto('about:blank')
    const { facts } = await site.waitForEntry('ui.prefetch', isRoute('/api/products/[id]'))
    assert.deepEqual(countsOf(site), {
      '/api/products/[id]': '2 issued, 1 used, 0 late, 1 wasted',
      '/api/gate/orders': '1 issued, 0 used, 1 late, 0 wasted',
      '/pricing': '1 issued, 1 used, 0 late, 0 wasted',
      '/': '1 issued, 0 used, 0 late, 1 wasted',
    })
    assert.deepEqual([facts.requests, facts.bytes > 1_000], [2, true])
  })

  it('are pages that speculation rules had ready when somebody came', async () => {
    const asked: string[] = []
    await using site = await start(asked)
    await using tab = await openPage(browser)
    const { page } = tab
    await page.goto(site.url)
    await page.evaluate(() => {
      const rules = document.createElement('script')
      rules.type = 'speculationrules'
      rules.textContent = JSON.stringify({
        prefetch: [{ urls: ['/docs/a', '/docs/b'], eagerness: 'immediate' }],
      })
      const leading = document.createElement('a')
      leading.href = '/docs/a'
      leading.textContent = 'docs'
      document.body.append(rules, leading)
    })
    for (let tries = 0; asked.length < 2 && tries < 100; tries++) await page.waitForTimeout(50)
    assert.deepEqual(asked.toSorted(), ['/docs/a', '/docs/b'])
    await page.waitForTimeout(200)
    await page.getByRole('link', { name: 'docs' }).click()
    await page.waitForURL('**/docs/a')
    await page.goto('about:blank')
    const { facts } = await site.waitForEntry('ui.prefetch', isRoute('/docs/a'))
    assert.deepEqual(
      [facts.router, facts.issued, facts.used, facts.bytes > 0],
      ['speculation_rules', 1, 1, true],
    )
    assert.equal(site.entries('ui.prefetch').length, 1, 'pages that nobody came to tell nothing')
  })

  // Chromium prepares no whole page under a debugger: see tests/browser/tracing/prerender.test.ts.
  it('are pages that were prepared whole, once somebody sees them', async () => {
    await using site = await start()
    await using tab = await openPage(browser)
    const { page } = tab
    await page.addInitScript(() => {
      let shownMs = 0
      Object.defineProperty(Document.prototype, 'prerendering', { get: () => !shownMs })
      Object.defineProperty(PerformanceNavigationTiming.prototype, 'activationStart', { get: () => shownMs })
      addEventListener('show-prepared', () => {
        shownMs = performance.now()
        document.dispatchEvent(new Event('prerenderingchange'))
      })
    })
    await page.goto(`${site.url}/docs/c`)
    await page.waitForFunction(() => performance.now() > 500)
    assert.equal(site.entries('ui.prefetch').length, 0)
    await page.evaluate(() => dispatchEvent(new Event('show-prepared')))
    await page.goto('about:blank')
    const { facts } = await site.waitForEntry('ui.prefetch', isRoute('/docs/c'))
    assert.deepEqual([facts.router, facts.issued, facts.used], ['speculation_rules', 1, 1])
    assert.ok(facts.saved > 0)
  })

  it('are told beside the SDK of Sentry by the add-on', async () => {
    await using site = await start(
      [],
      `import * as Sentry from '@sentry/browser'
import { sondeNavigations } from '@sonde/sentry-integration'
Sentry.init({ dsn: SITE.dsn, release: 'shop@1', tracesSampleRate: 1,
  integrations: [Sentry.browserTracingIntegration(), sondeNavigations()] })`,
    )
    await using tab = await openPage(browser)
    await tab.page.goto(site.url)
    await link(tab.page, { rel: 'prefetch', href: '/pricing' })
    await tab.page.goto('about:blank')
    await site.waitForEntry('ui.prefetch', isRoute('/pricing'))
    assert.deepEqual(countsOf(site), { '/pricing': '1 issued, 0 used, 0 late, 1 wasted' })
  })
})
