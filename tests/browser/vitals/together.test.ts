/** Traces, vitals and the recorder in one page tell of the same navigation by the same ids, in whatever order they start. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import type { Payload } from '../harness/recorded.ts'
import { rootOf, transactionsOf } from '../tracing/traced-page.ts'
import { measured, PAGE, startVitalsSite, waitForVital } from './vitals-page.ts'

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

const APP = `
  document.querySelector('a').onclick = (event) => {
    event.preventDefault()
    history.pushState({}, '', '/orders')
    document.querySelector('main').innerHTML = '<h2 style="font-size: 80px">Orders</h2><p>Orders of this week and the week before</p>'
  }`
const HTML = PAGE('<a href="/orders">Orders</a><main><h1>Shop</h1></main>')

for (const features of [
  'tracing(), vitals(), sonde.navigations()',
  'sonde.navigations(), vitals(), tracing()',
])
  test(`one click is one navigation with ${features}`, async () => {
    await using site = await startVitalsSite({ script: measured({ features, more: APP }), html: () => HTML })
    await using tab = await openPage(browser)
    await tab.page.goto(`${site.url}/shop`)
    await tab.page.getByRole('link').click()
    const isRecord = (span: Payload): boolean => span.attributes['sentry.op'].value === 'ui.navigation'
    const records = (): Payload[] =>
      site.items('span').flatMap(({ payload }) => payload.items.filter(isRecord))
    const [navigation] = await transactionsOf(site, 'navigation')
    await site.waitFor('the record of the recorder', () => records().length > 0)
    await tab.page.goto('about:blank')
    const vitals = await waitForVital(site, 'lcp', 2)
    const [pageLoad] = await transactionsOf(site, 'pageload')
    const [record] = records()
    const root = rootOf(navigation)
    assert.equal(records().length, 1)
    assert.equal((await transactionsOf(site, 'navigation')).length, 1)
    assert.deepEqual([record.trace_id, record.parent_span_id], [root.trace_id, root.span_id])
    assert.equal(root.data['sonde.navigation.outcome'], 'committed')
    const [load, soft] = vitals
    assert.deepEqual(
      [load.trace_id, load.attributes['sentry.pageload.span_id']],
      [rootOf(pageLoad).trace_id, rootOf(pageLoad).span_id],
    )
    assert.deepEqual([soft.trace_id, soft.attributes['sonde.navigation.id']], [root.trace_id, record.span_id])
    assert.deepEqual(tab.complaints, [])
  })
