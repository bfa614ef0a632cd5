/** A page goes on with the trace of the server that rendered it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import { rootOf, startApiSite, traced, transactionsOf } from './traced-page.ts'

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

const TRACE = 'c'.repeat(32)
const SPAN = 'd'.repeat(16)
const BAGGAGE = `vendor=1,sentry-trace_id=${TRACE},sentry-public_key=abc,sentry-sample_rand=0.250000,sentry-transaction=GET%20%2Fcart`
const page = (
  meta: string,
): string => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>page</title>
<link rel="icon" href="data:,">${meta}</head><body><script src="/page.js"></script></body></html>`
const metaTags = (flag: string): string =>
  page(
    `<meta name="sentry-trace" content="${TRACE}-${SPAN}${flag}"><meta name="baggage" content="${BAGGAGE}">`,
  )

test('meta tags name the trace, its parent and the frozen context', async () => {
  await using site = await startApiSite({
    script: traced('', `fetch('/api/cart')`),
    html: () => metaTags('-1'),
  })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url)
  const [transaction] = await transactionsOf(site, 'pageload')
  assert.equal(rootOf(transaction).trace_id, TRACE)
  assert.equal(rootOf(transaction).parent_span_id, SPAN)
  const { headers } = await site.call('/api/cart')
  assert.equal(
    headers['baggage'],
    `sentry-trace_id=${TRACE}, sentry-public_key=abc, sentry-sample_rand=0.250000, sentry-transaction=GET%20%2Fcart`,
  )
  const envelope = site.recorded.find(({ items }) => items[0]?.payload === transaction)
  assert.deepEqual(envelope!.header['trace'], {
    trace_id: TRACE,
    public_key: 'abc',
    sample_rand: '0.250000',
    transaction: 'GET /cart',
  })
})

test('Server-Timing does the same for pages that cannot be changed', async () => {
  const pageHeaders = { 'server-timing': `sentry-trace;desc="${TRACE}-${SPAN}-1", baggage;desc="${BAGGAGE}"` }
  await using site = await startApiSite({ script: traced(), pageHeaders })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url)
  const [transaction] = await transactionsOf(site, 'pageload')
  assert.equal(rootOf(transaction).trace_id, TRACE)
  assert.equal(rootOf(transaction).parent_span_id, SPAN)
})

test('what the server decided holds, whatever the rate of the page says', async () => {
  const more = `fetch('/api/cart').then(() => setTimeout(() => sonde.flush(), 1500))`
  await using site = await startApiSite({
    script: traced('tracesSampleRate: 1', more),
    html: () => metaTags('-0'),
  })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url)
  assert.equal((await site.call('/api/cart')).headers['sentry-trace']?.toString().endsWith('-0'), true)
  const [report] = await site.waitForItems('client_report')
  assert.equal(report!.payload.discarded_events[0].reason, 'sample_rate')
})

test('left open by the server, its number decides', async () => {
  for (const [rate, sampled] of [
    [0.2, false],
    [0.3, true],
  ] as const) {
    const more = `fetch('/api/cart')`
    await using site = await startApiSite({
      script: traced(`tracesSampleRate: ${rate}`, more),
      html: () => metaTags(''),
    })
    await using tab = await openPage(browser)
    await tab.page.goto(site.url)
    const header = (await site.call('/api/cart')).headers['sentry-trace'] as string
    assert.ok(header.startsWith(TRACE))
    assert.equal(header.endsWith('-1'), sampled)
  }
})

test('a broken tag is no trace, and breaks nothing', async () => {
  const broken = page(
    `<meta name="sentry-trace" content="zzz"><meta name="baggage" content="sentry-release=%E0%A4%A">`,
  )
  await using site = await startApiSite({ script: traced(), html: () => broken })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url)
  const [transaction] = await transactionsOf(site, 'pageload')
  assert.equal(rootOf(transaction).parent_span_id, undefined)
  assert.deepEqual(tab.complaints, [])
})
