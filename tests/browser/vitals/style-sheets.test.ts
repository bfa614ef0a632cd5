/** T6: a vital that waits for a style sheet, or is moved by one that comes late, names it. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import { transactionsOf } from '../tracing/traced-page.ts'
import { measured, PAGE, startVitalsSite, type VitalsSite, waitForVital } from './vitals-page.ts'

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

const SHEETS: Readonly<Record<string, string>> = {
  '/assets/shop-a1b2c3d4.css': `
    @media (min-width: 1px) { .hero { width: 300px; height: 200px; background: url("../hero.bmp?delay=20") } }`,
  '/assets/other.css': `.x { background: url(/other.bmp) }`,
  '/assets/late.css': `.banner { height: 200px }`,
  '/assets/fonts.css': `@font-face { font-family: Tall; src: url(tall.ttf); ascent-override: 900% }
    .banner { font-family: Tall, serif }`,
}

/** Any font will do: this one comes with the browser's driver. */
function anyFont(): Buffer {
  const folder = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'))
  const [path] = globSync('lib/vite/traceViewer/*.ttf', { cwd: folder })
  assert.ok(path)
  return readFileSync(join(folder, path))
}

/** `html` with style sheets, each after the milliseconds in its address. */
const visit = (html: string, more = ''): Promise<VitalsSite> =>
  startVitalsSite({
    script: measured({ more }),
    html: (path) => (path === '/shop' ? html : undefined),
    handle(req, res) {
      const { pathname, searchParams } = new URL(req.url ?? '/', 'http://site')
      const isFont = pathname.endsWith('.ttf')
      const body = isFont ? anyFont() : SHEETS[pathname]
      if (body === undefined) return false
      const type = isFont ? 'font/ttf' : 'text/css'
      const answer = (): void => void res.writeHead(200, { 'content-type': type }).end(body)
      setTimeout(answer, isFont ? 500 : Number(searchParams.get('delay') ?? 0)).unref()
      return true
    },
  })

test('LCP: the sheet that names the picture', async () => {
  const head = `<link rel="stylesheet" href="/assets/other.css">
    <link rel="stylesheet" href="/assets/shop-a1b2c3d4.css?delay=300">`
  await using site = await visit(PAGE('<div class="hero"></div>', head))
  await using tab = await openPage(browser)
  await tab.page.goto(`${site.url}/shop`, { waitUntil: 'networkidle' })
  await transactionsOf(site, 'pageload')
  await tab.page.goto('about:blank')
  const [{ attributes }] = await waitForVital(site, 'lcp')
  const about = (part: string): unknown => attributes[`browser.web_vital.lcp.${part}`]
  assert.equal(about('url'), `${site.url}/hero.bmp?delay=20`)
  assert.equal(about('url_stylesheet'), '/assets/shop-a1b2c3d4.css')
  // The picture came after the sheet: its time is the picture's.
  assert.equal(about('stylesheet'), undefined)
})

test('LCP: a text waits for a sheet in the head, of which the path is told', async () => {
  const head = `<link rel="stylesheet" href="/assets/shop-a1b2c3d4.css?delay=300&token=secret">`
  await using site = await visit(PAGE('<h1>A heading that is painted late</h1>', head))
  await using tab = await openPage(browser)
  await tab.page.goto(`${site.url}/shop`, { waitUntil: 'networkidle' })
  await transactionsOf(site, 'pageload')
  await tab.page.goto('about:blank')
  const [{ attributes }] = await waitForVital(site, 'lcp')
  const about = (part: string): unknown => attributes[`browser.web_vital.lcp.${part}`]
  assert.equal(about('stylesheet'), '/assets/shop-a1b2c3d4.css')
  assert.ok((about('stylesheet_delay') as number) > 200, String(about('stylesheet_delay')))
  assert.ok((about('stylesheet_delay') as number) <= (about('element_render_delay') as number))
  assert.equal(about('url_stylesheet'), undefined)
})

const later = (ms: number, code: string): string => `setTimeout(() => { ${code} }, ${ms})`
const link = (href: string): string =>
  `document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '${href}' }))`

/** In the page. A busy machine may load the sheet only after half a second without requests. */
const shifted = (): Promise<void> =>
  new Promise((resolve) => {
    new PerformanceObserver(() => resolve()).observe({ type: 'layout-shift', buffered: true })
  })

test('CLS: a sheet or font that came right before; nothing where something else had come as well', async () => {
  const told = async (more: string, head = ''): Promise<unknown> => {
    const banner = '<div class="banner">Text</div><p style="height: 300px">Text that moves</p>'
    await using site = await visit(PAGE(banner, head), more)
    await using tab = await openPage(browser)
    await tab.page.goto(`${site.url}/shop`, { waitUntil: 'networkidle' })
    await tab.page.evaluate(shifted)
    await transactionsOf(site, 'pageload')
    await tab.page.goto('about:blank')
    const [{ attributes }] = await waitForVital(site, 'cls')
    return ['late_resource', 'url_stylesheet'].map((part) => attributes[`browser.web_vital.cls.${part}`])
  }
  const sheet = link('/assets/late.css?delay=20')
  assert.deepEqual(await told(later(400, sheet)), ['/assets/late.css', undefined])
  const both = `${sheet}; new Image().src = '/other.bmp?delay=18'`
  assert.deepEqual(await told(later(400, both)), [undefined, undefined])
  const fonts = '<link rel="stylesheet" href="/assets/fonts.css">'
  assert.deepEqual(await told('', fonts), ['/assets/tall.ttf', '/assets/fonts.css'])
})
