import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import { startSite } from '../harness/site.ts'

const SCRIPT = `
import * as sonde from '@sonde/browser'
sonde.init({ dsn: SITE.dsn, tunnel: '/monitoring', release: 'shop@1.2.3', environment: 'test' })
Object.assign(window, { sonde })
`

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

test('an uncaught error arrives with its stack, release and environment', async () => {
  await using site = await startSite({ script: SCRIPT })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url)
  await tab.page.evaluate(() => {
    setTimeout(function pay() {
      throw new TypeError('no card')
    })
  })
  const [item] = await site.waitForItems('event')
  const event = item?.payload
  assert.equal(event.release, 'shop@1.2.3')
  assert.equal(event.environment, 'test')
  assert.equal(event.level, 'error')
  const [exception] = event.exception.values
  assert.equal(exception.type, 'TypeError')
  assert.equal(exception.value, 'no card')
  assert.deepEqual(exception.mechanism, {
    type: 'auto.browser.global_handlers.onerror',
    handled: false,
    exception_id: 0,
  })
  assert.equal(exception.stacktrace.frames.at(-1).function, 'pay')
  assert.equal(site.recorded[0]?.path, '/monitoring')
})
