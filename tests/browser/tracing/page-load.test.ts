/** What a page load becomes: one transaction, with what the browser did and what the page asked for. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import { durationMs, rootOf, spansOf, startApiSite, traced, transactionsOf } from './traced-page.ts'

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

const CSP = { 'content-security-policy': "default-src 'self'; style-src 'self'; img-src 'self' data:" }

test('a page load is one transaction with the phases of its request, its resources and paints', async () => {
  // A phase that takes no time is left out, and the browser's clock has steps of a tenth of a millisecond.
  const slowLoad = `addEventListener('load', () => {
    const endMs = performance.now() + 2
    while (performance.now() < endMs);
  })`
  await using site = await startApiSite({ script: traced('', slowLoad), pageHeaders: CSP, html: () => PAGE })
  await using tab = await openPage(browser)
  await tab.page.goto(`${site.url}/orders?token=secret#top`)
  const [transaction] = await transactionsOf(site, 'pageload')
  assert.equal(transaction.transaction, '/orders')
  assert.equal(transaction.transaction_info.source, 'url')
  const root = rootOf(transaction)
  assert.equal(root.origin, 'auto.pageload.browser')
  assert.equal(root.status, 'ok')
  assert.equal(root.data['sentry.idle_span_finish_reason'], 'idleTimeout')
  assert.equal(root.links, undefined)
  const phases = transaction.spans.map((span: { op: string }) => span.op)
  for (const op of ['browser.request', 'browser.response', 'browser.loadEvent', 'paint'])
    assert.ok(phases.includes(op), `${op} of ${phases}`)
  const [script] = spansOf(transaction, 'resource.script')
  assert.equal(script.description, '/page.js')
  assert.ok(script.data['http.decoded_response_content_length'] > 10_000)
  assert.equal(script.data['http.response.status_code'], 200)
  assert.ok(script.data['http.request.response_start'] > script.start_timestamp)
  assert.equal(script.parent_span_id, root.span_id)
  const lastEnd = Math.max(...transaction.spans.map((span: { timestamp: number }) => span.timestamp))
  assert.equal(transaction.timestamp, lastEnd)
  assert.ok(!JSON.stringify([transaction.spans, root]).includes('secret'))
  assert.deepEqual(tab.complaints, [])
})

test('fetch and XMLHttpRequest are spans with method, status, sizes and phases, without their query', async () => {
  const more = `
    fetch('/api/cart?user=secret&delay=30').then((answer) => answer.text())
    const xhr = new XMLHttpRequest()
    xhr.open('POST', '/api/price?status=404')
    xhr.send('{}')
    fetch('/api/fails?status=503').catch(() => {})
  `
  await using site = await startApiSite({ script: traced('', more) })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url)
  const [transaction] = await transactionsOf(site, 'pageload')
  const [cart, price, fails] = spansOf(transaction, 'http.client')
  assert.equal(cart.description, 'GET /api/cart')
  assert.deepEqual(
    [cart.status, cart.data['http.response.status_code'], cart.data.type],
    ['ok', 200, 'fetch'],
  )
  assert.equal(cart.data['http.decoded_response_content_length'], 13)
  assert.ok(cart.data['http.response_transfer_size'] > 13)
  assert.ok(durationMs(cart) >= 30, `${durationMs(cart)} ms`)
  assert.ok(cart.data['http.request.request_start'] >= cart.start_timestamp - 0.001)
  assert.deepEqual(
    [price.description, price.status, price.data.type, price.data['http.response.status_code']],
    ['POST /api/price', 'not_found', 'xhr', 404],
  )
  assert.equal(fails.status, 'internal_error')
  assert.ok(!JSON.stringify(transaction.spans).includes('secret'))
  for (const op of ['resource.fetch', 'resource.xmlhttprequest'])
    assert.equal(spansOf(transaction, op).length, 0, `${op} tells a request twice`)
})

test('a frame that was long says which script took longest and how much of it was forced layout, and marks and measures are spans', async () => {
  const more = `
    // Reads a height after each write of a width: layout is forced each time.
    function grind(ms) {
      const box = document.body.appendChild(document.createElement('div'))
      box.innerHTML = '<p>a row of the cart</p>'.repeat(1000)
      for (let end = performance.now() + ms, width = 100; performance.now() < end; box.offsetHeight)
        box.style.width = width++ + 'px'
    }
    performance.mark('cart shown')
    requestAnimationFrame(function recalculate() { grind(120) })
    setTimeout(() => performance.measure('checkout', { start: 10, end: 40 }), 200)
  `
  await using site = await startApiSite({ script: traced('', more) })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url)
  const [transaction] = await transactionsOf(site, 'pageload')
  const frame = spansOf(transaction, 'ui.long-animation-frame').find((span) => durationMs(span) >= 100)
  assert.equal(frame?.description, 'Main UI thread blocked')
  assert.equal(frame.data['code.function'], 'recalculate')
  assert.equal(frame.data['code.filepath'], `${site.url}/page.js`)
  assert.equal(frame.data['browser.script.invoker'], 'FrameRequestCallback')
  assert.ok(frame.data['browser.script.source_char_position'] > 0)
  const forcedMs = frame.data['browser.script.forced_style_and_layout_duration']
  assert.ok(forcedMs > 20 && forcedMs <= durationMs(frame) + 1, `${forcedMs} of ${durationMs(frame)} ms`)
  assert.deepEqual(
    spansOf(transaction, 'mark').map((span) => span.description),
    ['cart shown'],
  )
  assert.deepEqual(
    spansOf(transaction, 'measure').map((span) => [span.description, durationMs(span)]),
    [['checkout', 30]],
  )
})

test('an error belongs to the trace that runs', async () => {
  await using site = await startApiSite({
    script: traced('', `sonde.captureException(new Error('no card'))`),
  })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url)
  const [transaction] = await transactionsOf(site, 'pageload')
  const [error] = await site.waitForItems('event')
  const { trace_id, span_id } = rootOf(transaction)
  assert.equal(error!.payload.contexts.trace.trace_id, trace_id)
  assert.equal(error!.payload.contexts.trace.span_id, span_id)
})

test('what is not sampled is not sent but counted, and says so to the server', async () => {
  const more = `fetch('/api/cart').then(() => captured.length || setTimeout(() => sonde.flush(), 1500))`
  await using site = await startApiSite({ script: traced('tracesSampleRate: 0', more) })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url)
  const [report] = await site.waitForItems('client_report')
  const losses = report!.payload.discarded_events
  assert.deepEqual(losses[0], { reason: 'sample_rate', category: 'transaction', quantity: 1 })
  assert.equal(losses[1].category, 'span')
  assert.ok(losses[1].quantity > 3)
  assert.match((await site.call('/api/cart')).headers['sentry-trace'] as string, /-0$/)
  assert.equal(site.items('transaction').length, 0)
})

test('a crawler sends no traces, but its errors', async () => {
  const userAgent =
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/156.0 Safari/537.36'
  const more = `setTimeout(() => sonde.captureMessage('after two seconds'), 2000); fetch('/api/cart')`
  await using site = await startApiSite({ script: traced('', more) })
  await using tab = await openPage(browser, { userAgent })
  await tab.page.goto(site.url)
  await site.waitForItems('event')
  assert.equal(site.items('transaction').length, 0)
  assert.equal((await site.call('/api/cart')).headers['sentry-trace'], undefined)
})

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>page</title><link rel="icon" href="data:,">
</head><body><h1>Orders</h1><script src="/page.js"></script></body></html>`
