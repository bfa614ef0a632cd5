/** T6: each vital has the value that plain `web-vitals` gives, and says why. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import { rootOf, transactionsOf } from '../tracing/traced-page.ts'
import { measured, PAGE, PICTURE, startVitalsSite, vitalSpans, waitForVital } from './vitals-page.ts'

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

const leave = (page: Page): Promise<unknown> => page.goto('about:blank')
const value = (name: string, span: { attributes: Record<string, unknown> }): unknown =>
  span.attributes[`browser.web_vital.${name}.value`]

test('LCP, CLS, FCP and TTFB of a page with late pictures: early with the page load, final when it is left', async () => {
  const html = PAGE(
    `<img id="hero" src="/hero.bmp?delay=150" width="300" height="200" alt="">
     <div class="late banner x-3"><img src="/late.bmp?delay=600" style="display: block; width: 300px" alt=""></div>
     <p class="below" style="height: 300px">Text that moves down when the banner is there</p>`,
  )
  await using site = await startVitalsSite({ script: measured(), html: () => html })
  await using tab = await openPage(browser)
  await tab.page.goto(`${site.url}/shop`)
  const [pageLoad] = await transactionsOf(site, 'pageload')
  await leave(tab.page)
  const [lcp] = await waitForVital(site, 'lcp')
  const [cls] = vitalSpans(site, 'cls')
  const [fcp] = vitalSpans(site, 'fcp')
  const [ttfb] = vitalSpans(site, 'ttfb')
  for (const name of ['LCP', 'CLS', 'FCP', 'TTFB']) await site.logged(name)
  assert.deepEqual(
    { LCP: value('lcp', lcp), CLS: value('cls', cls), FCP: value('fcp', fcp), TTFB: value('ttfb', ttfb) },
    Object.fromEntries(['LCP', 'CLS', 'FCP', 'TTFB'].map((name) => [name, site.plain.get(name)])),
  )
  const { measurements } = pageLoad
  for (const name of ['lcp', 'fcp', 'ttfb'])
    assert.deepEqual(measurements[name], { value: site.plain.get(name.toUpperCase()), unit: 'millisecond' })
  assert.deepEqual(measurements.cls, { value: site.plain.get('CLS'), unit: '' })
  assert.equal(measurements.inp, undefined)
  assert.equal(rootOf(pageLoad).data['browser.web_vital.lcp.element'], '#hero')

  const about = lcp.attributes
  assert.equal(lcp.attributes['sentry.op'], 'ui.webvital.lcp')
  assert.equal(about['browser.web_vital.lcp.element'], '#hero')
  assert.equal(about['browser.web_vital.lcp.url'], `${site.url}/hero.bmp?delay=150`)
  assert.equal(about['browser.web_vital.lcp.size'], PICTURE.width * PICTURE.height)
  const parts = [
    'time_to_first_byte',
    'resource_load_delay',
    'resource_load_duration',
    'element_render_delay',
  ].map((part) => about[`browser.web_vital.lcp.${part}`] as number)
  assert.ok(parts.every((part) => part >= 0) && parts[2]! >= 100, parts.join(' '))
  assert.ok(
    Math.abs(parts.reduce((a, b) => a + b) - (value('lcp', lcp) as number)) < 0.01,
    'the parts make up the whole',
  )

  assert.ok((value('cls', cls) as number) > 0)
  assert.equal(cls.attributes['browser.web_vital.cls.source.1'], 'html > body > p.below')
  assert.equal(cls.attributes['browser.web_vital.cls.largest_shift_value'], value('cls', cls))
  assert.ok((ttfb.attributes['browser.web_vital.ttfb.request_time'] as number) > 0)

  const root = rootOf(pageLoad)
  for (const span of [lcp, cls, fcp, ttfb]) {
    assert.equal(span.attributes['sentry.transaction'], '/shop')
    assert.equal(span.attributes['sentry.pageload.span_id'], root.span_id)
    assert.equal(span.trace_id, root.trace_id)
    assert.equal(span.attributes['sentry.release'], 'shop@1.2.3')
  }
  assert.equal(vitalSpans(site, 'lcp').length, 1, 'nothing twice')
})

test('INP names the element, the phases and the script', async () => {
  const debugId = 'c0ffee00-0000-4000-8000-000000000001'
  const more = `
    Object.assign(window, { _debugIds: { [new Error().stack]: '${debugId}' } })
    const button = document.querySelector('button')
    button.addEventListener('pointerdown', function onPress() { const end = performance.now() + 60; while (performance.now() < end); })
    button.addEventListener('click', function buyNow() { const end = performance.now() + 180; while (performance.now() < end); })`
  const html = PAGE('<section id="cart"><button class="buy primary">Buy</button></section>')
  await using site = await startVitalsSite({
    script: measured({ more, options: "dist: '7'" }),
    html: () => html,
  })
  await using tab = await openPage(browser)
  await tab.page.goto(`${site.url}/cart`)
  await tab.page.getByRole('button').click()
  await transactionsOf(site, 'pageload')
  await leave(tab.page)
  const [inp] = await waitForVital(site, 'inp')
  await site.logged('INP')
  assert.equal(value('inp', inp), site.plain.get('INP'))
  const { attributes } = inp
  const about = (part: string): number => attributes[`browser.web_vital.inp.${part}`] as number
  assert.equal(attributes['sentry.op'], 'ui.interaction.click')
  assert.equal(inp.name, '#cart > button.buy.primary')
  assert.equal(attributes['sentry.exclusive_time'], site.plain.get('INP'))
  assert.ok(about('processing_duration') >= 170, `${about('processing_duration')}`)
  const sum = about('input_delay') + about('processing_duration') + about('presentation_delay')
  assert.ok(Math.abs(sum - site.plain.get('INP')!) <= 8, `${sum}`)
  assert.equal(attributes['code.function'], 'buyNow')
  assert.equal(attributes['browser.script.invoker'], 'BUTTON.onclick')
  assert.equal(attributes['code.filepath'], `${site.url}/page.js`)
  assert.equal(attributes['browser.script.debug_id'], debugId)
  // Of the function, where its parameters begin: what leads to its line in the source.
  const code = await (await fetch(`${site.url}/page.js`)).text()
  const position = attributes['browser.script.source_char_position'] as number
  assert.equal(code.slice(0, position).match(/\w+$/)?.[0], 'buyNow', code.slice(position - 40, position + 40))
  assert.equal(attributes['sentry.dist'], '7')
})

test('an element that left the document for it is still named', async () => {
  const more = `
    const menu = document.querySelector('#menu')
    menu.querySelector('button').addEventListener('click', () => { const end = performance.now() + 100; while (performance.now() < end); menu.replaceChildren() })`
  const html = PAGE('<section id="menu"><button class="close">Close</button></section>')
  await using site = await startVitalsSite({ script: measured({ more }), html: () => html })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url)
  await tab.page.getByRole('button').click()
  await transactionsOf(site, 'pageload')
  await leave(tab.page)
  const [inp] = await waitForVital(site, 'inp')
  assert.equal(inp.name, 'button.close')
})

test('time in handlers of other events of the same frame counts as processing', async () => {
  const more = `document.querySelector('button').addEventListener('mousedown', () => { const end = performance.now() + 120; while (performance.now() < end); })`
  await using site = await startVitalsSite({
    script: measured({ more }),
    html: () => PAGE('<button>Press</button>'),
  })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url)
  await tab.page.getByRole('button').click()
  await transactionsOf(site, 'pageload')
  await leave(tab.page)
  const [inp] = await waitForVital(site, 'inp')
  assert.ok((inp.attributes['browser.web_vital.inp.processing_duration'] as number) >= 110)
})

test('keys are told from clicks', async () => {
  const more = `document.querySelector('input').addEventListener('keydown', () => { const end = performance.now() + 90; while (performance.now() < end); })`
  await using site = await startVitalsSite({
    script: measured({ more }),
    html: () => PAGE('<input id="search" autofocus>'),
  })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url)
  await tab.page.locator('input').press('a')
  await transactionsOf(site, 'pageload')
  await leave(tab.page)
  const [inp] = await waitForVital(site, 'inp')
  assert.equal(inp.attributes['sentry.op'], 'ui.interaction.press')
  assert.equal(inp.name, '#search')
  assert.ok((value('inp', inp) as number) >= 80)
})

test('vitals are sent also when the traces are not', async () => {
  await using site = await startVitalsSite({
    script: measured({ options: 'tracesSampleRate: 0' }),
    html: () => PAGE('<h1>Shop</h1>'),
  })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url)
  await site.logged('FCP')
  await leave(tab.page)
  const [fcp] = await waitForVital(site, 'fcp')
  assert.equal(value('fcp', fcp), site.plain.get('FCP'))
  assert.equal(site.items('transaction').length, 0)
  const envelope = site.recorded.find(({ items }) => items[0]?.header.type === 'span')
  assert.equal(envelope!.header['trace'], undefined, 'its sampling is not that of the traces')
})

test('without tracing vitals are of the path of their page, and not of an element', async () => {
  await using site = await startVitalsSite({
    script: measured({ features: 'vitals()' }),
    html: () => PAGE('<h1 id="title">Shop</h1>'),
  })
  await using tab = await openPage(browser)
  await tab.page.goto(`${site.url}/shop/tea`)
  await site.logged('FCP')
  await leave(tab.page)
  const [lcp] = await waitForVital(site, 'lcp')
  assert.deepEqual([lcp.name, lcp.attributes['sentry.transaction']], ['#title', '/shop/tea'])
})

test('a page that is left before it has loaded sends what is known', async () => {
  const html = PAGE('<h1>Shop</h1><img src="/hero.bmp?delay=60000" width="10" height="10" alt="">')
  await using site = await startVitalsSite({ script: measured(), html: () => html })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url, { waitUntil: 'commit' })
  await tab.page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
  await leave(tab.page)
  const [pageLoad] = await transactionsOf(site, 'pageload')
  assert.equal(rootOf(pageLoad).data['sentry.idle_span_finish_reason'], 'documentHidden')
  const [fcp] = await waitForVital(site, 'fcp')
  assert.ok((value('fcp', fcp) as number) > 0)
  assert.equal(fcp.attributes['sentry.pageload.span_id'], rootOf(pageLoad).span_id)
  assert.equal(vitalSpans(site, 'ttfb').length, 0, 'web-vitals tells it only after the load')
})

test('measuring begins after the task of the page’s own script', async () => {
  const before = `const watched = []
    const { observe } = PerformanceObserver.prototype
    PerformanceObserver.prototype.observe = function (options) { watched.push(options.type); return observe.call(this, options) }`
  const script = `import * as sonde from '@sonde/browser'
    ${before}
    sonde.init({ dsn: SITE.dsn, tunnel: '/monitoring', features: [sonde.vitals()] })
    window.atOnce = [...watched]
    window.watched = watched`
  await using site = await startVitalsSite({ script, html: () => PAGE('<p>Text</p>') })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url)
  await tab.page.waitForFunction('watched.includes("largest-contentful-paint")')
  const atOnce = await tab.page.evaluate<string[]>('atOnce')
  assert.deepEqual(
    atOnce.filter((type) => /paint|shift/.test(type)),
    [],
  )
})
