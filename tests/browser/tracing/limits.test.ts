/** Facts T4, T5 and R5: how old a trace before may be, how many spans fit, how long baggage may get. */
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

test('T4: a trace before, also of another page load, is linked up to 3600 s', async () => {
  await using site = await startApiSite({ script: traced() })
  await using tab = await openPage(browser)
  const start = Date.now()
  await tab.page.clock.setFixedTime(start)
  await tab.page.goto(`${site.url}/first`)
  const [first] = await transactionsOf(site, 'pageload', 1)
  await tab.page.clock.setFixedTime(start + 3_600_000)
  await tab.page.goto(`${site.url}/second`)
  const [, second] = await transactionsOf(site, 'pageload', 2)
  const { trace_id, span_id } = rootOf(first)
  assert.deepEqual(rootOf(second).links, [
    { trace_id, span_id, sampled: true, attributes: { 'sentry.link.type': 'previous_trace' } },
  ])
  assert.notEqual(rootOf(second).trace_id, trace_id)
  await tab.page.clock.setFixedTime(start + 7_201_000)
  await tab.page.goto(`${site.url}/third`)
  const [, , third] = await transactionsOf(site, 'pageload', 3)
  assert.equal(rootOf(third).links, undefined)
})

test('T5: of 1,200 spans 1,000 are sent and the rest is counted', async () => {
  const more = `for (let i = 0; i < 1200; i++) startSpan({ name: 'step ' + i }, () => {})
    setTimeout(() => sonde.flush(), 2000)`
  await using site = await startApiSite({ script: traced('', more) })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url)
  const [transaction] = await transactionsOf(site, 'pageload')
  assert.equal(transaction.spans.length, 1000)
  assert.equal(spansOf(transaction, 'function').at(-1).description.slice(0, 5), 'step ')
  const [report] = await site.waitForItems('client_report')
  const lost = report!.payload.discarded_events.find((loss: { category: string }) => loss.category === 'span')
  assert.equal(lost.reason, 'buffer_overflow')
  assert.ok(lost.quantity >= 200, `${lost.quantity}`)
})

// What stands before the trace id of the context, to the character.
const OF_OURS = ', sentry-trace_id='.length + 32

for (const kind of ['fetch', 'XMLHttpRequest'])
  test(`R5: baggage is at most 8192 characters, and the page's own comes first (${kind})`, async () => {
    const own = 'shop=' + 'x'.repeat(8192 - OF_OURS - 5)
    // With it the context's first member would end at 8193.
    const longer = own + 'x'
    const send =
      kind === 'fetch'
        ? `fetch(url, { headers: { baggage } })`
        : `const xhr = new XMLHttpRequest(); xhr.open('GET', url); xhr.setRequestHeader('baggage', baggage); xhr.send()`
    const baggages = { full: own, over: longer, small: 'cart=7;ttl=1' }
    const call = `for (const [name, baggage] of Object.entries(${JSON.stringify(baggages)})) { const url = '/api/' + name; ${send} }`
    await using site = await startApiSite({ script: traced('', call) })
    await using tab = await openPage(browser)
    await tab.page.goto(site.url)
    const full = (await site.call('/api/full')).headers['baggage'] as string
    const { headers } = await site.call('/api/small')
    const small = headers['baggage'] as string
    const [traceId] = (headers['sentry-trace'] as string).split('-')
    assert.equal(full, `${own}, sentry-trace_id=${traceId}`)
    assert.equal(full.length, 8192)
    assert.equal((await site.call('/api/over')).headers['baggage'], longer)
    assert.match(small, /^cart=7;ttl=1, sentry-trace_id=[0-9a-f]{32}, sentry-public_key=\w{32}, /)
    assert.match(small, /sentry-release=shop%401\.2\.3/)
    assert.match(small, /sentry-sampled=true, sentry-sample_rate=1, sentry-sample_rand=0\.\d{6}$/)
  })
