import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import type { OpenPage } from '../harness/open-page.ts'
import { type ReporterPage, reporterPage } from '../harness/reporter-page.ts'

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

/** The page's time stands still; the test moves it. */
const standStill = async ({ page }: OpenPage): Promise<void> => {
  await page.clock.install({ time: new Date('2026-03-01T12:00:00Z') })
  await page.clock.pauseAt(new Date('2026-03-01T13:00:00Z'))
}

/** Sends a message and waits for the answer; whether it reached the server. */
async function gets(tab: ReporterPage, message: string): Promise<boolean> {
  await tab.page.evaluate((text) => {
    sonde.captureMessage(text)
    return sonde.flush()
  }, message)
  return tab.site.items('event').some(({ payload }) => payload.message === message)
}

test('R4 a 429 that names no time stops everything for 60 s', async () => {
  await using tab = await reporterPage(browser, '', { before: standStill })
  tab.site.answer({ status: 429 })
  await gets(tab, 'first')
  tab.site.answer({ status: 200 })
  await tab.page.clock.fastForward(59_900)
  assert.equal(await gets(tab, 'too early'), false)
  await tab.page.clock.fastForward(200)
  assert.equal(await gets(tab, 'after a minute'), true)
  const report = tab.site.items('client_report').flatMap(({ payload }) => payload.discarded_events)
  assert.deepEqual(report, [{ reason: 'ratelimit_backoff', category: 'error', quantity: 1 }])
})

test('R4 so does a limit whose time cannot be read', async () => {
  await using tab = await reporterPage(browser, '', { before: standStill })
  tab.site.answer({ status: 200, headers: { 'x-sentry-rate-limits': 'soon:error:key' } })
  await gets(tab, 'first')
  tab.site.answer({ status: 200 })
  await tab.page.clock.fastForward(59_900)
  assert.equal(await gets(tab, 'too early'), false)
  await tab.page.clock.fastForward(200)
  assert.equal(await gets(tab, 'after a minute'), true)
})

test('Retry-After counts in seconds and as a date, and only without X-Sentry-Rate-Limits', async () => {
  for (const [headers, waitMs] of [
    [{ 'retry-after': '5' }, 5000],
    [{ 'retry-after': 'Sun, 01 Mar 2026 13:00:20 GMT' }, 20_000],
    [{ 'retry-after': '500', 'x-sentry-rate-limits': '2.5:error:key' }, 2500],
  ] as const) {
    await using tab = await reporterPage(browser, '', { before: standStill })
    tab.site.answer({ status: 429, headers })
    await gets(tab, 'first')
    tab.site.answer({ status: 200 })
    await tab.page.clock.fastForward(waitMs - 1000)
    assert.equal(await gets(tab, 'too early'), false, JSON.stringify(headers))
    await tab.page.clock.fastForward(1100)
    assert.equal(await gets(tab, 'in time'), true, JSON.stringify(headers))
  }
})

test('a limit holds its categories only, and an empty list all of them', async () => {
  await using tab = await reporterPage(browser, '', { before: standStill })
  tab.site.answer({ status: 200, headers: { 'x-sentry-rate-limits': '60:transaction;span:key, 30::key' } })
  await gets(tab, 'first')
  tab.site.answer({ status: 200 })
  assert.equal(await gets(tab, 'all are held'), false)
  await tab.page.clock.fastForward(31_000)
  assert.equal(await gets(tab, 'errors are free'), true)
  await tab.page.evaluate(() => {
    const spans = [{}, {}]
    sonde.getClient()!.capture({ type: 'transaction', start_timestamp: 1, spans })
    return sonde.flush()
  })
  const report = tab.site.items('client_report').flatMap(({ payload }) => payload.discarded_events)
  assert.equal(tab.site.items('transaction').length, 0)
  assert.deepEqual(report.slice(-2), [
    { reason: 'ratelimit_backoff', category: 'transaction', quantity: 1 },
    { reason: 'ratelimit_backoff', category: 'span', quantity: 3 },
  ])
})

test('a 413 is about one body: it is counted, and the next goes out', async () => {
  await using tab = await reporterPage(browser)
  tab.site.answer({ status: 413, headers: { 'retry-after': '60' } })
  await gets(tab, 'too big')
  tab.site.answer({ status: 200 })
  assert.equal(await gets(tab, 'small'), true)
  const report = tab.site.items('client_report').flatMap(({ payload }) => payload.discarded_events)
  assert.deepEqual(report, [{ reason: 'send_error', category: 'error', quantity: 1 }])
})

test('what a 429 refuses is not counted here, the server has counted it', async () => {
  await using tab = await reporterPage(browser, '', { before: standStill })
  tab.site.answer({ status: 429 })
  await gets(tab, 'refused')
  await tab.page.clock.fastForward(61_000)
  tab.site.answer({ status: 200 })
  await gets(tab, 'accepted')
  assert.equal(tab.site.items('client_report').length, 0)
})

test('R7 at most 64 events are buffered; those beyond are counted', async () => {
  await using tab = await reporterPage(browser)
  tab.site.answer('hang')
  await tab.page.evaluate(() => {
    for (let n = 0; n < 70; n++) sonde.captureMessage(`message ${n}`)
  })
  const under = await tab.site.waitForItems('event', 3)
  assert.equal(under.length, 3, 'three requests at once, the page needs the line')
  // The server lets go: what was waiting goes out.
  tab.site.answer({ status: 200 })
  tab.site.release()
  const events = await tab.site.waitForItems('event', 64)
  await tab.page.evaluate(() => sonde.flush())
  assert.deepEqual(
    new Set(events.map(({ payload }) => payload.message)),
    new Set(Array.from({ length: 64 }, (_, n) => `message ${n}`)),
  )
  assert.equal(tab.site.items('event').length, 64)
  assert.deepEqual(
    tab.site.items('client_report').flatMap(({ payload }) => payload.discarded_events),
    [{ reason: 'queue_overflow', category: 'error', quantity: 6 }],
  )
})

test('flush says in time whether all went out', async () => {
  await using tab = await reporterPage(browser)
  assert.equal(await tab.page.evaluate(() => sonde.flush(1)), true)
  tab.site.answer('hang')
  const wentOut = await tab.page.evaluate(() => {
    sonde.captureMessage('stuck')
    return sonde.flush(50)
  })
  assert.equal(wentOut, false)
})
