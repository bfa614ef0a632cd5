/** Facts T1, T2, T3: when a trace ends, on the page's own clock, which the test moves. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import { durationMs, rootOf, spansOf, startApiSite, traced } from './traced-page.ts'

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

/** Moves the clock until the trace of the page load was captured; its transaction, and when that was. */
async function pass(page: Page, ms: number) {
  await page.clock.runFor(ms)
  return page.evaluate(() => {
    const [first] = globalThis.captured
    // Events hold what cannot leave the page.
    return first && { atMs: first.atMs as number, transaction: JSON.parse(JSON.stringify(first.event)) }
  })
}

/** Timers fire when they are due, to the millisecond; the rest is the clock of a loaded machine that goes on by itself. */
function assertNear(actualMs: number, expectedMs: number): void {
  assert.ok(Math.abs(actualMs - expectedMs) < 100, `${actualMs} ms instead of ${expectedMs} ms`)
}

test('T1: a trace ends 1 s after its last child ended', async () => {
  const more = `
    startSpan({ name: 'first' }, () => new Promise((done) => setTimeout(done, 2000)))
    startSpan({ name: 'second' }, () => new Promise((done) => setTimeout(() => { globalThis.done = performance.now(); done() }, 3000)))
  `
  await using site = await startApiSite({ script: traced('', more) })
  await using tab = await openPage(browser)
  await tab.page.clock.install()
  await tab.page.goto(site.url)
  const { atMs, transaction } = await pass(tab.page, 8000)
  const endMs = (await tab.page.evaluate(() => globalThis.done)) as number
  assertNear(atMs - endMs, 1000)
  assert.equal(rootOf(transaction).data['sentry.idle_span_finish_reason'], 'idleTimeout')
  const second = spansOf(transaction, 'function').find((span) => span.description === 'second')
  assert.equal(transaction.timestamp, second.timestamp, 'the root ends with its last child')
  assertNear(durationMs(second), 3000)
})

test('T2: a page that polls without end is cut at 30 s', async () => {
  const more = `setInterval(() => startSpan({ name: 'poll' }, () => new Promise((done) => setTimeout(done, 100))), 400)`
  await using site = await startApiSite({ script: traced('', more) })
  await using tab = await openPage(browser)
  await tab.page.clock.install()
  await tab.page.goto(site.url)
  const { atMs, transaction } = await pass(tab.page, 35_000)
  assertNear(atMs, 30_000)
  assert.equal(rootOf(transaction).data['sentry.idle_span_finish_reason'], 'finalTimeout')
  assert.ok(durationMs(transaction) <= 30_000)
  assert.ok(durationMs(transaction) > 29_000)
})

test('T3: a request that hangs is waited for 15 s, then the trace goes without it', async () => {
  await using site = await startApiSite({
    script: traced('', `globalThis.done = performance.now(); fetch('/hang').catch(() => {})`),
  })
  await using tab = await openPage(browser)
  await tab.page.clock.install()
  await tab.page.goto(site.url)
  await site.call('/hang')
  const { atMs, transaction } = await pass(tab.page, 20_000)
  assertNear(atMs - ((await tab.page.evaluate(() => globalThis.done)) as number), 15_000)
  assert.equal(rootOf(transaction).data['sentry.idle_span_finish_reason'], 'heartbeatFailed')
  const [hanging] = spansOf(transaction, 'http.client')
  assert.equal(hanging.description, 'GET /hang')
  assert.equal(hanging.status, 'cancelled')
  assert.ok(durationMs(transaction) < 5000, 'the root ends where something last ended')
})

test('a page that is left while a request hangs is sent at once, cancelled', async () => {
  await using site = await startApiSite({ script: traced('', `fetch('/hang').catch(() => {})`) })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url)
  await site.call('/hang')
  await tab.page.goto('about:blank')
  const [item] = await site.waitForItems('transaction')
  const root = rootOf(item!.payload)
  assert.equal(root.status, 'cancelled')
  assert.equal(root.data['sentry.idle_span_finish_reason'], 'documentHidden')
  assert.equal(root.data['sentry.cancellation_reason'], 'document.hidden')
  assert.equal(spansOf(item!.payload, 'http.client')[0].status, 'cancelled')
})
