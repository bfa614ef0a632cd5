import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import { reporterPage } from '../harness/reporter-page.ts'
import { PUBLIC_KEY } from '../harness/site.ts'

const WITH_QUEUE = 'features: [sonde.offlineQueue()]'
const KEY = `sonde.${PUBLIC_KEY}`
const stored = (key: string) => (JSON.parse(localStorage.getItem(key) ?? '[]') as unknown[]).length

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

test('what cannot be sent survives a reload and is sent by the next page, with the time of sending', async () => {
  await using tab = await reporterPage(browser, WITH_QUEUE, {
    before: ({ page }) => page.clock.install(),
  })
  tab.site.answer('drop')
  await tab.page.evaluate(() => {
    sonde.captureMessage('offline 1')
    sonde.captureMessage('offline 2')
    return sonde.flush()
  })
  assert.equal(await tab.page.evaluate(stored, KEY), 2)
  const attempts = tab.site.attempts()
  await tab.page.reload()
  tab.site.answer({ status: 200 })
  await tab.page.clock.fastForward('02:00')
  const events = await tab.site.waitForItems('event', 2)
  assert.deepEqual(new Set(events.map(({ payload }) => payload.message)), new Set(['offline 1', 'offline 2']))
  assert.ok(tab.site.attempts() > attempts)
  const [sent] = tab.site.recorded
  const lateBySec = Date.parse(String(sent?.header['sent_at'])) / 1000 - events[0]?.payload.timestamp
  assert.ok(lateBySec > 60, `sent_at is ${lateBySec} s after the event`)
  await tab.page.waitForFunction((key) => localStorage.getItem(key) === null, KEY)
})

test('it is sent when the browser is online again', async () => {
  await using tab = await reporterPage(browser, WITH_QUEUE)
  await tab.context.setOffline(true)
  await tab.page.evaluate(() => {
    sonde.captureMessage('in the tunnel')
    return sonde.flush()
  })
  assert.equal(tab.site.attempts(), 0)
  await tab.context.setOffline(false)
  const [item] = await tab.site.waitForItems('event')
  assert.equal(item?.payload.message, 'in the tunnel')
})

test('of several tabs one sends', async () => {
  await using tab = await reporterPage(browser, WITH_QUEUE)
  tab.site.answer('drop')
  await tab.page.evaluate(() => {
    for (let n = 0; n < 5; n++) sonde.captureMessage(`kept ${n}`)
    return sonde.flush()
  })
  const others = [await tab.context.newPage(), await tab.context.newPage()]
  for (const page of others) await page.goto(tab.site.url)
  tab.site.answer({ status: 200 })
  await Promise.all(
    [tab.page, ...others].map((page) => page.evaluate(() => window.dispatchEvent(new Event('online')))),
  )
  await tab.site.waitForItems('event', 5)
  await tab.page.waitForFunction((key) => localStorage.getItem(key) === null, KEY)
  const messages = tab.site.items('event').map(({ payload }) => payload.message)
  assert.equal(messages.length, 5)
  assert.deepEqual(new Set(messages), new Set(['kept 0', 'kept 1', 'kept 2', 'kept 3', 'kept 4']))
})

test('it keeps at most 30, the newest, and counts the others', async () => {
  await using tab = await reporterPage(browser, WITH_QUEUE)
  tab.site.answer('drop')
  await tab.page.evaluate(() => {
    for (let n = 0; n < 35; n++) sonde.captureMessage(`kept ${n}`)
    return sonde.flush()
  })
  assert.equal(await tab.page.evaluate(stored, KEY), 30)
  tab.site.answer({ status: 200 })
  await tab.page.evaluate(() => {
    sonde.captureMessage('now')
    return sonde.flush()
  })
  const events = await tab.site.waitForItems('event', 31)
  assert.ok(events.some(({ payload }) => payload.message === 'kept 34'))
  const lost = (await tab.site.waitForItems('client_report')).flatMap(
    ({ payload }) => payload.discarded_events,
  )
  assert.equal(
    lost.reduce((sum, { quantity }) => sum + quantity, 0),
    5,
  )
  assert.ok(lost.every(({ reason, category }) => reason === 'cache_overflow' && category === 'error'))
})

test('it keeps at most 250,000 characters', async () => {
  await using tab = await reporterPage(browser, WITH_QUEUE)
  tab.site.answer('drop')
  await tab.page.evaluate(() => {
    const big = Array.from({ length: 20 }, (_, n) => 'x'.repeat(4000) + n)
    for (let n = 0; n < 5; n++) sonde.captureMessage(`big ${n}`, { extra: { big } })
    return sonde.flush()
  })
  assert.equal(await tab.page.evaluate(stored, KEY), 3)
  assert.ok((await tab.page.evaluate((key) => localStorage.getItem(key)!.length, KEY)) <= 250_000)
})

test('what is older than five days is dropped and counted', async () => {
  await using tab = await reporterPage(browser, WITH_QUEUE, {
    before: ({ page }) => page.clock.install(),
  })
  tab.site.answer('drop')
  await tab.page.evaluate(() => {
    sonde.captureMessage('old')
    return sonde.flush()
  })
  tab.site.answer({ status: 200 })
  await tab.page.clock.fastForward(6 * 24 * 3600 * 1000)
  await tab.page.evaluate(async () => {
    window.dispatchEvent(new Event('online'))
    sonde.captureMessage('new')
    await sonde.flush()
  })
  await tab.page.waitForFunction((key) => localStorage.getItem(key) === null, KEY)
  await tab.page.evaluate(() => sonde.flush())
  const [report] = await tab.site.waitForItems('client_report')
  assert.deepEqual(report?.payload.discarded_events, [
    { reason: 'cache_overflow', category: 'error', quantity: 1 },
  ])
  assert.deepEqual(
    tab.site.items('event').map(({ payload }) => payload.message),
    ['new'],
  )
})

test('without storage the page is not disturbed and the loss is counted', async () => {
  await using tab = await reporterPage(browser, WITH_QUEUE, {
    before: ({ page }) =>
      page.addInitScript(() => {
        Object.defineProperty(window, 'localStorage', {
          get() {
            throw new DOMException('denied', 'SecurityError')
          },
        })
      }),
  })
  tab.site.answer('drop')
  await tab.page.evaluate(() => {
    sonde.captureMessage('lost')
    return sonde.flush()
  })
  tab.site.answer({ status: 200 })
  await tab.page.evaluate(() => sonde.flush())
  const [report] = await tab.site.waitForItems('client_report')
  assert.deepEqual(report?.payload.discarded_events, [
    { reason: 'network_error', category: 'error', quantity: 1 },
  ])
  assert.deepEqual(
    tab.complaints.filter((text) => !text.includes('Failed to load resource')),
    [],
  )
})

test('without the feature what cannot be sent is counted at once', async () => {
  await using tab = await reporterPage(browser)
  await using other = await openPage(browser)
  await other.page.goto(tab.site.url)
  tab.site.answer('drop')
  await tab.page.evaluate(() => {
    sonde.captureMessage('lost')
    return sonde.flush()
  })
  tab.site.answer({ status: 200 })
  await tab.page.evaluate(() => sonde.flush())
  const [report] = await tab.site.waitForItems('client_report')
  assert.equal(report?.payload.discarded_events[0].reason, 'network_error')
})
