import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage, type OpenPage } from '../harness/open-page.ts'
import { type RecorderSite, startRecorderSite } from '../navigation/recorder-site.ts'

const SCRIPT = `
import { activeNavigations, chunkFailures, init, navigations, tabs } from '@sonde/browser'
init({ dsn: SITE.dsn, tunnel: '/monitoring', release: 'shop@1',
  features: [navigations(), chunkFailures(), tabs()] })
declare global { var load: (path: string) => Promise<unknown>; var go: (path: string) => void }
globalThis.load = (path) => import(/* @vite-ignore */ path)
globalThis.go = (path) => activeNavigations()!.start({ to: path, router: 'test' }).end('committed')
`
const CHUNK = '/assets/cart-1a2b3c.js'

type Globals = { load: (path: string) => Promise<unknown>; go: (path: string) => void }

let browser: Browser
/** What the server answers for the chunk. */
let status = 200
let site: RecorderSite

describe('tabs', () => {
  before(async () => {
    browser = await launchChromium()
    site = await startRecorderSite({
      script: SCRIPT,
      html: () => `<!doctype html><html lang="en"><head><title>t</title><link rel="icon" href="data:,">
<script type="module" src="/page.js"></script></head><body><button>press</button></body></html>`,
      handle(req, res) {
        if (req.url?.split('?')[0] !== CHUNK) return false
        res.writeHead(status, { 'content-type': 'text/javascript', 'cache-control': 'no-store' }).end('')
        return true
      },
    })
  })
  after(async () => {
    await browser.close()
    await site[Symbol.asyncDispose]()
  })

  const beats = (page?: string) =>
    site.entries('ui.tab').filter(({ id }) => page === undefined || id === page)
  const next = async (seen: number) => {
    await site.waitFor('one more beat', () => beats().length > seen)
    return beats()[seen]!
  }
  const open = async (tab: OpenPage, seen = beats().length) => {
    await tab.page.goto(site.url)
    return next(seen)
  }
  /** Loads the file as an app does; whether it came. */
  const load = (tab: OpenPage, path = CHUNK) =>
    tab.page.evaluate(
      (url) =>
        (globalThis as unknown as Globals).load(url).then(
          () => true,
          (error: unknown) => {
            void Promise.reject(error)
            return false
          },
        ),
      path,
    )

  it('keep their id over a reload and another page, and tell which build they run', async () => {
    await using tab = await openPage(browser)
    const first = await open(tab)
    assert.match(String(first.facts.id), /^[0-9a-f]{16}$/)
    assert.deepEqual([first.facts.build, first.facts.recovered, first.name], ['shop@1', false, 'shop@1'])
    assert.equal(
      await tab.page.evaluate(() => sessionStorage.length),
      0,
      'nothing is stored while it is shown',
    )
    const seen = beats().length
    await tab.page.reload()
    const second = await next(seen)
    await tab.page.goto(`${site.url}?other`)
    const third = await next(seen + 1)
    assert.deepEqual([second.facts.id, third.facts.id], [first.facts.id, first.facts.id])
    assert.equal(new Set([first.id, second.id, third.id]).size, 3)
  })

  it('are others when they are opened by this one, which copies its storage', async () => {
    await using tab = await openPage(browser)
    const first = await open(tab)
    const seen = beats().length
    await Promise.all([
      tab.context.waitForEvent('page'),
      tab.page.evaluate(() => void window.open(location.href)),
    ])
    const opened = await next(seen)
    assert.notEqual(opened.facts.id, first.facts.id)
  })

  it('are told again after four minutes while they are visible, and not while they are hidden', async () => {
    await using tab = await openPage(browser)
    await tab.page.clock.install()
    const { id } = await open(tab)
    await tab.page.clock.runFor('04:05')
    await site.waitFor('the second beat', () => beats(id).length === 2)
    const [first, second] = beats(id)
    assert.ok(second!.durationMs - first!.durationMs >= 4 * 60_000)
    const hide = (hidden: boolean) =>
      tab.page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => value })
        document.dispatchEvent(new Event('visibilitychange'))
      }, hidden)
    await hide(true)
    await tab.page.clock.runFor('30:00')
    await hide(false)
    await tab.page.clock.runFor('00:02')
    await site.waitFor('the third beat', () => beats(id).length >= 3)
    assert.equal(beats(id).length, 3, 'half an hour in the background is one beat, at its end')
    assert.ok(beats(id)[2]!.durationMs >= 34 * 60_000)
  })

  it('say that a file which failed came at a later try', async () => {
    await using tab = await openPage(browser)
    const { id, facts } = await open(tab)
    status = 404
    assert.equal(await load(tab), false)
    const failure = await site.waitForEntry('ui.chunk_failure', (entry) => entry.facts.page === id)
    assert.equal(failure.facts.tab, facts.id)
    status = 200
    assert.equal(await load(tab), true)
    await site.waitFor('the recovery', () => beats(id).some((beat) => beat.facts.recovered === true))
    assert.equal(beats(id).length, 2)
  })

  it('say that the navigation which needed the file ended well after all', async () => {
    await using tab = await openPage(browser)
    const { id } = await open(tab)
    status = 404
    await tab.page.evaluate(() => (globalThis as unknown as Globals).go('/cart'))
    await load(tab)
    await site.waitForEntry('ui.chunk_failure', (entry) => entry.facts.page === id)
    await tab.page.evaluate(() => (globalThis as unknown as Globals).go('/elsewhere'))
    await site.waitForEntry('ui.navigation', (entry) => entry.facts.to === '/elsewhere')
    assert.equal(beats(id).length, 1, 'another page is no sign that the file came')
    await tab.page.evaluate(() => (globalThis as unknown as Globals).go('/cart'))
    await site.waitFor('the recovery', () => beats(id).some((beat) => beat.facts.recovered === true))
  })
})
