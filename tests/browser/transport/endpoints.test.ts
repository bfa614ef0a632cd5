import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { reporterPage } from '../harness/reporter-page.ts'
import { PUBLIC_KEY } from '../harness/site.ts'

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

test('R1 envelopes go to the same-origin path /monitoring', async () => {
  // The DSN's host is another than the page's.
  await using tab = await reporterPage(browser, 'dsn: SITE.crossDsn')
  await tab.page.evaluate(() => sonde.captureMessage('hello'))
  const sent = await tab.site.waitFor('an envelope', () => true)
  assert.equal(sent.path, '/monitoring')
  assert.equal(sent.headers.host, new URL(tab.site.url).host)
  assert.equal(sent.headers.origin, tab.site.url)
  assert.equal(sent.headers['content-type'], 'text/plain;charset=UTF-8')
  assert.equal(sent.header['dsn'], tab.site.crossDsn)
})

test('R2 o, p and r come from the DSN', async () => {
  await using tab = await reporterPage(browser, `dsn: 'https://${PUBLIC_KEY}@o77.ingest.de.sonde.example/42'`)
  await tab.page.evaluate(() => sonde.captureMessage('hello'))
  const sent = await tab.site.waitFor('an envelope', () => true)
  assert.deepEqual(Object.fromEntries(sent.query), { o: '77', p: '42', r: 'de' })
})

test('R2 without an organization in the DSN only p is sent, and the option org fills o', async () => {
  await using one = await reporterPage(browser)
  await one.page.evaluate(() => sonde.captureMessage('hello'))
  assert.deepEqual(Object.fromEntries((await one.site.waitFor('an envelope', () => true)).query), { p: '42' })
  await using two = await reporterPage(browser, `org: '5'`)
  await two.page.evaluate(() => sonde.captureMessage('hello'))
  assert.deepEqual(Object.fromEntries((await two.site.waitFor('an envelope', () => true)).query), {
    p: '42',
    o: '5',
  })
})

test('R3 without a tunnel they go straight to the ingest endpoint, without a preflight', async () => {
  const preflights: string[] = []
  await using tab = await reporterPage(browser, `tunnel: '', dsn: SITE.crossDsn`, {
    handle(req, res) {
      if (req.method !== 'OPTIONS') return false
      preflights.push(req.url ?? '')
      res.writeHead(204).end()
      return true
    },
  })
  await tab.page.evaluate(() => sonde.captureMessage('hello'))
  const sent = await tab.site.waitFor('an envelope', () => true)
  assert.equal(sent.path, '/api/42/envelope/')
  assert.deepEqual(Object.fromEntries(sent.query), {
    sentry_version: '7',
    sentry_key: PUBLIC_KEY,
    sentry_client: 'sonde.javascript.browser/0.1.0',
  })
  assert.equal(sent.headers['x-sentry-auth'], undefined)
  assert.deepEqual(preflights, [])
})

test('where a blocker stops direct ingest, the tunnel takes over, for the rest of the visit', async () => {
  let blocked = 0
  await using tab = await reporterPage(browser, `preferDirect: true, dsn: SITE.crossDsn`, {
    before: ({ page }) =>
      page.route('**/api/42/envelope/**', (route) => {
        blocked++
        return route.abort('blockedbyclient')
      }),
  })
  await tab.page.evaluate(() => {
    for (let n = 0; n < 6; n++) sonde.captureMessage(`message ${n}`)
    return sonde.flush(5000)
  })
  await tab.page.evaluate(() => sonde.captureMessage('later'))
  await tab.site.waitForItems('event', 7)
  assert.ok(tab.site.recorded.every(({ path }) => path === '/monitoring'))
  assert.ok(blocked >= 1 && blocked <= 3, `${blocked} attempts`)
  assert.equal(tab.site.items('client_report').length, 0)
})

test('with preferDirect and no blocker nothing goes through the tunnel', async () => {
  await using tab = await reporterPage(browser, `preferDirect: true, dsn: SITE.crossDsn`)
  await tab.page.evaluate(() => sonde.captureMessage('hello'))
  assert.equal((await tab.site.waitFor('an envelope', () => true)).path, '/api/42/envelope/')
})
