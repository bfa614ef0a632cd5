/** The router's own sample app, as it is built, with a reporter put before it and its events handed over. */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { eventually } from '../../e2e/router-browser.ts'
import { startSample, type Sample } from '../../e2e/router-sample.ts'
import { openPage } from '../harness/open-page.ts'
import { startRecorderSite } from './recorder-site.ts'

// The sample app hands its events to an array: this one passes them on.
const SCRIPT = `
import { chunkFailures, init, navigations, pageDataFailures } from '@sonde/browser'
import { sondeRouter } from '@sonde/react/sonde-router'
document.addEventListener('readystatechange', () => {
  init({
    dsn: SITE.dsn,
    tunnel: '/monitoring',
    release: 'sample@1',
    features: [navigations({ hungAfterMs: 600 }), pageDataFailures(), chunkFailures()],
  })
  sondeRouter((listener) => {
    heard.forEach(listener)
    heard.push = (event: never) => { listener(event); return 0 }
    return () => {}
  })
}, { once: true })
const heard: any[] = []
Object.defineProperty(globalThis, 'routerEvents', { get: () => heard, set() {} })
`

let browser: Browser
let sample: Sample
before(async () => {
  ;[browser, sample] = await Promise.all([launchChromium(), startSample()])
})
after(async () => {
  await browser.close()
  await sample[Symbol.asyncDispose]()
})

async function start(path = '/') {
  const site = await startRecorderSite({
    script: SCRIPT,
    handle(incoming, outgoing) {
      const { method, headers, url } = incoming
      const forwarded = request(sample.origin + url, { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      })
      forwarded.on('error', () => outgoing.destroy())
      outgoing.on('close', () => forwarded.destroy())
      incoming.pipe(forwarded)
      return true
    },
  })
  const tab = await openPage(browser)
  const { page } = tab
  await page.addInitScript(await (await fetch(`${site.url}/page.js`)).text())
  await page.goto(site.url + path)
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('#root > nav') ?? {}).some((key) => key.startsWith('__react')),
  )
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  return {
    site,
    page,
    link,
    click: (name: string) => link(name).click(),
    shows: (heading: string) => page.getByRole('heading', { name: heading, exact: true }).waitFor(),
    async [Symbol.asyncDispose]() {
      await tab[Symbol.asyncDispose]()
      await site[Symbol.asyncDispose]()
    },
  }
}
const ended = (outcome: string) => (entry: { facts: { outcome: string } }) => entry.facts.outcome === outcome

describe('Sonde’s own router', () => {
  it('records committed navigations, and a static page out of the cache with its age', async () => {
    await using app = await start()
    await app.click('/static/1')
    await app.shows('Static 1')
    const first = await app.site.waitForEntry('ui.navigation', ended('committed'))
    assert.deepEqual(
      [first.name, first.facts.from_route, first.facts.trigger, first.facts.router, first.facts.cache],
      ['/static/[n]', '/', 'click', 'sonde-router', 'miss'],
    )
    assert.ok(first.facts['phase.data'] > 0 && first.facts.bytes > 0)
    await app.click('home')
    await app.shows('Home')
    await app.click('/static/1')
    const again = await app.site.waitForEntry('ui.navigation', ({ facts }) => facts.cache === 'hit')
    assert.ok(again.facts.cache_age > 0)
    assert.equal(again.facts.requests, undefined)
  })

  it('records a redirect and its target, and goes back', async () => {
    await using app = await start()
    await app.click('/go/307')
    await app.shows('Dynamic 307')
    const target = await app.site.waitForEntry('ui.navigation', ended('committed'))
    const first = app.site.entries('ui.navigation').find(ended('redirected'))!
    assert.deepEqual([first.name, first.facts.redirect_to], ['/go/[status]', '/dynamic/307'])
    assert.deepEqual([target.name, target.facts.redirected_from], ['/dynamic/[n]', first.id])
    await app.page.goBack()
    await app.shows('Home')
    const back = await app.site.waitForEntry('ui.navigation', ({ facts }) => facts.trigger === 'back')
    assert.equal(back.name, '/')
  })

  it('records what hangs, and what takes its place', async () => {
    await using app = await start()
    sample.close('slow')
    await app.click('/slow')
    const pending = await app.site.waitForEntry('ui.navigation', ended('pending'))
    assert.deepEqual([pending.name, pending.facts.waiting_for], ['/slow', '/slow'])
    await app.click('/counter')
    await app.site.waitForEntry('ui.navigation', ended('committed'))
    // On a busy machine this one hangs for a moment as well.
    const outcomes = app.site.outcomes().filter((each) => each !== '/counter pending')
    assert.deepEqual(outcomes, ['/slow pending', '/slow superseded', '/counter committed'])
    sample.open('slow')
  })

  it('records a full load with its reason, and an error page with its status', async () => {
    await using app = await start()
    sample.replaceData('/counter', (_, outgoing) => void outgoing.writeHead(502).end('down'))
    await app.click('/counter')
    const full = await app.site.waitForEntry('ui.navigation', ended('full_load'))
    assert.deepEqual([full.name, full.facts.reason], ['/counter', 'server'])
    const data = await app.site.waitForEntry('ui.page_data_failure', () => true)
    assert.deepEqual([data.facts.status, data.facts.route], [502, '/counter'])
    sample.replaceData('/counter', undefined)
    await app.page.waitForURL('**/counter')
    await app.page.goto(app.site.url)
    await app.click('/fails')
    const failed = await app.site.waitForEntry('ui.navigation', ended('errored'))
    assert.deepEqual([failed.name, failed.facts.reason], ['/fails', 'http_500'])
  })

  it('tells prefetches that came late from those that were too old', async () => {
    await using app = await start()
    sample.close('dynamic 9')
    await app.link('intent').hover()
    await eventually('a prefetch that waits', () => sample.waiting() > 0)
    await app.click('intent')
    sample.open('dynamic 9')
    await app.shows('Dynamic 9')
    const late = await app.site.waitForEntry('ui.navigation', ended('committed'))
    assert.equal(late.facts.prefetch, 'late')
    await app.page.goto('about:blank')
    const summary = await app.site.waitForEntry('ui.prefetch', ({ facts }) => facts.route === '/dynamic/[n]')
    assert.deepEqual([summary.facts.late, summary.facts.wasted], [1, summary.facts.issued - 1])
  })
})
