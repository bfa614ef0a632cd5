import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Browser, chromium } from 'playwright-core'
import { chromiumPath, launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import { startRecorderSite } from './recorder-site.ts'

const SCRIPT = `
import { captureException, chunkFailures, init, navigations, pageDataFailures } from '@sonde/browser'
const { search } = location
init({
  dsn: SITE.dsn,
  tunnel: '/monitoring',
  release: 'shop@1',
  features: [navigations({ hungAfterMs: 5000 }), pageDataFailures(), chunkFailures()],
})
const main = document.createElement('main')
document.body.append(main)
const show = () => { main.textContent = 'page ' + location.pathname }
const go = async (path: string) => {
  await fetch('/api/gate/data')
  history.pushState(null, '', path)
  show()
}
for (const path of ['/a', '/b']) {
  const link = document.createElement('a')
  link.href = path
  link.textContent = path
  link.onclick = (event) => { event.preventDefault(); history.pushState(null, '', path); show(); void fetch('/api/items?of=' + path).then((answer) => answer.json()) }
  document.body.append(link)
}
addEventListener('popstate', show)
show()
Object.assign(window, { go, captureException })
`

/** Its first change takes away, and what a person came for comes two frames later. */
const SOFT = `
import { init, navigations } from '@sonde/browser'
init({ dsn: SITE.dsn, tunnel: '/monitoring', features: [navigations()] })
const soft: object[] = []
new PerformanceObserver((list) => {
  for (const entry of list.getEntries() as any[]) soft.push({ id: entry.navigationId, presentedMs: entry.presentationTime })
}).observe({ type: 'soft-navigation' })
const main = document.createElement('main')
main.textContent = 'home'
const link = document.createElement('a')
link.href = '/a'
link.textContent = '/a'
link.onclick = (event) => {
  event.preventDefault()
  history.pushState(null, '', '/a')
  main.textContent = ''
  requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => {
    const text = document.createElement('p')
    text.textContent = 'the page that they came for '.repeat(20)
    main.append(text)
  })))
}
document.body.append(link, main)
Object.assign(window, { soft })
`

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

describe('a page without a router adapter', () => {
  it('gives a record of each navigation: click, code, back and forward', async () => {
    await using site = await startRecorderSite({ script: SCRIPT })
    await using tab = await openPage(browser)
    const { page } = tab
    await page.goto(site.url)
    const arrive = async (path: string): Promise<void> => {
      await page.getByText(`page ${path}`, { exact: true }).waitFor()
      const count = site.entries('ui.navigation').length
      await site.waitFor(`a record of ${path}`, () => site.entries('ui.navigation').length > count)
    }
    await page.getByRole('link', { name: '/a' }).click()
    await arrive('/a')
    await page.evaluate('go("/b")')
    await arrive('/b')
    await page.goBack()
    await arrive('/a')
    await page.goForward()
    await arrive('/b')
    const entries = site.entries('ui.navigation')
    assert.deepEqual(
      entries.map(({ facts }) => [
        facts.from,
        facts.to,
        facts.trigger,
        facts.outcome,
        facts.router,
        facts.build,
      ]),
      [
        ['/', '/a', 'click', 'committed', 'history', 'shop@1'],
        ['/a', '/b', 'programmatic', 'committed', 'history', 'shop@1'],
        ['/b', '/a', 'back', 'committed', 'history', 'shop@1'],
        ['/a', '/b', 'forward', 'committed', 'history', 'shop@1'],
      ],
    )
    const [click] = entries
    assert.ok(click!.facts['phase.intent'] >= 0 && click!.facts['phase.paint'] >= 0)
    assert.equal(click!.facts['requests'], 1)
    assert.ok(click!.facts['bytes'] > 500, `bytes ${click!.facts['bytes']}`)
    assert.ok(click!.facts['phase.settled'] >= 0)
    assert.deepEqual(tab.complaints, [])
  })

  it('takes the picture that the browser’s own entry tells of', async () => {
    await using site = await startRecorderSite({ script: SOFT })
    await using tab = await openPage(browser)
    await tab.page.goto(site.url)
    await tab.page.getByRole('link', { name: '/a' }).click()
    const { facts, span } = await site.waitForEntry('ui.navigation', ({ facts: said }) => said.to === '/a')
    const [entry] = await tab.page.evaluate<{ id: number; presentedMs: number }[]>('soft')
    assert.ok(entry, 'this Chromium makes entries of soft navigations')
    assert.equal(facts.soft_navigation_id, entry.id)
    const endMs = span.end_timestamp * 1000 - span.attributes['sonde.page_start'].value
    assert.ok(Math.abs(endMs - entry.presentedMs) < 2, `${endMs} ms, the entry says ${entry.presentedMs} ms`)
  })

  it('knows a page out of the back/forward cache', async () => {
    // Playwright switches the cache off, as a page out of it is one that it has lost sight of.
    await using cached = await chromium.launch({
      executablePath: chromiumPath(),
      args: ['--no-sandbox'],
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    })
    await using site = await startRecorderSite({ script: SCRIPT })
    await using tab = await openPage(cached)
    await tab.page.goto(`${site.url}/first`)
    await tab.page.goto(`${site.url}/second`)
    await tab.page.evaluate(() => history.back())
    const entry = await site.waitForEntry('ui.navigation', ({ facts }) => facts.cache === 'bfcache')
    assert.equal(entry.facts.to, '/first')
    assert.equal(entry.facts.trigger, 'back')
    assert.equal(entry.facts.outcome, 'committed')
  })
})
