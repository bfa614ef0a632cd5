/** `startSpan`: the app's own work in the trace. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import { rootOf, spansOf, startApiSite, traced, transactionsOf } from './traced-page.ts'

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

test('spans nest, take attributes, hand on results and errors', async () => {
  const more = `
    const result = startSpan({ name: 'price', op: 'shop.price', attributes: { items: 3 } }, (span) => {
      span.data.total = 42
      startSpan({ name: 'tax' }, () => {})
      fetch('/api/rates')
      return 'priced'
    })
    let message
    try { startSpan({ name: 'fails' }, () => { throw new Error('no rate') }) } catch (error) { message = error.message }
    const promise = startSpan({ name: 'later' }, async () => { await 0; throw new Error('too late') })
    promise.catch((error) => fetch('/api/told?' + result + message + error.message))`
  await using site = await startApiSite({ script: traced('', more) })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url)
  assert.equal((await site.call('/api/told')).url, '/api/told?pricedno%20ratetoo%20late')
  const [transaction] = await transactionsOf(site, 'pageload')
  const named = (name: string) =>
    transaction.spans.find((span: { description: string }) => span.description === name)
  assert.deepEqual(
    [named('price').op, named('price').status, named('price').data],
    ['shop.price', 'ok', { items: 3, total: 42 }],
  )
  assert.equal(named('price').parent_span_id, rootOf(transaction).span_id)
  assert.equal(named('tax').parent_span_id, named('price').span_id)
  assert.equal(named('fails').status, 'internal_error')
  assert.equal(named('later').status, 'internal_error')
  assert.deepEqual(tab.complaints, [])
})

test('while nothing is traced, it is a transaction of its own, linked to the trace before', async () => {
  const more = `setTimeout(() => startSpan({ name: 'export the list', op: 'shop.export' }, () => new Promise((done) => setTimeout(done, 100))), 1800)`
  await using site = await startApiSite({ script: traced('', more) })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url)
  const [own] = await transactionsOf(site, 'shop.export')
  assert.equal(own.transaction, 'export the list')
  assert.equal(own.transaction_info.source, 'custom')
  const [pageLoad] = await transactionsOf(site, 'pageload')
  assert.equal(rootOf(own).links[0].trace_id, rootOf(pageLoad).trace_id)
  assert.equal(rootOf(own).data['sentry.idle_span_finish_reason'], 'externalFinish')
  assert.equal(spansOf(own, 'shop.export').length, 1)
})

test('without tracing the callback just runs', async () => {
  const script = `
    import { startSpan } from '${new URL('../../../packages/browser/src/tracing/index.ts', import.meta.url).pathname}'
    globalThis.result = startSpan({ name: 'price' }, (span) => { span.data.total = 1; return 7 })`
  await using site = await startApiSite({ script })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url)
  assert.equal(await tab.page.evaluate(() => (globalThis as { result?: number }).result), 7)
})
