/**
 * Page views that no page told of: a Node server with @sentry/node renders pages with @sentry/browser for visitors of whom
 * some block the SDK or all scripts. Nothing is set up in Sonde for it; the server and the page report to projects of their own.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../e2e/chromium.ts'
import { type PlainPage, signedInPlain } from '../e2e/plain-page.ts'
import { createProject } from '../harness/api-client.ts'
import { buildShop } from './browser/build-shop.ts'
import { type EarlierProxy, startEarlierProxy } from './support/earlier-proxy.ts'
import { type Harness, openHarness } from './support/harness.ts'
import { startProgram } from './support/start-program.ts'

const FOLDER = join(import.meta.dirname, 'coverage')
const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const SEEN = 32
const BLOCKING = 4
const AT_ONCE = 4
const WITHIN_MS = 60_000

suite('page views of a Node server', () => {
  let harness: Harness
  let browser: Browser
  let proxy: EarlierProxy
  let screen: PlainPage

  before(async () => {
    harness = await openHarness('javascript')
    // A page may still report for minutes: what is of now is left out.
    proxy = await startEarlierProxy(harness.sonde.url, 15 * 60_000)
    browser = await launchChromium()
    const through = (dsn: string) => dsn.replace(new URL(harness.sonde.url).host, new URL(proxy.url).host)
    const web = createProject(harness.sonde, 'acme/web', 'node')
    const untagged = createProject(harness.sonde, 'acme/untagged', 'javascript')
    const page = await buildShop('kettles@1.0.0', join(FOLDER, 'page'))
    const server = await startProgram(
      process.execPath,
      ['--import', join(FOLDER, 'instrument.ts'), join(FOLDER, 'server.ts'), page.folder],
      through(web.dsn),
    )
    const urlOf = (path: string, dsn: string) =>
      `${server.url}${path}?dsn=${encodeURIComponent(through(dsn))}`
    try {
      const visits = [
        ...Array.from(
          { length: SEEN },
          () => () => visit(urlOf('/tagged', harness.project.dsn), CHROME, 'nothing'),
        ),
        ...Array.from(
          { length: BLOCKING },
          (_, n) => () =>
            visit(urlOf('/tagged', harness.project.dsn), FIREFOX, n % 2 === 0 ? 'sdk' : 'scripts'),
        ),
        // A page whose HTML does not name the trace keeps a quarter of its own.
        ...Array.from({ length: 20 }, () => () => visit(urlOf('/plain', untagged.dsn), CHROME)),
      ]
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (let next = visits.pop(); next; next = visits.pop()) await next()
        }),
      )
    } finally {
      await server.stop()
      page.remove()
    }
    screen = await signedInPlain(harness.sonde.url)
  })
  after(async () => {
    await browser?.close()
    await proxy?.close()
    await harness?.close()
  })

  /** `blocked`: the SDK with the script that it is in, or all scripts; nothing: who stays until the page load was told. */
  async function visit(
    url: string,
    userAgent: string,
    blocked?: 'sdk' | 'scripts' | 'nothing',
  ): Promise<void> {
    const context = await browser.newContext({ userAgent, javaScriptEnabled: blocked !== 'scripts' })
    if (blocked === 'sdk') await context.route(/\/assets\//, (route) => route.abort('blockedbyclient'))
    const page = await context.newPage()
    const told =
      blocked === 'nothing' &&
      page.waitForResponse((answer) => /pageload/.test(answer.request().postData() ?? ''))
    await page.goto(url)
    await told
    // Who leaves is told of at once: a page that is hidden ends its page load.
    await page.goto('about:blank')
    await context.close()
  }

  async function until(path: string, text: RegExp): Promise<void> {
    const endMs = Date.now() + WITHIN_MS
    for (;;) {
      await screen.goto(path)
      if (screen.has(text) || Date.now() > endMs) return screen.shows(text)
      await wait(250)
    }
  }

  test('are invisible where the visitor blocks, with an interval, though the page samples by itself', async () => {
    await until('/acme/shop/settings/coverage', /11% \(4\.\d–\d\d%\) of page views are invisible here/)
    screen.shows(/Of 36 page views that web served, so many/)
    const byBrowser = screen.part('[aria-label="By browser"]')
    byBrowser.shows(/Chrome\s*32\s*0% \(0–1\d%\)/)
    byBrowser.shows(/Firefox\s*4\s*too few to say/)
    screen.shows(/because their pages never continue the trace of the request: \/plain \(20 page views\)/)
    screen.shows(/a blocker, a browser without scripts/)
  })

  test('cannot be told where the HTML names no trace, and the screen says what to do', async () => {
    await until('/acme/untagged/settings/coverage', /do not continue the server’s traces/)
    screen.shows('Sentry.getTraceMetaTags()')
    assert(!screen.has('invisible here'))
  })
})
