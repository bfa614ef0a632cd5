/** Sessions of a page in Chromium: begun, errored and crashed as Sentry's SDK tells them, and of nobody unless the page says. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { reporterPage } from '../harness/reporter-page.ts'

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

const WITH_SESSIONS = 'features: [sonde.sessions()], sendIp: false'

test('a page load is one session, errored by a handled error once and crashed by one that nobody caught', async () => {
  await using tab = await reporterPage(browser, WITH_SESSIONS)
  await tab.site.waitForItems('session')
  await tab.page.evaluate(() => {
    sonde.captureException(new Error('the cart is empty'))
    sonde.captureException(new Error('the cart is still empty'))
  })
  await tab.site.waitForItems('session', 2)
  await tab.page.evaluate(() => {
    setTimeout(() => {
      throw new TypeError('no card')
    })
    setTimeout(() => {
      throw new TypeError('no card either')
    }, 10)
  })
  await tab.site.waitForItems('event', 4)
  const told = (await tab.site.waitForItems('session', 3)).map(({ payload }) => payload)
  assert.deepEqual(
    told.map(({ init, status, errors }) => [init, status, errors]),
    [
      [true, 'ok', 0],
      [undefined, 'ok', 1],
      [undefined, 'crashed', 1],
    ],
  )
  assert.equal(new Set(told.map(({ sid }) => sid)).size, 1)
  assert.match(told[0].sid, /^[0-9a-f]{32}$/)
  assert.deepEqual([told[0].attrs.release, told[0].attrs.environment], ['shop@1.2.3', 'test'])
  // Nobody was named, so nobody is told apart.
  for (const { did } of told) assert.equal(did, undefined)
})

test('noise and what the page drops make no session errored', async () => {
  await using tab = await reporterPage(browser, `${WITH_SESSIONS}, beforeSend: () => null`)
  await tab.site.waitForItems('session')
  await tab.page.evaluate(() => {
    sonde.captureException(new Error('nobody needs this'))
    return sonde.flush(5_000)
  })
  assert.equal(tab.site.items('session').length, 1)
})

test('a user whom the page names later is told when the page is left', async () => {
  await using tab = await reporterPage(browser, WITH_SESSIONS)
  await tab.site.waitForItems('session')
  await tab.page.evaluate(() => sonde.setUser({ id: 42 }))
  await tab.page.goto('about:blank')
  const [, last] = await tab.site.waitForItems('session', 2)
  assert.deepEqual([last?.payload.did, last?.payload.status], ['42', 'ok'])
})

test('without a release there is no session', async () => {
  await using tab = await reporterPage(browser, `${WITH_SESSIONS}, release: undefined`)
  await tab.page.evaluate(() => {
    sonde.captureException(new Error('x'))
    return sonde.flush(5_000)
  })
  await tab.site.waitForItems('event')
  assert.equal(tab.site.items('session').length, 0)
})
