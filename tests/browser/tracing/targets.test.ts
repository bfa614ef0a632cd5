/** Which requests carry the trace: nothing leaves for another origin that the app has not listed. */
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

/** `other` is the same server by another name, hence another origin. */
const CALLS = `
  const other = SITE.crossDsn.replace(/^.*@/, 'http://').replace(/\\/42$/, '')
  const send = (url, trace) => { const xhr = new XMLHttpRequest(); xhr.open('GET', url); if (trace) xhr.setRequestHeader('sentry-trace', trace); xhr.send() }
  fetch('/api/own')
  fetch(new Request('/api/request', { headers: { 'x-own': '1' } }))
  send('/api/own-xhr')
  send('/api/set-xhr', 'mine')
  fetch(other + '/api/other?next=127.0.0.1/api/own')
  send(other + '/api/other-xhr')
  fetch('/api/set', { headers: { 'sentry-trace': 'mine', baggage: 'a=1' } })
  fetch('/api/set-baggage', { headers: { baggage: 'a=1,sentry-trace_id=theirs' } })
`
const PATHS = ['own', 'request', 'own-xhr', 'other', 'other-xhr', 'set', 'set-xhr', 'set-baggage']

async function headersWith(options: string) {
  await using site = await startApiSite({ script: traced(options, CALLS) })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url)
  const calls = await Promise.all(PATHS.map((path) => site.call(`/api/${path}`)))
  const [transaction] = await transactionsOf(site, 'pageload')
  return { headers: Object.fromEntries(calls.map((call, i) => [PATHS[i]!, call.headers])), transaction }
}

test('by default the own origin hears of the trace and no other', async () => {
  const { headers, transaction } = await headersWith('')
  const { trace_id } = rootOf(transaction)
  for (const path of ['own', 'request', 'own-xhr']) {
    const [traceId, spanId, flag] = (headers[path]!['sentry-trace'] as string).split('-')
    const [span] = spansOf(transaction, 'http.client').filter(
      ({ description }) => description === `GET /api/${path}`,
    )
    assert.deepEqual([traceId, spanId, flag], [trace_id, span.span_id, '1'])
    assert.match(headers[path]!['baggage'] as string, new RegExp(`sentry-trace_id=${trace_id}`))
  }
  assert.equal(headers['request']!['x-own'], '1')
  for (const path of ['other', 'other-xhr'])
    for (const name of ['sentry-trace', 'baggage', 'traceparent'])
      assert.equal(headers[path]![name], undefined)
  assert.equal(headers['own']!['traceparent'], undefined)
})

test('headers that the page set itself stay as they are', async () => {
  const { headers } = await headersWith('')
  assert.equal(headers['set']!['sentry-trace'], 'mine')
  assert.equal(headers['set-xhr']!['sentry-trace'], 'mine')
  assert.equal(headers['set']!['baggage'], 'a=1')
  assert.equal(headers['set-baggage']!['baggage'], 'a=1,sentry-trace_id=theirs')
})

test('listed targets hear of it: text anywhere before the query, expressions on URL or own path', async () => {
  const { headers } = await headersWith(
    `tracePropagationTargets: ['localhost', /^\\/api\\/own$/], propagateTraceparent: true`,
  )
  for (const path of ['other', 'other-xhr', 'own']) {
    const { traceparent, 'sentry-trace': sentryTrace } = headers[path]!
    const [traceId, spanId] = (sentryTrace as string).split('-')
    assert.equal(traceparent, `00-${traceId}-${spanId}-01`)
  }
  for (const path of ['request', 'own-xhr']) assert.equal(headers[path]!['sentry-trace'], undefined)
  const query = await headersWith(`tracePropagationTargets: ['next=127.0.0.1']`)
  assert.equal(query.headers['other']!['sentry-trace'], undefined, 'anybody may write a query')
})
